"""Checks of callers' input: each returns the clean value, or raises an `InvalidInput` that says what to do."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timezone
from typing import Any

from emberkeep.errors import InvalidInput
from emberkeep.model.kinds import KINDS, Kind

MAX_ID_CHARS = 256
MAX_ID_BYTES = 768  # three of these fit into one row of PostgreSQL's indexes
MAX_DEPTH = 40  # of nesting in stored values
MAX_BITS = 63  # of whole numbers: SQLite rounds longer ones
MOST_DECIMAL_BITS = 4_096  # Python refuses to write much longer numbers in decimal
MAX_TAGS = 64
MAX_METADATA_CHARS = 65_536
MAX_SEARCH_LIMIT = 1_000
MAX_PAGE_LIMIT = 10_000
_NO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\ufeff")
_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
RESERVED_FILTERS = frozenset(
    {"tenant", "user_id", "agent_id", "session_id", "kind", "kinds", "tags", "since", "until", "as_of"}
)


def text(value: object, *, name: str = "text", max_chars: int) -> str:
    """Non-blank text that every database can keep."""
    clean = storable(value, name=name)
    if is_blank(clean):
        raise InvalidInput(f"{name} is empty: pass at least one visible character")
    if len(clean) > max_chars:
        raise InvalidInput(
            f"{name} has {len(clean):,} characters, the limit is {max_chars:,}: split it, or raise max_text_chars"
        )
    return clean


def is_blank(value: str) -> bool:
    """Whether a text has no visible character: only spaces and characters without width."""
    return all(char.isspace() or char in _NO_WIDTH for char in value)


def storable(value: object, *, name: str) -> str:
    """The string; raises `InvalidInput` if it holds a character that a database or UTF-8 cannot."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {type(value).__name__}")
    if "\x00" in value:
        raise InvalidInput(f"{name} holds a NUL character, which PostgreSQL cannot keep: remove it")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{name} holds a lone surrogate at position {error.start}, which is not valid Unicode: "
            "repair it, for instance with value.encode('utf-8', 'replace').decode()"
        ) from None
    return value


def is_storable(value: str) -> bool:
    """Whether every database and UTF-8 can hold a text."""
    try:
        storable(value, name="it")
    except InvalidInput:
        return False
    return True


def scope_id(value: object, *, name: str) -> str | None:
    """A checked user, agent or session id, or `None`."""
    if value is None:
        return None
    clean = storable(value, name=name)
    if not clean.strip():
        raise InvalidInput(f"{name} is blank: leave it out, or pass an id")
    if len(clean) > MAX_ID_CHARS:
        raise InvalidInput(f"{name} has {len(clean)} characters, the limit is {MAX_ID_CHARS}")
    if not clean.isascii() and len(clean.encode()) > MAX_ID_BYTES:
        raise InvalidInput(f"{name} has {len(clean.encode())} bytes in UTF-8, the limit is {MAX_ID_BYTES}")
    return clean


def owner_id(value: object) -> str | None:
    """A checked user id to write under; "*" is refused, because in reads it stands for everyone."""
    clean = scope_id(value, name="user_id")
    if clean == "*":
        raise InvalidInput('user_id "*" means everyone and is only for reading: pass one user')
    return clean


def kind(value: object) -> Kind:
    """A checked kind of memory."""
    for known in KINDS:
        if value == known:
            return known
    raise InvalidInput(f"unknown kind {value!r}: use one of {', '.join(KINDS)}")


def kinds(values: object) -> tuple[Kind, ...]:
    """Checked kinds to look for; an empty tuple means all."""
    return tuple(kind(value) for value in _listed(values, name="kinds"))


def tags(values: object, *, name: str = "tags") -> tuple[str, ...]:
    """Checked tags, or another list of names, without duplicates, in order."""
    clean = dict.fromkeys(storable(value, name=f"one of the {name}") for value in _listed(values, name=name))
    if any(not tag.strip() or len(tag) > MAX_ID_CHARS for tag in clean):
        raise InvalidInput(f"one of the {name} is blank or over {MAX_ID_CHARS} characters")
    if len(clean) > MAX_TAGS:
        raise InvalidInput(f"{len(clean):,} {name}, the limit is {MAX_TAGS}")
    return tuple(clean)


