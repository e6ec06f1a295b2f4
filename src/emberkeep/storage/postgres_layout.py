"""The part of the schema that only PostgreSQL has: partitions by tenant, and row-level security.

Each large table is partitioned by a hash of the tenant: a query names its tenant, so it touches one partition, and each
partition has its own indexes and its own vacuum.

Row-level security is the second wall between tenants. If a query forgets its tenant, or names another, the server
itself shows and accepts only rows of the tenant that the transaction is for (see `postgres_transaction.py`). It does
not bind superusers and roles with BYPASSRLS: `emberkeep doctor` warns of them.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, MetaData, Table

PARTITIONS = 8
POLICY = "tenant_wall"
# A `CASE`, which PostgreSQL expects half of the rows to pass; it would expect a plain `IN` to pass hardly any.
WALL = "CASE WHEN current_setting('emberkeep.tenant', true) IN (tenant, '*') THEN true ELSE false END"


def lay_out(target: MetaData, connection: Connection, **_: Any) -> None:
    """Add partitions and row-level security to new tables; SQLAlchemy calls it after creating them."""
    if connection.dialect.name != "postgresql":
        return
    owned = {name: table for name, table in target.tables.items() if "tenant" in table.c}
    for name, table in owned.items():
        if is_partitioned(table):
            make_partitions(connection, name)
    raise_walls(connection, owned)


def is_partitioned(table: Table) -> bool:
    """Return whether a table is partitioned by tenant."""
    return table.dialect_options["postgresql"]["partition_by"] is not None


def part_of(name: str, number: int) -> str:
    """Return the name of a partition of a table."""
    return f"{name}_p{number}"


def make_partitions(connection: Connection, name: str) -> None:
    """Create the partitions of a table, with its indexes. From then on, their number is read from the database."""
    for number in range(PARTITIONS):
        values = f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        connection.exec_driver_sql(f"CREATE TABLE {part_of(name, number)} PARTITION OF {name} {values}")


def raise_walls(connection: Connection, tables: Iterable[str], wall: str = WALL) -> None:
    """Let a transaction read and write only rows of its tenant; this binds the owner of the tables too."""
    query = "SELECT relid::regclass::text FROM pg_partition_tree(%s) WHERE relid <> %s::regclass"
    for name in tables:
        parts = connection.exec_driver_sql(query, (name, name)).scalars()  # for queries that name a partition itself
        for walled in (name, *parts):
            connection.exec_driver_sql(f"ALTER TABLE {walled} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
            connection.exec_driver_sql(f"DROP POLICY IF EXISTS {POLICY} ON {walled}")
            connection.exec_driver_sql(f"CREATE POLICY {POLICY} ON {walled} USING ({wall})")
