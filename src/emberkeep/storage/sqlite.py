"""SQLite as a `Database`: WAL, one writer with group commit, readers that never wait for it."""

import json
import logging
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.pool import NullPool, QueuePool

from emberkeep.errors import StoreBusy, StoreError, StoreFull, StoreUnavailable
from emberkeep.storage import index_files
from emberkeep.storage.compiled import DRIVER, SHARED, Alike, register
from emberkeep.storage.database import DISCREET, Database
from emberkeep.storage.group_commit import GroupCommit, Job
from emberkeep.storage.schema import VERSION_TABLE
from emberkeep.storage.search import LargeShelf, ShelfKey
from emberkeep.storage.sqlite_search import UsearchShelf

T = TypeVar("T")
_UNAVAILABLE = {
    sqlite3.SQLITE_NOTADB: "this file is not a SQLite database. Pass another path",
    sqlite3.SQLITE_CORRUPT: "this file is damaged. Restore a backup to another path (emberkeep restore), and keep this "
    "file: SQLite's own command .recover may read what is left",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened. Check the path and that you may write there",
    sqlite3.SQLITE_READONLY: "is read-only. Check the permissions of the file and its folder",
    sqlite3.SQLITE_IOERR: "the disk cannot be written or read. See that it is mounted, writable and sound, and try "
    "again",
}
_OUTGROWN = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE}
_PRIMARY = 0xFF  # the part of an error code that says what kind it is
_logger = logging.getLogger(__name__)
_ENGINE = f"sqlite+{DRIVER}://"
READERS = 32
MAX_FAULTS = 100  # that are told of one by one
VACUUM_FROM = 0.2  # the share of free pages
WIPE_WITHIN_S = 1.0  # how long to wait for readers before the write-ahead log can be emptied


def _longest_file() -> int | None:
    """How many bytes a file of this process may have at most, if there is a limit."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - only where there is such a thing

    most = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if most == resource.RLIM_INFINITY else most


class SqliteDialect(Alike, SQLiteDialect_pysqlite):
    """SQLAlchemy's own, the same for all files."""

    supports_statement_cache = True


register(SqliteDialect)


