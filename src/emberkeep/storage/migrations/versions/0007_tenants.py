"""On PostgreSQL, a wall between tenants that does not depend on the queries."""

import sqlalchemy as sa
from alembic import op

from emberkeep.storage.postgres_layout import raise_walls
from emberkeep.storage.schema import metadata

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    known = set(sa.inspect(connection).get_table_names())  # not those that later versions add
    raise_walls(connection, (name for name, table in metadata.tables.items() if "tenant" in table.c and name in known))
