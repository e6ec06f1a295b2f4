"""Subscribers in this process. They are called once the change is durable, by the thread that made it."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from emberkeep.model.events import Event, matcher
from emberkeep.model.scope import EVERYONE

_logger = logging.getLogger(__name__)
Callback = Callable[[Event], object]


@dataclass(frozen=True, slots=True)
class _Subscription:
    wants: Callable[[str], bool]
    callback: Callback


class Bus:
    """Passes events to the callbacks that subscribed to their type."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # By tenant, then by name; replaced, never changed, so that readers need no lock.
        self._subscriptions: dict[str, dict[str, _Subscription]] = {}
        self._numbers = count(1)

    def is_quiet(self, tenant: str) -> bool:
        """Whether there are no subscriptions for a tenant, or for any tenant if it is `EVERYONE`."""
        return not (self._subscriptions if tenant == EVERYONE else self._subscriptions.get(tenant))

    def subscribe(self, tenant: str, pattern: str, callback: Callback) -> str:
        """Call back with every event of a tenant whose type matches the pattern; returns the subscription's id."""
        subscription = _Subscription(matcher(pattern), callback)
        with self._lock:
            name = f"subscription-{next(self._numbers)}"
            self._replace(tenant, {**self._subscriptions.get(tenant, {}), name: subscription})
        return name

    def unsubscribe(self, tenant: str, name: str) -> bool:
        """End a subscription; returns whether this tenant had it."""
        with self._lock:
            known = self._subscriptions.get(tenant, {})
            self._replace(tenant, {key: one for key, one in known.items() if key != name})
        return name in known

    def dispatch(self, events: Sequence[Event]) -> None:
        """Call the matching callbacks in the order of subscription; one that raises does not affect the others."""
        subscriptions = self._subscriptions
        for event in events:
            for name, one in subscriptions.get(event.tenant, {}).items():
                if not one.wants(event.type):
                    continue
                try:
                    one.callback(event)
                except Exception:  # a callback is foreign code, and the change is already committed
                    _logger.exception("%s failed on %s %s", name, event.type, event.id)

    def _replace(self, tenant: str, subscriptions: dict[str, _Subscription]) -> None:
        others = {name: known for name, known in self._subscriptions.items() if name != tenant}
        self._subscriptions = {**others, tenant: subscriptions} if subscriptions else others
