"""Fusion: one ranking of candidates by the weighted sum of their signals. Pure functions."""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from emberkeep.model.recall import Channel, Plan, Signal
from emberkeep.recall.signals import CHANNEL_OF, SIGNALS, Signals

Scores = NDArray[np.float64]
Table = Literal["meanings", "vectors", "words"]
# Weights set by hand, because the data that the others are fitted to has no such cases: for example a question that
# repeats a text word for word, or statements about somebody whom the question does not name.
BY_HAND: Mapping[Signal, float] = {"exact": 6.0, "marked": 6.0, "another": -2.0, "latest": 3.0}
# The usual length of a text, in terms, up to which weights for short texts count, and from which those for long do:
# messages between people have 5 to 20, those of a person and an assistant who answers at length have 35 to 55.
SHORT, LONG = 10.0, 50.0
LEAST = 1e-6  # how far the others rank below the candidates that were compared closely
WEIGHED: tuple[Channel, ...] = tuple(dict.fromkeys(CHANNEL_OF.values()))
# 1 where a signal (line) belongs to a channel (column).
_OF_CHANNEL = np.array([[float(CHANNEL_OF[name] == channel) for channel in WEIGHED] for name in SIGNALS])


@lru_cache
def fitted(table: Table) -> Mapping[Signal, tuple[float, float]]:
    """Return both weights of each signal, where texts are short and where they are long, as `weights.json` has them."""
    text = resources.files("emberkeep.recall").joinpath("weights.json").read_text("utf-8")
    weights: Mapping[Signal, tuple[float, float]] = json.loads(text)[table]
    return weights


@lru_cache
def _both_ends(table: Table) -> tuple[Scores, Scores]:
    """Return the weights of all signals where texts are short, and where they are long."""
    known = {**fitted(table), **{name: (weight, weight) for name, weight in BY_HAND.items()}}
    short, long = np.array([known.get(name, (0.0, 0.0)) for name in SIGNALS]).T
    return short, long


def wordiness(usual_length: float) -> float:
    """Return 0 for a memory of short texts, 1 for one of long texts, from their usual length in terms."""
    return min(max(math.log(max(usual_length, 1.0) / SHORT) / math.log(LONG / SHORT), 0.0), 1.0)


def weights_of(plan: Plan, table: Table, usual_length: float = SHORT) -> Scores:
    """Return the weight of each signal in a plan, for a memory whose texts have this usual length in terms.

    The table depends on what is known of the question: without its vector ("words"), equal words weigh more; if its
    words are compared by meaning ("meanings"), they weigh less.
    """
    short, long = _both_ends(table)
    weights: Scores = (short + wordiness(usual_length) * (long - short)) * [
        plan.weights.get(CHANNEL_OF[name], 1.0) if CHANNEL_OF[name] in plan.channels else 0.0 for name in SIGNALS
    ]
    return weights


def totals(signals: Signals, weights: Scores, less: Scores) -> Scores:
    """Return the weighted sum of each candidate, minus `less`; the weights are one line for all or one for each.

    It is rounded, so that noise in the last bits, which differs between engines, cannot decide a tie.
    """
    sums: Scores = np.round((signals * weights).sum(axis=1) - less, 6)
    return sums


def by_channel(signals: Signals, weights: Scores) -> Scores:
    """Return the part of each sum that comes from each channel, with a column for each of `WEIGHED`."""
    worth: Scores = np.round(signals * weights @ _OF_CHANNEL, 6)
    return worth


def first_with_equals(sums: Scores, limit: int) -> list[int]:
    """Return the positions of the `limit` highest sums, best first, and of all that equal the last of these."""
    order = np.argsort(-sums, kind="stable")
    if len(order) > limit:
        order = order[: int(np.searchsorted(-sums[order], -sums[order[limit - 1]], side="right"))]
    places: list[int] = order.tolist()
    return places


def behind(sums: Scores, best: Sequence[int]) -> Scores:
    """Return the loss, the same for all others and perhaps negative, that puts them right behind the best."""
    others = np.ones(len(sums), np.bool_)
    others[best] = False
    loss = float(sums[others].max() - sums[best].min()) + LEAST if others.any() else 0.0
    losses: Scores = np.where(others, loss, 0.0)
    return losses


def repeated(prints: NDArray[np.int64], sums: Scores) -> NDArray[np.int64]:
    """Return for each candidate how many with the same print rank above it."""
    order = np.argsort(-sums, kind="stable")
    together = order[np.argsort(prints[order], kind="stable")]
    first = np.diff(prints[together], prepend=-1) != 0  # prints are never negative
    places = np.arange(len(together))
    above = np.zeros(len(together), np.int64)
    above[together] = places - np.maximum.accumulate(np.where(first, places, 0))
    return above


def squeezed(total: float, middle: float) -> float:
    """Return a sum as a score between 0 and 1, 0.5 at `middle`; comparable within one search only.

    Unlike the logistic function, this one stays steep enough to tell outliers apart.
    """
    away = total - middle
    return round(0.5 + 0.5 * away / (1.0 + abs(away)), 9)


def unsqueezed(score: float) -> float:
    """Return how far the sum of a score was from the middle: the inverse of `squeezed`."""
    away = 2.0 * min(max(score, 1e-9), 1.0 - 1e-9) - 1.0
    return away / (1.0 - abs(away))


def relevances(scores: Sequence[float], best: float = 1.0) -> list[float]:
    """Return the scores of one search as odds of being relevant, scaled so that the highest becomes `best`.

    The weights are fitted so that a sum is the logarithm of such odds.
    """
    sums = [unsqueezed(score) for score in scores]
    highest = max(sums, default=0.0)
    return [round(best * math.exp(total - highest), 9) for total in sums]


def ranks(scores: Scores, chosen: Sequence[int]) -> NDArray[np.int64]:
    """Return the ranks of the chosen lines in each column: 1 plus the number of higher scores."""
    negated = -np.ascontiguousarray(scores.T)
    wanted = negated[:, chosen]
    negated.sort(axis=1)
    return 1 + np.stack([column.searchsorted(own) for column, own in zip(negated, wanted, strict=True)], axis=1)
