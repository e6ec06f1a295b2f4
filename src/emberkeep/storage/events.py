"""Critical live events, stored so that they are not lost with the process."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, insert, select

from emberkeep.model.operational import LiveEvent
from emberkeep.storage.batches import batches
from emberkeep.storage.schema import events

_columns = [events.c[name] for name in LiveEvent._fields]


def put(connection: Connection, tenant: str, found: Sequence[LiveEvent]) -> None:
    """Write events; one that an earlier attempt already wrote stays as it is."""
    for some in batches(found):
        mine = (events.c.tenant == tenant, events.c.id.in_([event.id for event in some]))
        known = set(connection.execute(select(events.c.id).where(*mine)).scalars())
        rows = [{"tenant": tenant, **event._asdict()} for event in some if event.id not in known]
        if rows:
            connection.execute(insert(events), rows)


def listed(
    connection: Connection, tenant: str, limit: int, *, category: str | None = None, since: datetime | None = None
) -> list[LiveEvent]:
    """The latest events, latest first."""
    query = select(*_columns).where(events.c.tenant == tenant)
    if category is not None:
        query = query.where(events.c.category == category)
    if since is not None:
        query = query.where(events.c.at >= since)
    query = query.order_by(events.c.at.desc(), events.c.id.desc()).limit(limit)
    return [LiveEvent._make(row) for row in connection.execute(query)]
