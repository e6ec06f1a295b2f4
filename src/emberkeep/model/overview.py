"""The views of a memory as a whole, as the inspector and `overview` show them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from emberkeep.model.item import Item

LinkRelation = Literal["similar", "entity", "supersedes"]


@dataclass(frozen=True, slots=True)
class Linked:
    """A memory linked to another: it is "similar", mentions the same "entity", or one of the two "supersedes" it."""

    relation: LinkRelation
    weight: float
    item: Item


@dataclass(frozen=True, slots=True)
class UserSummary:
    """How much is kept for one user, and when the latest was added; `user_id` is `None` for what belongs to nobody."""

    user_id: str | None
    memories: int
    interactions: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class Caps:
    """Daily token caps: from `soft` on a warning is logged, at `hard` or `per_user` learning pauses; 0 for no cap."""

    soft: int = 0
    hard: int = 0
    per_user: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of a memory.

    `tiers` counts what each tier holds: live "events", "open" work and "finished" work that waits to be archived,
    "long_term" memories and "cold" ones, which have left the index that searches use by default. `due` is what would
    move if `upkeep` ran now. `temperatures` counts the memories that hold in bands of ten degrees, the coldest first;
    `sacred` is how many of these never cool.
    """

    tiers: Mapping[str, int]
    due: Mapping[str, int]
    temperatures: tuple[int, ...]
    sacred: int
    spent_today: int
    caps: Caps = field(default_factory=Caps)
