"""Reranking: the best candidates are read, each together with the question, by a model that may be anyone's."""

from collections.abc import Sequence

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.errors import EmberkeepError, ModelUnavailable
from emberkeep.learning.in_time import in_time
from emberkeep.model.item import spoken
from emberkeep.model.recall import Plan
from emberkeep.providers.base import Reranker, reads
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import Scores, first_with_equals, totals
from emberkeep.recall.pipeline import Fetch, losses
from emberkeep.recall.rereading import reread_first, told
from emberkeep.spans import span


def reranked(  # noqa: PLR0917 - a step of a search
    reranker: Reranker,
    question: str,
    deadline: Deadline | None,
    candidates: Candidates,
    plan: Plan,
    weights: Scores,
    fetch: Fetch,
) -> tuple[Candidates, tuple[str, ...]]:
    """The candidates, those first that are best when they are read; and what had to be left out.

    All of them are, or none: what was said of some would not be comparable with what was not said of others.
    """
    if not reads(reranker, question):
        return candidates, (f"rerank: left out, {reranker.name} was not made for texts like the question",)
    less = losses(candidates, plan)
    best = first_with_equals(totals(candidates.signals, weights, less), plan.reread)
    found = fetch([candidates.ids[place] for place in best])
    best = [place for place in best if candidates.ids[place] in found]  # else it was deleted since
    if not best:
        return candidates, ()
    items = [found[candidates.ids[place]] for place in best]
    texts = [spoken(item.speaker, item.text) for item in items]  # without what helps only to find it by its vector
    different = list(dict.fromkeys(texts))
    try:
        said = dict(zip(different, _relevance(reranker, question, different, deadline), strict=True))
    except ModelUnavailable as error:
        return candidates, (f"rerank: left out, {error}",)
    return reread_first(candidates, best, np.array([said[text] for text in texts]), weights, less), ()


def _relevance(reranker: Reranker, question: str, texts: Sequence[str], deadline: Deadline | None) -> Scores:
    """What the reranker says; whatever it fails with, it is not to be had for this."""
    try:
        with span("rerank"):
            given: object = in_time(lambda: reranker.relevance(question, texts, deadline=deadline), deadline)
        relevance = np.asarray(given, np.float64)
    except EmberkeepError:
        raise
    except Exception as error:
        raise ModelUnavailable(f"{reranker.name!r} failed: {type(error).__name__}: {error}") from error
    if relevance.shape != (len(texts),) or not np.isfinite(relevance).all():
        raise ModelUnavailable(f"{reranker.name!r} did not give a number for each of {len(texts)} texts")
    return told(relevance)
