"""Counts of what a store holds."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, case, false, func, literal, select, true, union_all

from emberkeep.model.moment import from_micros
from emberkeep.model.overview import UserSummary
from emberkeep.model.report import Holding
from emberkeep.model.work import FINISHED, OPEN
from emberkeep.storage.schema import LACKS_VECTOR, deliveries, goals, interactions, items, shelves, tasks

_HOUR = 3_600_000_000  # microseconds


class Warm(NamedTuple):
    """How many memories have the same temperature, time of heating, number of uses and sacredness."""

    temperature: float
    heated_at: datetime
    access_count: int
    sacred: bool
    number: int


def items_by_kind(connection: Connection, tenant: str) -> dict[str, int]:
    """How many items hold at present, by kind."""
    query = (
        select(items.c.kind, func.count())
        .where(items.c.tenant == tenant, items.c.valid_to.is_(None))
        .group_by(items.c.kind)
        .order_by(items.c.kind)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def interactions_of(connection: Connection, tenant: str) -> int:
    """How many interactions are in the log."""
    return _count(connection, interactions, tenant)


def latest(connection: Connection, tenant: str) -> datetime | None:
    """When an interaction or an item was last recorded; `None` if none was."""
    said = (
        connection.execute(select(func.max(table.c.recorded_at)).where(table.c.tenant == tenant)).scalar()
        for table in (interactions, items)
    )
    moments = [moment for moment in said if moment is not None]
    return from_micros(max(moments)) if moments else None


def users_of(connection: Connection, tenant: str) -> int:
    """How many users have a shelf; the shelf of no user does not count."""
    query = select(func.count()).select_from(shelves).where(shelves.c.tenant == tenant, shelves.c.user_id != "")
    return connection.execute(query).scalar_one()


def users(connection: Connection, tenant: str, limit: int) -> list[UserSummary]:
    """Users with memories or interactions, those with the latest ones first."""
    kept = select(
        items.c.user_id, literal(1).label("memories"), literal(0).label("exchanges"), items.c.recorded_at.label("at")
    ).where(items.c.tenant == tenant, items.c.valid_to.is_(None))
    said = select(interactions.c.user_id, literal(0), literal(1), interactions.c.recorded_at).where(
        interactions.c.tenant == tenant
    )
    both = union_all(kept, said).subquery()
    last = func.max(both.c.at)
    query = (
        select(both.c.user_id, func.sum(both.c.memories), func.sum(both.c.exchanges), last)
        .group_by(both.c.user_id)
        .order_by(last.desc(), both.c.user_id)
        .limit(limit)
    )
    return [
        UserSummary(user_id or None, int(memories), int(exchanges), from_micros(at))
        for user_id, memories, exchanges, at in connection.execute(query)
    ]


def warmths(connection: Connection, tenant: str) -> Iterator[Warm]:
    """Counts of current memories by temperature (to the degree), time of heating (to the hour), uses and sacredness."""
    degrees, hour = func.round(items.c.temperature), items.c.heated_at // _HOUR
    keys = (degrees, hour, items.c.access_count, items.c.sacred)
    query = select(*keys, func.count()).where(items.c.tenant == tenant, items.c.valid_to.is_(None)).group_by(*keys)
    for temperature, at, access_count, sacred, number in connection.execute(query):
        yield Warm(float(temperature), from_micros(int(at) * _HOUR), access_count, sacred, number)


def tiers(connection: Connection, tenant: str) -> dict[str, int]:
    """Counts of open work, finished work that is not archived, memories in the default index, and cold memories."""
    work = {"open": 0, "finished": 0}
    for table in (tasks, goals):
        state = case((table.c.status.in_(OPEN), "open"), else_="finished")
        waiting = table.c.status.in_(OPEN) | (table.c.status.in_(FINISHED) & table.c.archived_at.is_(None))
        query = select(state, func.count()).where(table.c.tenant == tenant, waiting).group_by(state)
        for name, number in connection.execute(query):
            work[name] += number
    is_cold = case((items.c.cold.is_(true()), true()), else_=false())
    held = select(is_cold, func.count()).where(items.c.tenant == tenant, items.c.version_of.is_(None)).group_by(is_cold)
    by_cold = {bool(cold): number for cold, number in connection.execute(held)}
    return {**work, "long_term": by_cold.get(False, 0), "cold": by_cold.get(True, 0)}


def holdings(connection: Connection) -> dict[str, Holding]:
    """How much each tenant's memory holds, and how much waits to be embedded, learned from or delivered."""
    found: defaultdict[str, dict[str, Any]] = defaultdict(lambda: {"memories": {}})
    for tenant, kind, number in _by(connection, items.c.kind, items.c.valid_to.is_(None)):
        found[tenant]["memories"][kind] = number
    for tenant, number in _by(connection, None, None, interactions):
        found[tenant]["interactions"] = number
    for tenant, number in _by(connection, None, LACKS_VECTOR, items):
        found[tenant]["unembedded"] = number
    for tenant, state, number in _by(connection, interactions.c.backlog, interactions.c.backlog.is_not(None)):
        found[tenant][state] = number
    for tenant, failed, number in _by(connection, deliveries.c.failed, None):
        found[tenant]["events_failed" if failed else "events_waiting"] = number
    for tenant, oldest in _oldest(connection):
        found[tenant]["oldest_waiting"] = from_micros(oldest)
    return {tenant: Holding(**counted) for tenant, counted in found.items()}


def _by(connection: Connection, column: Any, where: Any, table: Table | None = None) -> Iterator[Any]:
    table = column.table if table is None else table
    columns = [table.c.tenant] if column is None else [table.c.tenant, column]
    query = select(*columns, func.count()).group_by(*columns)
    yield from connection.execute(query if where is None else query.where(where))


def _oldest(connection: Connection) -> Iterator[Any]:
    query = select(interactions.c.tenant, func.min(interactions.c.recorded_at))
    yield from connection.execute(query.where(interactions.c.backlog == "waiting").group_by(interactions.c.tenant))


def _count(connection: Connection, table: Table, tenant: str) -> int:
    return connection.execute(select(func.count()).select_from(table).where(table.c.tenant == tenant)).scalar_one()
