"""Announcing changes: events go to the outbox inside the transaction, and to subscribers after the commit."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection

from emberkeep.clock import Clock
from emberkeep.events.bus import Bus
from emberkeep.model.scope import EVERYONE
from emberkeep.storage import outbox
from emberkeep.storage.database import Job
from emberkeep.storage.outbox import Audience, Box

T = TypeVar("T")
LOOK_EVERY_S = 5.0  # how long it takes a process to notice a webhook that another one added
MOST_KNOWN = 10_000  # tenants


@dataclass(frozen=True, slots=True)
class _Known:
    """The listeners of a tenant, or of all tenants, and when to look them up again."""

    audiences: Mapping[str, Audience]
    look_at: float


_NOBODY = _Known({}, 0.0)


class Announcer:
    """Collects the events of each job, and dispatches them once the job's transaction is durable.

    Without listeners, the only cost is a lookup of the tenant's listeners every few seconds.
    """

    def __init__(self, bus: Bus, clock: Clock, *, streamed: bool, kept: bool) -> None:
        self._bus = bus
        self._clock = clock
        self._streamed = streamed
        self._kept = kept
        self._known: dict[str, _Known] = {}

    def announced(self, write: Callable[[Job[T]], T], job: Job[T], tenant: str) -> T:
        """Run a job in a write transaction, and after the commit dispatch the events that it told."""
        known = self._known.get(tenant, _NOBODY)
        if time.monotonic() < known.look_at and self._has_nobody(tenant, known):
            return write(job)
        box: Box | None = None

        def told(connection: Connection) -> T:  # SQLite may run it in another thread, and any database may retry it
            nonlocal box
            box = self._box(connection, tenant)
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

    def look_again(self, tenant: str = EVERYONE) -> None:
        """Look up the listeners of a tenant, or of all tenants, again at the next change."""
        if tenant == EVERYONE:
            self._known = {}
        for name in (tenant, EVERYONE):
            self._known.pop(name, None)

    def _has_nobody(self, tenant: str, known: _Known) -> bool:
        return self._bus.is_quiet(tenant) and not (known.audiences or self._streamed or self._kept)

    def _box(self, connection: Connection, tenant: str) -> Box | None:
        known = self._known.get(tenant, _NOBODY)
        if time.monotonic() >= known.look_at:
            audiences = outbox.audiences(connection, self._clock.now(), None if tenant == EVERYONE else tenant)
            known = _Known(audiences, time.monotonic() + LOOK_EVERY_S)
            if len(self._known) >= MOST_KNOWN:
                self._known = {}
            self._known[tenant] = known
        if self._has_nobody(tenant, known):
            return None
        return Box(known.audiences, self._clock.now(), self._streamed, self._kept)
