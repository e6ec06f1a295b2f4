"""Candidates: the items that match by words, meaning or time, their neighbours, and the signals of each."""

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

NEAREST = 8  # items per shelf in `nearest_items`
NO_PRINT = 1 << 40  # above any print, which is a checksum of 32 bits
OF_A_TIME = 50  # messages from the time that is asked about
MEANT_FROM = 0.15  # the least cosine with which a statement may be what is asked for
DENSE = SIGNALS.index("dense")
BY_WORDS = frozenset(("lexical", "window", "session"))  # channels that need the terms of the question


@dataclass(frozen=True, slots=True)
class Seen:
    """The rows of a shelf that a search may return (`found`) and match (`heard`); `None` is all.

    It may match statements without returning them, as evidence for the messages they were learned from.
    """

    found: Mask | None
    heard: Mask | None


class Ids(Sequence[str]):
    """The ids of some rows of a shelf, looked up on access because a search needs few of them; "" for row -1."""

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
    """Items found and their signals, one line per item.

    `words` are the question's, and `matched` has a column for each: which items contain it. An item is `stale` if what
    it tells is over, `stated` if it is no episode; `prints` are equal for items with the same terms. `stretch` is the
    question's. `around` has three lists of ids: the message that an item is or was learned from, the one before, and
    the one after. `rarities` are those of the question's terms, `lengths` the numbers of terms of the items, and
    `usual_length` is that of all texts, found or not. `behind` is subtracted from the items that were not compared
    closely, so that they rank below those that were.
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
    usual_length: float = 1.0
    behind: NDArray[np.float64] | float = 0.0

    def cosine(self, place: int) -> float | None:
        """Return the cosine of one candidate with the question, None if it has no vector."""
        dense = float(self.signals[place, DENSE])
        # Vectors in half precision are not exactly of length one.
        return round(min(1.0, 1.0 - (1.0 - dense) / self.stretch), 6) if dense else None

    def matched_words(self, place: int) -> tuple[str, ...]:
        """Return the question's words that one candidate contains."""
        return tuple(word for word, has in zip(self.words, self.matched[place], strict=True) if has)


@dataclass(frozen=True, slots=True)
class _Part:
    """One shelf in a search: its index, the rows to see, and where the question's terms occur."""

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
    """Return the candidates of all shelves, with the text statistics of all shelves together.

    `allowed` gives the rows of a shelf to see; `moment` is the time in microseconds at which statements should hold.
    """
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
        return replace(found[0], rarities=rarities, usual_length=statistics.usual_length)
    around = zip(*(shelf.around for shelf in found), strict=True)
    return Candidates(
        [item_id for shelf in found for item_id in shelf.ids],
        np.concatenate([np.zeros((0, len(SIGNALS))), *(shelf.signals for shelf in found)]),
        words,
        np.concatenate([np.zeros((0, len(words)), np.bool_), *(shelf.matched for shelf in found)]),
        np.concatenate([np.zeros(0, np.bool_), *(shelf.stale for shelf in found)]),
        np.concatenate([np.zeros(0, np.bool_), *(shelf.stated for shelf in found)]),
        np.concatenate([np.zeros(0, np.int64), *(shelf.prints for shelf in found)]),
        question.stretch,
        tuple([item_id for ids in by_shelf for item_id in ids] for by_shelf in around),
        rarities,
        np.concatenate([np.zeros(0), *(shelf.lengths for shelf in found)]),
        statistics.usual_length,
    )


def nearest_items(
    indexes: Sequence[ShelfIndex], vector: Floats, allowed: Callable[[ShelfIndex], Mask | None]
) -> list[tuple[str, float]]:
    """Return the items whose vectors are nearest, a few of each shelf, with their cosines, nearest first."""
    found = []
    for index in indexes:
        rows, cosines = index.nearest(vector, NEAREST, allowed(index), exact=False)
        found += [(index.ids[row], cosine) for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True)]
    return sorted(found, key=lambda pair: -pair[1])