class SqliteDatabase(Database):
    """A database in a file, shared with other processes, or in memory."""

    driver_error = sqlite3.Error

    def __init__(self, path: Path | None, *, busy_timeout_s: float) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._exclusive = threading.RLock()  # the one connection of a database in memory, or the writer's
        if path is not None:
            _make_folder(path.parent)
        pool = NullPool if path is None else QueuePool
        options = {**DISCREET, **SHARED, **({} if path is None else {"pool_size": READERS, "max_overflow": -1})}
        engine = create_engine(
            _ENGINE,
            creator=partial(_connect, path, busy_timeout_s),
            poolclass=pool,
            json_deserializer=_from_json,
            **options,
        )
        event.listen(engine, "begin", _begin)
        super().__init__(engine, str(path or ":memory:"))
        # The writer's transactions are begun and ended by `_transaction`, at a tenth of SQLAlchemy's cost.
        self._writer_engine = create_engine(
            _ENGINE,
            creator=partial(_connect, path, busy_timeout_s, writes=True),
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            json_deserializer=_from_json,
            **DISCREET,
            **SHARED,
        )
        with self.translated():
            self._writer = self._writer_engine.connect()
            self._driver = cast("sqlite3.Connection", self._writer.connection.driver_connection)
        self._opened = _which_file(path)
        self._must_wipe = threading.Event()  # the log holds what was deleted while somebody read it
        self._commits = GroupCommit(self._commit)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A snapshot; in memory there is one connection, so a reader waits for its turn."""
        self.check_open()
        self._check_file()
        with self.translated():
            if self._path is not None:
                with self.engine.connect() as connection:
                    yield connection
                return
            with self._exclusive:
                yield self._writer

    def _write(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a transaction that it may share with other threads' jobs."""
        self.check_open()
        with self.translated():
            done = self._commits.run(job)
        if self._must_wipe.is_set():
            with self._exclusive:
                self._empty_log(0)
        return done

    def large_shelf(self, key: ShelfKey) -> LargeShelf:
        """An index in this process, saved beside the database file."""
        return UsearchShelf(key, self._indexes)

    @property
    def _indexes(self) -> Path | None:
        """The folder of the indexes of large shelves."""
        return None if self._path is None else self._path.with_name(self._path.name + "-vectors")

    def faults(self) -> list[str]:
        """By SQLite's own check of the whole file."""
        try:
            with self.read() as connection:
                said = connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_FAULTS})").scalars().all()
        except StoreUnavailable as error:  # it cannot even be checked
            return [str(error)]
        return [str(line) for line in said if line != "ok"]

    def reindex(self) -> None:
        """All of them: SQLite does not say of each fault which index it is in."""
        self.write(lambda connection: connection.exec_driver_sql("REINDEX").close())

    def useless_indexes(self, shelves: Collection[ShelfKey]) -> Mapping[str, str]:
        """By their files."""
        return {} if self._indexes is None else index_files.useless(self._indexes, shelves)

    def drop_index(self, name: str) -> None:
        """Delete its files."""
        if self._indexes is not None:
            index_files.remove(self._indexes, name)

    def before_schema(self, connection: Connection) -> None:
        """Nothing to do: the writer is alone, and the types are there."""

    def maintain(self, *, rewrite: bool = False) -> None:
        """Bring statistics up to date, vacuum if much of the file is free or if asked, and empty the log."""
        self.write(lambda connection: connection.exec_driver_sql("PRAGMA optimize").close())
        with self.translated(), self._exclusive:
            self.check_open()
            free, pages = (
                self._driver.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count")
            )
            if rewrite or free > VACUUM_FROM * pages:
                self._driver.execute("VACUUM").close()
        self.wipe()

    def wipe(self) -> None:
        """Empty the write-ahead log; free pages were overwritten when they were freed.

        A reader elsewhere that takes longer than `WIPE_WITHIN_S` leaves it to the next write, or the next wipe.
        """
        with self.translated(), self._exclusive:
            self.check_open()
            self._empty_log(min(WIPE_WITHIN_S, self._busy_timeout_s))
        if self._must_wipe.is_set():
            _logger.warning(
                "%s: a reader holds on to what was deleted; the log is emptied with a later write", self.url
            )

    def _empty_log(self, within_s: float) -> None:
        self._must_wipe.set()
        self._driver.execute(f"PRAGMA busy_timeout = {within_s * 1000:.0f}")
        try:
            is_held, *_ = self._driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not is_held:
                self._must_wipe.clear()
        except sqlite3.Error as error:  # what was deleted is so, and committed
            _logger.info("%s: the log is emptied later: %s", self.url, error)
        finally:
            self._driver.execute(f"PRAGMA busy_timeout = {self._busy_timeout_s * 1000:.0f}")

    def explain(self, error: BaseException) -> StoreError:
        """By SQLite's own codes."""
        extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        code = extended & _PRIMARY
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreBusy(
                f"{self.url}: another process wrote for longer than {self._busy_timeout_s:g} s; nothing was "
                "written. Try again, or raise busy_timeout_s"
            )
        if code == sqlite3.SQLITE_FULL:
            return StoreFull(f"{self.url}: the disk is full, nothing was written. Free some space and try again")
        if extended in _OUTGROWN and (most := _longest_file()) is not None:
            return StoreFull(
                f"{self.url}: this process may write no file of over {most:,} bytes (ulimit -f), nothing was written. "
                "Raise the limit and try again"
            )
        if code in _UNAVAILABLE:
            return StoreUnavailable(f"{self.url}: {_UNAVAILABLE[code]}")
        return StoreError(f"{self.url}: {error}")

    def close(self) -> None:
        """Close all connections; the last one out folds the log into the file."""
        if self._closed.is_set():
            return
        with self._exclusive:
            self._closed.set()
            self._writer.close()
        self._writer_engine.dispose()
        self.engine.dispose()

    def _commit(self, batch: Sequence[Job[Any]]) -> None:
        """Run all jobs in one transaction; if one of them fails, each in its own, so that it fails alone."""
        begun = False
        try:
            with self._transaction():
                begun = True
                for job in batch:
                    job.result = job.work(self._writer)
        except Exception as error:  # noqa: BLE001 - it goes to the thread that waits for the job
            if len(batch) > 1 and begun:
                self._commit_each(batch)
                return
            for job in batch:  # without a transaction none of them has run; they need not wait for one in turn
                job.error = error
        except BaseException:
            for job in batch:  # this thread was told to stop; the others may try again
                job.error = self._interrupted()
            raise

    def _commit_each(self, batch: Sequence[Job[Any]]) -> None:
        for job in batch:  # what was rolled back is no result; until a job's turn has come it is not done
            job.result, job.error = None, self._interrupted()
        for job in batch:
            job.error = None
            self._commit([job])

    def _interrupted(self) -> StoreError:
        return StoreError(f"{self.url}: the write was interrupted, nothing was written. Try again")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._exclusive:
            self.check_open()
            self._check_file()
            self._driver.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._driver.execute("COMMIT")
            except BaseException:
                if self._driver.in_transaction:  # SQLite ends it by itself when, say, the disk is full
                    self._driver.execute("ROLLBACK")
                raise
            finally:
                self._writer.rollback()  # SQLAlchemy's own record of a transaction, nothing in the database

    def _check_file(self) -> None:
        """Refuse a file that is no longer where it was: SQLite would go on with it, and all that is written be lost."""
        if _which_file(self._path) != self._opened:
            raise StoreUnavailable(
                f"{self.url}: the file was moved, deleted or replaced after it was opened; nothing was written. "
                "Put it back, or open it again"
            )


