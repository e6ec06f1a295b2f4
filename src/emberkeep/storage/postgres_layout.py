"""What the tables have on PostgreSQL alone: row-level security, the second wall between tenants.

Every query names its tenant. If one forgets to, or names another, the server itself shows and takes only rows of the
tenant that the transaction is for (see `postgres_transaction.py`). Superusers are above it, and so are roles with
BYPASSRLS: `emberkeep doctor` warns of them.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, MetaData

POLICY = "tenant_wall"


def lay_out(target: MetaData, connection: Connection, **_: Any) -> None:
    """Give new tables what they have on PostgreSQL alone."""
    if connection.dialect.name == "postgresql":
        raise_walls(connection, (name for name, table in target.tables.items() if "tenant" in table.c))


def raise_walls(connection: Connection, tables: Iterable[str]) -> None:
    """Show a transaction only the rows of its tenant, and let it write no others; the tables' owner too."""
    for name in tables:
        connection.exec_driver_sql(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
        connection.exec_driver_sql(
            f"CREATE POLICY {POLICY} ON {name} USING (current_setting('emberkeep.tenant', true) IN (tenant, '*'))"
        )
