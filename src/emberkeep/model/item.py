"""One unit of long-term memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from operator import attrgetter
from typing import Any, Literal
from uuid import UUID

from emberkeep.errors import InvalidInput
from emberkeep.model.claim import Claim
from emberkeep.model.kinds import Kind
from emberkeep.model.many import Many
from emberkeep.model.moment import at_offset, from_micros, to_micros
from emberkeep.model.scope import Scope

Action = Literal["added", "updated", "reheated", "refined", "superseded", "retracted", "restored", "deleted"]


def spoken(speaker: str | None, text: str, gloss: str = "") -> str:
    """The indexed form of a text: its speaker in front and its gloss behind."""
    said = f"{speaker}: {text}" if speaker else text
    return f"{said} ({gloss})" if gloss else said


@dataclass(frozen=True, slots=True)
class Source:
    """A message that an item came from; `quote` is the part of it that supports what was learned."""

    interaction_id: str
    position: int
    message_id: str
    role: str
    name: str | None
    occurred_at: datetime
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One unit of long-term memory; users see it as a "memory".

    `temperature` is its temperature at the time of reading, cooled since it was set at `heated_at`. `occurred_at` is
    when it happened, `recorded_at` when Emberkeep was told; it holds from `valid_from` until `valid_to`, if set. The
    `gloss` holds further words that searches find it by. `record` names the record that it stands for, such as
    "task:ID". `utc_offset` is the offset of where it was said, in minutes east of UTC, 0 if unknown.
    """

    id: str
    text: str
    kind: Kind
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    speaker: str | None
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    occurred_at: datetime
    recorded_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: str | None
    temperature: float
    heated_at: datetime
    access_count: int
    last_access: datetime | None
    sacred: bool
    gloss: str = ""
    sources: tuple[Source, ...] = ()
    record: str | None = None
    utc_offset: int = 0

    @property
    def spoken(self) -> str:
        """The indexed form: the text with its speaker and gloss."""
        return spoken(self.speaker, self.text, self.gloss)

    @property
    def said_at(self) -> datetime:
        """When it happened, at the UTC offset of where it was said: what its "today" refers to."""
        return at_offset(self.occurred_at, self.utc_offset)


_values = attrgetter(*(one.name for one in fields(Item)))
_TEMPERATURE = [one.name for one in fields(Item)].index("temperature")


def at_temperature(item: Item, temperature: float) -> Item:
    """The item at another temperature, in a fraction of the time that `dataclasses.replace` takes."""
    values = list(_values(item))
    values[_TEMPERATURE] = temperature
    return Item(*values)


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to be kept, before it becomes an item (or is found to be known)."""

    scope: Scope
    kind: Kind
    text: str
    occurred_at: datetime
    speaker: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    sacred: bool = False
    source: Source | None = None
    claim: Claim | None = None
    entities: tuple[str, ...] = ()
    gloss: str = ""
    told: bool = False  # a caller stated it directly, so it cannot be derived from the log again
    as_it_came: bool = False  # no time was given: `occurred_at` is when it was recorded
    record: str | None = None
    utc_offset: int = 0
    also_from: tuple[Source, ...] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """All the messages that it came from."""
        return self.also_from if self.source is None else (self.source, *self.also_from)

    @property
    def spoken(self) -> str:
        """The indexed form: the text with its speaker and gloss."""
        return spoken(self.speaker, self.text, self.gloss)

    @property
    def said_at(self) -> datetime:
        """When it happened, at the UTC offset of where it was said."""
        return at_offset(self.occurred_at, self.utc_offset)


@dataclass(frozen=True, slots=True)
class Page(Many[Item]):
    """A page of items: pass its `next` as `cursor=` to get the following page; `None` means the end."""

    items: tuple[Item, ...]
    next: str | None = None

    @property
    def entries(self) -> tuple[Item, ...]:
        """The items."""
        return self.items


def cursor_at(place: tuple[int, str]) -> str:
    """The cursor of the page that follows the item with this time (in microseconds) and id."""
    return f"{place[0]}.{place[1]}"


def parse_cursor(cursor: str) -> tuple[int, str]:
    """The time (in microseconds) and id in a cursor; raises `InvalidInput` if it is malformed."""
    try:
        micros, _, item_id = cursor.partition(".")
        return to_micros(from_micros(int(micros))), str(UUID(item_id))
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise InvalidInput(f"cursor is {cursor!r}: pass the `next` of a page as it is") from None


@dataclass(frozen=True, slots=True)
class Added:
    """What `add` and `remember` did: how many items are `new`, how many `updated` (told again, so reheated).

    `extracted` counts both. `items` are the episodes, then what was `learned` from them. `errors` counts items that
    could not be embedded or learned from yet, `reasons` says why; they are found by their words until `learn()` catches
    up. `redacted` names the kinds of secrets that were cut out.
    """

    extracted: int
    new: int
    updated: int
    errors: int
    items: tuple[Item, ...]
    interaction_id: str | None = None
    reasons: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()

    @property
    def learned(self) -> tuple[Item, ...]:
        """The learned items, without the episodes."""
        return tuple(item for item in self.items if item.kind != "episode")

    @property
    def id(self) -> str:
        """The id of the first item, which after `remember` is the only one."""
        if not self.items:
            raise InvalidInput("there are no items yet: `learn()` makes them of what was added for later")
        return self.items[0].id


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of an item's history. Texts are gone once the item is deleted."""

    at: datetime
    action: Action
    text: str | None
    previous_text: str | None = None
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a deletion removed: rows by table."""

    rows: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All rows removed."""
        return sum(self.rows.values())
