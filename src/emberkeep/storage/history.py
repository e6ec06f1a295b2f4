"""The history of items: written with each change, and read back with the texts of their former versions."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, insert, select

from emberkeep.model import events
from emberkeep.model.item import Action, Change, Item
from emberkeep.model.moment import from_micros, to_micros
from emberkeep.storage.outbox import tell
from emberkeep.storage.schema import history, items


def record(  # one entry of one item
    connection: Connection,
    tenant: str,
    item: Item,
    action: Action,
    *,
    number: int,
    at: datetime,
    version_id: str | None = None,
) -> None:
    """Write an entry; its `number` is a revision of the item's shelf, so that numbers are in order and never repeat."""
    connection.execute(
        insert(history),
        {
            "tenant": tenant,
            "item_id": item.id,
            "number": number,
            "user_id": item.user_id or "",
            "at": to_micros(at),
            "action": action,
            "version_id": version_id,
            "temperature": item.temperature,
        },
    )
    tell(connection, tenant, item.user_id, f"memory.{action}", _payload(item, action, version_id))


def read(connection: Connection, tenant: str, item_id: str, current: Item | None) -> list[Change]:
    """An item's changes, oldest first; for a deleted item only that it was added and deleted."""
    former = items.alias("former")
    query = (
        select(history.c.at, history.c.action, history.c.temperature, history.c.version_id, former.c.text)
        .outerjoin(former, and_(former.c.tenant == history.c.tenant, former.c.id == history.c.version_id))
        .where(history.c.tenant == tenant, history.c.item_id == item_id)
        .order_by(history.c.number)
    )
    rows = list(connection.execute(query))
    text = current.text if current else None
    changes: list[Change] = []
    for row in reversed(rows):  # from the present text back to the first
        previous = row.text if row.version_id else None
        changes.append(Change(from_micros(row.at), row.action, text, previous, row.temperature))
        text = previous if row.version_id else text
    if current is not None:
        changes.append(Change(current.recorded_at, "added", text))
    return changes[::-1]


def remains(connection: Connection, tenant: str, item: Item, *, number: int, now: datetime) -> None:
    """Record that an item was added and deleted, and nothing of what it said."""
    shared: dict[str, Any] = {
        "tenant": tenant,
        "item_id": item.id,
        "user_id": item.user_id or "",
        "version_id": None,
        "temperature": None,
    }
    connection.execute(
        insert(history),
        [
            {**shared, "number": 0, "at": to_micros(item.recorded_at), "action": "added"},
            {**shared, "number": number, "at": to_micros(now), "action": "deleted"},
        ],
    )


def _payload(item: Item, action: Action, version_id: str | None) -> Mapping[str, object]:
    if action == "reheated":
        return events.Reheated(id=item.id, kind=item.kind, temperature=round(item.temperature, 2))
    if action in {"superseded", "retracted"}:
        return events.Superseded(id=item.id, kind=item.kind, by=item.superseded_by)
    if action in {"updated", "refined"}:
        return events.Changed(id=item.id, kind=item.kind, version_id=version_id)
    return events.Restored(id=item.id, kind=item.kind)
