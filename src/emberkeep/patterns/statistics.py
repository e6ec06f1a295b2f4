"""Statistics: confidence bounds of a share, and the significance of a difference. Pure functions."""

from collections.abc import Sequence
from math import exp, inf, lgamma, sqrt

Z = 1.96  # standard deviations of a two-sided 95 % interval


def wilson(hits: int, total: int, z: float = Z) -> tuple[float, float]:
    """The bounds of the true share behind `hits` of `total` (Wilson's score interval)."""
    if total == 0:
        return 0.0, 1.0
    share, square = hits / total, z * z
    centre = (share + square / (2 * total)) / (1 + square / total)
    half = z / (1 + square / total) * sqrt(share * (1 - share) / total + square / (4 * total * total))
    low = max(0.0, centre - half) if hits else 0.0
    return low, min(1.0, centre + half) if hits < total else 1.0


def fisher(hits: int, total: int, other_hits: int, other_total: int) -> float:
    """The one-sided p-value of the difference between two shares, in the direction observed (Fisher's exact test)."""
    all_hits, everyone = hits + other_hits, total + other_total
    if total == 0 or other_total == 0 or all_hits in {0, everyone}:
        return 1.0
    if hits * other_total < other_hits * total:  # the share is lower: test the misses instead
        return fisher(total - hits, total, other_total - other_hits, other_total)
    most = min(all_hits, total)
    chances = [_hypergeometric(count, total, all_hits, everyone) for count in range(hits, most + 1)]
    top = max(chances)
    return min(1.0, exp(top) * sum(exp(chance - top) for chance in chances)) if top > -inf else 0.0


def significant(chances: Sequence[float], rate: float) -> list[bool]:
    """Which of many p-values are significant at a false discovery rate of `rate` (Benjamini and Hochberg)."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    last = -1
    for rank, place in enumerate(order):
        if chances[place] <= rate * (rank + 1) / len(chances):
            last = rank
    believed = set(order[: last + 1])
    return [place in believed for place in range(len(chances))]


def _hypergeometric(count: int, total: int, all_hits: int, everyone: int) -> float:
    return _choose(all_hits, count) + _choose(everyone - all_hits, total - count) - _choose(everyone, total)


def _choose(all_of: int, some: int) -> float:
    if some < 0 or some > all_of:
        return -inf
    return lgamma(all_of + 1) - lgamma(some + 1) - lgamma(all_of - some + 1)
