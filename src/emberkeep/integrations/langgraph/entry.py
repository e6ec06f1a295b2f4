"""An entry of a store, and its conversion to and from the memory that holds it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypedDict

from langgraph.store.base import Item as StoreItem
from langgraph.store.base import SearchItem
from langgraph.store.base.embed import get_text_at_path, tokenize_path

from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.model.checks import MAX_ID_CHARS, MAX_METADATA_CHARS, MAX_TAGS
from emberkeep.model.item import Item

ROOT = "langgraph"  # the tag of all entries
WHOLE = "$"  # the path of the value itself
MAX_LABELS = MAX_TAGS - 1
MAX_TEXT_CHARS = 100_000  # of the text that an entry is searched by; the value is kept whole
MOST_ELSE = 10_000  # characters of metadata besides the value
MAX_VALUE_CHARS = MAX_METADATA_CHARS - MOST_ELSE
_LETTERS = str.maketrans("0123456789", "ghijklmnop")  # no digits, so that redaction takes no digest for a card number
Namespace = tuple[str, ...]


class AsMemory(TypedDict):
    """An entry as arguments of `remember` and `update`."""

    text: str
    tags: list[str]
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """A value under a key of a namespace."""

    namespace: Namespace
    key: str
    value: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, item: Item) -> "Entry":
        """The entry that a memory item holds."""
        kept = item.metadata
        created, updated = (datetime.fromisoformat(kept[name]) for name in ("created_at", "updated_at"))
        return cls(tuple(kept["namespace"]), kept["key"], kept["value"], created, updated)

    def told(self, paths: Sequence[str] | Literal[False]) -> AsMemory:
        """The memory of the entry. Its text is what the value holds at these paths; without any, its names."""
        texts = [] if paths is False else [text for path in paths for text in _texts(self.value, path)]
        said = "\n".join(texts)[:MAX_TEXT_CHARS].strip()
        about = {
            ROOT: address(self.namespace, self.key),
            "indexed": bool(said),
            "namespace": list(self.namespace),
            "key": self.key,
            "value": dict(self.value),
            "created_at": self.created_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }
        return {
            "text": said or "/".join((*self.namespace, self.key)),
            "tags": tags_of(self.namespace),
            "metadata": about,
        }

    def as_item(self) -> StoreItem:
        """The entry as LangGraph's result of a `get`."""
        return StoreItem(
            value=dict(self.value),
            key=self.key,
            namespace=self.namespace,
            created_at=self.created_at,
            updated_at=self.updated_at,
        )

    def as_found(self, score: float | None) -> SearchItem:
        """The entry as one of LangGraph's search results."""
        return SearchItem(self.namespace, self.key, dict(self.value), self.created_at, self.updated_at, score)


def address(namespace: Namespace, key: str) -> str:
    """The hash of an entry's namespace and key, by which it is looked up: of one length, whatever theirs."""
    digest = hashlib.sha256(json.dumps([*namespace, key]).encode()).hexdigest()
    return digest.translate(_LETTERS)


def tag_of(prefix: Namespace) -> str:
    """The tag that all entries below a prefix have. Labels hold no period, so no two prefixes share a tag."""
    tag = ":".join((ROOT, ".".join(prefix))) if prefix else ROOT
    return tag if len(tag) <= MAX_ID_CHARS else f"{ROOT}#{hashlib.sha256(tag.encode()).hexdigest()}"


def tags_of(namespace: Namespace) -> list[str]:
    """The tags of an entry: one for each prefix of its namespace, so that any prefix can be searched."""
    return [tag_of(namespace[:depth]) for depth in range(len(namespace) + 1)]


def is_entry(item: Item) -> bool:
    """Whether a memory is an entry of the store, and not another memory with the same tag."""
    return ROOT in item.metadata


def plain(namespace: Namespace, key: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """A value as it is stored: as plain JSON. Raises `InvalidInput` if it is too long or a database cannot hold it."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"the value of {key!r} is {type(value).__name__}: pass a dict")
    try:
        written = json.dumps(dict(value), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"the value of {key!r} must hold JSON values only: {error}") from None
    if len(written) > MAX_VALUE_CHARS:
        raise InvalidInput(
            f"the value of {key!r} takes {len(written):,} characters as JSON, the limit is {MAX_VALUE_CHARS:,}: "
            "divide it, or keep long texts with memory.knowledge.add"
        )
    kept: dict[str, Any] = json.loads(written)
    try:
        checks.metadata({"namespace": list(namespace), "key": key, "value": kept})
    except InvalidInput as error:
        raise InvalidInput(f"the entry {key!r} cannot be kept: {error}") from None
    return kept


def _texts(value: Mapping[str, Any], path: str) -> list[str]:
    if path == WHOLE:
        return _said(value)
    return list(get_text_at_path(value, tokenize_path(path)))


def _said(value: object, name: str = "") -> list[str]:
    """A JSON value in lines that read well: "city: Lisbon" rather than braces and quotes."""
    if isinstance(value, Mapping):
        return [line for key, one in value.items() for line in _said(one, f"{name} {key}".strip())]
    if isinstance(value, list | tuple):
        return [line for one in value for line in _said(one, name)]
    if value is None or value == "":
        return []
    return [f"{name}: {value}"]