# Not methods: SQLAlchemy holds on to what connects for as long as a connection is in use, the writer's always is, and a
# database that nobody closed would stay open for ever.
def _connect(path: Path | None, busy_timeout_s: float, *, writes: bool = False) -> sqlite3.Connection:
    if path is not None and writes:
        _make_file(path)
    connection = sqlite3.connect(
        ":memory:" if path is None else path,
        timeout=busy_timeout_s,
        isolation_level=None,  # transactions begin and end where this file says
        check_same_thread=False,
        cached_statements=512,
    )
    # With secure_delete, deleted text does not stay behind in free pages.
    own = "secure_delete = ON" if writes else "query_only = ON"
    try:
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "temp_store = MEMORY", own):
            connection.execute(f"PRAGMA {pragma}")
        if writes and not _is_strange(connection):
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _make_file(path: Path) -> None:
    """An empty file that its owner alone may read, where there is none; the log beside it is made like it."""
    with suppress(OSError):  # there is one, or SQLite says what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _which_file(path: Path | None) -> tuple[int, int] | None:
    """What tells a file from another one that may take its name; nothing if there is none."""
    try:
        found = None if path is None else path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreUnavailable(f"{path}: cannot be looked at ({error.strerror}). See that its disk is there") from None
    return None if found is None else (found.st_dev, found.st_ino)


def _is_strange(connection: sqlite3.Connection) -> bool:
    """Whether it is another program's, which will be refused: its file stays as it is, its journal too."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return bool(tables) and VERSION_TABLE not in tables


def _begin(connection: Connection) -> None:
    cast("sqlite3.Connection", connection.connection.driver_connection).execute("BEGIN")


def _from_json(stored: str) -> Any:
    # Most items have neither tags nor metadata, and a search reads many items.
    if stored == "[]":
        return []
    return {} if stored == "{}" else json.loads(stored)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # what is remembered is nobody else's business
    except OSError as error:
        raise StoreUnavailable(f"{folder}: cannot be made ({error.strerror}). Pass a path you may write to") from None
