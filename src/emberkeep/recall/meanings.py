"""The channel "meanings": every word of the question compared with every word of the best candidates.

One vector stands for a whole message, and terms match only words of the same stem. Between the two is the vector that
the model gives each word in its context, which puts "my little one" near "daughter". For each word of the question the
nearest word of the message counts, and rare words count more: once in the message alone, and once in it and its
neighbours. This takes longer than a cosine, so only the best candidates by the other channels are compared; the others
rank behind them, in the order they had.
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
# For each of these the signal of equal words, which stands in for it where words have no vectors.
_SAME_WORDS = [SIGNALS.index(name) for name in ("covered", "window")]
UNSAID = 1.0  # the rarity of a word that the text index splits differently, so that it has no term there


def look_closer(
    candidates: Candidates, sums: Scores, question: AskedWords, count: int, fetch: FetchWords
) -> tuple[Candidates, list[int]] | None:
    """Return the candidates with these signals for the best `count`, and the positions of those.

    `sums` are those of all other signals. None if one of the best, or a neighbour of it, was embedded without its
    words: the ranking would not be fair.
    """
    best = first_with_equals(sums, count)
    own = [candidates.ids[place] for place in best]
    around = [[ids[place] for place in best] for ids in candidates.around]
    words = fetch(list(dict.fromkeys(item_id for ids in (own, *around) for item_id in ids if item_id)))
    if None in words.values():
        return None
    known = {item_id: packed for item_id, packed in words.items() if packed is not None}
    signals = candidates.signals.copy()
    measured = np.round(_measured(question, _word_weights(question, candidates), known, own, around), 6)
    embedded = np.array([item_id in known for item_id in own])[:, np.newaxis]
    # The model may not have read all of a long text, or not know some words: those still count if they are equal.
    counts = np.array([[len(known.get(item_id, b"")) // (question.vectors.shape[1] // 2)] for item_id in own])
    unread = np.broadcast_to(candidates.lengths, len(candidates.ids))[best][:, np.newaxis] > counts
    same = signals[np.ix_(best, _SAME_WORDS)]
    measured = np.where(unread, np.maximum(measured, same), measured)
    signals[np.ix_(best, _COLUMNS)] = np.where(embedded, measured, same)
    return replace(candidates, signals=signals), best


def best_first(
    candidates: Candidates, best: list[int], weights: tuple[Scores, Scores], less: Scores
) -> tuple[Candidates, Scores]:
    """Return the candidates with all others behind the best, and the weights, one line per candidate.

    `weights` are those for the best and those for the others, whose sums are on another scale.
    """
    others = np.ones(len(less), np.bool_)
    others[best] = False
    each: Scores = np.where(others[:, np.newaxis], weights[1], weights[0])
    return replace(candidates, behind=behind(totals(candidates.signals, each, less), best)), each


def _word_weights(question: AskedWords, candidates: Candidates) -> Scores:
    """Return the weight of each word of the question by its rarity; together they are 1."""
    rarities = np.array([candidates.rarities.get(term, UNSAID) for term in question.terms])
    weights: Scores = rarities / rarities.sum()
    return weights


def _measured(
    question: AskedWords,
    weights: Scores,
    words: Mapping[str, bytes],
    own: Sequence[str],
    around: Sequence[Sequence[str]],
) -> Signals:
    """Return the two signals of each candidate: the weighted best matches within it, and within its neighbours too."""
    known = {item_id: place for place, item_id in enumerate(words)}
    matches = best_matches(question, list(words.values()))
    matches = np.vstack([matches, np.full((1, matches.shape[1]), NOTHING)])  # the last line, -1, is for unknown ids

    def of(ids: Sequence[str]) -> Matches:
        return matches[[known.get(item_id, -1) for item_id in ids]]

    inside = of(own)
    with_neighbours = np.maximum.reduce([inside, *(of(ids) for ids in around)])
    return np.stack([inside @ weights, with_neighbours @ weights], axis=1)
