"""Reports: what bulk operations such as `learn` and `repair` did, and what a store holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from emberkeep.model.finding import Spent


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What `learn` did.

    How many interactions were made into episodes (`derived`) and `learned` from; how many facts are `new` or `updated`
    as a result; how many items were `embedded`. How many interactions and vectors are still `waiting`, how many
    interactions `failed` for good, and the `reasons` for both.
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

    How many critical events were `flushed` from memory to the store; tasks, goals, decisions and events `archived` in
    long-term memory; items `demoted` out of the index that searches use by default.
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
    """An interaction in the backlog, and why it is there.

    Either "waiting" to be tried, not before `due_at` (`None`: at once), or "failed".
    """

    interaction_id: str
    user_id: str | None
    state: Literal["waiting", "failed"]
    attempts: int
    due_at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Spending:
    """The tokens and calls that learning from one user's exchanges took of one model on one day."""

    day: str
    user_id: str | None
    model: str
    spent: Spent


@dataclass(frozen=True, slots=True)
class SeedReport:
    """What `seed` did: how many entries it `read`, kept as `new`, or skipped as `known`, in these or other words."""

    read: int
    new: int
    known: int


@dataclass(frozen=True, slots=True)
class Fault:
    """How many statements have a fault, what share of all that is (`rate`), and a few examples."""

    count: int
    rate: float
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What is wrong with what was learned.

    The faults of the statements `examined`: `junk` (says too little, is no statement, or is nobody's own words),
    `duplicate` (another statement says the same), `stale` (a later one says otherwise, or it is a plan whose day is
    over), `unsupported` (its quote is not in the log). `quarantined` are messages that read like instructions to a
    model: they are kept verbatim, and not learned from.
    """

    examined: int
    faults: Mapping[str, Fault]
    quarantined: Fault


@dataclass(frozen=True, slots=True)
class Difference:
    """How a rebuild changes the learned statements: `added`, `lost`, and `changed` in the time for which they hold."""

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
    """What `rebuild` did: the vectors it made and, if there is a learner, how the learned statements differ."""

    embedder: str
    dimension: int
    embedded: int
    learned: Difference | None = None


@dataclass(frozen=True, slots=True)
class Damage:
    """A kind of damage in a store: where, how often, some examples by id, and whether it was `repaired`.

    For damage that cannot be repaired, `advice` says what to do.
    """

    what: str
    tenant: str | None  # `None` for damage to the database as a whole
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
    """The hits and misses of an embedding cache since the memory was opened."""

    hits: int
    misses: int
    rate: float | None  # the share of hits; `None` before the first lookup


@dataclass(frozen=True, slots=True)
class Precomputed:
    """Vectors made ahead: how many `texts` were given, how many had a vector already, and how many were `made`."""

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
    keys: int = 0  # neither expired nor revoked


@dataclass(frozen=True, slots=True)
class Holding:
    """What a tenant has: memories by kind, interactions, items without a vector, and events to be delivered.

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
