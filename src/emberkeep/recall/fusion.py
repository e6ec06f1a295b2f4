"""Making one ranking of what is known of candidates: a weighted sum. Pure functions."""

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
# What the files that weights are fitted on have no case of: a question that is the very text, and statements about
# somebody whom the question does not name.
BY_HAND: Mapping[Signal, float] = {"exact": 5.0, "marked": 4.0, "another": -2.0, "latest": 3.0}
LEAST = 1e-6  # by which what was not looked at is behind
WEIGHED: tuple[Channel, ...] = tuple(dict.fromkeys(CHANNEL_OF.values()))
_OF_CHANNEL = np.array([[float(CHANNEL_OF[name] == channel) for channel in WEIGHED] for name in SIGNALS])


@lru_cache
def fitted(table: Table) -> Mapping[Signal, float]:
    """What each signal counts, as `scripts/fit_recall.py` found it: the table "meanings", "vectors" or "words"."""
    text = resources.files("emberkeep.recall").joinpath("weights.json").read_text("utf-8")
    weights: Mapping[Signal, float] = json.loads(text)[table]
    return weights


def weights_of(plan: Plan, known: Table) -> Scores:
    """What each signal counts in a plan, by what is known of the question.

    Without its vector the words have to carry more; where they are compared by meaning too, they carry less.
    """
    table = {**fitted(known), **BY_HAND}
    return np.array(
        [
            table.get(name, 0.0) * plan.weights.get(CHANNEL_OF[name], 1.0) if CHANNEL_OF[name] in plan.channels else 0.0
            for name in SIGNALS
        ]
    )


def totals(signals: Signals, weights: Scores, less: Scores) -> Scores:
    """The weighted sums, less what counts against each; weights for all, or a line of them for each.

    Rounded so that noise in the last bits, which differs between engines, cannot decide a tie.
    """
    sums: Scores = np.round((signals * weights).sum(axis=1) - less, 6)
    return sums


def by_channel(signals: Signals, weights: Scores) -> Scores:
    """The part of each sum that comes from each channel, a column for each of `WEIGHED`."""
    worth: Scores = np.round(signals * weights @ _OF_CHANNEL, 6)
    return worth


def first_with_equals(sums: Scores, limit: int) -> list[int]:
    """The places of the highest sums, best first, and of all that equal the last of them."""
    order = np.argsort(-sums, kind="stable")
    if len(order) > limit:
        order = order[: int(np.searchsorted(-sums[order], -sums[order[limit - 1]], side="right"))]
    places: list[int] = order.tolist()
    return places


def behind(sums: Scores, best: Sequence[int]) -> Scores:
    """What the others have to lose, each the same, so that the best go before them; it may be less than nothing."""
    others = np.ones(len(sums), np.bool_)
    others[best] = False
    over = float(sums[others].max() - sums[best].min()) + LEAST if others.any() else 0.0
    lost: Scores = np.where(others, over, 0.0)
    return lost


def repeated(prints: NDArray[np.int64], sums: Scores) -> NDArray[np.int64]:
    """How many of the same print have a higher sum, for each."""
    order = np.argsort(-sums, kind="stable")
    together = order[np.argsort(prints[order], kind="stable")]
    fresh = np.diff(prints[together], prepend=-1) != 0  # prints are no less than zero
    places = np.arange(len(together))
    found = np.zeros(len(together), np.int64)
    found[together] = places - np.maximum.accumulate(np.where(fresh, places, 0))
    return found


def squeezed(total: float, middle: float) -> float:
    """A sum as a score between 0 and 1, one half in the middle; comparable within one search, not between two.

    Unlike a logistic curve this one stays steep enough to tell outliers apart.
    """
    away = total - middle
    return round(0.5 + 0.5 * away / (1.0 + abs(away)), 9)


def unsqueezed(score: float) -> float:
    """How far a score's sum was from the middle."""
    away = 2.0 * min(max(score, 1e-9), 1.0 - 1e-9) - 1.0
    return away / (1.0 - abs(away))


def relevances(scores: Sequence[float], best: float = 1.0) -> list[float]:
    """Scores of one search as odds of being wanted, relative to the best of them, which gets `best`.

    The weights were fitted so that a sum is the logarithm of such odds.
    """
    sums = [unsqueezed(score) for score in scores]
    highest = max(sums, default=0.0)
    return [round(best * math.exp(one - highest), 9) for one in sums]


def ranks(scores: Scores, chosen: Sequence[int]) -> NDArray[np.int64]:
    """The ranks of some lines in each column: one more than there are higher scores."""
    against = -np.ascontiguousarray(scores.T)
    wanted = against[:, chosen]
    against.sort(axis=1)
    return 1 + np.stack([column.searchsorted(some) for column, some in zip(against, wanted, strict=True)], axis=1)
