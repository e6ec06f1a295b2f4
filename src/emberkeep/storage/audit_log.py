"""The audit log: what was done to look after a store, and by whom. Holds ids, names and counts, never what was said."""

from datetime import datetime

from sqlalchemy import Connection, insert, select

from emberkeep.model.access import AuditEntry
from emberkeep.storage.schema import audit


def add(connection: Connection, tenant: str, entry: AuditEntry) -> None:
    """Write an entry."""
    told = {"who": entry.who, "action": entry.action, "user_id": entry.user_id, "what": dict(entry.what)}
    connection.execute(insert(audit), {"tenant": tenant, "id": entry.id, "at": entry.at, **told})


def listed(
    connection: Connection, tenant: str, limit: int, *, action: str | None = None, since: datetime | None = None
) -> list[AuditEntry]:
    """A tenant's entries, the latest first."""
    query = select(audit).where(audit.c.tenant == tenant)
    if action is not None:
        query = query.where(audit.c.action == action)
    if since is not None:
        query = query.where(audit.c.at >= since)
    rows = connection.execute(query.order_by(audit.c.id.desc()).limit(limit))
    return [AuditEntry(row.id, row.at, row.who, row.action, row.user_id, row.what) for row in rows]
