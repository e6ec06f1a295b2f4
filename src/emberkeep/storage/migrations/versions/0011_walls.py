"""On PostgreSQL, the wall between tenants in words by which the server does not take large tenants for empty ones."""

import sqlalchemy as sa
from alembic import op

from emberkeep.storage.postgres_layout import raise_walls
from emberkeep.storage.schema import metadata

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        raise_walls(connection, _with_walls(connection))


def downgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        former = "current_setting('emberkeep.tenant', true) IN (tenant, '*')"
        raise_walls(connection, _with_walls(connection), former)


def _with_walls(connection: sa.Connection) -> list[str]:
    known = set(sa.inspect(connection).get_table_names())  # not those that later versions add
    return [name for name, table in metadata.tables.items() if "tenant" in table.c and name in known]
