"""Cutting a text where it hurts least: after a sentence, after a word, or anywhere. Pure functions."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

WORTH_IT = 0.5  # of what fits that a cut at a better place has to leave
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_WORD_END = re.compile(r"\s+")


def furthest_end(text: str, fits: Callable[[int], bool], likely: int = 0) -> int:
    """Where to cut a text: after a sentence, after a word if that would waste most of the room, or else anywhere.

    Whether a long text fits takes long to tell: so it is asked first around the place that is `likely`, if one is
    known, and only of places between sentences, unless these are too far apart.
    """
    for pattern in (_SENTENCE_END, _WORD_END):
        ends = [found.start() for found in pattern.finditer(text) if 0 < found.start() < len(text)]
        place = _furthest(ends, fits, bisect_left(ends, likely))
        end, beyond = ends[place - 1] if place else 0, ends[place] if place < len(ends) else len(text)
        if 0 < end < WORTH_IT * beyond:  # what fits ends somewhere before `beyond`: how far is it?
            end = end if end >= WORTH_IT * _within(end, beyond, fits) else 0
        if text[:end].strip():
            return end
    most = _within(0, len(text), fits)
    return most if text[:most].strip() else 0


def _within(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """The furthest end from `low` on, which fits, and before `high`, which does not."""
    return low + _furthest(range(low + 1, high), fits, 0)


def _furthest(ends: Sequence[int], fits: Callable[[int], bool], likely: int) -> int:
    """How many of some ends fit; looked for around a likely number, ever farther from it."""
    low, high, step = 0, len(ends), 1  # the first `low` fit, those after `high` do not
    middle = likely if 0 < likely < high else (low + high + 1) // 2
    while low < high:
        if fits(ends[middle - 1]):
            low = middle
            middle = min(high, middle + step)
        else:
            high = middle - 1
            middle = max(low + 1, middle - step)
        step *= 4
        if not low < middle <= high or step > high - low:
            middle = (low + high + 1) // 2
    return low
