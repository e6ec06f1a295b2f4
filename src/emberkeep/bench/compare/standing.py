"""What a comparison found, as values to print."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a store is, how much it finds and what it takes. `recall` is frac@10, if the data says what is right."""

    version: str
    add_per_s: float
    batch_per_s: float
    p50_ms: float
    p99_ms: float
    recall: float | None
    disk_bytes: int
    rss_mb: float | None
    cold_start_s: float


@dataclass(frozen=True, slots=True)
class Survival:
    """What was acknowledged, how much of that a new process did not find, and what went wrong meanwhile."""

    acknowledged: int
    lost: int
    errors: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """One store in the comparison. What could not be measured is None, and `failed` says why."""

    name: str
    speed: Speed | None
    killed: Survival | None
    together: Survival | None
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """What was kept and asked, by which embedder, and how long embedding alone took."""

    version: str
    embedder: str
    items: int
    questions: int
    embedded_per_s: float
    query_embedding_ms: float
    rounds: int


@dataclass(frozen=True, slots=True)
class Report:
    """All that a comparison found, and whom it left out, each with the reason."""

    setup: Setup
    standings: tuple[Standing, ...]
    left_out: Mapping[str, str]
