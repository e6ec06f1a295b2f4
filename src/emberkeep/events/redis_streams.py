"""Streams in Redis or Valkey: the sink that appends events, and a consumer that reads them as a group's member."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from redis.exceptions import RedisError, ResponseError

from emberkeep.errors import InvalidInput, StoreUnavailable
from emberkeep.events.relay import Failure, Sent
from emberkeep.model import checks
from emberkeep.model.events import Event
from emberkeep.providers.redis_client import connect

T = TypeVar("T")
TIMEOUT_S = 5.0
PAUSE_S = 0.5
REMEMBERED = 100_000
LONGEST_MEMORY_S = 10 * 366 * 86_400


class RedisStream:
    """Appends events to a stream. In an outage no event is given up: all wait until the server is back."""

    at_once = 500
    lease_s = 30.0
    longest_pause_s = 10.0
    attempts = None

    def __init__(self, url: str, stream: str, *, longest: int) -> None:
        self._client = connect(url, timeout_s=TIMEOUT_S, setting="events_url")
        self._stream = stream
        self._longest = longest or None

    def send(self, events: Sequence[Event]) -> Sent:
        """Append all events in one transaction; if the server's answer is lost, they will be appended again."""
        try:
            with self._client.pipeline(transaction=True) as pipeline:
                for event in events:
                    fields: dict[Any, Any] = {"id": event.id, "type": event.type, "event": event.to_json()}
                    pipeline.xadd(self._stream, fields, maxlen=self._longest, approximate=True)
                pipeline.execute()
        except (RedisError, OSError) as error:
            return Sent(0, Failure(f"{type(error).__name__}: {error}"))
        return Sent(len(events))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


@dataclass(frozen=True, slots=True)
class Received:
    """An event that a consumer received, and the id of the entry to acknowledge once it is processed."""

    entry_id: str
    event: Event


class StreamConsumer:
    """Reads a stream as a member of a consumer group: entries it received and did not acknowledge come again.

    An event that is in the stream twice is delivered once: acknowledged events are remembered for `remember_s` seconds.
    Entries that a member of the group has left unacknowledged for `idle_s` seconds go to another member.
    """

    def __init__(
        self,
        url: str,
        group: str,
        consumer: str,
        *,
        stream: str = "emberkeep:events",
        remember_s: int = 86_400,
        idle_s: float = 60.0,
    ) -> None:
        self._client = connect(url, timeout_s=TIMEOUT_S, setting="the consumer's url")
        self._group = checks.storable(group, name="group")
        self._consumer = checks.storable(consumer, name="consumer")
        self._stream = checks.storable(stream, name="stream")
        self._remember_s = checks.limit(remember_s, most=LONGEST_MEMORY_S, name="remember_s")
        self._idle_ms = round(_seconds(idle_s, "idle_s") * 1000)
        self._own_from: str | None = "0"  # the entry after which this member's unacknowledged entries go on

    def read(self, count: int = 100, *, block_s: float = 1.0) -> list[Received]:
        """The next events: first those that this member did not acknowledge before a restart, then new ones.

        Raises `StoreUnavailable` while the server cannot be reached; call again then.
        """
        most = checks.limit(count, most=checks.MAX_PAGE_LIMIT, name="count")
        wait = _seconds(block_s, "block_s")
        found = self._asked(lambda: self._entries(most, wait))
        fresh: dict[str, Received] = {}
        done: list[Received] = []
        for one in self._parsed(found):
            if one.event.id in fresh:
                done.append(one)
            else:
                fresh[one.event.id] = one
        known = self._known([*fresh])
        done += [fresh[event_id] for event_id in known]
        if done:
            self.ack(done)
        return [one for event_id, one in fresh.items() if event_id not in known]

    def ack(self, received: Sequence[Received]) -> None:
        """Acknowledge processed events: they are not delivered again, even if the stream holds them twice."""
        if not received:
            return

        def job() -> None:
            with self._client.pipeline(transaction=True) as pipeline:
                pipeline.xack(self._stream, self._group, *(one.entry_id for one in received))
                for one in received:
                    pipeline.set(self._key(one.event.id), 1, ex=self._remember_s)
                pipeline.execute()

        self._asked(job)

    def events(self, stop: threading.Event | None = None) -> Iterator[Event]:
        """Yield events until told to stop, through outages; each is acknowledged when the next one is asked for.

        This consumer does not yield an event twice, even if the server lost the acknowledgement.
        """
        stop = stop or threading.Event()
        yielded: dict[str, None] = {}
        while not stop.is_set():
            try:
                for one in self.read():
                    if one.event.id not in yielded:
                        yielded[one.event.id] = None
                        yield one.event
                    self.ack([one])
            except StoreUnavailable:
                self._own_from = "0"
                stop.wait(PAUSE_S)
            for event_id in [*yielded][: max(0, len(yielded) - REMEMBERED)]:
                del yielded[event_id]

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _entries(self, count: int, block_s: float) -> list[tuple[str, dict[str, str]]]:
        try:
            if self._own_from is not None:
                found = self._group_read(self._own_from, count, None)
                self._own_from = found[-1][0] if found else None
                if found:
                    return found
            claimed: Any = self._client.xautoclaim(
                self._stream, self._group, self._consumer, self._idle_ms, count=count
            )
            if entries := [(entry, fields) for entry, fields in claimed[1] if fields]:
                return entries
            return self._group_read(">", count, _millis(block_s))
        except ResponseError as error:
            if "NOGROUP" not in str(error):
                raise
        try:
            self._client.xgroup_create(self._stream, self._group, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):  # another member was faster
                raise
        return self._group_read(">", count, _millis(block_s))

    def _group_read(self, start: str, count: int, block_ms: int | None) -> list[tuple[str, dict[str, str]]]:
        streams: dict[Any, Any] = {self._stream: start}
        found: Any = self._client.xreadgroup(self._group, self._consumer, streams, count=count, block=block_ms)
        return [(entry, fields) for _, entries in found or () for entry, fields in entries if fields]

    def _parsed(self, found: Sequence[tuple[str, dict[str, str]]]) -> Iterator[Received]:
        for entry, fields in found:
            try:
                yield Received(entry, Event.from_json(fields.get("event", "")))
            except InvalidInput:  # not one of our events: unacknowledged it would come again for ever
                self._asked(lambda entry=entry: self._client.xack(self._stream, self._group, entry))  # type: ignore[misc]

    def _known(self, ids: list[str]) -> set[str]:
        if not ids:
            return set()
        values = cast("list[Any]", self._asked(lambda: self._client.mget([self._key(one) for one in ids])))
        return {one for one, value in zip(ids, values, strict=True) if value is not None}

    def _key(self, event_id: str) -> str:
        return f"{self._stream}:{self._group}:{event_id}"

    def _asked(self, job: Callable[[], T]) -> T:
        try:
            return job()
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"the stream {self._stream} cannot be read: {error}") from error


def _seconds(value: object, name: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= LONGEST_MEMORY_S:
        raise InvalidInput(f"{name} is {value!r}: pass a number of seconds, such as 1.0")
    return float(value)


def _millis(block_s: float) -> int:
    return max(1, round(min(block_s, TIMEOUT_S - 1.0) * 1000))
