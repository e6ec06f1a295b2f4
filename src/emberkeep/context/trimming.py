"""Trimming a text: after a sentence if possible, otherwise after a word, otherwise anywhere. Pure functions."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

WORTH_IT = 0.5  # the least share of what fits that a cut after a sentence or word must leave
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_WORD_END = re.compile(r"\s+")


def furthest_end(text: str, fits: Callable[[int], bool], likely: int = 0) -> int:
    """Return where to cut a text: after a sentence, after a word if that would waste most of the room, else anywhere.

    `fits` is slow for a long text. So it is first called with offsets around `likely`, if that is given, and only with
    the ends of sentences, unless these are too far apart.
    """
    for pattern in (_SENTENCE_END, _WORD_END):
        ends = [match.start() for match in pattern.finditer(text) if 0 < match.start() < len(text)]
        place = _furthest(ends, fits, bisect_left(ends, likely))
        end, beyond = ends[place - 1] if place else 0, ends[place] if place < len(ends) else len(text)
        if 0 < end < WORTH_IT * beyond:  # perhaps most of the room would be wasted
            end = end if end >= WORTH_IT * _within(end, beyond, fits) else 0
        if text[:end].strip():
            return end
    most = _within(0, len(text), fits)
    return most if text[:most].strip() else 0


def _within(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """Return the furthest end that fits; `low` does, `high` does not."""
    return low + _furthest(range(low + 1, high), fits, 0)


def _furthest(ends: Sequence[int], fits: Callable[[int], bool], likely: int) -> int:
    """Return how many of the ends fit: a binary search that begins around `likely`, in growing steps."""
    low, high, step = 0, len(ends), 1  # the first `low` fit, those after the first `high` do not
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
