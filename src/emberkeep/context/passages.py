"""The passage of a long text that contains the words of a question. Pure functions."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

LOOKED_AT = 40_000  # characters of a text that are searched
# The end of a sentence or a line.
_BREAK = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
# The number of an item in a list, which is no sentence: "2. ".
_NUMBER = re.compile(r"\W*\d{1,3}\.\s*")
_ENDING = 3  # letters at the end of a word that may differ in its other forms
_SHORTEST = 4  # letters of a word that always have to match


class Passage(NamedTuple):
    """The offsets between which a passage lies."""

    start: int
    end: int


def passage(text: str, asked: Iterable[str]) -> Passage:
    """Return the sentence with most of the words, the first among equals; an empty passage if none has any.

    The fewer sentences have a word, the more it counts.
    """
    text = text[:LOOKED_AT]
    ends = _bounds(text)
    worth = [0.0] * (len(ends) - 1)
    for word in {term.casefold() for term in asked}:
        stem = word[: max(_SHORTEST, len(word) - _ENDING)]
        found = {
            bisect_right(ends, match.start()) - 1 for match in re.finditer(rf"\b{re.escape(stem)}", text, re.IGNORECASE)
        }
        for place in found:
            worth[place] += 1.0 / len(found)
    if not any(worth):
        return Passage(0, 0)
    best = worth.index(max(worth))
    return Passage(*list(pairwise(ends))[best])


def _bounds(text: str) -> list[int]:
    """Return the offsets at which sentences end, after the 0 at which the first begins."""
    ends = [0]
    for match in _BREAK.finditer(text):
        if not _NUMBER.fullmatch(text, ends[-1], match.end()):
            ends.append(match.end())
    return ends if ends[-1] == len(text) > 0 else [*ends, len(text)]
