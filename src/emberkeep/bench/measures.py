"""Quality measures of a ranking against its gold messages, and confidence intervals of their means. Pure functions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DEPTHS = (5, 10, 25)
NDCG_DEPTH = 10
RESAMPLES = 2_000
SEED = 20_260_515
_LOW, _HIGH = 2.5, 97.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over questions, and its 95 % confidence interval."""

    mean: float
    low: float
    high: float


def fraction_found(ranked: Sequence[str], gold: Sequence[str], depth: int) -> float:
    """The fraction of the gold among the first `depth`; papers on LoCoMo call it recall."""
    return len(set(ranked[:depth]) & set(gold)) / len(gold)


def any_found(ranked: Sequence[str], gold: Sequence[str], depth: int) -> float:
    """1 if any of the gold is among the first `depth`, else 0."""
    return float(not set(gold).isdisjoint(ranked[:depth]))


def all_found(ranked: Sequence[str], gold: Sequence[str], depth: int) -> float:
    """1 if all of the gold is among the first `depth`, else 0."""
    return float(set(gold) <= set(ranked[:depth]))


def ndcg(ranked: Sequence[str], gold: Sequence[str], depth: int) -> float:
    """The discounted cumulative gain of the first `depth`, with gain 1 for gold, relative to the ideal ranking's."""
    wanted = set(gold)
    gain = sum(1 / math.log2(place + 1) for place, one in enumerate(ranked[:depth], 1) if one in wanted)
    return gain / sum(1 / math.log2(place + 1) for place in range(1, min(len(wanted), depth) + 1))


def reciprocal_rank(ranked: Sequence[str], gold: Sequence[str]) -> float:
    """One over the rank of the first gold message; 0 if there is none."""
    wanted = set(gold)
    return next((1 / place for place, one in enumerate(ranked, 1) if one in wanted), 0.0)


def quality(ranked: Sequence[str], gold: Sequence[str]) -> dict[str, float]:
    """Every measure of a ranking, by its name."""
    measured = {f"frac@{depth}": fraction_found(ranked, gold, depth) for depth in DEPTHS}
    measured |= {f"any@{depth}": any_found(ranked, gold, depth) for depth in DEPTHS}
    measured |= {f"all@{depth}": all_found(ranked, gold, depth) for depth in DEPTHS}
    return measured | {
        f"ndcg@{NDCG_DEPTH}": ndcg(ranked, gold, NDCG_DEPTH),
        "mrr": reciprocal_rank(ranked, gold),
    }


def means(measured: Sequence[Mapping[str, float]]) -> dict[str, Estimate]:
    """The mean of each measure over questions, with its bootstrap interval; the seed is fixed."""
    if not measured:
        return {}
    names = list(measured[0])
    values = np.array([[one[name] for name in names] for one in measured])
    low, high = np.percentile(_resampled(values), [_LOW, _HIGH], axis=0)
    estimates = zip(names, values.mean(axis=0), low, high, strict=True)
    return {name: Estimate(float(mean), float(least), float(most)) for name, mean, least, most in estimates}


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many percent of the values do not exceed, interpolated."""
    return float(np.percentile(values, percent))


def _resampled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The means of bootstrap samples, computed from how often each question was drawn."""
    count = len(values)
    draws = np.random.default_rng(SEED).multinomial(count, np.full(count, 1 / count), size=RESAMPLES)
    resampled: NDArray[np.float64] = draws @ values / count
    return resampled
