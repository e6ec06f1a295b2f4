"""Leases and delays that end later than anyone meant, because a clock was wrong, say."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, or_, select, update

from emberkeep.model.moment import to_micros
from emberkeep.storage.schema import deliveries, interactions

LONGEST = timedelta(days=2)  # the longest delay that is meant: over the cap an exchange waits for tomorrow, anywhere


def find(connection: Connection, tenant: str, now: datetime, lease_s: float) -> list[str]:
    """Ids of exchanges that are leased or put off for far too long."""
    return list(connection.execute(select(interactions.c.id).where(_held(tenant, now, lease_s))).scalars())


def mend(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Make these exchanges due now, for any worker."""
    mine = and_(interactions.c.tenant == tenant, interactions.c.id.in_(ids))
    connection.execute(update(interactions).where(mine).values(lease=None, due_at=0))


def find_late(connection: Connection, tenant: str, now: datetime) -> list[str]:
    """Ids of events whose delivery is leased or put off for far too long."""
    return sorted(set(connection.execute(select(deliveries.c.event_id).where(_late(tenant, now))).scalars()))


def mend_late(connection: Connection, tenant: str, ids: Sequence[str], now: datetime) -> None:
    """Make the deliveries of these events due now, for any process."""
    mine = and_(_late(tenant, now), deliveries.c.event_id.in_(ids))
    connection.execute(update(deliveries).where(mine).values(holder=None, due_at=now))


def _held(tenant: str, now: datetime, lease_s: float) -> ColumnElement[bool]:
    leased = and_(
        interactions.c.lease.is_not(None), interactions.c.due_at > to_micros(now + timedelta(seconds=2 * lease_s))
    )
    put_off = interactions.c.due_at > to_micros(now + LONGEST)
    return and_(interactions.c.tenant == tenant, interactions.c.backlog == "waiting", or_(leased, put_off))


def _late(tenant: str, now: datetime) -> ColumnElement[bool]:
    return and_(deliveries.c.tenant == tenant, deliveries.c.failed.is_(False), deliveries.c.due_at > now + LONGEST)
