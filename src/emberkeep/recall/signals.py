"""The signals: what is known of each candidate, as numbers for one weighted sum.

Each has a fixed scale that, except for "latest", does not depend on the other candidates: a cosine, a share of the best
score that a text could have, a yes or no. So a candidate's score means the same whatever competes with it, and on every
engine. Those of the channel "meanings" are measured later, for the best candidates only (`meanings.py`).
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
# The neighbours of an item are the messages before and after it; of a statement, those of the message it is from.
CHANNEL_OF: Mapping[Signal, Channel] = {
    "dense": "dense",  # the cosine with the question
    "dense_before": "neighbours",  # that of the message before it, or its own if there is none
    "dense_after": "neighbours",  # that of the message after it, or its own
    "dense_around": "neighbours",  # the best of the candidates among three messages on either side
    "meaning": "meanings",  # how near its words are to those of the question
    "meaning_around": "meanings",  # the same with its neighbours
    "lexical": "lexical",  # BM25 as a share of the best possible score
    "covered": "lexical",  # the share of the question's terms that it contains, weighted by rarity
    "exact": "lexical",  # it has all terms of the question and no others
    "marked": "lexical",  # the share of the question's marks that it contains, such as addresses and version numbers
    "window": "window",  # what "covered" would be with its neighbours
    "answers": "window",  # BM25 of the message before it, if that is a question
    "session": "session",  # BM25 of its conversation, less if most of that is in the window
    "speaker": "speaker",  # its speaker is the only one whom the question names
    "own": "speaker",  # a person said it, and the question says "I" but not "you"
    "theirs": "speaker",  # a machine said it, and the question says "you"
    "machine": "speaker",  # a machine said it
    "another": "speaker",  # it is about somebody or something that the question does not name
    "during": "time",  # how near it is to the time that is asked about
    "when": "time",  # it tells a time, and the question asks for one
    "latest": "time",  # how late it is, if the latest is asked for, or how early for the first
    "timed": "shape",  # it tells a time
    "numbered": "shape",  # it has a number
    "how_many": "shape",  # it has a number, and the question asks for one
    "asks": "shape",  # it is a question
    "of_speaker": "shape",  # how often it says "I"
    "of_listener": "shape",  # how often it says "you"
    "long": "shape",  # how long it is
    "opens": "shape",  # its conversation begins with it
    "closes": "shape",  # its conversation ends with it
    "fact": "facts",  # the best match of a statement learned from the same message
    "reranked": "rerank",  # what the reranker says
}
_NOTHING = -2.0  # stands for no cosine
_LONG_FROM, _LONG_TO = 28.0, 95.0  # terms from which "long" is above 0, and from which it is 1
_ANOTHER_OF_US = 0.5  # the share of "another" if the question is about "us", not about "me"
_ANOTHER_ANYHOW = 0.125  # the share if it is about neither
_REACH = 3  # messages on either side that "dense_around" looks at
_DAY = 86_400_000_000  # microseconds
_MINUTE = 60_000_000
_BLUR = 14 * _DAY  # the distance from a long period at which "during" falls to about a third
_AS_MUCH = 0.8  # the least share of the best "covered" for an item to compete for "latest"
_ONLY_WHEN = 1.5  # the factor of "during" in a question that asks about nothing but a time
_ALL_OF_IT = 5.0  # the factor in one that wants everything that was said then
_GUESSED = 0.5  # the factor if it is only known when somebody spoke of the event that the question names


def measure(
    index: ShelfIndex, rows: Rows, question: Question, occurrences: list[Occurrences], statistics: TextStatistics
) -> tuple[Signals, Mask]:
    """Return the signals of the rows, one line per row, and which of the terms each contains.

    A statement has the position, speaker, traits and time of the message that it was learned from.
    """
    origins = index.origins(rows)
    places = np.where(origins >= 0, origins, rows)
    found, matched = np.zeros((len(rows), len(SIGNALS))), np.zeros((len(rows), len(occurrences)), np.bool_)
    column = {name: found[:, position] for position, name in enumerate(SIGNALS)}
    before, after = index.before(places), index.after(places)
    around = (places, before, after)
    distinct = _DistinctRows((rows, *around))
    column["opens"][:] = before < 0
    column["closes"][:] = after < 0
    _by_vector(index, distinct, around, question, column)
    if occurrences and statistics.documents:
        matched = _by_words(index, rows, distinct, around, occurrences, statistics, column)
        if marked := [place for place, word in enumerate(question.terms.values()) if is_mark(word)]:
            column["marked"][:] = matched[:, marked].mean(axis=1)
    _by_who(index, places, question, column)
    share = 1.0 if question.of_self else _ANOTHER_OF_US if question.of_speaker else _ANOTHER_ANYHOW
    column["another"][:] = share * index.speak_of_another(rows, question.terms)
    _by_shape(index, places, question, column)
    if question.period is not None:
        factor = _ALL_OF_IT if question.wants_all else _ONLY_WHEN if question.only_when else 1.0
        factor *= _GUESSED if question.period.guessed else 1.0
        column["during"][:] = factor * _nearness(index, places, question)
    if question.wants_latest:
        column["latest"][:] = _lateness(index, places, column["covered"], question.wants_latest)
    column["fact"][:] = _votes(origins, places, column["lexical" if question.vector is None else "dense"])
    return found, matched


class _DistinctRows:
    """The distinct rows of several lists of equal length, so that each is looked up only once."""

    def __init__(self, lists: Sequence[Rows]) -> None:
        self._shape = len(lists), len(lists[0])
        self.rows, self._places = np.unique(np.concatenate(lists), return_inverse=True)

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the values of `rows` in the order of the lists."""
        return values[self._places].reshape(*self._shape, *values.shape[1:])


