"""Where in a long text the words stand that were asked for. Pure functions."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

LOOKED_AT = 40_000  # characters of a text
_BREAK = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_NUMBER = re.compile(r"\W*\d{1,3}\.\s*")  # of a point in a list
_ENDING = 3  # letters that another form of a word may differ by
_SHORTEST = 4


class Passage(NamedTuple):
    """From where to where it goes."""

    start: int
    end: int


def passage(text: str, asked: Iterable[str]) -> Passage:
    """The sentence that holds most of the words, the first of several; words that the text has seldom count most."""
    text = text[:LOOKED_AT]
    ends = _ends(text)
    worth = [0.0] * (len(ends) - 1)
    for word in {one.casefold() for one in asked}:
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


def _ends(text: str) -> list[int]:
    """Where sentences end, from the beginning of the first."""
    ends = [0]
    for found in _BREAK.finditer(text):
        if not _NUMBER.fullmatch(text, ends[-1], found.end()):
            ends.append(found.end())
    return ends if ends[-1] == len(text) > 0 else [*ends, len(text)]
