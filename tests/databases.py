"""PostgreSQL databases for tests: one is emptied and used again for as long as its schema is what it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from sqlalchemy import Connection, create_engine, make_url, text

from emberkeep.storage.migrate import HEAD
from emberkeep.storage.schema import VERSION_TABLE, metadata

TEMPLATE = "emberkeep_template"
# All that a test could have changed but for rows: tables, columns, indexes, policies, functions, settings.
_SCHEMA = text("""
    SELECT md5(string_agg(line, '|' ORDER BY line)) FROM (
        SELECT format('%s %s %s %s', relname, relkind, relrowsecurity, relforcerowsecurity) AS line
        FROM pg_class WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT format('%s %s %s', attrelid::regclass, attname, atttypid)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid AND relnamespace = 'public'::regnamespace
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT format('%s %s %s', tablename, policyname, qual) FROM pg_policies
        UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        UNION ALL SELECT array_to_string(setconfig, ',') FROM pg_db_role_setting
        JOIN pg_database ON pg_database.oid = setdatabase AND datname = current_database()
    )
""")
_VERSION = text(f"SELECT version_num FROM {VERSION_TABLE}")
_ALONE = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name AND pid <> pg_backend_pid()"
)


def named(url: str, database: str) -> str:
    return make_url(url).set(database=database).render_as_string(hide_password=False)


def run(url: str, statement: str) -> None:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


class Databases:
    """Hands out one database after the other, each with the schema and nothing in it."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._name = ""
        self._schema = ""

    def take(self) -> str:
        """The URL of an empty database, until it is given back."""
        if not self._name:
            self._name = f"test_{uuid4().hex}"
            run(self._server, f"CREATE DATABASE {self._name} TEMPLATE {TEMPLATE}")
            with self._opened() as connection:
                self._schema = connection.execute(_SCHEMA).scalar_one()
        return named(self._server, self._name)

    def give_back(self) -> None:
        """Empty it, or drop it if it is not what it was."""
        with self._opened() as connection:
            connection.execute(_ALONE, {"name": self._name})
            same = connection.execute(_SCHEMA).scalar_one() == self._schema
            same = same and connection.execute(_VERSION).scalar() == HEAD
            if same:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
                connection.execute(text("; ".join(f'DELETE FROM "{table.name}"' for table in metadata.sorted_tables)))
        if not same:
            run(self._server, f"DROP DATABASE {self._name} WITH (FORCE)")
            self._name = ""

    @contextmanager
    def _opened(self) -> Iterator[Connection]:
        engine = create_engine(make_url(named(self._server, self._name)).set(drivername="postgresql+psycopg"))
        try:
            with engine.begin() as connection:
                yield connection
        finally:
            engine.dispose()
