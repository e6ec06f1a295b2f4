"""Reranking: a model, which may be anyone's code, reads each of the best candidates together with the question."""

from collections.abc import Mapping, Sequence

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.errors import EmberkeepError, ModelUnavailable
from emberkeep.learning.in_time import in_time
from emberkeep.model.item import spoken
from emberkeep.model.recall import Plan
from emberkeep.providers.base import Reranker, reads
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import Scores, totals
from emberkeep.recall.pipeline import Fetch, losses
from emberkeep.recall.rereading import as_signal, reread_first
from emberkeep.spans import span

REPEATED = 4  # times as many candidates as will be read are fetched, since several may say the same


def to_be_read(candidates: Candidates, plan: Plan, weights: Scores, fetch: Fetch) -> dict[int, str]:
    """The texts of the best candidates by their positions: as many different texts as the plan wants."""
    sums = totals(candidates.signals, weights, losses(candidates, plan))
    places = np.argsort(-sums, kind="stable")[: REPEATED * plan.reread].tolist()
    found = fetch([candidates.ids[place] for place in places])
    known = {place: found[candidates.ids[place]] for place in places if candidates.ids[place] in found}  # not deleted
    # Without the gloss, which only helps to find items.
    texts = {place: spoken(item.speaker, item.text) for place, item in known.items()}
    # Ties are broken by text, because the positions of candidates may differ between databases.
    order = sorted(texts, key=lambda place: (-sums[place], texts[place]))
    wanted = list(dict.fromkeys(texts[place] for place in order))[: plan.reread]
    return {place: texts[place] for place in order if texts[place] in wanted}


def reranked(  # noqa: PLR0917 - a step of a search
    reranker: Reranker,
    question: str,
    deadline: Deadline | None,
    candidates: Candidates,
    texts: Mapping[int, str],
    plan: Plan,
    weights: Scores,
) -> tuple[Candidates, tuple[str, ...]]:
    """The candidates with the reranked ones first, and what had to be left out.

    All of the texts are reranked or none: otherwise their scores would not be comparable.
    """
    if not texts:
        return candidates, ()
    different = tuple(dict.fromkeys(texts.values()))
    try:
        with span("rerank"):
            given = in_time(lambda: _relevance(reranker, question, different, deadline), deadline)
    except EmberkeepError as error:
        return candidates, (f"rerank: left out, {error}",)
    except Exception as error:  # noqa: BLE001 - it may be anyone's code: whatever it fails with, it is left out
        return candidates, (f"rerank: left out, {reranker.name!r} failed: {type(error).__name__}: {error}",)
    signal_of = dict(zip(different, given, strict=True))
    signals = np.array([signal_of[text] for text in texts.values()])
    return reread_first(candidates, list(texts), signals, weights, losses(candidates, plan)), ()


def _relevance(reranker: Reranker, question: str, texts: Sequence[str], deadline: Deadline | None) -> Scores:
    """Ask the reranker for signals; raises `ModelUnavailable` if it cannot read the question, or gives no numbers."""
    if not reads(reranker, question):
        raise ModelUnavailable(f"{reranker.name} was not made for texts like the question")
    relevance = np.asarray(reranker.relevance(question, list(texts), deadline=deadline), np.float64)
    if relevance.shape not in {(len(texts),), (len(texts), 1)} or not np.isfinite(relevance).all():
        raise ModelUnavailable(
            f"{reranker.name!r} did not give a finite number for each of {len(texts)} texts, of shape {relevance.shape}"
        )
    return as_signal(relevance.reshape(len(texts)))
