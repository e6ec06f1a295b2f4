"""Between a change and those who are told of it: the outbox inside the transaction, subscribers after it."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from sqlalchemy import Connection

from emberkeep.clock import Clock
from emberkeep.events.bus import Bus
from emberkeep.storage import outbox
from emberkeep.storage.database import Job
from emberkeep.storage.outbox import Audience, Box

T = TypeVar("T")
LOOK_EVERY_S = 5.0  # how long it takes a process to notice a webhook that another one added


class Announcer:
    """Collects what each job tells, and passes it on when the job's transaction is durable.

    With nobody to tell, all this costs is a look at the table of listeners every few seconds.
    """

    def __init__(self, bus: Bus, clock: Clock, *, streamed: bool, kept: bool) -> None:
        self._bus = bus
        self._clock = clock
        self._streamed = streamed
        self._kept = kept
        self._audiences: Mapping[str, Audience] = {}
        self._look_at = 0.0

    def announced(self, write: Callable[[Job[T]], T], job: Job[T]) -> T:
        """Write, and when it is durable, tell of what the job told."""
        if self._has_nobody and time.monotonic() < self._look_at:
            return write(job)
        box: Box | None = None

        def told(connection: Connection) -> T:  # on SQLite another thread may run it, and anywhere it may run again
            nonlocal box
            box = self._box(connection)
            if box is None:
                return job(connection)
            with outbox.carried(connection, box):
                result = job(connection)
            box.write(connection)
            return result

        result = write(told)
        if box is not None and box.events:
            self._bus.dispatch(box.events)
        return result

    @property
    def _has_nobody(self) -> bool:
        return self._bus.is_quiet and not (self._audiences or self._streamed or self._kept)

    def look_again(self) -> None:
        """Ask at the next change who listens."""
        self._look_at = 0.0

    def _box(self, connection: Connection) -> Box | None:
        if time.monotonic() >= self._look_at:
            self._audiences = outbox.audiences(connection, self._clock.now())
            self._look_at = time.monotonic() + LOOK_EVERY_S
        return None if self._has_nobody else Box(self._audiences, self._clock.now(), self._streamed, self._kept)
