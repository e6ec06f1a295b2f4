"""Bringing a database to this version's schema: an empty one gets it in one go, an older one is migrated.

A database can also be brought back to an older schema, for an older Emberkeep.
"""

from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, create_mock_engine, func, inspect, select, text

from emberkeep.errors import StoreOutdated, StoreUnavailable
from emberkeep.storage.database import Database
from emberkeep.storage.schema import VERSION_TABLE, metadata

HEAD = "0012"
_NAMED = 3  # how many tables a message names
_FOLDER = Path(__file__).parent / "migrations"
_TAKEN = "is not Emberkeep's, but has tables of {} ({}): pass an empty database, or a new file"


def prepare(database: Database) -> None:
    """Create the schema, or bring it up to date; quick when there is nothing to do."""
    if current(database) != HEAD:
        database.write(lambda connection: _upgrade(database, connection))


def current(database: Database) -> str | None:
    """The schema version of a database; `None` if it has no schema of ours."""
    with database.read() as connection:
        return _current(connection)


def strange_tables(database: Database) -> str | None:
    """Why a database without a schema version cannot be used, if it has tables that are in the way."""
    with database.read() as connection:
        return _taken(connection) if _current(connection) is None else None


def versions() -> dict[str, str]:
    """Every schema version that this code can bring a database to, oldest first, with what each one brought."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - as in `_alembic`

    scripts = ScriptDirectory(str(_FOLDER)).walk_revisions()
    return {script.revision: script.doc.rstrip(".") for script in reversed(list(scripts))}


def lost_by(database: Database, to: str) -> dict[str, int]:
    """The tables that hold rows and do not exist in an older version, with their number of rows."""
    with database.of_everyone().read() as connection:
        gone = sorted(metadata.tables.keys() & set(inspect(connection).get_table_names()) - _tables_of(to))
        counted = {name: select(func.count()).select_from(metadata.tables[name]) for name in gone}
        rows = {name: connection.execute(query).scalar_one() for name, query in counted.items()}
    return {name: number for name, number in rows.items() if number}


def go_back(database: Database, to: str) -> None:
    """Bring a database to an older version, in one transaction; data that it has no place for is lost."""

    def job(connection: Connection) -> None:
        database.before_schema(connection)
        migrate_back(connection, to)

    database.write(job)


def migrate(connection: Connection, to: str = "head") -> None:
    """Run the migrations one by one, up to a version."""
    command, config = _alembic(connection)
    command.upgrade(config, to)


def migrate_back(connection: Connection, to: str) -> None:
    """Undo the migrations one by one, down to a version."""
    command, config = _alembic(connection)
    command.downgrade(config, to)


def _alembic(connection: Connection) -> tuple[Any, Any]:
    # Importing Alembic takes as long as importing all the rest, and is needed once in a database's life.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return command, config


def _upgrade(database: Database, connection: Connection) -> None:
    database.before_schema(connection)
    version = _current(connection)
    if version == HEAD:
        return
    if version is None:
        if taken := _taken(connection):
            raise StoreUnavailable(f"{database.url} {taken}")
        create(connection)
    elif version > HEAD:
        raise newer(database.url, version)
    else:
        migrate(connection)


def newer(url: str, version: str) -> StoreOutdated:
    """The error for a database of a version that this code does not know."""
    return StoreOutdated(
        f"{url} was made by a newer Emberkeep (schema {version}, this one knows {HEAD}): upgrade Emberkeep, or go back "
        f"with the newer one: emberkeep migrate --to {HEAD}"
    )


def create(connection: Connection) -> None:
    """Create the whole schema at once."""
    if connection.dialect.name == "sqlite":
        cursor = connection.connection.cursor()
        for statement in _sqlite_statements():
            cursor.execute(statement)
        cursor.close()
    else:
        metadata.create_all(connection)
    key = f"CONSTRAINT {VERSION_TABLE}_pkc PRIMARY KEY (version_num)"  # as Alembic makes it
    connection.execute(text(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL, {key})"))
    connection.execute(text(f"INSERT INTO {VERSION_TABLE} VALUES (:head)"), {"head": HEAD})  # noqa: S608 - our name


@cache
def _sqlite_statements() -> tuple[str, ...]:
    """The statements that create the tables, compiled once: SQLite runs them faster than SQLAlchemy compiles them."""
    statements: list[str] = []

    def note(statement: Any, *_: Any, **__: Any) -> None:
        statements.append(str(statement.compile(dialect=engine.dialect)))

    engine = create_mock_engine("sqlite://", note)
    metadata.create_all(engine, checkfirst=False)
    return tuple(statements)


def _tables_of(version: str) -> set[str]:
    """The tables of a version, found by migrating a database in memory to it."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        migrate(connection, version)
        found = set(inspect(connection).get_table_names())
    engine.dispose()
    return found


def _taken(connection: Connection) -> str | None:
    """Why a database without a version cannot be used, if so.

    A database on a server may hold other tables beside ours; a file with tables is another program's.
    """
    found = sorted(inspect(connection).get_table_names())
    ours = [name for name in found if name in metadata.tables]
    if ours:
        return _TAKEN.format("the same names", ", ".join(ours[:_NAMED]))
    if found and connection.dialect.name == "sqlite":
        return _TAKEN.format("another program", ", ".join(found[:_NAMED]))
    return None


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608 - our name
