"""Who is told what happens in the databases that this process opened."""

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
    """Tells whoever subscribed, in this process, what happens in the databases that it opened."""

    def subscribe(self, event_type: str, handler: Handler) -> None:
        """Call a function with each event of a type; `*` stands for anything. If it raises, that is logged."""
        matcher(event_type)  # raises if no event is meant
        if not callable(handler):
            raise InvalidInput(f"a handler is called with an event: {handler!r} cannot be")
        _subscribed.append((event_type, handler))

    def unsubscribe(self, event_type: str, handler: Handler) -> None:
        """Call it no more; one that is not called has nothing to lose."""
        with suppress(ValueError):
            _subscribed.remove((event_type, handler))


def publish(event: Event) -> None:
    """Tell whoever subscribed to events of its type."""
    for wanted, handler in tuple(_subscribed):  # a handler may subscribe or unsubscribe
        if not fnmatchcase(event.type, wanted):
            continue
        try:
            handler(event)
        except Exception:  # a handler is anyone's code, and the others are called whatever it does
            _logger.exception("a handler of %s failed on %s %s", wanted, event.type, event.id)
