"""A database as the rest of Emberkeep sees it: transactions to read and to write in, and nothing of its dialect.

A database is opened once. What works on it has a view of its own, which is one tenant's, or everyone's.
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
# For every engine: neither an error nor a log quotes what is stored, whatever level the application logs at.
DISCREET: Mapping[str, Any] = {"hide_parameters": True, "logging_name": "emberkeep"}
logging.getLogger("sqlalchemy.engine.Engine.emberkeep").addFilter(lambda record: record.levelno > logging.DEBUG)  # rows


class Announcer(Protocol):
    """Who tells others of what jobs changed."""

    def announced(self, write: Callable[[Job[T]], T], job: Job[T], tenant: str) -> T:
        """Write, and when it is durable, tell of what the job told."""
        ...


class Database(ABC):
    """One open database."""

    driver_error: type[Exception]  # what the driver raises where SQLAlchemy is not in between
    announcer: Announcer | None = None
    tenant: str = EVERYONE  # whose transactions these are

    def __init__(self, engine: Engine, url: str) -> None:
        self.engine = engine
        self._closed = threading.Event()  # of all views
        self._left = False  # of this one
        self._opened_by = os.getpid()
        self._close_late(engine)
        self.url = url  # to show; holds no password

    def of_tenant(self, tenant: str) -> Self:
        """The same database for one tenant; what it shares with this view is closed once, for both."""
        view = copy(self)
        view.tenant = tenant
        view._left = False  # noqa: SLF001 - its own kind
        return view

    def of_everyone(self) -> Self:
        """The same database for work that goes across tenants."""
        return self.of_tenant(EVERYONE)

    def leave(self) -> None:
        """Use this view no more; the others go on."""
        self._left = True

    @abstractmethod
    def read(self) -> AbstractContextManager[Connection]:
        """A connection that sees one consistent state of the database."""

    def look(self, job: Job[T]) -> T:
        """Run a job that only reads, and whose caller need not see what others wrote a moment ago.

        A replica may answer, if it has all that this process wrote for the tenant. The job may be run again.
        """
        with self.read() as connection:
            return job(connection)

    def write(self, job: Job[T]) -> T:
        """Run a job in a transaction; when this returns, what it wrote is durable. The job may be run again."""
        if self.announcer is None:
            return self._write(job)
        return self.announcer.announced(self._write, job, self.tenant)

    @abstractmethod
    def _write(self, job: Job[T]) -> T:
        """Run a job in a transaction, and tell nobody."""

    def jot(self, job: Job[T]) -> T:
        """Write what no `look` is about: nobody is told, and nobody waits for a replica to have it."""
        return self._write(job)

    @abstractmethod
    def large_shelf(self, key: ShelfKey) -> LargeShelf:
        """The approximate index for a shelf that is too large to compare with every vector."""

    @abstractmethod
    def before_schema(self, connection: Connection) -> None:
        """Get ready to make or change tables: alone, and with what their types need."""

    @abstractmethod
    def maintain(self, *, rewrite: bool = False) -> None:
        """Give freed space back and bring statistics up to date.

        With `rewrite` every table is written anew, so that what was deleted is in none of the database's files.
        """

    @abstractmethod
    def faults(self) -> list[str]:
        """What the database finds wrong with its own pages and indexes."""

    @abstractmethod
    def reindex(self) -> None:
        """Make the indexes that have a fault anew from their tables."""

    @abstractmethod
    def useless_indexes(self, shelves: Collection[ShelfKey]) -> Mapping[str, str]:
        """Indexes of large shelves that are damaged or of none of these, by name, and what is wrong with each."""

    @abstractmethod
    def drop_index(self, name: str) -> None:
        """Remove one of those; the next search of a large shelf builds it anew."""

    def now(self) -> datetime | None:
        """What the server's clock says, if there is a server with a clock of its own."""
        return None

    def above_the_wall(self) -> str | None:
        """Who this is to the server, if its own wall between tenants does not bind them; else nobody."""
        return None

    def seen(self) -> str | None:
        """A token for all that was written so far, to be shown to another process; nothing where there is no need."""
        return None

    def expect(self, seen: str) -> None:
        """Let the tenant look at nothing older than what a token stands for; raises `InvalidInput` if it is none."""
        parse_position(seen)

    def following(self) -> Following | None:
        """How the replica does, if there is one."""
        return None

    def looks(self) -> Mapping[str, int]:
        """How often the replica was looked at and how often the primary, if there is a choice."""
        return {}

    @abstractmethod
    def wipe(self) -> None:
        """After a deletion: leave nothing of it readable in files, as far as that is quick."""

    @abstractmethod
    def explain(self, error: BaseException) -> StoreError:
        """What a driver's error means to a user."""

    @abstractmethod
    def close(self) -> None:
        """Let go of all connections and files."""

    def _close_late(self, engine: Engine) -> None:
        """Close the connections that were in use when the pool was closed as soon as they are given back."""

        @event.listens_for(engine, "checkin")
        def _let_go(connection: DBAPIConnection | None, _record: object) -> None:
            if self._closed.is_set() and connection is not None:
                connection.close()

    @property
    def is_inherited(self) -> bool:
        """Whether its connections are another process's, with whom they must not be shared."""
        return os.getpid() != self._opened_by

    def check_open(self) -> None:
        """Refuse to go on with what is closed, or was opened by the process that this one was forked off."""
        if self.is_inherited:
            raise Closed("this memory was opened before the process was forked: open it again in each process")
        if self._closed.is_set() or self._left:
            raise Closed("this memory is closed: open it again")

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn the driver's errors into those of the error tree."""
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
