"""What the verbs that work in bulk say they did, and what a store holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from emberkeep.model.finding import Spent


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What `learn` did.

    Interactions made into episodes (`derived`) and `learned` from; facts that are `new` or `updated` by that; items
    `embedded`. How many interactions and vectors are `waiting`, how many interactions `failed` for good, and the
    `reasons` for both.
    """

    derived: int = 0
    learned: int = 0
    new: int = 0
    updated: int = 0
    embedded: int = 0
    waiting: int = 0
    failed: int = 0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UpkeepReport:
    """What `upkeep` did, or with `dry_run` would do; `learned`, `waiting`, `failed` and `reasons` are those of `learn`.

    Critical events `flushed` from memory to the store; tasks, goals, decisions and events `archived` in long-term
    memory; items `demoted` out of the index that searches use by default.
    """

    embedded: int
    indexes_built: int
    traces_dropped: int
    learned: int = 0
    waiting: int = 0
    failed: int = 0
    reasons: tuple[str, ...] = ()
    flushed: int = 0
    archived: Mapping[str, int] = field(default_factory=dict)
    demoted: int = 0
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """An interaction in the backlog: "waiting" to be tried (again at `due_at`, none for now) or "failed", and why."""

    interaction_id: str
    user_id: str | None
    state: Literal["waiting", "failed"]
    attempts: int
    due_at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Spending:
    """What one user's exchanges took of one model on one day."""

    day: str
    user_id: str | None
    model: str
    spent: Spent


@dataclass(frozen=True, slots=True)
class SeedReport:
    """What `seed` did: things read, of which `new` ones were kept; those `known`, in these or other words, were not."""

    read: int
    new: int
    known: int


@dataclass(frozen=True, slots=True)
class Fault:
    """How many statements have a fault, which share that is, and a few of them."""

    count: int
    rate: float
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What is wrong with what was learned.

    Of the statements `examined`: `junk` (says too little, no statement, nobody's own words), `duplicate` (said by
    another one), `stale` (a later one says otherwise, or a plan whose day is over), `unsupported` (its quote is not in
    the log). `quarantined` are messages that read like instructions to a model: kept as they are, not learned from.
    """

    examined: int
    faults: Mapping[str, Fault]
    quarantined: Fault


@dataclass(frozen=True, slots=True)
class Difference:
    """How what was learned differs after deriving it again: statements added, lost, and holding for another time."""

    learner: str
    added: int = 0
    lost: int = 0
    changed: int = 0
    switched: bool = False
    added_texts: tuple[str, ...] = ()
    lost_texts: tuple[str, ...] = ()
    changed_texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What `rebuild` did: the vectors, and if there is a learner, what it learned from the log."""

    embedder: str
    dimension: int
    embedded: int
    learned: Difference | None = None


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that is not as it should be: where, how many times, some of them by id, and whether it is so no more.

    What could not be made again says in `advice` what to do about it.
    """

    what: str
    tenant: str | None  # none for what is of the whole database
    count: int
    examples: tuple[str, ...] = ()
    repaired: bool = False
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What `repair` found, and whether the store is sound now; with `dry_run` nothing was changed."""

    sound: bool
    found: tuple[Damage, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class CacheUse:
    """How often a vector was found in a cache since the memory was opened, and how often not."""

    hits: int
    misses: int
    rate: float | None  # the share of hits; nothing was asked for if there is none


@dataclass(frozen=True, slots=True)
class Precomputed:
    """Vectors made ahead: how many texts were given, and how many had one already."""

    texts: int
    known: int
    made: int


@dataclass(frozen=True, slots=True)
class Stats:
    """What a tenant's memory holds."""

    database: str
    tenant: str
    embedder: str | None
    dimension: int | None
    items: int
    items_by_kind: Mapping[str, int]
    interactions: int
    users: int
    waiting: int
    failed: int
    learner: str | None
    events_waiting: int = 0
    events_failed: int = 0
    embedding_caches: Mapping[str, CacheUse] = field(default_factory=dict)
    keys: int = 0  # that open something


@dataclass(frozen=True, slots=True)
class Holding:
    """How many memories by kind, interactions, vectors to be made and events to be delivered a tenant has.

    Of the interactions that are not learned from yet, how many are `waiting`, since when, and how many `failed`.
    """

    memories: Mapping[str, int]
    interactions: int = 0
    unembedded: int = 0
    waiting: int = 0
    failed: int = 0
    events_waiting: int = 0
    events_failed: int = 0
    oldest_waiting: datetime | None = None
