"""Polling for events, whichever process makes the change."""

from datetime import datetime, timedelta
from uuid import UUID

from emberkeep.clock import Clock
from emberkeep.errors import InvalidInput
from emberkeep.events.announcer import Announcer
from emberkeep.model.events import Event
from emberkeep.model.ids import new_id
from emberkeep.model.moment import from_micros
from emberkeep.storage import outbox
from emberkeep.storage.database import Database

KEEP = timedelta(seconds=30)  # how long events are kept for a watcher that no longer looks
OVERLAP = timedelta(seconds=10)  # how much later than its events' times a transaction may become visible


class Watch:
    """A watcher that looks from time to time. While it does, and for half a minute after, events are kept."""

    def __init__(  # noqa: PLR0917 - its parts, then what is wanted
        self,
        database: Database,
        clock: Clock,
        announcer: Announcer,
        tenant: str,
        wants: outbox.Wants,
        after: str | None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._announcer = announcer
        self._tenant = tenant
        self._wants = wants
        self._after = "" if after is None else after
        now = clock.now()
        self._begin = now if after is None else min(now, moment_of(after))
        self._name = f"watcher-{new_id(now)}"
        self._seen: dict[str, datetime] = {}
        if after is None:
            self._fresh()  # marks what is there as seen, before events are kept for this watcher
        self._renew_at = self._renew()

    def look(self) -> list[Event]:
        """The events since the last look, or at first since the event `after`, oldest first."""
        if self._clock.now() >= self._renew_at:
            self._renew_at = self._renew()
        return [one for one in self._fresh() if one.id > self._after and self._wants(one.type)]

    def close(self) -> None:
        """Stop watching, so that no events are kept for this watcher."""
        self._database.write(lambda connection: outbox.remove_listener(connection, self._tenant, self._name))
        self._announcer.look_again(self._tenant)

    def _fresh(self) -> list[Event]:
        since = max([self._begin, *self._seen.values()]) - OVERLAP
        with self._database.read() as connection:
            found = outbox.since(connection, self._tenant, since)
        fresh = [one for one in found if one.id not in self._seen]
        self._seen = {one.id: one.at for one in found}
        return fresh

    def _renew(self) -> datetime:
        now = self._clock.now()
        self._database.write(lambda connection: outbox.watch(connection, self._tenant, self._name, now, now + KEEP))
        self._announcer.look_again(self._tenant)
        return now + KEEP / 3


def moment_of(event_id: str) -> datetime:
    """The time of an event, from its id."""
    try:
        return from_micros((UUID(event_id).int >> 80) * 1_000)
    except (ValueError, OverflowError):
        raise InvalidInput(f"{event_id!r:.100} is no event's id: pass the id of the last event you saw") from None
