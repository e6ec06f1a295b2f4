"""Reading all rows of a tenant a page at a time, and listing the tenants that have any."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, select

from emberkeep.storage.schema import interactions, items, shelves

AT_ONCE = 500


def tenants(connection: Connection) -> list[str]:
    """Tenants that have interactions, items or shelves."""
    found = (connection.execute(select(table.c.tenant).distinct()) for table in (interactions, items, shelves))
    return sorted({tenant for rows in found for tenant in rows.scalars()})


def pages(connection: Connection, table: Table, tenant: str, columns: Sequence[str]) -> Iterator[Sequence[Row[Any]]]:
    """The id and these columns of all rows of a tenant, a page at a time, in the order of their ids."""
    after = ""
    query = select(*table.c["id", *columns]).order_by(table.c.id).limit(AT_ONCE)
    while rows := connection.execute(query.where(table.c.tenant == tenant, table.c.id > after)).all():
        yield rows
        after = rows[-1][0]
