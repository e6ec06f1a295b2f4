"""PostgreSQL as a `Database`: psycopg 3, connection pools, and pgvector for large shelves."""

import logging
import random
import selectors
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any, TypeVar

import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from emberkeep.config import discreet
from emberkeep.errors import (
    ConfigError,
    EmbedderMismatch,
    EmberkeepError,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
)
from emberkeep.model.position import parse_position
from emberkeep.model.scope import EVERYONE
from emberkeep.storage.compiled import DRIVER, SHARED, Alike, register
from emberkeep.storage.database import DISCREET, Database
from emberkeep.storage.freshness import Following, Marks
from emberkeep.storage.postgres_estimates import Estimates
from emberkeep.storage.postgres_replica import Identity, Replica, identity_of
from emberkeep.storage.postgres_search import PREFIX, PgvectorShelf
from emberkeep.storage.postgres_transaction import END_OF_LOG, SNAPSHOT, begin, begin_at_end, driver_of
from emberkeep.storage.schema import metadata
from emberkeep.storage.search import LargeShelf, ShelfKey

T = TypeVar("T")
_logger = logging.getLogger(__name__)
_replica_asked: ContextVar[Replica | None] = ContextVar("replica_asked", default=None)
MAX_TRIES = 5  # of a transaction
PAUSE_S = 0.005  # the longest pause before the second try; before the third it is twice as long, and so on
# SQLSTATEs that say "run the transaction again": serialization failure, deadlock.
_RUN_AGAIN = frozenset({"40001", "40P01"})
# Unique violation: another transaction wrote the same key meanwhile. When it is run again, the job finds that row, and
# can deal with it or raise an error of its own.
_TAKEN = "23505"
_SCHEMA_LOCK = 0x656D626572  # the key of an advisory lock: "ember"
# Disk full.
_FULL = frozenset({"53100"})
# No lock in time, cancelled, out of memory, too many connections.
_BUSY = frozenset({"55P03", "57014", "53200", "53300"})
_CLEARS_STATISTICS = 180_000  # the first server version that can clear the statistics of a column
# Clears the statistics of empty tables and partitions: analysing one would leave those that it had.
_CLEAR_STATISTICS = """
    SELECT pg_clear_attribute_stats(relnamespace::regnamespace::text, relname, attname, inherited)
    FROM unnest(CAST(:tables AS text[])) AS named
    JOIN pg_class ON reltuples <= 0 AND named::regclass IN
        (pg_class.oid, (SELECT inhparent FROM pg_inherits WHERE inhrelid = pg_class.oid))
    JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    CROSS JOIN (VALUES (false), (true)) AS either (inherited)
"""
# The indexes of large shelves, and whether each is valid.
_OF_SHELVES = """
    SELECT relname, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relname LIKE :like AND pg_table_is_visible(indexrelid)
"""
# Indexes that are not valid, because building them was interrupted.
_INVALID = """
    SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE NOT indisvalid AND relkind = 'i' AND pg_table_is_visible(indrelid)
"""


class PostgresDialect(Alike, PGDialect_psycopg):
    """SQLAlchemy's psycopg dialect; all databases of one server version share its compiled statements."""

    supports_statement_cache = True

    def do_ping(self, dbapi_connection: DBAPIConnection) -> bool:
        """Return whether a pooled connection is still open, without a round trip for each transaction.

        An idle connection has nothing to read unless the server closes it: only then is it pinged.
        """
        if dbapi_connection.closed:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(dbapi_connection.fileno(), selectors.EVENT_READ)
            is_silent = not selector.select(timeout=0)
        return is_silent or bool(super().do_ping(dbapi_connection))  # type: ignore[no-untyped-call]


register(PostgresDialect)


