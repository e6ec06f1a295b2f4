"""What SQLAlchemy has compiled, for all databases of a kind that a process opens.

On its own it compiles a statement once for each engine, and a database has two: whoever opens many small ones would
wait longer for that than for the database.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.dialects import registry
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.util import LRUCache

MOST = 2_000  # statements; there are some hundreds
# For every engine whose dialect is `Alike`.
SHARED: Mapping[str, Any] = {"execution_options": {"compiled_cache": LRUCache(MOST)}}
DRIVER = "emberkeep"  # in the URLs of our engines


class Alike(Dialect):
    """A dialect that compiles as all of its class do for servers of the same version: they are equal.

    SQLAlchemy caches what a class compiles only if that very class says that it may: `supports_statement_cache`.
    """

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.server_version_info == self.server_version_info

    def __hash__(self) -> int:
        return hash((type(self), self.server_version_info))


def register(dialect: type[Alike]) -> None:
    """Let URLs name it, as the driver `DRIVER` of its database."""
    registry.register(f"{dialect.name}.{DRIVER}", dialect.__module__, dialect.__name__)
