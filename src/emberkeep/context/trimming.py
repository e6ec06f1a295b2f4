"""Cutting a text where it hurts least: after a sentence, after a word, or anywhere. Pure functions."""

import re
from collections.abc import Callable, Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


def furthest_end(text: str, fits: Callable[[int], bool]) -> int:
    """Where to cut a text: after a sentence, after a word if no sentence fits, or anywhere if no word fits."""
    sentences = [match.start() for match in _SENTENCE_END.finditer(text)]
    words = [match.start() for match in re.finditer(r"\s+", text)]
    ends = (_furthest(some, fits) for some in (sentences, words, range(1, len(text))))
    return next((end for end in ends if text[:end].strip()), 0)


def _furthest(ends: Sequence[int], fits: Callable[[int], bool]) -> int:
    low, high = 0, len(ends)  # the first `low` ends fit
    while low < high:
        middle = (low + high + 1) // 2
        if fits(ends[middle - 1]):
            low = middle
        else:
            high = middle - 1
    return ends[low - 1] if low else 0
