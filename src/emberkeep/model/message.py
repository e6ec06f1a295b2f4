"""One thing said, as the caller handed it over."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from emberkeep.errors import InvalidInput
from emberkeep.model import checks

_FIELDS = frozenset({"role", "content", "name", "id", "timestamp"})
MAX_MESSAGES = 10_000


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said: who (`role`, `name`), what, and when if the caller knows."""

    role: str
    content: str
    name: str | None = None
    id: str | None = None
    timestamp: datetime | None = None


def parse_messages(value: object, *, max_chars: int) -> tuple[Message, ...]:
    """Messages from a string (one user message), a mapping, or a list of either."""
    if isinstance(value, str | Mapping | Message):
        value = [value]
    if not isinstance(value, Iterable):
        raise InvalidInput("messages must be a string or a list of {'role': ..., 'content': ...}")
    some = islice(value, MAX_MESSAGES + 1)
    messages = tuple(_parse(one, position, max_chars) for position, one in enumerate(some))
    if not messages:
        raise InvalidInput("messages is empty: pass at least one message")
    if len(messages) > MAX_MESSAGES:
        raise InvalidInput(f"more than {MAX_MESSAGES:,} messages in one call: add them in parts")
    return messages


def _parse(value: object, position: int, max_chars: int) -> Message:
    where = f"messages[{position}]"
    if isinstance(value, Message):
        value = {name: getattr(value, name) for name in _FIELDS}
    if isinstance(value, str):
        return Message("user", checks.text(value, name=where, max_chars=max_chars))
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{where} must be a string or a mapping, not {type(value).__name__}")
    unknown = set(value) - _FIELDS
    if unknown:
        raise InvalidInput(
            f"{where} has unknown fields {', '.join(sorted(map(str, unknown)))}: use {', '.join(sorted(_FIELDS))}"
        )
    if "role" not in value or "content" not in value:
        raise InvalidInput(f"{where} needs both role and content")
    return Message(
        role=checks.scope_id(value["role"], name=f"{where}.role") or "user",
        content=checks.text(value["content"], name=f"{where}.content", max_chars=max_chars),
        name=checks.scope_id(value.get("name"), name=f"{where}.name"),
        id=checks.scope_id(value.get("id"), name=f"{where}.id"),
        timestamp=checks.moment(value.get("timestamp"), name=f"{where}.timestamp"),
    )