def _by_vector(
    index: ShelfIndex,
    distinct: _DistinctRows,
    around: tuple[Rows, Rows, Rows],
    question: Question,
    column: Mapping[Signal, Signals],
) -> None:
    """Fill the columns of the channels "dense" and "neighbours"."""
    if question.vector is None:
        return
    cosines = np.full(len(distinct.rows), _NOTHING)
    exist = distinct.rows >= 0
    cosines[exist] = _stretched(index.similarity(question.vector, distinct.rows[exist]), question.stretch)
    own, _, before, after = distinct.spread(cosines)
    column["dense"][:] = own
    column["dense_before"][:] = np.where(around[1] < 0, own, before)
    column["dense_after"][:] = np.where(around[2] < 0, own, after)
    best = _best_around(index, around[1:], distinct.rows, cosines)
    column["dense_around"][:] = np.where(best > _NOTHING, best, own)


def _best_around(index: ShelfIndex, around: tuple[Rows, Rows], known: Rows, cosines: Signals) -> Signals:
    """Return the best cosine of the messages within reach on either side, of those whose cosine is known.

    The others are no candidates, so they are not near the question; their vectors are not read.
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
    """Return cosines on the scale of the bundled model, 0 where there is no vector yet."""
    return np.where(np.isnan(cosines), 0.0, 1.0 - (1.0 - cosines.astype(np.float64)) * stretch)


def _by_words(  # noqa: PLR0917 - a step of `measure`
    index: ShelfIndex,
    rows: Rows,
    distinct: _DistinctRows,
    around: tuple[Rows, Rows, Rows],
    occurrences: list[Occurrences],
    statistics: TextStatistics,
    column: Mapping[Signal, Signals],
) -> Mask:
    """Fill the columns of terms, except "marked"; return which of the terms each row contains."""
    rarities = np.array([rarity(statistics.documents, frequency) for frequency in statistics.frequencies])
    mean = statistics.mean_length
    best = float(rarities.sum()) * (K1 + 1.0)
    own, *held = distinct.spread(counts_in(distinct.rows, occurrences))  # `held`: by the rows in `around`
    column["lexical"][:] = _bm25(own, _lengths(index, rows), mean, rarities) / best
    matched: Mask = own > 0
    column["covered"][:] = matched @ rarities / rarities.sum()
    column["exact"][:] = (own.min(axis=1) > 0) & (own.sum(axis=1) == _lengths(index, rows))
    window = np.maximum(own, held[0]) + held[1] + held[2]  # a statement's own terms count, too
    column["window"][:] = (window > 0) @ rarities / rarities.sum()
    asks = np.where(around[1] >= 0, index.column("traits")[around[1]] & ASKS, 0)
    column["answers"][:] = asks * _bm25(held[1], _lengths(index, around[1]), mean, rarities) / best
    # The share of the conversation outside the window, which is next to nothing in a short one.
    numbers = index.column("conversation")[around[0]]
    rest = 1.0 - sum(_lengths(index, each) for each in around) / np.maximum(index.conversation_lengths(numbers), 1.0)
    conversations = index.bm25_of_conversations(occurrences)[numbers] / best
    column["session"][:] = conversations * np.maximum(rest, 0.0)
    return matched


def _by_who(index: ShelfIndex, places: Rows, question: Question, column: Mapping[Signal, Signals]) -> None:
    """Fill the columns of the channel "speaker", except "another"."""
    machine, speakers = index.column("traits")[places] & MACHINE > 0, index.column("speaker")[places]
    named = question.named(speakers_called(index, question.names))
    if len(named) == 1:
        column["speaker"][:] = speakers == named[0]
    for number in named:  # whoever is asked about by name counts as a person
        machine &= speakers != number
    column["machine"][:] = machine
    if question.of_listener:
        column["theirs"][:] = machine
    elif question.of_speaker:
        column["own"][:] = ~machine


def _by_shape(index: ShelfIndex, places: Rows, question: Question, column: Mapping[Signal, Signals]) -> None:
    """Fill the columns of the traits and the length of a message, and those of what the question wants of them."""
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
    """Return 1 for what was said in the period or tells of it, and less the farther away it is.

    The distance counts in lengths of the period, from a day to `_BLUR`: a day may be off by some days, a year only by
    some weeks. It counts in days, at most, at the edge that "before" or "after" made, and in quarters of a day if all
    that was said then is wanted.
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
    """Return how late each is among those that cover about as much of the question: 1 for the last, less for others.

    With a negative `sign`, it is how early each is. Those that cover less get 0.
    """
    rivals = (covered > 0) & (covered >= _AS_MUCH * covered.max(initial=0.0))
    times = np.unique(index.column("occurred_at")[places[rivals]])
    if len(times) < 2:  # noqa: PLR2004 - it takes two, for one to be later
        return np.zeros(len(places))
    place = np.searchsorted(times, index.column("occurred_at")[places])
    later = len(times) - 1 - place if sign > 0 else place  # how many are later, or earlier
    # One half falls evenly, the other is halved at each step, so that the last of many stands out from the one before.
    late: Signals = np.maximum(0.0, 0.5 * (1.0 - later / (len(times) - 1)) + 0.5 * 2.0**-later)
    return np.where(rivals, late, 0.0)


def clocked(times: Rows, offsets: NDArray[np.int16], unknown: int) -> Rows:
    """Return the times that local clocks showed, from UTC offsets in minutes; `unknown` replaces an offset of 0."""
    ahead = offsets.astype(np.int64)
    shown: Rows = times + np.where(ahead, ahead, unknown) * _MINUTE
    return shown


def _gap(first: Rows, last: Rows, period: Span, reaches: tuple[int, int]) -> Signals:
    """Return the distance of each time span from the period, in units of the reach on that side; 0 if they overlap.

    A span outside the period counts from its middle: the whole day before is at some distance, although it touches.
    """
    middle = first + (last.astype(np.float64) - first) / 2.0
    too_early = np.where(last < period.first, (period.first - middle) / reaches[0], 0.0)
    too_late = np.where(first > period.last, (middle - period.last) / reaches[1], 0.0)
    gap: Signals = np.maximum(too_early, too_late)
    return gap


def _votes(origins: Rows, places: Rows, scores: Signals) -> Signals:
    """Return the best score of the statements learned from the same message, for it and for all of them; else 0."""
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
    """Return the number of terms of each row, 0 for row -1."""
    found: Signals = np.where(rows >= 0, index.column("length")[rows], 0.0).astype(np.float64)
    return found
