"""How much this client has seen of a store behind several servers, so that none of them answers with older data."""

import threading
from collections.abc import Mapping
from contextlib import suppress

from emberkeep.errors import InvalidInput
from emberkeep.model.position import parse_position, position_token
from emberkeep.service.door import SEEN


class Seen:
    """The furthest of the positions that came with the answers to writes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._position = 0

    def note(self, token: str | None) -> None:
        """Take the token of an answer; one that is missing or malformed is ignored."""
        with suppress(InvalidInput), self._lock:
            self._position = max(self._position, parse_position(token or ""))

    def headers(self) -> Mapping[str, str]:
        """The headers that tell a server what it must have; none before the first write."""
        return {SEEN: position_token(self._position)} if self._position else {}
