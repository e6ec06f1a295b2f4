"""How much there is."""

from sqlalchemy import Connection, Table, func, select

from emberkeep.storage.schema import interactions, items, shelves


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


def _count(connection: Connection, table: Table, tenant: str) -> int:
    return connection.execute(select(func.count()).select_from(table).where(table.c.tenant == tenant)).scalar_one()
