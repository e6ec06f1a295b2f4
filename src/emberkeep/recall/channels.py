"""Candidates: the rows that match by words or by meaning, those beside them, and what is known of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from emberkeep.model.recall import Plan
from emberkeep.recall.question import Question
from emberkeep.recall.signals import SIGNALS, Signals, clocked, measure
from emberkeep.storage.bm25 import Occurrences, TextStatistics, rarity
from emberkeep.storage.search import Floats, Mask, Rows
from emberkeep.storage.shelf_index import ShelfIndex, top

NEAREST = 8
NO_PRINT = 1 << 40  # more than any print
OF_A_TIME = 50  # messages of the time that is asked about
MEANT_FROM = 0.15  # the cosine from which on a statement may be what is asked for
DENSE = SIGNALS.index("dense")
BY_WORDS = frozenset(("lexical", "window", "session"))


@dataclass(frozen=True, slots=True)
class Seen:
    """Which rows of a shelf may be found, and which may speak for them: those of other kinds too. `None` is all."""

    found: Mask | None
    heard: Mask | None


class Ids(Sequence[str]):
    """The ids of some rows of a shelf, looked up when they are asked for: a search needs few of them.

    Of a row that there is not, the id is "".
    """

    def __init__(self, of_shelf: Sequence[str], rows: Rows) -> None:
        self._of_shelf = of_shelf
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "Ids": ...
    def __getitem__(self, place: int | slice) -> "str | Ids":
        if isinstance(place, slice):
            return Ids(self._of_shelf, self._rows[place])
        row = int(self._rows[place])
        return self._of_shelf[row] if row >= 0 else ""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Items found and their signals, a line an item.

    Also which words each holds, which are stale, which are statements rather than episodes, and a number that those of
    the same words share; where each stands, by the ids of the message there, the one before and the one after; how rare
    the question's terms are, and how many terms each has; and what is taken off each so that it comes after those that
    were looked at more closely.
    """

    ids: Sequence[str]
    signals: Signals
    words: tuple[str, ...]
    matched: Mask
    stale: Mask
    stated: Mask
    prints: NDArray[np.int64]
    stretch: float = 1.0
    around: tuple[Sequence[str], ...] = ()
    rarities: Mapping[int, float] = field(default_factory=dict)
    lengths: NDArray[np.float64] | float = 0.0
    behind: NDArray[np.float64] | float = 0.0

    def cosine(self, place: int) -> float | None:
        """The cosine of one candidate with the question, if it has a vector."""
        dense = float(self.signals[place, DENSE])
        # Vectors in half precision are not quite of length one.
        return round(min(1.0, 1.0 - (1.0 - dense) / self.stretch), 6) if dense else None

    def matched_words(self, place: int) -> tuple[str, ...]:
        """The question's words that one candidate holds."""
        return tuple(word for word, has in zip(self.words, self.matched[place], strict=True) if has)


@dataclass(frozen=True, slots=True)
class _Part:
    """One shelf in a search: its index, the rows that may be seen, and where the question's terms occur."""

    index: ShelfIndex
    seen: Seen
    occurrences: list[Occurrences]


def gather(
    indexes: Sequence[ShelfIndex],
    question: Question,
    plan: Plan,
    allowed: Callable[[ShelfIndex], Seen],
    moment: int,
) -> Candidates:
    """Candidates of all shelves; text statistics are those of all shelves together."""
    terms = dict(question.terms) if BY_WORDS & set(plan.channels) else {}
    parts = [_Part(index, allowed(index), index.occurrences(list(terms))) for index in indexes]
    statistics = TextStatistics(0, 0.0, (0,) * len(terms))
    for part in parts:
        statistics += part.index.text_statistics(part.occurrences)
    words = tuple(terms.values())
    rare = [rarity(statistics.documents, frequency) for frequency in statistics.frequencies]
    rarities = dict(zip(terms, rare, strict=True))
    found = [_gather_one(part, statistics, question, plan, words, moment) for part in parts]
    if len(found) == 1:
        return replace(found[0], rarities=rarities)
    around = zip(*(one.around for one in found), strict=True)
    return Candidates(
        [item_id for one in found for item_id in one.ids],
        np.concatenate([np.zeros((0, len(SIGNALS))), *(one.signals for one in found)]),
        words,
        np.concatenate([np.zeros((0, len(words)), np.bool_), *(one.matched for one in found)]),
        np.concatenate([np.zeros(0, np.bool_), *(one.stale for one in found)]),
        np.concatenate([np.zeros(0, np.bool_), *(one.stated for one in found)]),
        np.concatenate([np.zeros(0, np.int64), *(one.prints for one in found)]),
        question.stretch,
        tuple([item_id for some in beside for item_id in some] for beside in around),
        rarities,
        np.concatenate([np.zeros(0), *(one.lengths for one in found)]),
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
    part: _Part, statistics: TextStatistics, question: Question, plan: Plan, words: tuple[str, ...], moment: int
) -> Candidates:
    index, mask = part.index, part.seen.found
    matching: list[Rows] = [np.empty(0, np.int64)]
    if mask is None or mask.any():
        matching = _matching(part, statistics, question, plan)
    rows = _with_those_beside(index, matching, plan)
    signals, matched = measure(index, rows, question, part.occurrences, statistics)
    if mask is not None:
        keep = mask[rows]
        rows, signals, matched = rows[keep], signals[keep], matched[keep]
    # The last bits depend on the order of additions, so on the engine; they must not rank.
    signals = np.round(signals, 6)
    stale = index.stale(rows, moment) | _means_what_is_over(index, rows, question, moment)
    stated = ~index.are_episodes(rows)
    around: tuple[Ids, ...] = ()
    if question.words is not None:
        origins = index.origins(rows)
        places = np.where(origins >= 0, origins, rows)
        around = tuple(Ids(index.ids, some) for some in (places, index.before(places), index.after(places)))
    # Texts of nothing but small words have the same print, and need not say the same.
    lengths = index.column("length")[rows].astype(np.float64)
    prints = np.where(lengths > 0, index.column("print")[rows], NO_PRINT + rows)
    return Candidates(
        Ids(index.ids, rows), signals, words, matched, stale, stated, prints, question.stretch, around, lengths=lengths
    )


