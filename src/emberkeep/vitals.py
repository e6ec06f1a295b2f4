"""The health of a store and of this process: numbers for monitoring, and nothing of what is remembered."""

from collections.abc import Mapping

from emberkeep.model.report import CacheUse, Holding
from emberkeep.storage import counts
from emberkeep.wiring import Parts


class Vitals:
    """Reads health figures from the parts of a memory."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def holdings(self) -> Mapping[str, Holding]:
        """What the store holds, and what waits in it, by tenant."""
        with self._parts.database.of_everyone().read() as connection:
            return counts.holdings(connection)

    def seconds_waiting(self, holding: Holding) -> float:
        """For how long the oldest interaction has been waiting to be learned from."""
        since = holding.oldest_waiting
        return 0.0 if since is None else max(0.0, (self._parts.clock.now() - since).total_seconds())

    def caches(self) -> Mapping[str, CacheUse]:
        """The hits and misses of this process's embedding caches."""
        return self._parts.embedding.use()

    def looks(self) -> Mapping[str, int]:
        """How many reads the replica answered, and how many the primary in its place; empty without a replica."""
        return self._parts.database.looks()

    def index_bytes(self) -> int:
        """About how much memory this process's search indexes take."""
        return self._parts.residents.memory()
