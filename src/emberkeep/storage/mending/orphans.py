"""Rows that belong to what is not there, which a database without its foreign keys, or a damaged one, may hold.

Those that are derived go. What somebody said or did stays, and is only told of.
"""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, select

from emberkeep.storage.schema import metadata

DERIVED = frozenset("attributes sources claims mentions links vectors deliveries".split())


def find(connection: Connection, tenant: str) -> Mapping[str, int]:
    """How many rows of which tables belong to nothing."""
    found = {}
    for table in metadata.sorted_tables:
        lost = _lost(table, tenant)
        if lost is not None:
            number = connection.execute(select(func.count()).select_from(table).where(lost)).scalar_one()
            if number:
                found[table.name] = number
    return found


def mend(connection: Connection, tenant: str, tables: Mapping[str, int]) -> None:
    """Remove those that are derived."""
    for name in DERIVED & tables.keys():
        table = metadata.tables[name]
        lost = _lost(table, tenant)
        if lost is not None:
            connection.execute(delete(table).where(lost))


def _lost(table: Table, tenant: str) -> ColumnElement[bool] | None:
    """What is true of rows that refer to something that is not there."""
    missing = [
        ~select(key.referred_table.c[0])
        .where(*(one.column == one.parent for one in key.elements))
        .correlate(table)
        .exists()
        for key in table.foreign_key_constraints
    ]
    if not missing:
        return None
    lost = missing[0]
    for one in missing[1:]:
        lost |= one
    return and_(table.c.tenant == tenant, lost)
