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
    """A text with its speaker in front and its gloss behind, which is what gets indexed."""
    said = f"{speaker}: {text}" if speaker else text
    return f"{said} ({gloss})" if gloss else said


@dataclass(frozen=True, slots=True)
class Source:
    """A message that an item came from, and the words of it that support what was learned."""

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

    `temperature` is what it has cooled to at the time of reading, since it was set at `heated_at`. `occurred_at` is
    when it happened, `recorded_at` when Emberkeep was told; it holds from `valid_from` until `valid_to`, if set. The
    `gloss` holds further words that it is found by. A `record` is what it is found for, such as "task:ID". It was said
    `utc_offset` minutes east of UTC, which is 0 also if that is not known.
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
        """The text with its speaker and gloss, which is what gets indexed."""
        return spoken(self.speaker, self.text, self.gloss)

    @property
    def said_at(self) -> datetime:
        """When it happened, by the clock of where it was said: what its "today" means."""
        return at_offset(self.occurred_at, self.utc_offset)


_values = attrgetter(*(one.name for one in fields(Item)))
_TEMPERATURE = [one.name for one in fields(Item)].index("temperature")


def at_temperature(item: Item, temperature: float) -> Item:
    """The item at another temperature: what `dataclasses.replace` does, in a fraction of its time."""
    values = list(_values(item))
    values[_TEMPERATURE] = temperature
    return Item(*values)


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to keep, before it is an item."""

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
    told: bool = False  # by a caller directly, so that it cannot be derived again
    as_it_came: bool = False  # its time is when it was recorded: nobody said another
    record: str | None = None
    utc_offset: int = 0
    also_from: tuple[Source, ...] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """All messages that it came from."""
        return self.also_from if self.source is None else (self.source, *self.also_from)

    @property
    def spoken(self) -> str:
        """The text with its speaker and gloss, which is what gets indexed."""
        return spoken(self.speaker, self.text, self.gloss)

    @property
    def said_at(self) -> datetime:
        """When it happened, by the clock of where it was said."""
        return at_offset(self.occurred_at, self.utc_offset)


@dataclass(frozen=True, slots=True)
class Page(Many[Item]):
    """Some items, and where the next ones start: pass `next` as `cursor=` to go on, `None` means the end."""

    items: tuple[Item, ...]
    next: str | None = None

    @property
    def entries(self) -> tuple[Item, ...]:
        """The items."""
        return self.items


def cursor_at(place: tuple[int, str]) -> str:
    """Where a page starts that follows what stands at this time, under this id."""
    return f"{place[0]}.{place[1]}"


def parse_cursor(cursor: str) -> tuple[int, str]:
    """The time and id that a cursor names."""
    try:
        micros, _, item_id = cursor.partition(".")
        return to_micros(from_micros(int(micros))), str(UUID(item_id))
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise InvalidInput(f"cursor is {cursor!r}: pass the `next` of a page as it is") from None


@dataclass(frozen=True, slots=True)
class Added:
    """What `add` and `remember` did: `new` items, `updated` ones (told again, so reheated), of `extracted` in all.

    The items are the episodes, then what was `learned` from them. `errors` counts what is kept but could not be
    embedded or learned from yet; `reasons` says why. It is found by its words meanwhile, and `learn()` catches up.
    `redacted` names the kinds of secrets that were cut out.
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
        """What was learned, without the episodes."""
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
