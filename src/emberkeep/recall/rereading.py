"""The last look at the best: a model reads each together with the question, and what it says is one more signal.

That takes some ten milliseconds a text, so it is for few, and for plans that have the time. Pure functions.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import Scores, behind, totals
from emberkeep.recall.signals import SIGNALS

RERANKED = SIGNALS.index("reranked")
CERTAIN = 10.0  # what a reranker says at most, or at least, for us


def told(relevance: Scores) -> Scores:
    """What a reranker says, from -1 to 1; rounded, since how it computes depends on the machine."""
    shares: Scores = np.minimum(np.maximum(relevance / CERTAIN, -1.0), 1.0)
    return np.round(shares, 6)


def reread_first(
    candidates: Candidates, best: Sequence[int], said: Scores, weights: Scores, less: Scores
) -> Candidates:
    """The candidates with what was said of the best, so that these go before all others, warmth and echoes aside.

    `less` is what counts against each already; others stay as far behind as they were, and farther if they have to.
    """
    signals = candidates.signals.copy()
    signals[best, RERANKED] = said
    farther = np.maximum(behind(totals(signals, weights, less), best), 0.0)
    return replace(candidates, signals=signals, behind=candidates.behind + farther)
