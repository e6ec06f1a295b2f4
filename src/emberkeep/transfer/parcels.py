"""The parcels that an import consists of, whatever its source: statements, exchanges, and files to read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from emberkeep.capture.seeding import Reference
from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.model.kinds import Kind


@dataclass(frozen=True, slots=True)
class Told:
    """A statement to remember."""

    text: str
    kind: Kind = "fact"
    occurred_at: datetime | None = None
    user_id: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    sacred: bool = False
    sources: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """The messages of one exchange, word for word, and its `id` in the source. With `learn`, they are learned from."""

    messages: tuple[Mapping[str, Any], ...]
    occurred_at: datetime | None = None
    user_id: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    learn: bool = True
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A file to keep as a document."""

    path: Path
    origin: str


Parcel = Told | Exchange | Written
Reader = Callable[[Path], Iterator[Parcel]]


def when(value: object) -> datetime | None:
    """Parse a time of an imported file: seconds since 1970, or ISO 8601, in UTC if it has no zone."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            return checks.moment(found.replace(tzinfo=found.tzinfo or UTC), name="the time", local=True)
    except (InvalidInput, ValueError, OverflowError, OSError):
        pass
    raise InvalidInput(f"{value!r:.60} is not a time such as 2026-05-20T10:00:00Z")


def words(value: object, name: str) -> str:
    """A text, with characters replaced that no database can store; "" for None or a text with nothing visible."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {type(value).__name__}, not a text")
    text = str(checks.plain_json(value)).strip()
    return "" if checks.is_blank(text) else text


def mapping(value: object, name: str) -> Mapping[str, Any]:
    """A mapping; {} for None."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name} is {type(value).__name__}, not an object")
    return value


def sequence(value: object, name: str) -> list[Any]:
    """A list; [] for None."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidInput(f"{name} is {type(value).__name__}, not a list")
    return value


def marked(metadata: Mapping[str, Any], source: str, id_: object) -> dict[str, Any]:
    """The metadata with the name of the source, and the id in it."""
    return checks.metadata({**metadata, "source": source, **({"source_id": id_} if isinstance(id_, str) else {})})


def held(text: str, since: datetime | None, until: datetime | None, metadata: Mapping[str, Any]) -> Told:
    """A fact; one that no longer holds becomes knowledge whose text says until when it held."""
    if until is None:
        return Told(text, occurred_at=since, metadata=metadata)
    return Told(f"{text} (so until {until:%Y-%m-%d})", kind="knowledge", occurred_at=since, metadata=metadata)
