"""How much there is."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Table, func, select

from emberkeep.model.moment import from_micros
from emberkeep.model.report import Holding
from emberkeep.storage.schema import deliveries, interactions, items, shelves


def items_by_kind(connection: Connection, tenant: str) -> dict[str, int]:
    """Items that hold at present, by kind."""
    query = (
        select(items.c.kind, func.count())
        .where(items.c.tenant == tenant, items.c.valid_to.is_(None))
        .group_by(items.c.kind)
        .order_by(items.c.kind)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def interactions_of(connection: Connection, tenant: str) -> int:
    """Interactions in the log."""
    return _count(connection, interactions, tenant)


def users_of(connection: Connection, tenant: str) -> int:
    """Users that have a shelf; the shelf of no user is nobody's."""
    query = select(func.count()).select_from(shelves).where(shelves.c.tenant == tenant, shelves.c.user_id != "")
    return connection.execute(query).scalar_one()


def holdings(connection: Connection) -> dict[str, Holding]:
    """What each tenant's memory holds, and what waits there."""
    found: defaultdict[str, dict[str, Any]] = defaultdict(lambda: {"memories": {}})
    for tenant, kind, number in _by(connection, items.c.kind, items.c.valid_to.is_(None)):
        found[tenant]["memories"][kind] = number
    for tenant, number in _by(connection, None, None, interactions):
        found[tenant]["interactions"] = number
    for tenant, _, number in _by(connection, items.c.unembedded, items.c.unembedded):
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
