"""Cutting a text where it hurts least: after a sentence, after a word, or anywhere. Pure functions."""

import re
from collections.abc import Callable, Sequence

WORTH_IT = 0.5  # of what fits that a cut at a better place has to leave
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_WORD_END = re.compile(r"\s+")


def furthest_end(text: str, fits: Callable[[int], bool]) -> int:
    """Where to cut a text: after a sentence, after a word if that would waste most of the room, or else anywhere."""
    most = _furthest(range(1, len(text)), fits)
    for pattern in (_SENTENCE_END, _WORD_END):
        end = max((found.start() for found in pattern.finditer(text, 0, most + 1) if found.start() <= most), default=0)
        if end >= WORTH_IT * most and text[:end].strip() and fits(end):
            return end
    return most if text[:most].strip() else 0


def _furthest(ends: Sequence[int], fits: Callable[[int], bool]) -> int:
    low, high = 0, len(ends)  # the first `low` ends fit
    while low < high:
        middle = (low + high + 1) // 2
        if fits(ends[middle - 1]):
            low = middle
        else:
            high = middle - 1
    return ends[low - 1] if low else 0
