"""PostgreSQL as a `Database`: psycopg 3, a pool, and pgvector for large shelves."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from sqlalchemy import Connection, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from emberkeep.errors import ConfigError, StoreBusy, StoreError, StoreFull, StoreUnavailable
from emberkeep.model.scope import EVERYONE
from emberkeep.storage.database import Database
from emberkeep.storage.postgres_search import PgvectorShelf
from emberkeep.storage.postgres_transaction import SNAPSHOT, begin
from emberkeep.storage.schema import metadata
from emberkeep.storage.search import LargeShelf, ShelfKey

T = TypeVar("T")
MAX_TRIES = 5
# SQLSTATEs that say "run the transaction again": serialization failure, deadlock.
_RUN_AGAIN = frozenset({"40001", "40P01"})
# Somebody else wrote the same key meanwhile: run again, the transaction sees it and says what it has to say of that.
_TAKEN = "23505"
_SCHEMA_LOCK = 0x656D626572  # "ember"
_FULL = frozenset({"53100", "53200"})
_BUSY = frozenset({"55P03", "57014"})


class PostgresDatabase(Database):
    """A database on a server."""

    driver_error = psycopg.Error

    def __init__(self, url: str, *, pool_size: int, busy_timeout_s: float) -> None:
        try:
            target = make_url(url).set(drivername="postgresql+psycopg")
        except (ArgumentError, ValueError) as error:  # the latter for a port that is not a number
            raise ConfigError(f"not a database URL: {error}. Pass postgresql://user:password@host/name") from None
        pool: dict[str, Any] = {
            "pool_size": pool_size,
            "max_overflow": pool_size,
            "pool_pre_ping": True,
            "pool_timeout": busy_timeout_s,
            "connect_args": {"connect_timeout": max(2, round(busy_timeout_s)), "application_name": "emberkeep"},
            "isolation_level": "AUTOCOMMIT",  # transactions begin where this file says, see `begin`
        }
        # Large shelves are asked in the middle of a search, which holds a connection already: with one pool for
        # both, as many searches as it has connections would wait for each other.
        self._vectors = create_engine(target, **pool)
        super().__init__(
            create_engine(target, **pool), target.set(drivername="postgresql").render_as_string(hide_password=True)
        )
        self._close_late(self._vectors)

        @event.listens_for(self.engine, "connect")
        def _limit_waiting(connection: psycopg.Connection, _record: object) -> None:
            connection.execute(f"SET lock_timeout = {max(1, round(busy_timeout_s * 1000))}")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One snapshot for all that is read."""
        self.check_open()
        with self.translated(), self.engine.connect() as connection:
            begin(connection, self.tenant, SNAPSHOT)
            yield connection

    def _write(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a transaction, again if the server asks for that."""
        self.check_open()
        with self.translated():
            for attempt in range(1, MAX_TRIES + 1):
                try:
                    with self.engine.begin() as connection:
                        begin(connection, self.tenant)
                        return job(connection)
                except DBAPIError as error:
                    if attempt == MAX_TRIES or getattr(error.orig, "sqlstate", None) not in {*_RUN_AGAIN, _TAKEN}:
                        raise
        raise AssertionError("unreachable")

    def large_shelf(self, key: ShelfKey) -> LargeShelf:
        """An HNSW index in the server, over this shelf alone."""
        return PgvectorShelf(key, self._vectors)

    def before_schema(self, connection: Connection) -> None:
        """Wait for any other who makes the tables, see everyone's rows, and add pgvector's types."""
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _SCHEMA_LOCK})
        connection.execute(text(f"SET LOCAL emberkeep.tenant = '{EVERYONE}'"))
        connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))

    def maintain(self) -> None:
        """Vacuum and analyse."""
        self.check_open()
        with self.translated(), self.engine.connect() as connection:
            connection.execute(text(f"VACUUM (ANALYZE) {', '.join(metadata.tables)}"))

    def above_the_wall(self) -> str | None:
        """The role, if it is one that row-level security does not bind."""
        self.check_open()
        query = "SELECT rolname FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)"
        with self.translated(), self.engine.connect() as connection:
            role: str | None = connection.execute(text(query)).scalar()
            return role

    def wipe(self) -> None:
        """Nothing that is quick: the server's vacuum wipes, see `maintain`."""

    def explain(self, error: BaseException) -> StoreError:
        """By SQLSTATE."""
        state = getattr(error, "sqlstate", None) or ""
        words = str(error).strip().partition("\n")[0]
        if state in _FULL:
            return StoreFull(f"{self.url}: the server has no space left, nothing was written: {words}")
        if state in _BUSY | _RUN_AGAIN:
            return StoreBusy(f"{self.url}: busy, nothing was written. Try again: {words}")
        lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and not state
        if lost or state.startswith(("08", "28", "3D", "57")):
            return StoreUnavailable(f"{self.url}: cannot be reached: {words}")
        return StoreError(f"{self.url}: {words}")

    def close(self) -> None:
        """Close the pool."""
        self._closed.set()
        self.engine.dispose()
        self._vectors.dispose()