def metadata(value: object, *, name: str = "metadata") -> dict[str, Any]:
    """A checked JSON object; {} for `None`."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidInput(f"{name} must be a mapping with string keys")
    _refuse_deep(value, MAX_DEPTH, name)
    try:
        encoded = json.dumps(dict(value), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name} must hold JSON values only: {error}") from None
    if len(encoded) > MAX_METADATA_CHARS:
        raise InvalidInput(f"{name} takes {len(encoded):,} characters as JSON, the limit is {MAX_METADATA_CHARS:,}")
    storable("\x00" if _ESCAPED_NUL.search(encoded) else encoded, name=name)
    return dict(json.loads(encoded))


def _refuse_deep(value: object, left: int, name: str) -> None:
    """Refuse nesting so deep that some JSON reader would fail, and keys that JSON would turn into strings."""
    if not isinstance(value, Mapping | list | tuple):
        return
    if not left:
        raise InvalidInput(f"{name} is nested over {MAX_DEPTH} deep: make it flatter")
    if isinstance(value, Mapping) and not all(isinstance(key, str) for key in value):
        raise InvalidInput(f"{name} must be a mapping with string keys, also inside")
    for one in value.values() if isinstance(value, Mapping) else value:
        _refuse_deep(one, left - 1, name)


def filters(value: object) -> tuple[tuple[str, Any], ...]:
    """Checked metadata filters: pairs of a key and the plain value that it must equal."""
    pairs = metadata(value, name="filters")
    for key, wanted in pairs.items():
        if key in RESERVED_FILTERS:
            raise InvalidInput(f"unknown filter {key!r}: filters= is for metadata; pass {key}=... as an argument")
        if key.startswith("$") or isinstance(wanted, dict | list):
            raise InvalidInput(
                f"unknown filter for {key!r}: filters= compares metadata for equality with one plain value"
            )
    return tuple(sorted(pairs.items()))


def limit(value: object, *, most: int, name: str = "limit") -> int:
    """A checked whole number from 1 to `most`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidInput(f"{name} must be a whole number, not {type(value).__name__}")
    if not 1 <= value <= most:
        raise InvalidInput(f"{name} is {value}: pass 1 to {most:,}")
    return value


def flag(value: object, name: str) -> bool:
    """A checked boolean; nothing that is merely truthy or falsy passes."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} is {value!r}: pass True or False")
    return value


def positive(value: object, *, name: str) -> float:
    """A number above zero."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1e12:  # noqa: PLR2004 - enough
        raise InvalidInput(f"{name} must be a number above zero, not {value!r}")
    return float(value)


def at_least_zero(value: object, *, name: str) -> float:
    """A number that is not below zero."""
    return 0.0 if value == 0 and not isinstance(value, bool) else positive(value, name=name)


def moment(value: object, *, name: str, local: bool = False) -> datetime | None:
    """An aware time in UTC, given as a datetime or in ISO 8601 with its offset; `local` keeps that offset."""
    if value is None:
        return None
    parsed = value
    if isinstance(value, str):
        try:
            parsed = datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInput(f"{name} is {value!r}: pass ISO 8601, such as 2026-05-20T10:00:00Z") from None
    if not isinstance(parsed, datetime):
        raise InvalidInput(f"{name} must be a datetime or an ISO 8601 string, not {type(value).__name__}")
    offset = parsed.utcoffset()
    if offset is None:
        raise InvalidInput(f"{name} has no time zone: add one, such as 2026-05-20T10:00:00Z or tzinfo=UTC")
    try:
        found = parsed.astimezone(UTC)
        return found.astimezone(timezone(offset)) if local else found
    except OverflowError:
        raise InvalidInput(f"{name} is {value!r}: outside the years 1 to 9999 in UTC") from None


def _listed(values: object, *, name: str) -> list[object]:
    if values is None:
        return []
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InvalidInput(f"{name} must be a list of strings, not {type(values).__name__}")
    return list(values)


def plain_json(value: object, depth: int = 0) -> Any:
    """The value in a form that JSON can hold; anything else becomes text, so that nothing is refused.

    An agent's tools may return anything; a log that refused some of it would lose the turn.
    """
    if value is None or (isinstance(value, int) and value.bit_length() <= MAX_BITS):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, str):  # neither database keeps NUL or half of a surrogate pair
        return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    if depth < MAX_DEPTH and isinstance(value, Mapping):
        return {str(plain_json(_described(key), depth)): plain_json(one, depth + 1) for key, one in value.items()}
    if depth < MAX_DEPTH and isinstance(value, list | tuple):
        return [plain_json(one, depth + 1) for one in value]
    return plain_json(_described(value), depth)


def _described(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return hex(value) if isinstance(value, int) and value.bit_length() > MOST_DECIMAL_BITS else repr(value)
    except Exception as error:  # noqa: BLE001 - anything may go wrong in a stranger's repr
        return f"<{type(value).__name__}: {type(error).__name__}>"
