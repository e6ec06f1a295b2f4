"""A cache of compiled SQLAlchemy statements, shared by all databases of one kind that a process opens.

By default SQLAlchemy compiles each statement once per engine, and a database has two engines. A program that opens many
small databases would spend more time on compiling than on the databases.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.dialects import registry
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.util import LRUCache

MOST = 2_000  # statements; Emberkeep has a few hundred
# Options for every engine whose dialect is an `Alike`.
SHARED: Mapping[str, Any] = {"execution_options": {"compiled_cache": LRUCache(MOST)}}
DRIVER = "emberkeep"  # the driver's name in the URLs of our engines


class Alike(Dialect):
    """A dialect that equals others of its class for the same server version, so that they share compiled statements.

    SQLAlchemy caches the statements of a dialect only if its class itself, not a base class, sets
    `supports_statement_cache`.
    """

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.server_version_info == self.server_version_info

    def __hash__(self) -> int:
        return hash((type(self), self.server_version_info))


def register(dialect: type[Alike]) -> None:
    """Register a dialect under the driver name `DRIVER`, so that URLs can name it."""
    registry.register(f"{dialect.name}.{DRIVER}", dialect.__module__, dialect.__name__)
