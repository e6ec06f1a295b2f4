"""The results of a comparison, as values to print."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed, recall and resource use of a store. `recall` is frac@10; None if the data names no answers."""

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
    """How many notes were acknowledged, how many of these a new process did not find, and the errors meanwhile."""

    acknowledged: int
    lost: int
    errors: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of one store. A trial that failed is None, and `failed` says why."""

    name: str
    speed: Speed | None
    killed: Survival | None
    together: Survival | None
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """The size of the material, the embedder, and how long embedding alone took."""

    version: str
    embedder: str
    items: int
    questions: int
    embedded_per_s: float
    query_embedding_ms: float
    rounds: int


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a comparison, and the stores left out, each with the reason."""

    setup: Setup
    standings: tuple[Standing, ...]
    left_out: Mapping[str, str]
