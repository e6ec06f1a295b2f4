"""What somebody who looks at a memory as a whole gets to see."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from emberkeep.model.item import Item

LinkRelation = Literal["similar", "entity", "supersedes"]


@dataclass(frozen=True, slots=True)
class Linked:
    """A memory that another one has to do with: it is "similar", mentions the same "entity", or one "supersedes" it."""

    relation: LinkRelation
    weight: float
    item: Item


@dataclass(frozen=True, slots=True)
class UserSummary:
    """How much there is of one user, and when they were last heard of; `user_id` is `None` for what is nobody's."""

    user_id: str | None
    memories: int
    interactions: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class Caps:
    """How many tokens may be spent a day: from which on there is a warning, at which learning pauses; 0 for no cap."""

    soft: int = 0
    hard: int = 0
    per_user: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """How a memory stands.

    `tiers` counts what each holds: live "events", "open" work and "finished" work that waits to be archived,
    "long_term" memories and "cold" ones, which have left the index that searches use by default. `due` is what would
    move if `upkeep` ran now. `temperatures` counts what holds by tens of degrees, the coldest first; `sacred` is how
    many of these never cool.
    """

    tiers: Mapping[str, int]
    due: Mapping[str, int]
    temperatures: tuple[int, ...]
    sacred: int
    spent_today: int
    caps: Caps = field(default_factory=Caps)
