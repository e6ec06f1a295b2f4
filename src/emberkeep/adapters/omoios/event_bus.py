"""OmoiOS's event bus: delivers the events of the databases that this process opened to subscribed handlers."""

import logging
from collections.abc import Callable
from contextlib import suppress
from fnmatch import fnmatchcase

from emberkeep.errors import InvalidInput
from emberkeep.model.events import Event, matcher

_logger = logging.getLogger(__name__)
Handler = Callable[[Event], None]
_subscribed: list[tuple[str, Handler]] = []


class EventBusService:
    """Delivers the events of this process's databases to the handlers subscribed in this process."""

    def subscribe(self, event_type: str, handler: Handler) -> None:
        """Call a handler with each event of a type; `*` is a wildcard. An exception it raises is logged."""
        matcher(event_type)  # raises if the pattern matches no type of event
        if not callable(handler):
            raise InvalidInput(f"a handler is called with an event: {handler!r} cannot be")
        _subscribed.append((event_type, handler))

    def unsubscribe(self, event_type: str, handler: Handler) -> None:
        """Remove a subscription; one that does not exist is ignored."""
        with suppress(ValueError):
            _subscribed.remove((event_type, handler))


def publish(event: Event) -> None:
    """Call the handlers that subscribed to the event's type."""
    for wanted, handler in tuple(_subscribed):  # a handler may subscribe or unsubscribe
        if not fnmatchcase(event.type, wanted):
            continue
        try:
            handler(event)
        except Exception:  # a failing handler must not keep the others from being called
            _logger.exception("a handler of %s failed on %s %s", wanted, event.type, event.id)
