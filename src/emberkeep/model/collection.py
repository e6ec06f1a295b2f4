"""Long-term collections: procedures, incidents, configuration changes, documents, and the results of searching them.

The fields are the columns of the tables of the same name.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from emberkeep.errors import InvalidInput
from emberkeep.model.kinds import Kind

Impact = Literal["low", "medium", "high", "critical"]
IMPACTS: tuple[Impact, ...] = get_args(Impact)
Collection = Literal["decisions", "incidents", "procedures", "knowledge", "configs"]
KIND_OF: Mapping[Collection, Kind] = {
    "decisions": "decision",
    "incidents": "incident",
    "procedures": "procedure",
    "knowledge": "knowledge",
    "configs": "config",
}
COLLECTION_OF: Mapping[Kind, Collection] = {kind: name for name, kind in KIND_OF.items()}
SEARCHED: tuple[Collection, ...] = ("decisions", "incidents", "procedures")  # unless others are named
_UNFINISHED = b"importing "
SHOWN_VALUE_CHARS = 500  # of a configuration's value, in the text of its item


@dataclass(frozen=True, slots=True)
class Procedure:
    """How something is done, step by step."""

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    name: str
    description: str
    steps: tuple[Any, ...]
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime

    @property
    def told(self) -> str:
        """The text of the item that it is found by."""
        said = sentence(f"{self.name}: {self.description}" if self.description else self.name)
        steps = " ".join(f"{number}. {sentence(said_of(step))}" for number, step in enumerate(self.steps, start=1))
        return f"{said} Steps: {steps}" if steps else said


@dataclass(frozen=True, slots=True)
class Incident:
    """What went wrong, why, and what was done about it."""

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    title: str
    description: str
    severity: Impact
    cause: str
    resolution: str
    occurred_at: datetime
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    resolved_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it has not been resolved yet."""
        return self.resolved_at is None

    @property
    def told(self) -> str:
        """The text of the item that it is found by."""
        parts = [
            sentence(f"{self.title}: {self.description}" if self.description else self.title),
            self.cause and f"Cause: {sentence(self.cause)}",
            self.resolution and f"Resolution: {sentence(self.resolution)}",
        ]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """Who changed a configuration key from which value to which, and why. `None` stands for no value."""

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    key: str
    old: Any
    new: Any
    who: str
    why: str
    occurred_at: datetime
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime

    @property
    def told(self) -> str:
        """The text of the item that it is found by."""
        old, new = (said_of(value)[:SHOWN_VALUE_CHARS] for value in (self.old, self.new))
        if self.new is None:
            said = f"{self.key} was removed" if self.old is None else f"{self.key} was removed, it was {old}"
        else:
            said = f"{self.key} was set to {new}" if self.old is None else f"{self.key} was changed from {old} to {new}"
        said += f" by {self.who}" if self.who else ""
        return sentence(f"{said}, because {self.why}" if self.why else said)


@dataclass(frozen=True, slots=True)
class Document:
    """A reference text. Its content is kept in chunks, each a memory of its own; `chunks` is how many.

    `origin` is the path or URL that it came from, "" for none.
    """

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    title: str
    origin: str
    media_type: str
    content_hash: bytes
    chunks: int
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime

    @property
    def is_complete(self) -> bool:
        """Whether all of it is stored: false during an import, and after an import that was interrupted."""
        return not self.content_hash.startswith(_UNFINISHED)


@dataclass(frozen=True, slots=True)
class Imported:
    """What importing a document did: whether it is new, and how many chunks were added, removed and kept."""

    document: Document
    change: Literal["added", "replaced", "unchanged"]
    new: int
    gone: int
    kept: int

    @property
    def id(self) -> str:
        """The document's id."""
        return self.document.id


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk of a document that a search found, with its position; `page` is set if the document has pages."""

    id: str
    text: str
    document_id: str
    title: str
    heading: str
    chunk: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One result of a search over collections, with its relevance and its collection.

    `relevance` is the cosine with the query; where there are no vectors to compare, relative to the best result. `id`
    is the record's id; for a chunk of a document and for a learned statement it is the memory's.
    """

    content: str
    metadata: Mapping[str, Any]
    relevance: float
    collection: Collection
    id: str


def unfinished(content_hash: bytes) -> bytes:
    """The value stored instead of a document's hash until all of it is stored."""
    return _UNFINISHED + content_hash


def impact_named(value: object) -> Impact:
    """The severity with this name; raises `InvalidInput` if there is none."""
    for known in IMPACTS:
        if value == known:
            return known
    raise InvalidInput(f"unknown severity {value!r}: use one of {', '.join(IMPACTS)}")


def collections_named(values: object) -> tuple[Collection, ...]:
    """The collections to search, checked; `SEARCHED` if none are given."""
    if values is None:
        return SEARCHED
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise InvalidInput(f"collections must be a list of names, not {values!r}")
    return tuple(dict.fromkeys(_collection(value) for value in values)) or SEARCHED


def said_of(value: object) -> str:
    """A JSON value as readable text: a string as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def sentence(text: str) -> str:
    """The text with a full stop at the end, unless it ends in punctuation."""
    clean = text.strip()
    return clean if clean.endswith((".", "!", "?", "…", ":", ";")) else f"{clean}."


def _collection(value: object) -> Collection:
    for known in KIND_OF:
        if value == known:
            return known
    raise InvalidInput(f"unknown collection {value!r}: use one of {', '.join(KIND_OF)}")
