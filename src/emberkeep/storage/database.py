"""A database as the rest of Emberkeep sees it: transactions to read and to write in, and nothing of its dialect."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from emberkeep.errors import StoreError
from emberkeep.storage.search import LargeShelf, ShelfKey

T = TypeVar("T")


class Database(ABC):
    """One open database."""

    driver_error: type[Exception]  # what the driver raises where SQLAlchemy is not in between

    def __init__(self, engine: Engine, url: str) -> None:
        self.engine = engine
        self.url = url  # to show; holds no password

    @abstractmethod
    def read(self) -> AbstractContextManager[Connection]:
        """A connection that sees one consistent state of the database."""

    @abstractmethod
    def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a transaction; when this returns, what it wrote is durable. The job may be run again."""

    @abstractmethod
    def large_shelf(self, key: ShelfKey) -> LargeShelf:
        """The approximate index for a shelf that is too large to compare with every vector."""

    @abstractmethod
    def before_schema(self, connection: Connection) -> None:
        """Get ready to make or change tables: alone, and with what their types need."""

    @abstractmethod
    def maintain(self) -> None:
        """Give freed space back and bring statistics up to date."""

    @abstractmethod
    def wipe(self) -> None:
        """After a deletion: leave nothing of it readable in files, as far as that is quick."""

    @abstractmethod
    def explain(self, error: BaseException) -> StoreError:
        """What a driver's error means to a user."""

    @abstractmethod
    def close(self) -> None:
        """Let go of all connections and files."""

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn the driver's errors into those of the error tree."""
        try:
            yield
        except DBAPIError as error:
            raise self.explain(error.orig or error) from error
        except SQLAlchemyError as error:
            raise StoreError(f"{self.url}: {error}") from error
        except self.driver_error as error:
            raise self.explain(error) from error