def _means_what_is_over(index: ShelfIndex, rows: Rows, question: Question, moment: int) -> Mask:
    """Which messages answer with what holds no longer: nothing else that was learned from them is as near.

    A message that also says something that still holds is not stale as such, but it is where that is not what is asked.
    """
    over, holding = index.learned_from(rows, moment)
    if question.vector is None or not len(over):
        return np.zeros(len(rows), np.bool_)
    near = [np.full(len(rows), -np.inf), np.full(len(rows), -np.inf)]
    for best, stated in zip(near, (over, holding), strict=True):
        cosines = np.nan_to_num(index.similarity(question.vector, stated), nan=-1.0)
        np.maximum.at(best, rows.searchsorted(index.origins(stated)), 1.0 - (1.0 - cosines) * question.stretch)
    found: Mask = (near[0] > near[1]) & (near[0] >= MEANT_FROM)
    return found


def _matching(part: _Part, statistics: TextStatistics, question: Question, plan: Plan) -> list[Rows]:
    """The rows that match by words, those that match by meaning, and those of the time that is asked about."""
    index, mask = part.index, part.seen.heard
    scores = index.bm25(part.occurrences, statistics)
    found = [_best_texts(scores, plan.candidates, mask)]
    if question.vector is not None:
        found.append(index.nearest(question.vector, plan.candidates, mask, exact=plan.exact)[0])
    if question.period is not None:
        found.append(_of_that_time(index, question, scores, mask))
    return found


def _of_that_time(index: ShelfIndex, question: Question, scores: Floats, mask: Mask | None) -> Rows:
    """Rows that were said in the time that is asked about, those first that match by words, of equals the latest."""
    if question.period is None:
        return np.empty(0, np.int64)
    said = clocked(index.column("occurred_at"), index.column("utc_offset"), question.utc_offset)
    then = (said >= question.period.first) & (said <= question.period.last)
    rows = np.flatnonzero(then if mask is None else then & mask)
    best: Rows = rows[np.lexsort((-said[rows], -scores[rows]))[:OF_A_TIME]]
    return best


def _with_those_beside(index: ShelfIndex, found: Sequence[Rows], plan: Plan) -> Rows:
    """Rows, the messages that statements among them were learned from, and the messages before and after."""
    rows = np.concatenate(found)
    rows = np.concatenate([rows, index.origins(rows)])
    if "neighbours" in plan.channels or "window" in plan.channels:
        places = rows[rows >= 0]
        rows = np.concatenate([rows, index.before(places), index.after(places)])
    beside: Rows = np.sort(rows)
    return beside[(beside >= 0) & (np.diff(beside, prepend=-1) > 0)]


def _best_texts(scores: Floats, count: int, mask: Mask | None) -> Rows:
    # Most rows score little. Those above half the best usually hold all that is wanted, and are quick to sort.
    floor = float(scores.max(initial=0.0)) / 2.0
    found = _above(scores, floor, mask)
    if len(found) < count:
        found = _above(scores, 0.0, mask)
    return found[top(scores[found], count)]


def _above(scores: NDArray[np.float32], floor: float, mask: Mask | None) -> Rows:
    return np.flatnonzero(scores > floor if mask is None else (scores > floor) & mask)
