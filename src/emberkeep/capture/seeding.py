"""Reading seed files, which list facts for the memory to know: plain or Markdown lines, or JSON. Pure functions."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from emberkeep.capture.redact import redact_value
from emberkeep.config import Config
from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Draft, Source
from emberkeep.model.kinds import Kind
from emberkeep.model.moment import offset_of
from emberkeep.model.scope import Scope

Format = Literal["lines", "jsonl"]
_FIELDS = frozenset(
    {"text", "kind", "occurred_at", "user_id", "agent_id", "session_id", "tags", "metadata", "sacred", "sources"}
)
_ALIASES: Mapping[str, str] = {
    "content": "text",
    "memory": "text",
    "date": "occurred_at",
    "timestamp": "occurred_at",
    "type": "kind",
}
_ARRAY = re.compile(r'\s*\[\s*(?:[{"]|\]\s*$)')
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_CHECKBOX = re.compile(r"^\[[ xX]\]\s+")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_DATED = re.compile(
    r"^[\[(]?(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?)[\])]?\s*(?:[:|,–—-]\s*|\s)"
)


class Reference(NamedTuple):
    """A reference to a message in the log: the exchange's id, the message's position, and the words that are meant."""

    exchange: str
    message: int
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Seed:
    """One entry of a seed file, and its line or element; fields not given here are the same for the whole file."""

    text: str
    line: int
    occurred_at: datetime | None = None
    kind: Kind | None = None
    user_id: str | None = None
    agent_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    sacred: bool = False
    session_id: str | None = None
    sources: tuple[Reference, ...] = ()


def read_seeds(text: object, form: Format | None, config: Config) -> list[Seed]:
    """The entries in a text, without secrets if the settings want them redacted."""
    said = checks.storable(text, name="text")
    clean: str = redact_value(said)[0] if config.redact else said
    return parse_seeds(clean, form, config)


def parse_seeds(text: str, form: Format | None, config: Config) -> list[Seed]:
    """The entries in a text; raises `InvalidInput`, which names the line, if any entry is malformed.

    "jsonl" is one object per line, or one array of objects or texts. Without a `form`, it is guessed from the text.
    """
    if form is None:
        form = "jsonl" if text.lstrip().startswith("{") or _ARRAY.match(text) else "lines"
    if form not in ("lines", "jsonl"):
        raise InvalidInput(f"form is {form!r}: use lines or jsonl")
    reader = _from_jsonl if form == "jsonl" else _from_lines
    return list(reader(text, config))


def drafted(seed: Seed, shared: Seed, tenant: str, now: datetime, said: Mapping[str, Interaction]) -> Draft:
    """The draft of a seed, with defaults from `shared`, and with its sources among the exchanges in `said`."""
    then = seed.occurred_at or now
    scope = Scope.to_write(tenant, seed.user_id or shared.user_id, seed.agent_id or shared.agent_id, seed.session_id)
    with _at(f"line {seed.line}"):
        sources = [one for reference in seed.sources if (one := _source(reference, scope, said)) is not None]
    return Draft(
        scope=scope,
        kind=seed.kind or shared.kind or "fact",
        text=seed.text,
        occurred_at=then.astimezone(UTC),
        tags=checks.tags((*shared.tags, *seed.tags)),
        metadata=seed.metadata,
        sacred=seed.sacred or shared.sacred,
        source=sources[0] if sources else None,
        told=True,
        utc_offset=offset_of(then),
        also_from=tuple(sources[1:]),
    )


def _source(reference: Reference, scope: Scope, said: Mapping[str, Interaction]) -> Source | None:
    """The source that a reference names, `None` if its text was deleted; a quote not found in the text is left out.

    Raises `InvalidInput` if this user has no such message.
    """
    exchange = said.get(reference.exchange)
    if exchange is None or exchange.scope.shelf != scope.shelf or reference.message >= len(exchange.messages):
        named = f"message {reference.message} of the exchange {reference.exchange!r}"
        raise InvalidInput(f"there is no {named} in what this user said: leave it out, or log the exchange first")
    message = exchange.messages[reference.message]
    if not message.content:
        return None
    stands = reference.quote is not None and reference.quote in message.content
    return exchange.source(reference.message, reference.quote if stands else None)


def _from_lines(text: str, config: Config) -> Iterator[Seed]:
    """One entry per line: bullets, numbers and dates in front are parsed; headings and fenced code are no entries."""
    section, fenced = None, False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        heading = _HEADING.match(line)
        if heading:
            section = heading.group(1)
        if fenced or heading or not line.strip() or _RULE.match(line) or line.lstrip().startswith("<!--"):
            continue
        said = _CHECKBOX.sub("", _BULLET.sub("", line.strip(), count=1)).strip()
        dated = _DATED.match(said)
        said = said[dated.end() :].strip() if dated else said
        if said:
            with _at(f"line {number}"):
                words = checks.text(said, max_chars=config.max_text_chars)
                day = _moment(dated.group(1), config) if dated else None
            yield Seed(words, number, day, metadata={"section": section} if section else {})


def _from_jsonl(text: str, config: Config) -> Iterator[Seed]:
    if text.lstrip().startswith("["):
        for number, value in enumerate(_json(text), start=1):
            with _at(f"element {number}"):
                seed = _from_object({"text": value} if isinstance(value, str) else value, number, config)
            yield seed
        return
    # Not `splitlines`: texts in JSON may hold other line separators.
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line.strip():
            with _at(f"line {number}"):
                seed = _from_object(_json(line), number, config)
            yield seed


_LINE_END = re.compile(r"\r\n|\r|\n")


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Prefix the message of any `InvalidInput` with the place."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{place}: {error}") from None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"this is not JSON: {error}") from None


def _from_object(given: object, number: int, config: Config) -> Seed:
    if not isinstance(given, dict):
        raise InvalidInput("this must be a JSON object with a text")
    value = {_ALIASES.get(key, key): one for key, one in given.items()}
    unknown = set(value) - _FIELDS
    if unknown:
        raise InvalidInput(f"unknown field {min(unknown)!r}: use {', '.join(sorted(_FIELDS))}")
    sacred = value.get("sacred", False)
    if not isinstance(sacred, bool):
        raise InvalidInput("sacred must be true or false")
    return Seed(
        checks.text(value.get("text"), max_chars=config.max_text_chars),
        number,
        occurred_at=None if value.get("occurred_at") is None else _moment(str(value["occurred_at"]), config),
        kind=None if value.get("kind") is None else checks.kind(value["kind"]),
        user_id=checks.scope_id(value.get("user_id"), name="user_id"),
        agent_id=checks.scope_id(value.get("agent_id"), name="agent_id"),
        session_id=checks.scope_id(value.get("session_id"), name="session_id"),
        tags=checks.tags(value.get("tags")),
        metadata=checks.metadata(value.get("metadata")),
        sacred=sacred,
        sources=references(value.get("sources")),
    )


def references(value: object) -> tuple[Reference, ...]:
    """The references in a JSON list of sources; empty for `None`."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InvalidInput(f"sources is {type(value).__name__}, not a list")
    return tuple(map(_reference, value))


def _reference(value: object) -> Reference:
    match value:
        case {"exchange": str(exchange), "message": int(place), **more} if place >= 0 and more.keys() <= {"quote"}:
            quote = more.get("quote")
            return Reference(exchange, place, None if quote is None else checks.storable(quote, name="quote"))
    raise InvalidInput('a source is {"exchange": its id, "message": 0 for the first of it, "quote": its words}')


def _moment(value: str, config: Config) -> datetime | None:
    """Parse a date or time; a date means its first moment, and without an offset the configured timezone applies."""
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        raise InvalidInput(f"{value!r} is not a date such as 2026-05-20") from None
    return checks.moment(config.at(found), name="the date", local=True)
