"""Making one ranking of several channels' scores. Pure functions."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from emberkeep.model.recall import Channel

Scores = NDArray[np.float64]


def normalise(scores: Scores) -> Scores:
    """In standard deviations from the mean of those that have a score; those that have none are average."""
    known = np.isfinite(scores)
    if not known.any():
        return np.zeros_like(scores)
    values = scores[known]
    spread = values.std()
    centred: Scores = np.zeros_like(scores)
    if spread > 0.0:
        centred[known] = (values - values.mean()) / spread
    return centred


def fuse(normalised: Mapping[Channel, Scores], weights: Mapping[Channel, float]) -> Scores:
    """The weighted sum, squeezed between 0 and 1. Comparable within one search, not between two."""
    total: Scores = np.sum([weights.get(name, 1.0) * scores for name, scores in normalised.items()], axis=0)
    # Rounded so that noise in the last bits, which differs between engines, cannot decide a tie.
    return np.round(1.0 / (1.0 + np.exp(-total)), 6)


def ranks(scores: Scores) -> NDArray[np.int64]:
    """The rank of each score, 1 for the highest."""
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    places = np.empty(len(scores), np.int64)
    places[order] = np.arange(1, len(scores) + 1)
    return places
