"""What the verbs that work in bulk say they did, and what a store holds."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What `learn` did: interactions made into items, items given their vector, and how many of both still wait."""

    derived: int
    embedded: int
    waiting: int


@dataclass(frozen=True, slots=True)
class UpkeepReport:
    """What `upkeep` did."""

    embedded: int
    indexes_built: int
    traces_dropped: int


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What `rebuild` did."""

    embedder: str
    dimension: int
    embedded: int


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
