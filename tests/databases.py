"""PostgreSQL databases for tests: one is emptied and used again for as long as its schema is what it was."""

import os
from uuid import uuid4

import psycopg
from sqlalchemy import create_engine, make_url, text

from emberkeep.storage.schema import VERSION_TABLE, metadata

TEMPLATE = f"emberkeep_template_{os.getpid()}"  # each of several test processes has its own
# All that a test could have changed but for rows: tables, columns, indexes, policies, functions, settings.
_SCHEMA = f"""
    SELECT (SELECT sum(hashtext(concat_ws(' ', oid, relname, relkind, relrowsecurity, relforcerowsecurity)))
            FROM pg_class WHERE relnamespace = 'public'::regnamespace),
           (SELECT sum(hashtext(concat_ws(' ', attrelid, attname, atttypid, attnotnull)))
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid AND relnamespace = 'public'::regnamespace),
           (SELECT sum(hashtext(concat_ws(' ', indexrelid, indisvalid))) FROM pg_index),
           (SELECT sum(hashtext(concat_ws(' ', oid, polname, polqual))) FROM pg_policy),
           (SELECT sum(hashtext(concat_ws(' ', oid, prosrc))) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
           (SELECT string_agg(array_to_string(setconfig, ','), ';') FROM pg_db_role_setting
            JOIN pg_database ON pg_database.oid = setdatabase AND datname = current_database()),
           version_num
    FROM {VERSION_TABLE}
"""
_ALONE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_EMPTY = "; ".join(
    ["SET session_replication_role = replica"]
    + [f'DELETE FROM "{table.name}"' for table in metadata.sorted_tables]
    + ["RESET session_replication_role"]
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
        self._schema: object = None
        self._connection: psycopg.Connection | None = None

    def take(self) -> str:
        """The URL of an empty database, until it is given back."""
        if not self._name:
            self._name = f"test_{uuid4().hex}"
            run(self._server, f"CREATE DATABASE {self._name} TEMPLATE {TEMPLATE}")
            self._schema = self._opened().execute(_SCHEMA).fetchone()
        return named(self._server, self._name)

    def give_back(self) -> None:
        """Empty it, or drop it if it is not what it was."""
        try:
            connection = self._opened()
            connection.execute(_ALONE)
            same = connection.execute(_SCHEMA).fetchone() == self._schema
            if same:
                connection.execute(_EMPTY)
        except psycopg.Error:  # a server that was started anew, a table that is gone
            same = False
        if not same:
            self.close()
            run(self._server, f"DROP DATABASE {self._name} WITH (FORCE)")
            self._name = ""

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _opened(self) -> psycopg.Connection:
        if self._connection is None:
            self._connection = psycopg.connect(named(self._server, self._name), autocommit=True)
        return self._connection
