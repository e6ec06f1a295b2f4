"""Mutation of inputs in ways that get past the first check: JSON by its structure, other input as bytes."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

# Values that code may handle badly.
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 0.5, -0.0, 1e22, 1e308, float("nan"), float("inf"), 2**31, 2**63 - 1, 2**63, -(2**64),
    10**30, "", " ", "*", "a", "null", "\x00", "\ud800", "\u202e\u200b", "\ufeff", "İ", "ﬀ", "2026-05-20",
    "2026-05-20T10:00:00Z", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "24:00", "1" * 5_000, "a" * 300,
    "../../x", "%s", "user_id", "$eq", "$regex", [], {}, [[]], [None], {"a": 1}, {"$gt": 1}, {"": ""}, {"a": {"b": []}},
)  # fmt: skip
# The same as bytes.
PIECES = (
    b"\x00", b"\xff", b"\xed\xa0\x80", b"\r\n", b"\n\n", b"\t", b"[", b"]", b"{", b"}", b'"', b"'", b"\\", b",", b":",
    b"<", b">", b"</", b"<!--", b"&", b"#", b"- ", b"```", b"0", b"-1", b"999999999999", b"%25", b"\xe2\x80\xa8",
    b"\xef\xbb\xbf",
)  # fmt: skip
DEEP = 60  # levels of nesting, more than may be stored


def mutated(data: bytes, random: Random, words: Sequence[bytes] = ()) -> bytes:
    """Return the input with one to four mutations; `words` come from similar inputs."""
    for _ in range(random.randint(1, 4)):
        data = _json(data, random) if random.random() < 0.7 else _bytes(data, random, words)  # noqa: PLR2004 - mostly
    return data


def _json(data: bytes, random: Random) -> bytes:
    """Change one value in JSON, or in one line of JSON lines. Other bytes stay as they are."""
    try:
        return _dumped(_changed(json.loads(data), random))
    except (ValueError, RecursionError):
        pass
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    try:
        lines[place] = _dumped(_changed(json.loads(lines[place]), random))
    except (ValueError, RecursionError):
        return data
    return b"\n".join(lines)


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


def _changed(value: Any, random: Random) -> Any:
    """Remove, replace, copy, rename, wrap or alter one value inside a value."""
    holders = list(_holders(value))
    if not holders:
        return _other(value, random)
    holder = random.choice(holders)
    key = random.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    match random.randrange(6):
        case 0:
            del holder[key]
        case 1:
            holder[key] = random.choice(VALUES)
        case 2:
            other = random.choice(holders)
            holder[key] = json.loads(_dumped(random.choice(list(other.values() if isinstance(other, dict) else other))))
        case 3 if isinstance(holder, dict):
            holder[random.choice([*map(str, holder), "x", "$gt", "", "\x00"])] = holder.pop(key)
        case 4:
            holder[key] = _wrapped(holder[key], random)
        case _:
            holder[key] = _other(holder[key], random)
    return value


def _holders(value: Any) -> Iterator[Any]:
    """Yield all lists and objects in a value that are not empty."""
    if isinstance(value, dict | list) and value:
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _holders(inner)


def _other(value: Any, random: Random) -> Any:
    """Return a value that is similar, or any of `VALUES`."""
    if isinstance(value, str) and value and random.random() < 0.7:  # noqa: PLR2004 - mostly
        place = random.randrange(len(value) + 1)
        text = random.choice([one for one in VALUES if isinstance(one, str)])
        return random.choice([value[:place] + text + value[place:], value[:place], value * 2, value.swapcase()])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return random.choice([-value, value * 1e9, value + 0.5, str(value), value - 1])
    return random.choice(VALUES)


def _wrapped(value: Any, random: Random) -> Any:
    """Nest a value in lists or objects, sometimes very deep."""
    for _ in range(random.choice((1, 1, 2, DEEP))):
        value = [value] if random.random() < 0.5 else {"a": value}  # noqa: PLR2004 - one as often as the other
    return value


def _bytes(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    """Cut out, insert, replace, repeat, truncate or randomise a few bytes."""
    start = random.randrange(len(data) + 1)
    end = min(len(data), start + random.randrange(1, 20))
    piece = random.choice(words) if words and random.random() < 0.7 else random.choice(PIECES)  # noqa: PLR2004 - mostly
    match random.randrange(6):
        case 0:
            return data[:start] + data[end:]
        case 1:
            return data[:start] + piece + data[start:]
        case 2:
            return data[:start] + piece + data[end:]
        case 3:
            return data[:end] + data[start:end] * random.randrange(1, 5) + data[end:]
        case 4:
            return data[:start]
    return data[:start] + bytes(random.randrange(256) for _ in data[start:end]) + data[end:]
