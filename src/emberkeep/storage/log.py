"""The verbatim log: what was said, word for word. What waits in it to be learned from is the backlog."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message
from emberkeep.model.moment import from_micros, to_micros
from emberkeep.model.scope import Scope
from emberkeep.storage.driver import run
from emberkeep.storage.schema import interactions

_append = insert(interactions)
_settle = (
    update(interactions)
    .where(interactions.c.tenant == bindparam("owner"), interactions.c.id.in_(bindparam("ids", expanding=True)))
    .values(waiting=False)
)


def append(connection: Connection, interaction: Interaction, *, waiting: bool) -> None:
    """Write one interaction."""
    scope = interaction.scope
    run(
        connection,
        _append,
        {
            "tenant": scope.tenant,
            "id": interaction.id,
            "user_id": scope.shelf,
            "agent_id": scope.agent_id or "",
            "session_id": scope.session_id or "",
            "occurred_at": to_micros(interaction.occurred_at),
            "recorded_at": to_micros(interaction.recorded_at),
            "messages": [_plain(message) for message in interaction.messages],
            "tags": interaction.tags,
            "metadata": interaction.metadata,
            "waiting": waiting,
        },
    )


def take_waiting(connection: Connection, tenant: str, limit: int) -> list[Interaction]:
    """The oldest interactions that wait, which wait no more once this transaction is through.

    On PostgreSQL those that another worker has taken are passed over.
    """
    query = (
        select(interactions)
        .where(interactions.c.tenant == tenant, interactions.c.waiting)
        .order_by(interactions.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    taken = [_interaction(row) for row in connection.execute(query)]
    if taken:
        connection.execute(_settle, {"owner": tenant, "ids": [interaction.id for interaction in taken]})
    return taken


def count_waiting(connection: Connection, tenant: str) -> int:
    """How many interactions wait to be learned from."""
    query = (
        select(func.count()).select_from(interactions).where(interactions.c.tenant == tenant, interactions.c.waiting)
    )
    return connection.execute(query).scalar_one()


def _interaction(row: Any) -> Interaction:
    return Interaction(
        id=row.id,
        scope=Scope(row.tenant, row.user_id or None, row.agent_id or None, row.session_id or None),
        messages=tuple(_message(plain) for plain in row.messages),
        occurred_at=from_micros(row.occurred_at),
        recorded_at=from_micros(row.recorded_at),
        tags=tuple(row.tags),
        metadata=row.metadata,
    )


def _message(plain: dict[str, Any]) -> Message:
    stamp = plain.get("timestamp")
    return Message(
        role=plain["role"],
        content=plain["content"],
        name=plain.get("name"),
        id=plain.get("id"),
        timestamp=None if stamp is None else datetime.fromisoformat(stamp),
    )


def _plain(message: Message) -> dict[str, Any]:
    fields = {"role": message.role, "content": message.content, "name": message.name, "id": message.id}
    plain = {name: value for name, value in fields.items() if value is not None}
    if message.timestamp is not None:
        plain["timestamp"] = message.timestamp.isoformat()
    return plain
