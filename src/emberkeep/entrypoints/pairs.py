"""Parsing of `key=value`, as metadata and filters are written on the command line and in a URL."""

import json
from collections.abc import Iterable
from typing import Any

from emberkeep.errors import InvalidInput


def parse_pairs(pairs: Iterable[str], *, name: str) -> dict[str, Any]:
    """Return the pairs as a mapping; a value is read as JSON if it is valid JSON, else as text."""
    parsed: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise InvalidInput(f"{name} {pair!r}: write key=value, such as channel=voice")
        if key in parsed:
            raise InvalidInput(f"{name} {key!r} is given twice: give each key once")
        parsed[key] = _value(value)
    return parsed


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def _no_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which Python would read as numbers."""
    raise ValueError(f"{name} is not JSON")
