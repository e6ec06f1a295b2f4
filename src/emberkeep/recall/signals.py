"""The signals: what is known of each candidate, as numbers that one weighted sum can rank by.

Each is on a scale of its own that does not depend on the other candidates: a cosine, a share of the best score that a
text could have, a yes or no. So a candidate's score says the same whoever competes with it, and on every engine. Those
of the channel "meanings" are measured later, of the best only (`meanings.py`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from emberkeep.language.marks import is_mark
from emberkeep.language.traits import ASKS, LISTENER_AT, MACHINE, MOST_COUNTED, NUMBERED, SPEAKER_AT, TIMED
from emberkeep.model.recall import Channel, Signal
from emberkeep.recall.calling import speakers_called
from emberkeep.recall.question import Question, Span
from emberkeep.storage.bm25 import K1, Occurrences, TextStatistics, counts_in, rarity, weight
from emberkeep.storage.search import Mask, Rows
from emberkeep.storage.shelf_index import ShelfIndex
from emberkeep.storage.threads import NONE

Signals = NDArray[np.float64]
Counts = NDArray[np.float32]
SIGNALS: tuple[Signal, ...] = get_args(Signal)
CHANNEL_OF: Mapping[Signal, Channel] = {
    "dense": "dense",
    "dense_before": "neighbours",
    "dense_after": "neighbours",
    "dense_around": "neighbours",
    "meaning": "meanings",
    "meaning_around": "meanings",
    "lexical": "lexical",
    "covered": "lexical",
    "exact": "lexical",
    "marked": "lexical",
    "window": "window",
    "answers": "window",
    "session": "session",
    "speaker": "speaker",
    "own": "speaker",
    "theirs": "speaker",
    "machine": "speaker",
    "another": "speaker",
    "during": "time",
    "when": "time",
    "latest": "time",
    "timed": "shape",
    "numbered": "shape",
    "how_many": "shape",
    "asks": "shape",
    "of_speaker": "shape",
    "of_listener": "shape",
    "long": "shape",
    "opens": "shape",
    "closes": "shape",
    "fact": "facts",
    "reranked": "rerank",
}
_NOTHING = -2.0  # less than any cosine
_LONG_FROM, _LONG_TO = 28.0, 95.0  # terms
_OF_MESSAGE = 0.125  # what it counts of a message that something about another was learned from it
_REACH = 3  # messages on either side that are looked at
_DAY = 86_400_000_000  # microseconds
_MINUTE = 60_000_000
_BLUR = 14 * _DAY  # how far beside a long period something may lie to count for a third
_AS_MUCH = 0.8  # of the share of the question that the best covers
_ONLY_WHEN = 1.5  # how much more a time counts in a question that says nothing else
_ALL_OF_IT = 5.0  # and in one that wants whatever was said then


def measure(
    index: ShelfIndex, rows: Rows, question: Question, occurrences: list[Occurrences], statistics: TextStatistics
) -> tuple[Signals, Mask]:
    """The signals of each row, a line a row, and which of the terms it holds.

    A statement stands where the message stands that it was learned from.
    """
    origins = index.origins(rows)
    places = np.where(origins >= 0, origins, rows)
    found, matched = np.zeros((len(rows), len(SIGNALS))), np.zeros((len(rows), len(occurrences)), np.bool_)
    column = {name: found[:, position] for position, name in enumerate(SIGNALS)}
    before, after = index.before(places), index.after(places)
    around = (places, before, after)
    once = _Once((rows, *around))
    column["opens"][:] = before < 0
    column["closes"][:] = after < 0
    _by_vector(index, once, around, question, column)
    if occurrences and statistics.documents:
        matched = _by_words(index, rows, once, around, occurrences, statistics, column)
        if marked := [place for place, word in enumerate(question.terms.values()) if is_mark(word)]:
            column["marked"][:] = matched[:, marked].mean(axis=1)
    _by_who(index, places, question, column)
    # A message may say more than what was learned from it; but who asks about oneself does not mean others.
    sure = 1.0 if question.of_speaker else np.where(index.are_episodes(rows), _OF_MESSAGE, 1.0)
    column["another"][:] = sure * index.speak_of_another(rows, question.terms)
    _by_shape(index, places, question, column)
    if question.period is not None:
        more = _ALL_OF_IT if question.wants_all else _ONLY_WHEN if question.only_when else 1.0
        column["during"][:] = more * _nearness(index, places, question)
    if question.wants_latest:
        column["latest"][:] = _lateness(index, places, column["covered"], question.wants_latest)
    column["fact"][:] = _votes(origins, places, column["lexical" if question.vector is None else "dense"])
    return found, matched


class _Once:
    """Rows that stand in several lists of equal length, so that each is looked up once."""

    def __init__(self, lists: Sequence[Rows]) -> None:
        self._shape = len(lists), len(lists[0])
        self.rows, self._places = np.unique(np.concatenate(lists), return_inverse=True)

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """What was found for `rows`, for each of the lists."""
        return values[self._places].reshape(*self._shape, *values.shape[1:])


def _by_vector(
    index: ShelfIndex,
    once: _Once,
    around: tuple[Rows, Rows, Rows],
    question: Question,
    column: Mapping[Signal, Signals],
) -> None:
    if question.vector is None:
        return
    cosines = np.full(len(once.rows), _NOTHING)
    there = once.rows >= 0
    cosines[there] = _stretched(index.similarity(question.vector, once.rows[there]), question.stretch)
    own, _, before, after = once.spread(cosines)
    column["dense"][:] = own
    column["dense_before"][:] = np.where(around[1] < 0, own, before)
    column["dense_after"][:] = np.where(around[2] < 0, own, after)
    best = _best_around(index, around[1:], once.rows, cosines)
    column["dense_around"][:] = np.where(best > _NOTHING, best, own)


def _best_around(index: ShelfIndex, around: tuple[Rows, Rows], known: Rows, cosines: Signals) -> Signals:
    """The best cosine of the messages close by, on either side, among those whose cosine is known.

    The others are no candidates, so they are not near; no further vector is looked at.
    """
    best: Signals = np.full(len(around[0]), _NOTHING)
    for step, beside in zip((index.before, index.after), around, strict=True):
        rows = beside
        for _ in range(_REACH):
            at = np.minimum(known.searchsorted(rows), len(known) - 1)
            best = np.maximum(best, np.where(known[at] == rows, cosines[at], _NOTHING))
            rows = np.where(rows >= 0, step(rows), NONE)
    return best


def _stretched(cosines: Counts, stretch: float) -> Signals:
    """Cosines as the bundled model would give them, nothing where there is no vector yet."""
    return np.where(np.isnan(cosines), 0.0, 1.0 - (1.0 - cosines.astype(np.float64)) * stretch)


def _by_words(  # noqa: PLR0917 - as `measure` has them
    index: ShelfIndex,
    rows: Rows,
    once: _Once,
    around: tuple[Rows, Rows, Rows],
    occurrences: list[Occurrences],
    statistics: TextStatistics,
    column: Mapping[Signal, Signals],
) -> Mask:
    rarities = np.array([rarity(statistics.documents, frequency) for frequency in statistics.frequencies])
    mean = statistics.mean_length
    best = float(rarities.sum()) * (K1 + 1.0)
    own, *held = once.spread(counts_in(once.rows, occurrences))
    column["lexical"][:] = _bm25(own, _lengths(index, rows), mean, rarities) / best
    matched: Mask = own > 0
    column["covered"][:] = matched @ rarities / rarities.sum()
    column["exact"][:] = (own.min(axis=1) > 0) & (own.sum(axis=1) == _lengths(index, rows))
    window = np.maximum(own, held[0]) + held[1] + held[2]  # the words of a statement, or of the message itself
    column["window"][:] = (window > 0) @ rarities / rarities.sum()
    asks = np.where(around[1] >= 0, index.column("traits")[around[1]] & ASKS, 0)
    column["answers"][:] = asks * _bm25(held[1], _lengths(index, around[1]), mean, rarities) / best
    # What the window does not hold already: in a short conversation that is next to nothing.
    numbers = index.column("conversation")[around[0]]
    rest = 1.0 - sum(_lengths(index, some) for some in around) / np.maximum(index.conversation_lengths(numbers), 1.0)
    conversations = index.bm25_of_conversations(occurrences)[numbers] / best
    column["session"][:] = conversations * np.maximum(rest, 0.0)
    return matched


def _by_who(index: ShelfIndex, places: Rows, question: Question, column: Mapping[Signal, Signals]) -> None:
    machine, speakers = index.column("traits")[places] & MACHINE > 0, index.column("speaker")[places]
    named = question.named(speakers_called(index, question.names))
    if len(named) == 1:
        column["speaker"][:] = speakers == named[0]
    for one in named:  # who is asked about by name is somebody
        machine &= speakers != one
    column["machine"][:] = machine
    if question.of_listener:
        column["theirs"][:] = machine
    elif question.of_speaker:
        column["own"][:] = ~machine


def _by_shape(index: ShelfIndex, places: Rows, question: Question, column: Mapping[Signal, Signals]) -> None:
    traits, lengths = index.column("traits")[places], _lengths(index, places)
    timed, numbered = traits & TIMED > 0, traits & NUMBERED > 0
    column["asks"][:] = traits & ASKS > 0
    column["timed"][:] = timed
    column["numbered"][:] = numbered
    column["when"][:] = timed * question.wants_time
    column["how_many"][:] = numbered * question.wants_number
    column["of_speaker"][:] = (traits >> SPEAKER_AT & MOST_COUNTED) / MOST_COUNTED
    column["of_listener"][:] = (traits >> LISTENER_AT & MOST_COUNTED) / MOST_COUNTED
    column["long"][:] = np.clip((lengths - _LONG_FROM) / (_LONG_TO - _LONG_FROM), 0.0, 1.0)


def _nearness(index: ShelfIndex, places: Rows, question: Question) -> Signals:
    """One within the period, by when it was said or by what it tells of; less the farther away.

    A day that is meant may be off by a few, a year not by months, and what was before is not after. Who wants whatever
    was said then means it as it is said.
    """
    period = question.period
    if period is None:
        return np.zeros(len(places))
    reach = _DAY // 4 if question.wants_all else min(max(period.last - period.first, _DAY), _BLUR)
    edge = min(reach, _DAY)
    reaches = (edge if period.exact == "first" else reach, edge if period.exact == "last" else reach)
    said = clocked(index.column("occurred_at")[places], index.column("utc_offset")[places], question.utc_offset)
    first, last = index.column("about_from")[places], index.column("about_to")[places]
    near: Signals = np.exp(-np.minimum(_gap(said, said, period, reaches), _gap(first, last, period, reaches)))
    return near


def _lateness(index: ShelfIndex, places: Rows, covered: Signals, sign: int) -> Signals:
    """How late each is among those that say as much of what is asked, or how early; nothing for those that say less."""
    equal = (covered > 0) & (covered >= _AS_MUCH * covered.max(initial=0.0))
    times = np.unique(index.column("occurred_at")[places[equal]])
    if len(times) < 2:  # noqa: PLR2004 - of which one may be the later
        return np.zeros(len(places))
    place = np.searchsorted(times, index.column("occurred_at")[places])
    later = len(times) - 1 - place if sign > 0 else place  # how many are later still, or earlier
    # Half of it by how many, so that the last of many stands out from the last but one.
    late: Signals = np.maximum(0.0, 0.5 * (1.0 - later / (len(times) - 1)) + 0.5 * 2.0**-later)
    return np.where(equal, late, 0.0)


def clocked(times: Rows, offsets: NDArray[np.int16], unknown: int) -> Rows:
    """What the clock showed where something was said; if nobody knows where, it is taken to be where it is asked."""
    ahead = offsets.astype(np.int64)
    shown: Rows = times + np.where(ahead, ahead, unknown) * _MINUTE
    return shown


def _gap(first: Rows, last: Rows, period: Span, reaches: tuple[int, int]) -> Signals:
    """How far before or after the period something was, in how far that may be.

    What lasted for a while beside it was in the middle of that: the day before is not as good as the day.
    """
    middle = first + (last.astype(np.float64) - first) / 2.0
    too_early = np.where(last < period.first, (period.first - middle) / reaches[0], 0.0)
    too_late = np.where(first > period.last, (middle - period.last) / reaches[1], 0.0)
    gap: Signals = np.maximum(too_early, too_late)
    return gap


def _votes(origins: Rows, places: Rows, scores: Signals) -> Signals:
    """What was learned from a message speaks for it, and for what else was learned from it: the best of it does."""
    stated = origins >= 0
    if not stated.any():
        return np.zeros(len(places))
    known, at = np.unique(places, return_inverse=True)
    best = np.zeros(len(known))
    np.maximum.at(best, at[stated], scores[stated])
    votes: Signals = best[at]
    return votes


def _bm25(counts: Counts, lengths: Signals, mean: float, rarities: Signals) -> Signals:
    scores: Signals = weight(counts, lengths[:, np.newaxis], mean) @ rarities
    return scores


def _lengths(index: ShelfIndex, rows: Rows) -> Signals:
    found: Signals = np.where(rows >= 0, index.column("length")[rows], 0.0).astype(np.float64)
    return found
