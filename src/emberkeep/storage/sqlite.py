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
# Errors that may mean that a file has reached the largest size that this process may write.
_OUTGROWN = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE}
_PRIMARY = 0xFF  # the bits of an extended error code that hold the primary one
_logger = logging.getLogger(__name__)
_ENGINE = f"sqlite+{DRIVER}://"
READERS = 32  # connections for reading that are kept open
MAX_FAULTS = 100  # that are reported one by one
VACUUM_FROM = 0.2  # the share of free pages above which a file is vacuumed
WIPE_WITHIN_S = 1.0  # how long to wait for readers before the write-ahead log can be emptied


def _longest_file() -> int | None:
    """Return the largest size in bytes of a file that this process may write; `None` if there is no limit."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - Windows has no such module

    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if limit == resource.RLIM_INFINITY else limit


class SqliteDialect(Alike, SQLiteDialect_pysqlite):
    """SQLAlchemy's SQLite dialect; all files share its compiled statements."""

    supports_statement_cache = True


register(SqliteDialect)


class SqliteDatabase(Database):
    """A database in a file, shared with other processes, or in memory."""

    driver_error = sqlite3.Error

    def __init__(self, path: Path | None, *, busy_timeout_s: float) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._exclusive = threading.RLock()  # guards the writer's connection, the only one of a database in memory
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
        self._must_wipe = threading.Event()  # set while the log may hold deleted data, because a reader needed it
        self._commits = GroupCommit(self._commit)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a snapshot; in memory there is only one connection, so a reader waits for its turn."""
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
        """Return an index in this process, saved beside the database file."""
        return UsearchShelf(key, self._index_folder)

    @property
    def _index_folder(self) -> Path | None:
        """The folder of the indexes of large shelves; `None` in memory."""
        return None if self._path is None else self._path.with_name(self._path.name + "-vectors")

    def faults(self) -> list[str]:
        """Return the faults that SQLite's own check of the whole file finds."""
        try:
            with self.read() as connection:
                lines = connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_FAULTS})").scalars().all()
        except StoreUnavailable as error:  # it cannot even be checked
            return [str(error)]
        return [str(line) for line in lines if line != "ok"]

    def reindex(self) -> None:
        """Rebuild all indexes: SQLite does not say of every fault which index it is in."""
        self.write(lambda connection: connection.exec_driver_sql("REINDEX").close())

    def useless_indexes(self, shelves: Collection[ShelfKey]) -> Mapping[str, str]:
        """Return the indexes whose files are useless."""
        return {} if self._index_folder is None else index_files.useless(self._index_folder, shelves)

    def drop_index(self, name: str) -> None:
        """Delete the files of an index."""
        if self._index_folder is not None:
            index_files.remove(self._index_folder, name)

    def before_schema(self, connection: Connection) -> None:
        """Do nothing: SQLite has one writer at a time, and all the column types."""

    def maintain(self, *, rewrite: bool = False) -> None:
        """Update statistics, vacuum if much of the file is free or with `rewrite`, and empty the write-ahead log."""
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
        """Empty the write-ahead log; in the file itself, SQLite overwrites deleted data at once (`secure_delete`).

        If a reader keeps it from being emptied for longer than `WIPE_WITHIN_S`, the next write or wipe tries again.
        """
        with self.translated(), self._exclusive:
            self.check_open()
            self._empty_log(min(WIPE_WITHIN_S, self._busy_timeout_s))
        if self._must_wipe.is_set():
            _logger.warning(
                "%s: a reader holds on to what was deleted; the log is emptied with a later write", self.url
            )

    def _empty_log(self, within_s: float) -> None:
        """Empty the write-ahead log, if its readers are done in time; `_must_wipe` stays set otherwise."""
        self._must_wipe.set()
        self._driver.execute(f"PRAGMA busy_timeout = {within_s * 1000:.0f}")
        try:
            is_held, *_ = self._driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not is_held:
                self._must_wipe.clear()
        except sqlite3.Error as error:  # the deletion itself is committed
            _logger.info("%s: the log is emptied later: %s", self.url, error)
        finally:
            self._driver.execute(f"PRAGMA busy_timeout = {self._busy_timeout_s * 1000:.0f}")

    def explain(self, error: BaseException) -> StoreError:
        """Return the `StoreError` for SQLite's error code."""
        extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        code = extended & _PRIMARY
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreBusy(
                f"{self.url}: another process wrote for longer than {self._busy_timeout_s:g} s; nothing was "
                "written. Try again, or raise busy_timeout_s"
            )
        if code == sqlite3.SQLITE_FULL:
            return StoreFull(f"{self.url}: the disk is full, nothing was written. Free some space and try again")
        if extended in _OUTGROWN and (limit := _longest_file()) is not None:
            return StoreFull(
                f"{self.url}: this process may write no file of over {limit:,} bytes (ulimit -f), nothing was written. "
                "Raise the limit and try again"
            )
        if code in _UNAVAILABLE:
            return StoreUnavailable(f"{self.url}: {_UNAVAILABLE[code]}")
        return StoreError(f"{self.url}: {error}")

    def close(self) -> None:
        """Close all connections; with the last one of any process, SQLite folds the log into the file."""
        if self._closed.is_set():
            return
        with self._exclusive:
            self._closed.set()
            self._writer.close()
        self._writer_engine.dispose()
        self.engine.dispose()

    def _commit(self, batch: Sequence[Job[Any]]) -> None:
        """Run all jobs in one transaction; if a job fails, run each in its own, so that only that one fails."""
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
            for job in batch:  # a lone job, or no transaction could begin: then none has run, and each would wait again
                job.error = error
        except BaseException:
            for job in batch:  # this thread was told to stop; those of the other jobs may try again
                job.error = self._interrupted()
            raise

    def _commit_each(self, batch: Sequence[Job[Any]]) -> None:
        """Run each job in a transaction of its own."""
        for job in batch:  # results that were rolled back are void; until its turn comes, a job counts as interrupted
            job.result, job.error = None, self._interrupted()
        for job in batch:
            job.error = None
            self._commit([job])

    def _interrupted(self) -> StoreError:
        return StoreError(f"{self.url}: the write was interrupted, nothing was written. Try again")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Begin a write transaction; commit it after the block, or roll it back after an error."""
        with self._exclusive:
            self.check_open()
            self._check_file()
            self._driver.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._driver.execute("COMMIT")
            except BaseException:
                if self._driver.in_transaction:  # SQLite has ended it by itself if, say, the disk is full
                    self._driver.execute("ROLLBACK")
                raise
            finally:
                self._writer.rollback()  # ends SQLAlchemy's own record of a transaction, nothing in the database

    def _check_file(self) -> None:
        """Refuse a file that is no longer where it was: SQLite would go on using it, and all writes would be lost."""
        if _which_file(self._path) != self._opened:
            raise StoreUnavailable(
                f"{self.url}: the file was moved, deleted or replaced after it was opened; nothing was written. "
                "Put it back, or open it again"
            )


# Functions and not methods: SQLAlchemy refers to the creator of a connection as long as that is in use, which the
# writer's always is. A method would keep the database itself alive, and open for ever if nobody closes it.
def _connect(path: Path | None, busy_timeout_s: float, *, writes: bool = False) -> sqlite3.Connection:
    """Open a connection for reading, or for the writer."""
    if path is not None and writes:
        _make_file(path)
    connection = sqlite3.connect(
        ":memory:" if path is None else path,
        timeout=busy_timeout_s,
        isolation_level=None,  # transactions begin and end where this file says
        check_same_thread=False,
        cached_statements=512,
    )
    # With secure_delete, no deleted text stays in free pages.
    own = "secure_delete = ON" if writes else "query_only = ON"
    try:
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "temp_store = MEMORY", own):
            connection.execute(f"PRAGMA {pragma}")
        if writes and not _is_foreign(connection):
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _make_file(path: Path) -> None:
    """Create an empty file that only its owner may read, if there is none; SQLite makes the log beside it alike."""
    with suppress(OSError):  # there is one, or SQLite says what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _which_file(path: Path | None) -> tuple[int, int] | None:
    """Return what tells a file from another that may take its name: device and inode; `None` if there is none."""
    try:
        found = None if path is None else path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreUnavailable(f"{path}: cannot be looked at ({error.strerror}). See that its disk is there") from None
    return None if found is None else (found.st_dev, found.st_ino)


def _is_foreign(connection: sqlite3.Connection) -> bool:
    """Return whether the file is another program's. It will be refused, so its journal mode must not be changed."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return bool(tables) and VERSION_TABLE not in tables


def _begin(connection: Connection) -> None:
    cast("sqlite3.Connection", connection.connection.driver_connection).execute("BEGIN")


def _from_json(stored: str) -> Any:
    # A shortcut for speed: most items have neither tags nor metadata, and a search reads many items.
    if stored == "[]":
        return []
    return {} if stored == "{}" else json.loads(stored)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # for its owner alone: memories are private
    except OSError as error:
        raise StoreUnavailable(f"{folder}: cannot be made ({error.strerror}). Pass a path you may write to") from None
