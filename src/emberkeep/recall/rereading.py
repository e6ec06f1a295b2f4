"""The channel "rerank": a model reads each of the best candidates together with the question.

This takes some ten milliseconds a text, so it is for few candidates, and for plans that have the time. Pure functions.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import Scores, behind, totals
from emberkeep.recall.signals import SIGNALS

RERANKED = SIGNALS.index("reranked")
CERTAIN = 10.0  # the relevance that becomes 1, and its negative -1; values beyond are clipped


def as_signal(relevance: Scores) -> Scores:
    """Return what a reranker says as signals from -1 to 1, rounded because its last bits depend on the machine."""
    shares: Scores = np.minimum(np.maximum(relevance / CERTAIN, -1.0), 1.0)
    return np.round(shares, 6)


def reread_first(
    candidates: Candidates, best: Sequence[int], said: Scores, weights: Scores, less: Scores
) -> Candidates:
    """Return the candidates with the signals `said` of the best, and with all others behind these.

    Warmth and echoes, which count later, may still change that order. `less` is what already counts against each
    candidate; the others stay as far behind as they were, or go farther if necessary.
    """
    signals = candidates.signals.copy()
    signals[best, RERANKED] = said
    farther = np.maximum(behind(totals(signals, weights, less), best), 0.0)
    return replace(candidates, signals=signals, behind=candidates.behind + farther)
