"""The channels: each finds candidates in its own way, and all score every candidate that any of them found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emberkeep.model.recall import Channel, Plan
from emberkeep.storage.search import Floats, Mask, Rows
from emberkeep.storage.shelf_index import ShelfIndex, TextStatistics, top

NEAREST = 8


@dataclass(frozen=True, slots=True)
class Question:
    """What the channels look for: the vector of the question, if there is one, and its terms with their words."""

    vector: Floats | None
    terms: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Items found, what each channel says of them (not a number: nothing), and which words each holds."""

    ids: list[str]
    scores: Mapping[Channel, NDArray[np.float64]]
    words: tuple[str, ...]
    matched: Mask

    def matched_words(self, place: int) -> tuple[str, ...]:
        """The question's words that one candidate holds."""
        return tuple(word for word, has in zip(self.words, self.matched[place], strict=True) if has)


def gather(
    indexes: Sequence[ShelfIndex],
    question: Question,
    plan: Plan,
    allowed: Callable[[ShelfIndex], Mask | None],
) -> Candidates:
    """Candidates of all shelves; text statistics are those of all shelves together."""
    wanted = list(question.terms) if "lexical" in plan.channels else []
    statistics = TextStatistics(0, 0.0, (0,) * len(wanted))
    for index in indexes:
        statistics += index.text_statistics(wanted)
    found = [_gather_one(index, allowed(index), question, statistics, plan) for index in indexes]
    if len(found) == 1:
        return found[0]
    channels = found[0].scores if found else {}
    return Candidates(
        [item_id for one in found for item_id in one.ids],
        {name: np.concatenate([one.scores[name] for one in found]) for name in channels},
        tuple(question.terms[term] for term in wanted),
        np.concatenate([one.matched for one in found]) if found else np.zeros((0, len(wanted)), np.bool_),
    )


def nearest_items(
    indexes: Sequence[ShelfIndex], vector: Floats, allowed: Callable[[ShelfIndex], Mask | None]
) -> list[tuple[str, float]]:
    """A few items whose vectors are nearest, with their cosines."""
    found = []
    for index in indexes:
        rows, cosines = index.nearest(vector, NEAREST, allowed(index), exact=False)
        found += [(index.ids[row], cosine) for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True)]
    return sorted(found, key=lambda pair: -pair[1])


def _gather_one(
    index: ShelfIndex, mask: Mask | None, question: Question, statistics: TextStatistics, plan: Plan
) -> Candidates:
    wanted = list(question.terms) if "lexical" in plan.channels else []
    texts = index.bm25(wanted, statistics)
    rows = _best_texts(texts, plan.candidates, mask)
    scores: dict[Channel, NDArray[np.float64]] = {}
    if question.vector is not None:
        near, similarity = index.nearest(question.vector, plan.candidates, mask, exact=plan.exact)
        others = rows[~np.isin(rows, near)]
        rows = np.concatenate([near, others])
        cosines = np.concatenate([similarity, index.similarity(question.vector, others)])
        scores["dense"] = _rounded(cosines)
    if "lexical" in plan.channels:
        scores["lexical"] = _rounded(texts[rows])
    words = tuple(question.terms[term] for term in wanted)
    return Candidates([index.ids[row] for row in rows.tolist()], scores, words, index.matched(wanted, rows))


def _best_texts(scores: Floats, count: int, mask: Mask | None) -> Rows:
    found = np.flatnonzero(scores > 0.0 if mask is None else (scores > 0.0) & mask)
    return found[top(scores[found], count)]


def _rounded(scores: Floats) -> NDArray[np.float64]:
    # The last bits depend on the order of additions, so on the engine; they must not rank.
    return np.round(scores.astype(np.float64), 6, out=np.empty(len(scores), np.float64))
