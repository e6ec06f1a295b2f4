"""A lease on loading the demo: of two processes that begin at once, one waits until the other is done."""

import time
from collections.abc import Callable

from emberkeep.access.idempotency import Idempotency, Ticket
from emberkeep.access.principal import Principal
from emberkeep.clock import SystemClock
from emberkeep.errors import Conflict, UnderWay
from emberkeep.memory import Memory

KEY = "emberkeep-demo"
LEASE_S = 15.0  # so long the next process waits after the holder was killed
_PAUSE_S = 0.2


class Claim:
    """A lease held by one process at a time. It expires when its holder dies, so that the next one can begin."""

    def __init__(self, memory: Memory) -> None:
        # With the system clock: the memory's own clock follows the story.
        self._requests = Idempotency(memory.database, SystemClock())
        self._holder = Principal.local(memory.config.tenant)
        self._ticket: Ticket | None = None
        self._taken_at = 0.0

    def take(self, waiting: Callable[[], None]) -> None:
        """Take the lease; if another process holds it, call `waiting` once and wait until it is free."""
        if not self._begin():
            waiting()
            while not self._begin():
                time.sleep(_PAUSE_S)

    def renew(self, *, at_once: bool = False) -> None:
        """Renew the lease when due, or `at_once`; raises `Conflict` if it expired and another process took it."""
        if at_once or time.monotonic() - self._taken_at > LEASE_S / 5:
            self.release()
            if not self._begin():
                raise Conflict(
                    "another process loads the demo into the same place, and this one was too slow: "
                    "run it again when the other is done"
                )

    def release(self) -> None:
        """Release the lease."""
        if self._ticket is not None:
            self._requests.abandon(self._ticket)
            self._ticket = None

    def _begin(self) -> bool:
        try:
            begun = self._requests.begin(self._holder, KEY, b"", lease_s=LEASE_S)
        except UnderWay:
            return False
        self._ticket = begun if isinstance(begun, Ticket) else None
        self._taken_at = time.monotonic()
        return self._ticket is not None
