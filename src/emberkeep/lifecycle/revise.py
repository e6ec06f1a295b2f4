"""Changing an item: its former text is kept as a version that held until the change."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput
from emberkeep.model.ids import new_id
from emberkeep.model.item import Action, Item
from emberkeep.model.moment import to_micros
from emberkeep.model.sameness import item_hash
from emberkeep.storage import cold, history, items, shelves, vectors


def revise(
    connection: Connection,
    tenant: str,
    item: Item,
    changes: Mapping[str, Any],
    now: datetime,
    *,
    since: datetime | None = None,
    action: Action = "updated",
) -> tuple[Item, int]:
    """Apply changes to an item's fields; returns the changed item, and its new revision.

    A new text holds from `since`, by default from now. Raises `InvalidInput` for a former version.
    """
    current = items.current_of(connection, tenant, item.id)
    if current is not None:
        raise InvalidInput(f"{item.id!r} is a former version of {current!r}: update that one")
    cold.thaw(connection, tenant, item.user_id or "", [item.id])
    changed = replace(item, **changes)
    claim = shelves.claim(connection, tenant, item.user_id or "", 3)
    values: dict[str, Any] = {
        "tags": list(changed.tags),
        "metadata": dict(changed.metadata),
        **items.heat_of(changed),
        "kind": changed.kind,
        "revision": claim.first,
        **({"told": True} if action == "updated" else {}),
    }
    version_id = None
    if changed.text != item.text:
        since = since or now
        # An item that had ended already, or had not begun, is corrected for its whole time: its former text never held.
        held = item.valid_from < since and (item.valid_to is None or item.valid_to > since)
        former = replace(item, id=new_id(now), valid_from=item.valid_from if held else since, valid_to=since)
        version_id = _leave_behind(connection, tenant, item, former, claim.first + 1)
        changed = replace(changed, valid_from=since if held else item.valid_from)
    if changed.spoken != item.spoken:
        vectors.remove(connection, tenant, item.id)
        values |= {
            "text": changed.text,
            "gloss": changed.gloss or None,
            "content_hash": item_hash(changed),
            **items.indexed(changed),
            "valid_from": to_micros(changed.valid_from),
            "unembedded": True,
        }
    items.change(connection, tenant, item.id, values)
    items.replace_attributes(connection, tenant, changed)
    history.record(connection, tenant, changed, action, number=claim.first, at=now, version_id=version_id)
    return changed, claim.first


def _leave_behind(connection: Connection, tenant: str, item: Item, former: Item, revision: int) -> str:
    row = items.row_of(
        tenant, replace(former, superseded_by=item.id), content_hash=item_hash(former), revision=revision
    )
    items.insert_items(connection, tenant, [{**row, "version_of": item.id}], [former.sources])
    if vectors.copy(connection, tenant, item.id, to=former.id, revision=revision + 1):
        items.change(connection, tenant, former.id, {"unembedded": False})
    return former.id
