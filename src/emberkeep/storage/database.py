"""A database as the rest of Emberkeep sees it: transactions for reading and for writing, and nothing of its dialect.

A database is opened once. Its users work on views of it, each of which is one tenant's, or everyone's.
"""

import logging
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from datetime import datetime
from typing import Any, Protocol, Self, TypeVar

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from emberkeep.errors import Closed, StoreBusy, StoreError
from emberkeep.model.position import parse_position
from emberkeep.model.scope import EVERYONE
from emberkeep.spans import span
from emberkeep.storage.freshness import Following
from emberkeep.storage.search import LargeShelf, ShelfKey

T = TypeVar("T")
Job = Callable[[Connection], T]
# Options for every engine: neither errors nor logs quote stored data, whatever level the application logs at.
DISCREET: Mapping[str, Any] = {"hide_parameters": True, "logging_name": "emberkeep"}
# At DEBUG level SQLAlchemy would log the rows themselves.
logging.getLogger("sqlalchemy.engine.Engine.emberkeep").addFilter(lambda record: record.levelno > logging.DEBUG)


class Announcer(Protocol):
    """Tells others of the changes that jobs make."""

    def announced(self, write: Callable[[Job[T]], T], job: Job[T], tenant: str) -> T:
        """Run a job with `write`; once its transaction is durable, deliver the events that the job told of."""
        ...


class Database(ABC):
    """One open database."""

    driver_error: type[Exception]  # what the driver raises when it is called without SQLAlchemy
    announcer: Announcer | None = None
    tenant: str = EVERYONE  # the tenant that transactions are for

    def __init__(self, engine: Engine, url: str) -> None:
        self.engine = engine
        self._closed = threading.Event()  # shared by all views
        self._left = False  # of this view alone
        self._opened_by = os.getpid()
        self._close_late(engine)
        self.url = url  # for messages; holds no password

    def of_tenant(self, tenant: str) -> Self:
        """A view of the same database for one tenant; what the two views share is closed once, for both."""
        view = copy(self)
        view.tenant = tenant
        view._left = False  # noqa: SLF001 - its own kind
        return view

    def of_everyone(self) -> Self:
        """A view of the same database for work across tenants."""
        return self.of_tenant(EVERYONE)

    def leave(self) -> None:
        """Close this view alone; the others stay open."""
        self._left = True

    @abstractmethod
    def read(self) -> AbstractContextManager[Connection]:
        """A connection that sees one consistent state of the database."""

    def look(self, job: Job[T]) -> T:
        """Run a job that only reads, for a caller who need not see what other processes wrote a moment ago.

        A replica may answer, if it has all that this process wrote for the tenant. The job may be run more than once.
        """
        with self.read() as connection:
            return job(connection)

    def write(self, job: Job[T]) -> T:
        """Run a job in a transaction; what it wrote is durable when this returns. The job may be run more than once."""
        if self.announcer is None:
            return self._write(job)
        return self.announcer.announced(self._write, job, self.tenant)

    @abstractmethod
    def _write(self, job: Job[T]) -> T:
        """Run a job in a transaction, without delivering events."""

    def jot(self, job: Job[T]) -> T:
        """Write what no `look` depends on: no events are delivered, and reading from a replica need not wait for it."""
        return self._write(job)

    @abstractmethod
    def large_shelf(self, key: ShelfKey) -> LargeShelf:
        """The approximate index for a shelf that is too large to compare a query with every vector."""

    @abstractmethod
    def before_schema(self, connection: Connection) -> None:
        """Prepare to create or change tables: keep other processes out, and add what the column types need."""

    @abstractmethod
    def maintain(self, *, rewrite: bool = False) -> None:
        """Give freed space back and bring the planner's statistics up to date.

        With `rewrite` every table is written anew, so that deleted data is in none of the database's files.
        """

    @abstractmethod
    def faults(self) -> list[str]:
        """The faults that the database finds in its own pages and indexes."""

    @abstractmethod
    def reindex(self) -> None:
        """Rebuild the indexes that have a fault from their tables."""

    @abstractmethod
    def useless_indexes(self, shelves: Collection[ShelfKey]) -> Mapping[str, str]:
        """Indexes of large shelves that are damaged or belong to none of these shelves, and what is wrong with each."""

    @abstractmethod
    def drop_index(self, name: str) -> None:
        """Remove one of the useless indexes; the next search of a large shelf that needs it builds it anew."""

    def now(self) -> datetime | None:
        """The time by the server's clock; `None` if there is no server with a clock of its own."""
        return None

    def above_the_wall(self) -> str | None:
        """The role that we log in as, if the server's own wall between tenants does not bind it; otherwise `None`."""
        return None

    def seen(self) -> str | None:
        """A token for everything written so far, to be passed to another process; `None` where none is needed."""
        return None

    def expect(self, seen: str) -> None:
        """Keep the tenant from reading a state older than a token's; raises `InvalidInput` if it is not a token."""
        parse_position(seen)

    def following(self) -> Following | None:
        """How far the replica is behind, or what is wrong with it; `None` if there is none."""
        return None

    def looks(self) -> Mapping[str, int]:
        """How many calls of `look` the replica answered, and how many the primary; empty if there is no replica."""
        return {}

    @abstractmethod
    def wipe(self) -> None:
        """After a deletion: remove the deleted data from the database's files, as far as that is quick."""

    @abstractmethod
    def explain(self, error: BaseException) -> StoreError:
        """The `StoreError` that tells a user what a driver's error means."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections and files."""

    def _close_late(self, engine: Engine) -> None:
        """Close connections that are in use when the pool is closed as soon as they are returned to it."""

        @event.listens_for(engine, "checkin")
        def _let_go(connection: DBAPIConnection | None, _record: object) -> None:
            if self._closed.is_set() and connection is not None:
                connection.close()

    @property
    def is_inherited(self) -> bool:
        """Whether the connections belong to the process that this one was forked from, and so must not be used."""
        return os.getpid() != self._opened_by

    def check_open(self) -> None:
        """Raise `Closed` if the database or this view is closed, or was opened before this process was forked."""
        if self.is_inherited:
            raise Closed("this memory was opened before the process was forked: open it again in each process")
        if self._closed.is_set() or self._left:
            raise Closed("this memory is closed: open it again")

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn the driver's errors into Emberkeep's own."""
        try:
            with span("database"):
                yield
        except DBAPIError as error:
            raise self.explain(error.orig or error) from error
        except PoolTimeout as error:
            raise StoreBusy(f"{self.url}: no connection became free in time. Try again, or raise pool_size") from error
        except SQLAlchemyError as error:
            raise StoreError(f"{self.url}: {error}") from error
        except self.driver_error as error:
            raise self.explain(error) from error
