"""What the tables have on PostgreSQL alone: partitions by tenant, and row-level security.

Each large table is divided by a hash of the tenant: a query names its tenant, so it touches one part, and each part has
its own indexes and its own vacuum.

Row-level security is the second wall between tenants. If a query forgets its tenant, or names another, the server
itself shows and takes only rows of the tenant that the transaction is for (see `postgres_transaction.py`). Superusers
are above it, and so are roles with BYPASSRLS: `emberkeep doctor` warns of them.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, MetaData, Table

PARTITIONS = 8
POLICY = "tenant_wall"
# As a case, of which PostgreSQL believes that every other row passes; of a plain `IN`, that next to none does.
WALL = "CASE WHEN current_setting('emberkeep.tenant', true) IN (tenant, '*') THEN true ELSE false END"


def lay_out(target: MetaData, connection: Connection, **_: Any) -> None:
    """Give new tables what they have on PostgreSQL alone."""
    if connection.dialect.name != "postgresql":
        return
    owned = {name: table for name, table in target.tables.items() if "tenant" in table.c}
    for name, table in owned.items():
        if is_partitioned(table):
            make_partitions(connection, name)
    raise_walls(connection, owned)


def is_partitioned(table: Table) -> bool:
    """Whether a table is divided by tenant."""
    return table.dialect_options["postgresql"]["partition_by"] is not None


def part_of(name: str, number: int) -> str:
    """What a part of a table is called."""
    return f"{name}_p{number}"


def make_partitions(connection: Connection, name: str) -> None:
    """Make the parts of a table, with the indexes that it has. How many there are, the database knows from then on."""
    for number in range(PARTITIONS):
        values = f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        connection.exec_driver_sql(f"CREATE TABLE {part_of(name, number)} PARTITION OF {name} {values}")


def raise_walls(connection: Connection, tables: Iterable[str], wall: str = WALL) -> None:
    """Show a transaction only the rows of its tenant, and let it write no others; the tables' owner too."""
    query = "SELECT relid::regclass::text FROM pg_partition_tree(%s) WHERE relid <> %s::regclass"
    for name in tables:
        parts = connection.exec_driver_sql(query, (name, name)).scalars()  # whoever asks for a part is asked too
        for one in (name, *parts):
            connection.exec_driver_sql(f"ALTER TABLE {one} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
            connection.exec_driver_sql(f"DROP POLICY IF EXISTS {POLICY} ON {one}")
            connection.exec_driver_sql(f"CREATE POLICY {POLICY} ON {one} USING ({wall})")
