"""How sure one can be: bounds of a share, and the odds that a difference is chance. Pure functions."""

from collections.abc import Sequence
from math import exp, inf, lgamma, sqrt

Z = 1.96  # of a normal distribution, for 95 % on both sides together


def wilson(hits: int, total: int, z: float = Z) -> tuple[float, float]:
    """The interval in which a share lies that was seen as `hits` of `total` (Wilson's score interval)."""
    if total == 0:
        return 0.0, 1.0
    share, square = hits / total, z * z
    centre = (share + square / (2 * total)) / (1 + square / total)
    half = z / (1 + square / total) * sqrt(share * (1 - share) / total + square / (4 * total * total))
    low = max(0.0, centre - half) if hits else 0.0
    return low, min(1.0, centre + half) if hits < total else 1.0


def fisher(hits: int, total: int, other_hits: int, other_total: int) -> float:
    """The chance of a difference in this direction or more between two shares, if there were none (Fisher's test)."""
    all_hits, everyone = hits + other_hits, total + other_total
    if total == 0 or other_total == 0 or all_hits in {0, everyone}:
        return 1.0
    if hits * other_total < other_hits * total:  # fewer than elsewhere: ask the same of what are no hits
        return fisher(total - hits, total, other_total - other_hits, other_total)
    most = min(all_hits, total)
    chances = [_hypergeometric(count, total, all_hits, everyone) for count in range(hits, most + 1)]
    top = max(chances)
    return min(1.0, exp(top) * sum(exp(chance - top) for chance in chances)) if top > -inf else 0.0


def significant(chances: Sequence[float], rate: float) -> list[bool]:
    """Which of many tests to believe, so that at most a `rate` of them is chance (Benjamini and Hochberg)."""
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
