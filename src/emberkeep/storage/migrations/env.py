"""Runs the migrations on the connection that `storage.migrate` hands over.

`alembic upgrade head` hands over none. Then this opens the database of `alembic -x db=PATH_OR_URL`, else the one in the
settings, else a PostgreSQL that `DATABASE_URL` names, else this user's own, and prints which.
"""

import os

from alembic import context
from sqlalchemy import Connection

from emberkeep.storage.schema import VERSION_TABLE, metadata


def run(connection: Connection) -> None:
    """Run the migrations within the transaction of a connection."""
    if not connection.in_transaction():
        connection.begin()  # otherwise Alembic begins one of its own, and commits it
    context.configure(connection=connection, target_metadata=metadata, version_table=VERSION_TABLE)
    with context.begin_transaction():
        context.run_migrations()


def run_alone() -> None:
    """Open the database that the command line, the settings or `DATABASE_URL` name, migrate it, and close it."""
    from emberkeep.config import Config  # noqa: PLC0415 - only here is there nobody who opened it
    from emberkeep.wiring import open_database  # noqa: PLC0415

    config = Config.load(db=context.get_x_argument(as_dictionary=True).get("db"))
    elsewhere = os.getenv("DATABASE_URL", "")
    if not config.db and elsewhere.startswith("postgres"):  # any other URL may be another service's file
        config = Config.load(db=elsewhere)
    database = open_database(config)

    def job(connection: Connection) -> None:
        database.before_schema(connection)
        run(connection)

    try:
        database.write(job)
        context.config.print_stdout(f"on {database.url}")
    finally:
        database.close()


handed = context.config.attributes.get("connection")
if handed is None:
    run_alone()
else:
    run(handed)