def _gather_one(  # noqa: PLR0917 - as many as `gather` has
    part: _Part, statistics: TextStatistics, question: Question, plan: Plan, words: tuple[str, ...], moment: int
) -> Candidates:
    """Return the candidates of one shelf."""
    index, mask = part.index, part.seen.found
    matching: list[Rows] = [np.empty(0, np.int64)]
    if mask is None or mask.any():
        matching = _matching(part, statistics, question, plan)
    rows = _with_neighbours(index, matching, plan)
    signals, matched = measure(index, rows, question, part.occurrences, statistics)
    if mask is not None:
        keep = mask[rows]
        rows, signals, matched = rows[keep], signals[keep], matched[keep]
    # The last bits depend on the order of additions, which differs between engines: they must not decide the ranking.
    signals = np.round(signals, 6)
    stale = index.stale(rows, moment) | _answers_with_the_past(index, rows, question, moment)
    stated = ~index.are_episodes(rows)
    around: tuple[Ids, ...] = ()
    if question.words is not None:
        origins = index.origins(rows)
        places = np.where(origins >= 0, origins, rows)
        around = tuple(Ids(index.ids, at) for at in (places, index.before(places), index.after(places)))
    # All texts without any term have the same print, but need not say the same.
    lengths = index.column("length")[rows].astype(np.float64)
    prints = np.where(lengths > 0, index.column("print")[rows], NO_PRINT + rows)
    return Candidates(
        Ids(index.ids, rows), signals, words, matched, stale, stated, prints, question.stretch, around, lengths=lengths
    )


def _answers_with_the_past(index: ShelfIndex, rows: Rows, question: Question, moment: int) -> Mask:
    """Return which messages answer with something that is over: nothing else that was learned from them is as near.

    A message that also says something that still holds is not stale as such, but it is if that is not what is asked.
    """
    over, holding = index.learned_from(rows, moment)
    if question.vector is None or not len(over):
        return np.zeros(len(rows), np.bool_)
    near = [np.full(len(rows), -np.inf), np.full(len(rows), -np.inf)]
    for best, statements in zip(near, (over, holding), strict=True):
        cosines = np.nan_to_num(index.similarity(question.vector, statements), nan=-1.0)
        np.maximum.at(best, rows.searchsorted(index.origins(statements)), 1.0 - (1.0 - cosines) * question.stretch)
    found: Mask = (near[0] > near[1]) & (near[0] >= MEANT_FROM)
    return found


def _matching(part: _Part, statistics: TextStatistics, question: Question, plan: Plan) -> list[Rows]:
    """Return the rows that match by words, those that match by meaning, and those from the time that is asked about."""
    index, mask = part.index, part.seen.heard
    scores = index.bm25(part.occurrences, statistics)
    found = [_best_texts(scores, plan.candidates, mask)]
    if question.vector is not None:
        found.append(index.nearest(question.vector, plan.candidates, mask, exact=plan.exact)[0])
    if question.period is not None:
        found.append(_of_that_time(index, question, scores, mask))
    return found


def _of_that_time(index: ShelfIndex, question: Question, scores: Floats, mask: Mask | None) -> Rows:
    """Return rows from the time that is asked about: the best matches by words first, then the latest."""
    if question.period is None:
        return np.empty(0, np.int64)
    said = clocked(index.column("occurred_at"), index.column("utc_offset"), question.utc_offset)
    within = (said >= question.period.first) & (said <= question.period.last)
    rows = np.flatnonzero(within if mask is None else within & mask)
    best: Rows = rows[np.lexsort((-said[rows], -scores[rows]))[:OF_A_TIME]]
    return best


def _with_neighbours(index: ShelfIndex, found: Sequence[Rows], plan: Plan) -> Rows:
    """Return the rows, the messages they were learned from, and the messages before and after: sorted, each once."""
    rows = np.concatenate(found)
    rows = np.concatenate([rows, index.origins(rows)])
    if "neighbours" in plan.channels or "window" in plan.channels:
        places = rows[rows >= 0]
        rows = np.concatenate([rows, index.before(places), index.after(places)])
    ordered: Rows = np.sort(rows)
    return ordered[(ordered >= 0) & (np.diff(ordered, prepend=-1) > 0)]


def _best_texts(scores: Floats, count: int, mask: Mask | None) -> Rows:
    """Return the `count` rows with the highest scores, best first, without those that score 0."""
    # Most rows score little. Those above half the best are usually enough, and quick to sort.
    floor = float(scores.max(initial=0.0)) / 2.0
    found = _above(scores, floor, mask)
    if len(found) < count:
        found = _above(scores, 0.0, mask)
    return found[top(scores[found], count)]


def _above(scores: NDArray[np.float32], floor: float, mask: Mask | None) -> Rows:
    return np.flatnonzero(scores > floor if mask is None else (scores > floor) & mask)
