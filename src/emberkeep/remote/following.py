"""Events of a memory on a server, as they happen: `follow`, and callbacks from a thread that follows."""

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

RETRY_S = 1.0
LOOK_EVERY_S = 0.5
_logger = logging.getLogger(__name__)
_Told = Event | EmberkeepError | None  # nothing says that the server listens to us now


class Following:
    """The part of `memory.events` that waits for a server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._stops: dict[str, threading.Event] = {}  # of the threads that call back, by subscription
        self._numbers = count(1)

    def follow(
        self,
        *,
        type: str = "*",  # noqa: A002 - as an event has it
        every_s: float = LOOK_EVERY_S,
        stop: threading.Event | None = None,
    ) -> Generator[Event, None, None]:
        """Events as they happen, whichever process makes the change, until told to stop."""
        matcher(type)  # raises for what is no type
        pause = checks.positive(every_s, name="every_s")
        return self._following(type, pause, stop or threading.Event())

    def subscribe(self, pattern: str, callback: Callback) -> str:
        """Call back with each event of a type, whoever made the change, from a thread that follows the server.

        When this returns, the server has been reached; if it goes away, it is waited for.
        """
        if not callable(callback):
            raise InvalidInput(f"a callback is called with an event: {callback!r} cannot be")
        matcher(pattern)
        stop = threading.Event()
        told = self._told(pattern, LOOK_EVERY_S, stop)
        next(told)
        with self._lock:
            name = f"subscription-{next(self._numbers)}"
            self._stops[name] = stop
        arguments = (name, pattern, callback, told, stop)
        threading.Thread(target=self._dispatch, args=arguments, name=f"emberkeep-{name}", daemon=True).start()
        return name

    def unsubscribe(self, subscription: str) -> None:
        """Call back no more."""
        with self._lock:
            stop = self._stops.pop(subscription, None)
        if stop is None:
            raise NotFound(f"no subscription {subscription!r}")
        stop.set()

    def stop_following(self) -> None:
        """Call nobody back any more."""
        with self._lock:
            for stop in self._stops.values():
                stop.set()
            self._stops.clear()

    def _dispatch(
        self, name: str, pattern: str, callback: Callback, told: Iterator[Event | None], stop: threading.Event
    ) -> None:
        last: str | None = None
        while not stop.is_set():
            try:
                for event in told:
                    if event is not None and not stop.is_set():
                        last = event.id
                        _call_back(name, callback, event)
            except Closed:
                return
            except EmberkeepError as error:
                _logger.warning("%s follows again in %s s: %s", name, RETRY_S, error)
            stop.wait(RETRY_S)
            told = self._told(pattern, LOOK_EVERY_S, stop, after=last)

    def _following(self, wanted: str, pause: float, stop: threading.Event) -> Generator[Event, None, None]:
        for told in self._told(wanted, pause, stop):
            if told is not None:
                yield told

    def _told(
        self, wanted: str, pause: float, stop: threading.Event, after: str | None = None
    ) -> Iterator[Event | None]:
        """What the server tells, and nothing when it has begun; reading has a thread, so that `stop` is heeded."""
        told: queue.SimpleQueue[_Told] = queue.SimpleQueue()
        ended = threading.Event()
        arguments = (wanted, after, told, ended)
        reader = threading.Thread(target=self._listen, args=arguments, name="emberkeep-stream", daemon=True)
        reader.start()
        try:
            while not stop.is_set():
                try:
                    one = told.get(timeout=pause)
                except queue.Empty:
                    continue
                if isinstance(one, EmberkeepError):
                    raise one
                yield one
        finally:
            ended.set()

    def _listen(self, wanted: str, after: str | None, told: "queue.SimpleQueue[_Told]", ended: threading.Event) -> None:
        try:
            with self._connection.stream(f"/events/stream?{urlencode({'type': wanted})}", after=after) as lines:
                told.put(None)
                for event in events_in(lines):
                    if ended.is_set():
                        return
                    if event is not None:
                        told.put(event)
            told.put(EmberkeepError(f"{self._connection.server} ended the stream of events: follow it again"))
        except EmberkeepError as error:
            told.put(error)


def _call_back(name: str, callback: Callback, event: Event) -> None:
    try:
        callback(event)
    except Exception:  # a callback is anyone's code, and the change is made whatever it does
        _logger.exception("%s failed on %s %s", name, event.type, event.id)


def events_in(lines: Iterable[str]) -> Iterator[Event | None]:
    """The events of a stream, as server-sent events have them; nothing for a line that only shows that it is alive."""
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
    try:
        sent: Any = json.loads(data)
        event: Event = read(Event, sent)
    except (ValueError, InvalidInput):
        raise EmberkeepError(
            "the stream of events holds what is none: check the URL, and that both sides run the same version"
        ) from None
    return event
