"""A position in PostgreSQL's write-ahead log: the number to compare, and the token that callers pass on."""

import re

from emberkeep.errors import InvalidInput

_TOKEN = re.compile(r"([0-9A-Fa-f]{1,8})/([0-9A-Fa-f]{1,8})")


def parse_position(token: str) -> int:
    """The position in a token; raises `InvalidInput` if the token is malformed."""
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise InvalidInput(
            f"{token[:40]!r} says of no state that it was seen: send back what a write was answered with, or nothing"
        )
    return int(found[1], 16) << 32 | int(found[2], 16)


def position_token(position: int) -> str:
    """The token for a position, as PostgreSQL writes it."""
    return f"{position >> 32:X}/{position & 0xFFFFFFFF:X}"
