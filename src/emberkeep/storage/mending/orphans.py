"""Rows that refer to missing rows, as a database that did not enforce its foreign keys, or a damaged one, may hold.

Derived rows are removed. Rows that hold what somebody said or did stay, and are only reported.
"""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, select

from emberkeep.storage.schema import metadata

DERIVED = frozenset("attributes sources claims mentions links vectors deliveries".split())


def find(connection: Connection, tenant: str) -> Mapping[str, int]:
    """The number of orphaned rows by table; tables without any are left out."""
    found = {}
    for table in metadata.sorted_tables:
        lost = _lost(table, tenant)
        if lost is not None:
            number = connection.execute(select(func.count()).select_from(table).where(lost)).scalar_one()
            if number:
                found[table.name] = number
    return found


def mend(connection: Connection, tenant: str, tables: Mapping[str, int]) -> None:
    """Remove the orphaned rows of derived tables."""
    for name in DERIVED & tables.keys():
        table = metadata.tables[name]
        lost = _lost(table, tenant)
        if lost is not None:
            connection.execute(delete(table).where(lost))


def _lost(table: Table, tenant: str) -> ColumnElement[bool] | None:
    """The condition for rows with a reference to a missing row; `None` if the table has no foreign keys."""
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
