"""The confidence of a pattern: a bound from its evidence, adjusted by feedback within limits. Pure functions."""

from dataclasses import replace

from emberkeep.model.experience import TaskPattern
from emberkeep.patterns.statistics import wilson

MOST_ADJUSTMENT = 0.3  # the most that all explicit adjustments together may move the confidence
RETIRE_BELOW = 0.3
FEWEST_TO_RETIRE = 5


def confidence(hits: int, support: int, *, helpful: int = 0, unhelpful: int = 0, adjustment: float = 0.0) -> float:
    """The lower bound of the share of tasks that end as a pattern says; a vote counts as much as a task."""
    least, _ = wilson(hits + helpful, support + helpful + unhelpful)
    return max(0.0, min(1.0, least + bounded(adjustment)))


def rated(pattern: TaskPattern) -> TaskPattern:
    """The pattern with the confidence that its evidence and feedback give it."""
    score = confidence(
        pattern.hits,
        pattern.support,
        helpful=pattern.helpful,
        unhelpful=pattern.unhelpful,
        adjustment=pattern.adjustment,
    )
    return replace(pattern, confidence_score=score)


def bounded(adjustment: float) -> float:
    """The adjustment within the limits of `MOST_ADJUSTMENT`."""
    return max(-MOST_ADJUSTMENT, min(MOST_ADJUSTMENT, adjustment))


def is_refuted(hits: int, support: int, other_hits: int, other_support: int) -> bool:
    """Whether a pattern is refuted: tasks without its feature end so as often, or hardly any with it do."""
    if support < FEWEST_TO_RETIRE:
        return False
    best = wilson(hits, support)[1]
    elsewhere = other_hits / other_support if other_support else 0.0
    return best < RETIRE_BELOW or hits / support <= elsewhere
