"""Events of a memory on a server as they happen: `follow`, and callbacks from a thread that reads the stream."""

import json
import logging
import queue
import threading
from collections.abc import Generator, Iterable, Iterator
from itertools import count
from typing import Any
from urllib.parse import urlencode

from emberkeep.errors import Closed, EmberkeepError, InvalidInput, NotFound
from emberkeep.events.bus import Callback
from emberkeep.model import checks
from emberkeep.model.events import Event, matcher
from emberkeep.remote.connection import Connection
from emberkeep.service.shapes import read

RETRY_S = 1.0  # before a broken stream is opened again
LOOK_EVERY_S = 0.5  # to see whether to stop
_logger = logging.getLogger(__name__)
_Received = Event | EmberkeepError | None  # None is the first: the stream is open


class Following:
    """The verbs of `memory.events` that need a stream from the server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._stops: dict[str, threading.Event] = {}  # what stops the thread of each subscription
        self._numbers = count(1)

    def follow(
        self,
        *,
        type: str = "*",  # noqa: A002 - the field of an event
        every_s: float = LOOK_EVERY_S,
        stop: threading.Event | None = None,
    ) -> Generator[Event, None, None]:
        """Yield events as they happen, whichever process makes the change, until told to stop."""
        matcher(type)  # raises if it is not a type
        pause = checks.positive(every_s, name="every_s")
        return self._following(type, pause, stop or threading.Event())

    def subscribe(self, pattern: str, callback: Callback) -> str:
        """Call back with each event of a type, whichever process makes the change, from a thread of its own.

        It returns once the stream is open; if that breaks later, it is opened again.
        """
        if not callable(callback):
            raise InvalidInput(f"a callback is called with an event: {callback!r} cannot be")
        matcher(pattern)
        stop = threading.Event()
        received = self._receive(pattern, LOOK_EVERY_S, stop)
        next(received)
        with self._lock:
            name = f"subscription-{next(self._numbers)}"
            self._stops[name] = stop
        arguments = (name, pattern, callback, received, stop)
        threading.Thread(target=self._dispatch, args=arguments, name=f"emberkeep-{name}", daemon=True).start()
        return name

    def unsubscribe(self, subscription: str) -> None:
        """End a subscription."""
        with self._lock:
            stop = self._stops.pop(subscription, None)
        if stop is None:
            raise NotFound(f"no subscription {subscription!r}")
        stop.set()

    def stop_following(self) -> None:
        """End all subscriptions."""
        with self._lock:
            for stop in self._stops.values():
                stop.set()
            self._stops.clear()

    def _dispatch(
        self, name: str, pattern: str, callback: Callback, received: Iterator[Event | None], stop: threading.Event
    ) -> None:
        """Call back with each event until told to stop; a stream that breaks goes on after its last event."""
        last: str | None = None
        while not stop.is_set():
            try:
                for event in received:
                    if event is not None and not stop.is_set():
                        last = event.id
                        _call_back(name, callback, event)
            except Closed:
                return
            except EmberkeepError as error:
                _logger.warning("%s follows again in %s s: %s", name, RETRY_S, error)
            stop.wait(RETRY_S)
            received = self._receive(pattern, LOOK_EVERY_S, stop, after=last)

    def _following(self, wanted: str, pause: float, stop: threading.Event) -> Generator[Event, None, None]:
        for event in self._receive(wanted, pause, stop):
            if event is not None:
                yield event

    def _receive(
        self, wanted: str, pause: float, stop: threading.Event, after: str | None = None
    ) -> Iterator[Event | None]:
        """Yield None once the stream is open, then its events; a thread reads them, so that `stop` is noticed."""
        received: queue.SimpleQueue[_Received] = queue.SimpleQueue()
        ended = threading.Event()
        arguments = (wanted, after, received, ended)
        reader = threading.Thread(target=self._listen, args=arguments, name="emberkeep-stream", daemon=True)
        reader.start()
        try:
            while not stop.is_set():
                try:
                    one = received.get(timeout=pause)
                except queue.Empty:
                    continue
                if isinstance(one, EmberkeepError):
                    raise one
                yield one
        finally:
            ended.set()

    def _listen(
        self, wanted: str, after: str | None, received: "queue.SimpleQueue[_Received]", ended: threading.Event
    ) -> None:
        """Put what the stream sends into a queue, and at last the error that it ends with."""
        try:
            with self._connection.stream(f"/events/stream?{urlencode({'type': wanted})}", after=after) as lines:
                received.put(None)
                for event in events_in(lines):
                    if ended.is_set():
                        return
                    if event is not None:
                        received.put(event)
            received.put(EmberkeepError(f"{self._connection.server} ended the stream of events: follow it again"))
        except EmberkeepError as error:
            received.put(error)


def _call_back(name: str, callback: Callback, event: Event) -> None:
    try:
        callback(event)
    except Exception:  # a callback is foreign code, and the change is already committed
        _logger.exception("%s failed on %s %s", name, event.type, event.id)


def events_in(lines: Iterable[str]) -> Iterator[Event | None]:
    """Yield the events in the lines of server-sent events, and None for other lines, which only show a sign of life."""
    data: list[str] = []
    for line in lines:
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif not line and data:
            yield _event("\n".join(data))
            data = []
        else:
            yield None


def _event(data: str) -> Event:
    """Return the event in the data of a server-sent event; raise `EmberkeepError` if it is not one."""
    try:
        sent: Any = json.loads(data)
        event: Event = read(Event, sent)
    except (ValueError, InvalidInput):
        raise EmberkeepError(
            "the stream holds something that is not an event: check the URL, and that both sides run the same version"
        ) from None
    return event
