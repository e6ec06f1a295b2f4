"""The relay: delivers events from the outbox to the sinks that are owed them, in order, at least once.

A sink that is down is left alone for a while, and its events wait. Two relays never send to one sink at the same time,
unless one of them takes longer than its lease.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol

from sqlalchemy import Connection

from emberkeep.clock import Clock
from emberkeep.errors import Closed, EmberkeepError
from emberkeep.model.events import Delivered, Event, Webhook
from emberkeep.storage import outbox
from emberkeep.storage.database import Database
from emberkeep.storage.outbox import STREAM, Undelivered

_logger = logging.getLogger(__name__)
FIRST_PAUSE_S = 1.0
PRUNE_EVERY_S = 3_600.0


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an event was not delivered: the sink is down, or it `refused` this event but would accept others."""

    reason: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """How many of a batch of events a sink accepted, from the first on, and why it did not accept the next one."""

    count: int
    failure: Failure | None = None


class Sink(Protocol):
    """A destination of events."""

    @property
    def at_once(self) -> int:
        """The largest number of events in one call of `send`."""
        ...

    @property
    def lease_s(self) -> float:
        """The longest that one call of `send` may take, in seconds."""
        ...

    @property
    def longest_pause_s(self) -> float:
        """The longest pause after failures, in seconds."""
        ...

    @property
    def attempts(self) -> int | None:
        """How often one event is tried before it is given up; without end if `None`."""
        ...

    def send(self, events: Sequence[Event]) -> Sent:
        """Send events in order, stopping at the first that fails."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class Sender(Protocol):
    """A factory of the sinks of webhooks."""

    def sink(self, webhook: Webhook) -> Sink:
        """The sink of one webhook."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, slots=True)
class _Down:
    failures: int
    until: float


class Relay:
    """Delivers the events that are owed, of one tenant or of all."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        stream: Sink | None,
        webhooks: Callable[[], "Sender"],
        keep_days: float,
    ) -> None:
        self._database = database.of_everyone()
        self._clock = clock
        self._stream = stream
        self._webhooks = webhooks
        self._sender: Sender | None = None
        self._keep = timedelta(days=keep_days)
        self._down: dict[tuple[str, str], _Down] = {}
        self._prune_at = 0.0

    def close(self) -> None:
        """Close the connections; waiting events are left to other relays."""
        for one in (self._stream, self._sender):
            if one is not None:
                one.close()

    def run(self, stop: threading.Event, every_s: float) -> None:
        """Deliver until told to stop."""
        while not stop.is_set():
            self.once(stop=stop)
            stop.wait(every_s)

    def once(self, stop: threading.Event | None = None) -> bool:
        """Deliver what is due now and log any error; returns whether all went well."""
        try:
            delivered = self.deliver(stop=stop)
            self._prune()
        except Closed:
            return True
        except EmberkeepError as error:
            _logger.warning("events are delivered later: %s", error)
            return False
        except Exception:
            _logger.exception("events are delivered later")
            return False
        return not delivered.reasons

    def deliver(
        self, tenant: str | None = None, *, impatient: bool = False, stop: threading.Event | None = None
    ) -> Delivered:
        """Deliver what is due now; sinks that are in a pause after failures are skipped, unless `impatient`."""
        with self._database.read() as connection:
            owed = outbox.owed(connection, self._clock.now(), tenant)
            hooks = {name: {one.id: one for one in outbox.webhooks(connection, name)} for name, _ in owed}
        done = Delivered()
        for name, sink_name in owed:
            if sink_name != STREAM and sink_name not in hooks[name]:
                self._drop(name, sink_name)
                continue
            if not impatient and self._is_down(name, sink_name):
                continue
            sink = self._sink(sink_name, hooks[name])
            while sink is not None and not (stop is not None and stop.is_set()):
                batch = self._batch(name, sink_name, sink)
                done += batch or Delivered()
                if batch is None or self._is_down(name, sink_name):
                    break
        return done

    def _sink(self, name: str, hooks: Mapping[str, Webhook]) -> Sink | None:
        """The sink of this name; `None` for a stream that only other processes are configured to reach."""
        if name == STREAM:
            return self._stream
        self._sender = self._sender or self._webhooks()
        return self._sender.sink(hooks[name])

    def _drop(self, tenant: str, name: str) -> None:
        """Drop the deliveries that are still owed to a webhook that was removed."""
        dropped = self._database.of_tenant(tenant).write(lambda c: outbox.drop_orphans(c, tenant, name))
        self._down.pop((tenant, name), None)
        _logger.info("%s is no webhook any more: %d events for it are dropped", name, dropped)

    def _batch(self, tenant: str, name: str, sink: Sink) -> Delivered | None:
        """Send one batch; `None` if no event is due, or another relay has the lease."""
        holder, now = secrets.token_hex(8), self._clock.now()
        until = now + timedelta(seconds=sink.lease_s)
        database = self._database.of_tenant(tenant)
        taken = database.write(
            lambda c: outbox.take(c, tenant, name, sink.at_once, holder=holder, now=now, until=until)
        )
        if not taken:
            return None
        sent = sink.send([one.event for one in taken])
        if sent.failure is None or sent.failure.refused:
            self._down.pop((tenant, name), None)
        else:
            self._leave_alone(tenant, name, sink)
        database.write(lambda c: self._settle(c, tenant, name, sink, taken, sent, holder))
        if sent.failure is None:
            return Delivered(sent.count)
        _logger.warning("%s: %s", name, sent.failure.reason)
        return Delivered(sent.count, 1, (sent.failure.reason,))

    def _settle(  # noqa: PLR0917 - all that there is to know of an attempt
        self,
        connection: Connection,
        tenant: str,
        name: str,
        sink: Sink,
        taken: Sequence[Undelivered],
        sent: Sent,
        holder: str,
    ) -> None:
        now = self._clock.now()
        outbox.delivered(connection, tenant, name, [one.event.id for one in taken[: sent.count]])
        if sent.failure is not None:
            failed = taken[sent.count]
            attempts = failed.attempts + 1
            alone = pause_after(attempts, sink.longest_pause_s) if sent.failure.refused else 0.0
            outbox.put_off(
                connection,
                tenant,
                name,
                failed.event.id,
                attempts=attempts,
                due_at=now + timedelta(seconds=alone),
                reason=sent.failure.reason,
                failed=sink.attempts is not None and attempts >= sink.attempts,
            )
        outbox.release(connection, tenant, name, holder, now)

    def _is_down(self, tenant: str, name: str) -> bool:
        known = self._down.get((tenant, name))
        return known is not None and time.monotonic() < known.until

    def _leave_alone(self, tenant: str, name: str, sink: Sink) -> None:
        former = self._down.get((tenant, name), _Down(0, 0.0))
        failures = former.failures + 1
        until = time.monotonic() + pause_after(failures, sink.longest_pause_s)
        self._down[tenant, name] = replace(former, failures=failures, until=until)

    def _prune(self) -> None:
        if time.monotonic() < self._prune_at:
            return
        self._prune_at = time.monotonic() + PRUNE_EVERY_S
        self._database.write(outbox.drop_orphans)  # including deliveries that were given up
        while self._database.write(lambda c: outbox.prune(c, self._clock.now() - self._keep)):
            pass


def pause_after(failures: int, longest_s: float) -> float:
    """Seconds until the next attempt: exponential backoff, doubling up to `longest_s`."""
    return min(longest_s, FIRST_PAUSE_S * 2.0 ** max(failures - 1, 0))