class PostgresDatabase(Database):
    """A database on a server."""

    driver_error = psycopg.Error

    def __init__(self, url: str, *, pool_size: int, busy_timeout_s: float, read_url: str = "") -> None:
        target = _target(url)
        pool: dict[str, Any] = {
            "pool_size": pool_size,
            "max_overflow": pool_size,
            "pool_pre_ping": True,
            "pool_timeout": busy_timeout_s,
            "connect_args": {"connect_timeout": max(2, round(busy_timeout_s)), "application_name": "emberkeep"},
            **DISCREET,
            **SHARED,
            "isolation_level": "AUTOCOMMIT",  # transactions are begun explicitly, see `begin`
        }
        # The index of a large shelf is queried in the middle of a search, which holds a connection already: with one
        # pool for both, as many searches as it has connections would wait for each other.
        self._vectors = create_engine(target, **pool)
        super().__init__(
            create_engine(target, **pool),
            discreet(target.set(drivername="postgresql").render_as_string(hide_password=False)),
        )
        self._close_late(self._vectors)

        @event.listens_for(self.engine, "connect")
        def _limit_waiting(connection: psycopg.Connection, _record: object) -> None:
            connection.execute(f"SET lock_timeout = {max(1, round(busy_timeout_s * 1000))}")

        self._estimates = Estimates(self.engine)
        self._known: Identity | None = None
        self._replica = Replica(_target(read_url), pool, self._identity) if read_url else None
        if self._replica is not None:
            self._close_late(self._replica.engine)
            self._close_late(self._replica.vectors)
            try:
                self._replica.check()
            except BaseException:
                self.close()
                raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction in which all reads see the same snapshot."""
        self.check_open()
        with self.translated(), self.engine.connect() as connection:
            begin(connection, self.tenant, SNAPSHOT)
            yield connection

    def look(self, job: Callable[[Connection], T]) -> T:
        """Run the job on the replica if that has all that the tenant wrote; else, or if it fails, on the primary."""
        self.check_open()
        replica = self._replica
        if replica is None:
            return super().look(job)
        connection = replica.begun(self.tenant)
        if connection is not None:
            token = _replica_asked.set(replica)
            try:
                with self.translated(), connection:
                    return job(connection)
            except StoreUnavailable as error:
                replica.failed(error)
            except (StoreError, EmbedderMismatch) as error:  # cancelled by the replay, or the replica lacks a rebuild
                _logger.debug("asking the primary, the replica said: %s", error)
            finally:
                _replica_asked.reset(token)
        return self._look_at_primary(job, replica.marks)

    def _look_at_primary(self, job: Callable[[Connection], T], marks: Marks) -> T:
        """Run the job on the primary, and learn from that how far the replica has to come for the tenant."""
        mark = marks.of(self.tenant)
        with self.translated(), self.engine.connect() as connection:
            if mark is None:
                begin(connection, self.tenant, SNAPSHOT)
            else:
                marks.settle(self.tenant, mark, begin_at_end(connection, self.tenant, SNAPSHOT))
            return job(connection)

    def _write(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a transaction, and note that the replica has to have it before the tenant may read there."""
        try:
            return self.jot(job)
        finally:  # after an error too: a transaction whose connection was lost may have been committed
            if self._replica is not None:
                self._replica.marks.wrote(self.tenant)

    def jot(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a transaction, and again if it conflicts with another one, up to `MAX_TRIES` times."""
        self.check_open()
        with self.translated():
            for attempt in range(1, MAX_TRIES + 1):
                try:
                    with self.engine.connect() as connection:
                        begin(connection, self.tenant)
                        with connection.begin():
                            done = job(connection)
                except DBAPIError as error:
                    if attempt == MAX_TRIES or getattr(error.orig, "sqlstate", None) not in {*_RUN_AGAIN, _TAKEN}:
                        raise
                    time.sleep(random.uniform(0, attempt * PAUSE_S))  # noqa: S311 - so that jobs do not collide again
                else:
                    self._estimates.check()
                    return done
        raise AssertionError("unreachable")

    def large_shelf(self, key: ShelfKey) -> LargeShelf:
        """Return the HNSW index that the server has for this shelf alone."""
        return PgvectorShelf(key, self._vectors, self._nearest_on)

    def _nearest_on(self) -> Engine:
        """Return the engine for vector searches: the replica's while a job runs there, else the primary's."""
        replica = _replica_asked.get()
        return replica.vectors if replica is not None and replica is self._replica else self._vectors

    def seen(self) -> str | None:
        """Return the position of the end of the log; `None` if there is no replica."""
        if self._replica is None:
            return None
        self.check_open()
        with self.translated(), self.engine.connect() as connection:
            token: str = connection.execute(text(END_OF_LOG)).scalar_one()
            return token

    def expect(self, seen: str) -> None:
        """Let the tenant read from the replica only once that has what the token stands for."""
        position = parse_position(seen)
        if self._replica is not None:
            self._replica.marks.expect(self.tenant, position)

    def following(self) -> Following | None:
        """Return how far the replica is behind, or what is wrong with it."""
        if self._replica is None:
            return None
        url = self._replica.url
        try:
            replayed = self._replica.replayed()
        except (DBAPIError, psycopg.Error, EmberkeepError, PoolTimeout) as error:
            return Following(url, problem=str(error).strip().partition("\n")[0])
        if replayed is None:
            return Following(url, problem="it is no replica, or no longer")
        return Following(url, behind=max(0, parse_position(self.seen() or "") - replayed))

    def looks(self) -> Mapping[str, int]:
        """Return how many calls of `look` the replica answered, and how many the primary."""
        return {} if self._replica is None else dict(self._replica.counts)

    def _identity(self) -> Identity:
        """Return the primary's identity, which is asked for once."""
        if self._known is None:
            with self.engine.connect() as connection:
                self._known = identity_of(driver_of(connection))
        return self._known

    def before_schema(self, connection: Connection) -> None:
        """Wait for other processes that change the schema, make everyone's rows visible, and add pgvector's types."""
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _SCHEMA_LOCK})
        connection.execute(text(f"SET LOCAL emberkeep.tenant = '{EVERYONE}'"))
        connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))

    def maintain(self, *, rewrite: bool = False) -> None:
        """Vacuum and analyse all tables.

        After a plain vacuum, deleted data stays in the files until other data is written over it, and statistics keep
        samples of it: a rewrite removes both. The statistics of a table that is now empty can only be cleared from
        PostgreSQL 18 on.
        """
        self.check_open()
        tables = ", ".join(metadata.tables)
        with self.translated(), self.engine.connect() as connection:
            if not rewrite:
                connection.execute(text(f"VACUUM (ANALYZE) {tables}"))
                return
            connection.execute(text(f"VACUUM (FULL, ANALYZE) {tables}"))
            if driver_of(connection).info.server_version >= _CLEARS_STATISTICS:
                connection.execute(text(_CLEAR_STATISTICS), {"tables": list(metadata.tables)})
            connection.execute(text("VACUUM FULL pg_statistic"))  # skipped, with a notice, unless we own it

    def faults(self) -> list[str]:
        """Return indexes that the server does not use since building them was interrupted; it checks pages itself."""
        self.check_open()
        with self.translated(), self.engine.connect() as connection:
            found = connection.execute(text(_INVALID)).scalars().all()
        return [f"the index {name} is not valid" for name in found if not name.startswith(PREFIX)]

    def reindex(self) -> None:
        """Rebuild the indexes that are not valid, except those of large shelves."""
        self.check_open()
        with self.translated(), self.engine.connect() as connection:
            for name in connection.execute(text(_INVALID)).scalars().all():
                if not name.startswith(PREFIX):
                    connection.execute(text(f'REINDEX INDEX CONCURRENTLY "{name}"'))

    def useless_indexes(self, shelves: Collection[ShelfKey]) -> Mapping[str, str]:
        """Return the indexes of large shelves that are not valid, or whose shelf does not exist."""
        self.check_open()
        known = {f"{PREFIX}{key.space}_{key.shelf}" for key in shelves}
        with self.translated(), self.engine.connect() as connection:
            names = connection.execute(text(_OF_SHELVES), {"like": f"{PREFIX}%"}).all()
        found = {name: "its building was broken off" for name, is_valid in names if not is_valid}
        return found | {name: "of a shelf that is not in this store" for name, _ in names if name not in known}

    def drop_index(self, name: str) -> None:
        """Drop an index while others read and write."""
        self.check_open()
        with self.translated(), self.engine.connect() as connection:
            connection.execute(text(f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"'))

    def now(self) -> datetime:
        """Return the time by the server's clock."""
        self.check_open()
        with self.translated(), self.engine.connect() as connection:
            moment: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
            return moment

    def above_the_wall(self) -> str | None:
        """Return the role that we log in as, if row-level security does not bind it."""
        self.check_open()
        query = "SELECT rolname FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)"
        with self.translated(), self.engine.connect() as connection:
            role: str | None = connection.execute(text(query)).scalar()
            return role

    def wipe(self) -> None:
        """Do nothing: only a vacuum removes deleted data here, which is not quick, see `maintain`."""

    def explain(self, error: BaseException) -> StoreError:
        """Return the `StoreError` for the SQLSTATE of an error."""
        state = getattr(error, "sqlstate", None) or ""
        reason = str(error).strip().partition("\n")[0]
        if state in _FULL:
            return StoreFull(f"{self.url}: the server has no space left, nothing was written: {reason}")
        if state in _BUSY | _RUN_AGAIN:
            return StoreBusy(f"{self.url}: busy, nothing was written. Try again: {reason}")
        is_lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and not state
        if is_lost or state.startswith(("08", "28", "3D", "57")):
            return StoreUnavailable(
                f"{self.url}: cannot be reached: {reason}. See that PostgreSQL runs there, and that the URL is right"
            )
        return StoreError(f"{self.url}: {reason}")

    def close(self) -> None:
        """Close the pools, and those of the replica."""
        self._closed.set()
        self.engine.dispose()
        self._vectors.dispose()
        if self._replica is not None:
            self._replica.close()


def _target(url: str) -> URL:
    """Parse a database URL; raises `ConfigError`, without quoting the URL, if it is not one."""
    try:
        target = make_url(url)
        for host in (target.host or "").split(","):
            host.encode("utf-8" if host.startswith("/") else "idna")
    except (ArgumentError, ValueError):  # such as for a port that is no number, and may well be a part of a password
        raise ConfigError("this is not a database URL: pass postgresql://user:password@host/name") from None
    return target.set(drivername=f"postgresql+{DRIVER}")
