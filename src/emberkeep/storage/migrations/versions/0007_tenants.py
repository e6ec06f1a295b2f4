"""On PostgreSQL, large tables divided by tenant, and a wall between tenants that does not depend on the queries."""

import sqlalchemy as sa
from alembic import op

from emberkeep.storage.postgres_layout import POLICY, make_partitions, raise_walls
from emberkeep.storage.schema import metadata

revision = "0007"
down_revision = "0006"

LARGE = """
    interactions items attributes sources claims mentions links vectors history steps executions contexts outbox
    deliveries
""".split()


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        _number_shelves("tenant", "number")
        return
    op.drop_constraint("shelves_number_key", "shelves")
    op.create_unique_constraint(None, "shelves", ["tenant", "number"])
    _make_anew(connection, LARGE, divided=True)
    known = set(sa.inspect(connection).get_table_names())  # not those that later versions add
    raise_walls(connection, (name for name, table in metadata.tables.items() if "tenant" in table.c and name in known))


def downgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        _number_shelves("number")
        return
    op.drop_constraint("shelves_tenant_number_key", "shelves")
    op.create_unique_constraint(None, "shelves", ["number"])
    query = "SELECT polrelid::regclass::text FROM pg_policy WHERE polname = %s"
    for name in connection.exec_driver_sql(query, (POLICY,)).scalars().all():
        connection.exec_driver_sql(f"DROP POLICY {POLICY} ON {name}")
        connection.exec_driver_sql(f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY")
    _make_anew(connection, LARGE, divided=False)


def _number_shelves(*unique: str) -> None:
    op.rename_table("shelves", "shelves_before")
    op.create_table(
        "shelves",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "user_id"),
        sa.UniqueConstraint(*unique),
    )
    columns = "tenant, user_id, number, epoch, revision"
    op.execute(f"INSERT INTO shelves ({columns}) SELECT {columns} FROM shelves_before")  # noqa: S608 - our names
    op.drop_table("shelves_before")


def _make_anew(connection: sa.Connection, names: list[str], *, divided: bool) -> None:
    """Make tables anew, partitioned or not, with the columns, keys and indexes that they have, and their rows."""
    query = """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE contype = 'f' AND conparentid = 0 AND (conrelid = ANY(%s::regclass[]) OR confrelid = ANY(%s::regclass[]))
    """
    foreign = connection.exec_driver_sql(query, (names, names)).all()
    for table, key, _ in foreign:
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT {key}")
    for name in names:
        _make_one_anew(connection, name, divided=divided)
    for table, key, definition in foreign:
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD CONSTRAINT {key} {definition}")


def _make_one_anew(connection: sa.Connection, name: str, *, divided: bool) -> None:
    before = f"{name}_before"
    primary, columns = connection.exec_driver_sql(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'p' AND conrelid = %s::regclass",
        (name,),
    ).one()
    # Those of large shelves are built again by `upkeep`, each on the part that holds its shelf.
    indexes = connection.exec_driver_sql(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
        "WHERE indrelid = %s::regclass AND NOT indisprimary ORDER BY 1",
        (name,),
    ).all()
    connection.exec_driver_sql(f"ALTER TABLE {name} DROP CONSTRAINT {primary}")
    for index, _ in indexes:
        connection.exec_driver_sql(f"DROP INDEX {index}")
    connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO {before}")
    connection.exec_driver_sql(f"CREATE TABLE {name} (LIKE {before}){' PARTITION BY HASH (tenant)' if divided else ''}")
    connection.exec_driver_sql(f"ALTER TABLE {name} ADD CONSTRAINT {primary} {columns}")
    for _, definition in indexes:
        if "USING hnsw" not in definition:
            connection.exec_driver_sql(definition.replace(" ON ONLY ", " ON "))
    if divided:
        make_partitions(connection, name)
    connection.exec_driver_sql(f"INSERT INTO {name} SELECT * FROM {before}")  # noqa: S608 - our names
    connection.exec_driver_sql(f"DROP TABLE {before}")
