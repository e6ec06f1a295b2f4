"""Making one ranking of several channels' scores. Pure functions."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from emberkeep.model.recall import Channel

Scores = NDArray[np.float64]


def normalise(scores: Scores) -> Scores:
    """In standard deviations from the mean of those that have a score; those that have none are average."""
    known = np.isfinite(scores)
    values = scores if known.all() else scores[known]
    centred: Scores = np.zeros_like(scores)
    if not len(values) or values.max() == values.min():  # the deviation of equal numbers is not always quite zero
        return centred
    away = values - values.sum() / len(values)
    centred[known] = away / math.sqrt(away @ away / len(values))
    return centred


def fuse(normalised: Mapping[Channel, Scores], weights: Mapping[Channel, float], less: Scores) -> Scores:
    """The weighted sum, less what counts against a candidate, squeezed between 0 and 1.

    Comparable within one search, not between two.
    """
    total: Scores = np.sum([weights.get(name, 1.0) * scores for name, scores in normalised.items()], axis=0) - less
    # Unlike a logistic curve this one stays steep enough to tell outliers apart: among a thousand candidates the few
    # that match lie thirty deviations out. Rounded so that noise in the last bits, which differs between engines,
    # cannot decide a tie.
    return np.round(0.5 + 0.5 * total / (1.0 + np.abs(total)), 9)


def ranks(scores: Scores) -> NDArray[np.int64]:
    """The rank of each score, 1 for the highest."""
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    places = np.empty(len(scores), np.int64)
    places[order] = np.arange(1, len(scores) + 1)
    return places
