"""The record of contexts that were handed out. It holds ids and numbers, but no texts of memories."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from emberkeep.model.context import Considered, ContextRecord
from emberkeep.model.scope import EVERYONE
from emberkeep.storage.schema import contexts


def put(connection: Connection, tenant: str, record: ContextRecord) -> None:
    """Write the record of a context."""
    connection.execute(
        insert(contexts),
        {
            "tenant": tenant,
            "id": record.id,
            "user_id": record.user_id,
            "agent_id": record.agent_id,
            "session_id": record.session_id,
            "at": record.at,
            "task": record.task,
            "max_tokens": record.max_tokens,
            "total_tokens": record.total_tokens,
            "settings": dict(record.settings),
            "entries": tuple([e.key, e.tier, e.kind, e.value, e.tokens, e.fate, e.why] for e in record.entries),
            "degraded": record.degraded,
        },
    )


def get(connection: Connection, tenant: str, context_id: str) -> ContextRecord | None:
    """The record of one context."""
    query = select(contexts).where(contexts.c.tenant == tenant, contexts.c.id == context_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else _record(row)


def latest(connection: Connection, tenant: str, user_id: str | None, limit: int) -> list[ContextRecord]:
    """The latest records, latest first, of one user, of no user (`None`), or of everyone (`"*"`)."""
    query = select(contexts).where(contexts.c.tenant == tenant)
    if user_id != EVERYONE:
        query = query.where(contexts.c.user_id == (user_id or ""))
    rows = connection.execute(query.order_by(contexts.c.at.desc(), contexts.c.id.desc()).limit(limit))
    return [_record(row) for row in rows]


def rate(
    connection: Connection, tenant: str, context_id: str, *, helpful: bool, note: str | None, at: datetime
) -> bool:
    """Write down whether a context helped; returns whether there is a record of it."""
    rated = (
        update(contexts)
        .where(contexts.c.tenant == tenant, contexts.c.id == context_id)
        .values(helpful=helpful, note=note, rated_at=at)
    )
    return bool(connection.execute(rated).rowcount)


def forget(connection: Connection, tenant: str, *, before: datetime) -> int:
    """Drop the records from before a time; returns how many."""
    return connection.execute(delete(contexts).where(contexts.c.tenant == tenant, contexts.c.at < before)).rowcount


def _record(row: Row[Any]) -> ContextRecord:
    return ContextRecord(
        id=row.id,
        at=row.at,
        task=row.task,
        user_id=row.user_id,
        agent_id=row.agent_id,
        session_id=row.session_id,
        max_tokens=row.max_tokens,
        total_tokens=row.total_tokens,
        settings=row.settings,
        entries=tuple(Considered(*entry) for entry in row.entries),
        degraded=row.degraded,
        helpful=row.helpful,
        note=row.note,
        rated_at=row.rated_at,
    )
