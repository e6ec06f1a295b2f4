"""Subscribers in this process. They are called when the change is durable, by the thread that made it."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from emberkeep.model.events import Event, matcher

_logger = logging.getLogger(__name__)
Callback = Callable[[Event], object]


@dataclass(frozen=True, slots=True)
class _Subscription:
    wants: Callable[[str], bool]
    callback: Callback


class Bus:
    """Hands events to those who subscribed to their type."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscriptions: dict[str, _Subscription] = {}  # replaced, never changed, so that readers need no lock
        self._numbers = count(1)

    @property
    def is_quiet(self) -> bool:
        """Whether nobody subscribed."""
        return not self._subscriptions

    def subscribe(self, pattern: str, callback: Callback) -> str:
        """Call back with every event whose type is meant; returns the subscription's id."""
        subscription = _Subscription(matcher(pattern), callback)
        with self._lock:
            name = f"subscription-{next(self._numbers)}"
            self._subscriptions = {**self._subscriptions, name: subscription}
        return name

    def unsubscribe(self, name: str) -> bool:
        """Call back no more; whether there was such a subscription."""
        with self._lock:
            known = name in self._subscriptions
            self._subscriptions = {key: one for key, one in self._subscriptions.items() if key != name}
        return known

    def dispatch(self, events: Sequence[Event]) -> None:
        """Call everyone who wants to know, in the order in which they subscribed; one who fails harms no other."""
        subscriptions = self._subscriptions
        for event in events:
            for name, one in subscriptions.items():
                if not one.wants(event.type):
                    continue
                try:
                    one.callback(event)
                except Exception:  # a callback is anyone's code, and the change is made whatever it does
                    _logger.exception("%s failed on %s %s", name, event.type, event.id)
