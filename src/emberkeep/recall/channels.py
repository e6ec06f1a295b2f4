"""The channels: each finds candidates in its own way, and all score every candidate that any of them found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emberkeep.model.recall import Channel, Plan
from emberkeep.storage.search import Floats, Mask, Rows
from emberkeep.storage.shelf_index import Occurrences, ShelfIndex, TextStatistics, holds, top

NEAREST = 8


@dataclass(frozen=True, slots=True)
class Question:
    """What the channels look for: the vector of the question, if there is one, and its terms with their words."""

    vector: Floats | None
    terms: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Items found, and what each channel says of them (not a number: nothing).

    Also which words each holds, which are stale, and which are statements rather than episodes.
    """

    ids: list[str]
    scores: Mapping[Channel, NDArray[np.float64]]
    words: tuple[str, ...]
    matched: Mask
    stale: Mask
    stated: Mask

    def matched_words(self, place: int) -> tuple[str, ...]:
        """The question's words that one candidate holds."""
        return tuple(word for word, has in zip(self.words, self.matched[place], strict=True) if has)


@dataclass(frozen=True, slots=True)
class _Part:
    """One shelf in a search: its index, the rows that may be seen, and where the question's terms occur."""

    index: ShelfIndex
    mask: Mask | None
    occurrences: list[Occurrences]


def gather(
    indexes: Sequence[ShelfIndex],
    question: Question,
    plan: Plan,
    allowed: Callable[[ShelfIndex], Mask | None],
    moment: int,
) -> Candidates:
    """Candidates of all shelves; text statistics are those of all shelves together."""
    terms = dict(question.terms) if "lexical" in plan.channels else {}
    parts = [_Part(index, allowed(index), index.occurrences(list(terms))) for index in indexes]
    statistics = TextStatistics(0, 0.0, (0,) * len(terms))
    for part in parts:
        statistics += part.index.text_statistics(part.occurrences)
    words = tuple(terms.values())
    found = [_gather_one(part, statistics, question.vector, plan, words, moment) for part in parts]
    if len(found) == 1:
        return found[0]
    return Candidates(
        [item_id for one in found for item_id in one.ids],
        {name: np.concatenate([one.scores[name] for one in found]) for one in found[:1] for name in one.scores},
        words,
        np.concatenate([np.zeros((0, len(words)), np.bool_), *(one.matched for one in found)]),
        np.concatenate([np.zeros(0, np.bool_), *(one.stale for one in found)]),
        np.concatenate([np.zeros(0, np.bool_), *(one.stated for one in found)]),
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


def _gather_one(  # noqa: PLR0917 - as `gather` has them
    part: _Part, statistics: TextStatistics, vector: Floats | None, plan: Plan, words: tuple[str, ...], moment: int
) -> Candidates:
    index = part.index
    texts = index.bm25(part.occurrences, statistics)
    rows = _best_texts(texts, plan.candidates, part.mask)
    scores: dict[Channel, NDArray[np.float64]] = {}
    if vector is not None:
        near, cosines = index.nearest(vector, plan.candidates, part.mask, exact=plan.exact)
        taken = set(near.tolist())
        others = np.array([row for row in rows.tolist() if row not in taken], dtype=np.int64)
        rows = np.concatenate([near, others])
        scores["dense"] = _rounded(np.concatenate([cosines, index.similarity(vector, others)]))
    if "lexical" in plan.channels:
        scores["lexical"] = _rounded(texts[rows])
    ids = [index.ids[row] for row in rows.tolist()]
    matched, stale = holds(part.occurrences, rows), index.stale(rows, moment)
    return Candidates(ids, scores, words, matched, stale, ~index.are_episodes(rows))


def _best_texts(scores: Floats, count: int, mask: Mask | None) -> Rows:
    # Most rows score little. Those above half the best usually hold all that is wanted, and are quick to sort.
    floor = float(scores.max(initial=0.0)) / 2.0
    found = _above(scores, floor, mask)
    if len(found) < count:
        found = _above(scores, 0.0, mask)
    return found[top(scores[found], count)]


def _above(scores: Floats, floor: float, mask: Mask | None) -> Rows:
    return np.flatnonzero(scores > floor if mask is None else (scores > floor) & mask)


def _rounded(scores: Floats) -> NDArray[np.float64]:
    # The last bits depend on the order of additions, so on the engine; they must not rank.
    return np.round(scores.astype(np.float64), 6, out=np.empty(len(scores), np.float64))
