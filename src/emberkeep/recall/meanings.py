"""A closer look at the best candidates: every word of the question against every word of a message, by meaning.

The vector of a message stands for all of it at once, and words count as the same only if they have one stem. Between
the two is what the model makes of each word in its place: that "my little one" is near to "daughter" there. For each
word of the question the nearest one counts, rare words more; once in the message itself, and once in it and those
beside it. That takes longer than a cosine, so only what the other channels found best is looked at.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from emberkeep.model.recall import Signal
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import Scores, first_with_equals
from emberkeep.recall.signals import SIGNALS, Signals
from emberkeep.storage.word_vectors import NOTHING, AskedWords, Matches, best_matches

FetchWords = Callable[[Sequence[str]], Mapping[str, bytes | None]]
MEANINGS: tuple[Signal, ...] = ("meaning", "meaning_around")
_COLUMNS = [SIGNALS.index(name) for name in MEANINGS]
_SAME_WORDS = [SIGNALS.index(name) for name in ("covered", "window")]  # the least that those can be
UNSAID = 1.0  # the rarity of a word that the text index splits in another way


def look_closer(
    candidates: Candidates, sums: Scores, question: AskedWords, count: int, fetch: FetchWords
) -> Candidates | None:
    """The best candidates by the sums of the other signals, with those of their words' meanings.

    Nothing if some of them were embedded without words: they would not be ranked fairly beside the others.
    """
    best = first_with_equals(sums, count)
    own = [candidates.ids[place] for place in best]
    around = [[beside[place] for place in best] for beside in candidates.around]
    words = fetch(list(dict.fromkeys(item_id for some in (own, *around) for item_id in some if item_id)))
    if any(words.get(item_id, b"") is None for item_id in own):
        return None
    signals = candidates.signals[best]
    measured = np.round(_measured(question, _heavy(question, candidates), words, own, around), 6)
    embedded = np.array([item_id in words for item_id in own])[:, np.newaxis]
    signals[:, _COLUMNS] = np.where(embedded, measured, signals[:, _SAME_WORDS])
    return replace(
        candidates,
        ids=own,
        signals=signals,
        matched=candidates.matched[best],
        stale=candidates.stale[best],
        stated=candidates.stated[best],
        around=tuple(around),
        above_all=float(sums[best].mean() - sums.mean()),
    )


def _heavy(question: AskedWords, candidates: Candidates) -> Scores:
    """What each word of the question counts, together one."""
    rarities = np.array([candidates.rarities.get(term, UNSAID) for term in question.terms])
    heavy: Scores = rarities / rarities.sum()
    return heavy


def _measured(
    question: AskedWords,
    heavy: Scores,
    words: Mapping[str, bytes | None],
    own: Sequence[str],
    around: Sequence[Sequence[str]],
) -> Signals:
    known = {item_id: place for place, item_id in enumerate(words)}
    matches = best_matches(question, [one or b"" for one in words.values()])
    matches = np.vstack([matches, np.full((1, matches.shape[1]), NOTHING)])  # of those that are not there

    def of(ids: Sequence[str]) -> Matches:
        return matches[[known.get(item_id, -1) for item_id in ids]]

    said = of(own)
    around_it = np.maximum.reduce([said, *(of(ids) for ids in around)])
    return np.stack([said @ heavy, around_it @ heavy], axis=1)
