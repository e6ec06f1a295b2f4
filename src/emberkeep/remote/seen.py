"""What this side has seen of a store behind several servers, so that none of them answers with less."""

import threading
from collections.abc import Mapping
from contextlib import suppress

from emberkeep.errors import InvalidInput
from emberkeep.model.position import parse_position, position_token
from emberkeep.service.door import SEEN


class Seen:
    """The furthest of all that servers answered writes with."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._position = 0

    def note(self, token: str | None) -> None:
        """A server answered with a token; what is none is left to whoever sent it."""
        with suppress(InvalidInput), self._lock:
            self._position = max(self._position, parse_position(token or ""))

    def headers(self) -> Mapping[str, str]:
        """What to send along."""
        return {SEEN: position_token(self._position)} if self._position else {}
