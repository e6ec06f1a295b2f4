"""A closer look at the best candidates: every word of the question against every word of a message, by meaning.

The vector of a message stands for all of it at once, and words count as the same only if they have one stem. Between
the two is what the model makes of each word in its place: that "my little one" is near to "daughter" there. For each
word of the question the nearest one counts, rare words more; once in the message itself, and once in it and those
beside it. That takes longer than a cosine, so only what the other channels found best is looked at; the others come
after it, as they were.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from emberkeep.model.recall import Signal
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import Scores, behind, first_with_equals, totals
from emberkeep.recall.signals import SIGNALS, Signals
from emberkeep.storage.word_vectors import NOTHING, AskedWords, Matches, best_matches

FetchWords = Callable[[Sequence[str]], Mapping[str, bytes | None]]
MEANINGS: tuple[Signal, ...] = ("meaning", "meaning_around")
_COLUMNS = [SIGNALS.index(name) for name in MEANINGS]
_SAME_WORDS = [SIGNALS.index(name) for name in ("covered", "window")]  # the least that those can be
UNSAID = 1.0  # the rarity of a word that the text index splits in another way


def look_closer(
    candidates: Candidates, sums: Scores, question: AskedWords, count: int, fetch: FetchWords
) -> tuple[Candidates, list[int]] | None:
    """The candidates with the signals of their words' meanings, for the best by the sums of all others; and which.

    Nothing if one of those, or a message beside it, was embedded without words: they would not be ranked fairly.
    """
    best = first_with_equals(sums, count)
    own = [candidates.ids[place] for place in best]
    around = [[beside[place] for place in best] for beside in candidates.around]
    words = fetch(list(dict.fromkeys(item_id for some in (own, *around) for item_id in some if item_id)))
    if None in words.values():
        return None
    known = {item_id: some for item_id, some in words.items() if some is not None}
    signals = candidates.signals.copy()
    measured = np.round(_measured(question, _heavy(question, candidates), known, own, around), 6)
    embedded = np.array([item_id in known for item_id in own])[:, np.newaxis]
    # The model did not get to read all of a long text, nor words it does not know: those count if they are the same.
    counts = np.array([[len(known.get(item_id, b"")) // (question.vectors.shape[1] // 2)] for item_id in own])
    unread = np.broadcast_to(candidates.lengths, len(candidates.ids))[best][:, np.newaxis] > counts
    same = signals[np.ix_(best, _SAME_WORDS)]
    measured = np.where(unread, np.maximum(measured, same), measured)
    signals[np.ix_(best, _COLUMNS)] = np.where(embedded, measured, same)
    return replace(candidates, signals=signals), best


def best_first(
    candidates: Candidates, best: list[int], weights: tuple[Scores, Scores], less: Scores
) -> tuple[Candidates, Scores]:
    """The candidates so that the best go before all others, and what the signals of each count.

    The weights are those for the best, and those for the others, whose sums are on another scale.
    """
    others = np.ones(len(less), np.bool_)
    others[best] = False
    each: Scores = np.where(others[:, np.newaxis], weights[1], weights[0])
    return replace(candidates, behind=behind(totals(candidates.signals, each, less), best)), each


def _heavy(question: AskedWords, candidates: Candidates) -> Scores:
    """What each word of the question counts, together one."""
    rarities = np.array([candidates.rarities.get(term, UNSAID) for term in question.terms])
    heavy: Scores = rarities / rarities.sum()
    return heavy


def _measured(
    question: AskedWords,
    heavy: Scores,
    words: Mapping[str, bytes],
    own: Sequence[str],
    around: Sequence[Sequence[str]],
) -> Signals:
    known = {item_id: place for place, item_id in enumerate(words)}
    matches = best_matches(question, list(words.values()))
    matches = np.vstack([matches, np.full((1, matches.shape[1]), NOTHING)])  # of those that are not there

    def of(ids: Sequence[str]) -> Matches:
        return matches[[known.get(item_id, -1) for item_id in ids]]

    said = of(own)
    around_it = np.maximum.reduce([said, *(of(ids) for ids in around)])
    return np.stack([said @ heavy, around_it @ heavy], axis=1)
