"""What a search knows of each candidate, for tests to look at."""

from collections.abc import Mapping
from typing import Any

import emberkeep
from emberkeep.flows.searching import Asking, Searcher
from emberkeep.model.recall import PLANS, Plan, Signal, select
from emberkeep.recall.signals import SIGNALS

Measured = Mapping[str, Mapping[Signal, float]]
BALANCED = PLANS["balanced"]


def column(name: Signal, measured: Measured) -> dict[str, float]:
    return {key: line[name] for key, line in measured.items()}


def signals_in(memory: emberkeep.Memory, text: str, plan: Plan = BALANCED, **where: Any) -> Measured:
    """What a search would rank, by its text."""
    asking = Asking(text, memory._parts.clock.now(), select("default", where), plan)  # type: ignore[arg-type]
    found = Searcher(memory._parts).candidates(asking)
    return {
        memory.get(item_id).text: dict(zip(SIGNALS, line, strict=True))
        for item_id, line in zip(found.ids, found.signals.tolist(), strict=True)
    }
