"""A message as the caller handed it over, and the parsing of what callers pass as messages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Literal

from emberkeep.errors import InvalidInput
from emberkeep.model import checks

_FIELDS = frozenset({"role", "content", "name", "id", "timestamp", "tool_calls", "tool_call_id"})
# Fields that SDKs add to the messages they return; they are ignored.
_PASSED_OVER = frozenset(
    """refusal annotations audio function_call reasoning reasoning_content cache_control status type phase index
    logprobs""".split()
)
_TEXTS = ("text", "input_text", "output_text")
MAX_MESSAGES = 10_000


_SILENT = frozenset("system tool function developer deleted".split())  # roles of machines that nobody converses with
_ANSWERING = frozenset("assistant model agent ai bot narrator character npc".split())
_NAMELESS = _SILENT | _ANSWERING | {"user", "human"}  # as a name, each says no more than the role
Side = Literal["user", "assistant"]


def side_of(role: str) -> Side | None:
    """Who speaks in a role: "user" for a person, "assistant" for a machine that answers, `None` for other machines."""
    folded = role.strip().casefold()
    if folded in _SILENT:
        return None
    return "assistant" if folded in _ANSWERING else "user"


@dataclass(frozen=True, slots=True)
class Message:
    """One message: who said it (`role`, `name`), what, and when if the caller knows.

    A message without words, such as one that only calls tools, has empty content; it is logged but makes no memory.
    """

    role: str
    content: str
    name: str | None = None
    id: str | None = None
    timestamp: datetime | None = None
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    tool_call_id: str | None = None

    @property
    def side(self) -> Side | None:
        """Who speaks, as `side_of` says."""
        return side_of(self.role)


def parse_messages(value: object, *, max_chars: int) -> tuple[Message, ...]:
    """Messages from a string (one user message), a mapping, or a list of either."""
    if isinstance(value, str | Mapping | Message):
        value = [value]
    if isinstance(value, bytes | bytearray) or not isinstance(value, Iterable):
        raise InvalidInput("messages must be a string or a list of {'role': ..., 'content': ...}")
    given = islice(value, MAX_MESSAGES + 1)
    messages = tuple(_parse(message, position, max_chars) for position, message in enumerate(given))
    if not messages:
        raise InvalidInput("messages is empty: pass at least one message")
    if len(messages) > MAX_MESSAGES:
        raise InvalidInput(f"more than {MAX_MESSAGES:,} messages in one call: add them in parts")
    if not any(message.content or message.tool_calls for message in messages):
        raise InvalidInput("messages[0].content is empty: pass a message with at least one visible character")
    return messages


def _parse(value: object, position: int, max_chars: int) -> Message:
    where = f"messages[{position}]"
    if isinstance(value, Message):
        value = {name: getattr(value, name) for name in _FIELDS}
    if isinstance(value, str):
        return Message("user", _words(value, where, max_chars))
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{where} must be a string or a mapping, not {type(value).__name__}")
    unknown = set(value) - _FIELDS - _PASSED_OVER
    if unknown:
        raise InvalidInput(
            f"{where} has unknown fields {', '.join(sorted(map(str, unknown)))}: use {', '.join(sorted(_FIELDS))}"
        )
    calls = value.get("tool_calls") or ()
    if value.get("role") is None or not ("content" in value or calls or _PASSED_OVER & set(value)):
        raise InvalidInput(f"{where} needs both role and content")
    if isinstance(value["role"], str) and not value["role"].strip():
        raise InvalidInput(f'{where}.role is blank: say whose words these are, such as "user" or "assistant"')
    role = checks.scope_id(value["role"], name=f"{where}.role") or "user"
    name = checks.scope_id(value.get("name"), name=f"{where}.name")
    return Message(
        role=role,
        content=_words(_content(value.get("content")), f"{where}.content", max_chars),
        tool_calls=_tool_calls(calls, where),
        tool_call_id=checks.scope_id(value.get("tool_call_id"), name=f"{where}.tool_call_id"),
        name=None if name is None or _is_no_name(name, role) else name,
        id=checks.scope_id(value.get("id"), name=f"{where}.id"),
        timestamp=checks.moment(value.get("timestamp"), name=f"{where}.timestamp", local=True),
    )


def _is_no_name(name: str, role: str) -> bool:
    """Whether a name only repeats the role: "user", "Assistant"."""
    folded = name.strip().casefold()
    return folded in _NAMELESS and side_of(folded) == side_of(role)


def _words(value: object, where: str, max_chars: int) -> str:
    """The checked text of a message; "" if it is missing or blank."""
    if value is None or (isinstance(value, str) and checks.is_blank(value)):
        return ""
    return checks.text(value, name=where, max_chars=max_chars)


def _content(value: object) -> object:
    """The text of content given as a list of parts, as in OpenAI's messages; images and audio are left out."""
    if not isinstance(value, list | tuple) or not all(isinstance(part, Mapping) for part in value):
        return value
    texts = [part.get("text") for part in value if part.get("type", "text") in _TEXTS]
    return "\n".join(text for text in texts if isinstance(text, str))


def _tool_calls(value: object, where: str) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{where}.tool_calls must be a list of mappings")
    return tuple(call if isinstance(call, dict) else {"call": call} for call in checks.plain_json(list(value)))
