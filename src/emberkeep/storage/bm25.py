"""BM25 as Robertson and Zaragoza give it, with the constants that most engines ship. Pure functions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emberkeep.storage.search import Rows, Scores

K1 = 1.2
B = 0.75
Occurrences = tuple[Rows, NDArray[np.float32]]  # the rows that hold a term, and how often


LONGEST = 100.0  # terms of a text that counts towards the usual length


@dataclass(frozen=True, slots=True)
class TextStatistics:
    """The statistics of the whole collection of texts that BM25 needs; `frequencies` has one number per term.

    In `capped_length`, no text counts as longer than `LONGEST`.
    """

    documents: int
    total_length: float
    frequencies: tuple[int, ...]
    capped_length: float = 0.0

    @property
    def mean_length(self) -> float:
        """The mean length of a text in terms, at least 1."""
        return max(self.total_length / self.documents, 1.0)

    @property
    def usual_length(self) -> float:
        """The mean length of a text in terms, at least 1, which a few very long ones hardly change."""
        return max(self.capped_length / max(self.documents, 1), 1.0)

    def __add__(self, other: "TextStatistics") -> "TextStatistics":
        return TextStatistics(
            self.documents + other.documents,
            self.total_length + other.total_length,
            tuple(a + b for a, b in zip(self.frequencies, other.frequencies, strict=True)),
            self.capped_length + other.capped_length,
        )


def rarity(documents: int, frequency: int) -> float:
    """The inverse document frequency of a term that `frequency` of the texts contain."""
    return math.log1p((documents - frequency + 0.5) / (frequency + 0.5))


def weight(counts: NDArray[Any], lengths: NDArray[Any], mean: float) -> NDArray[Any]:
    """The weight of a term in each text, from how often it occurs there and how long the text is."""
    norm = K1 * (1.0 - B + B / mean * lengths)
    found: NDArray[Any] = (K1 + 1.0) * counts / (counts + norm)
    return found


def counts_in(rows: Rows, occurrences: Sequence[Occurrences]) -> Scores:
    """How often each row contains each term: a matrix with a line per row, all zeros for row number -1."""
    found = np.zeros((len(rows), len(occurrences)), np.float32)
    for position, (holders, counts) in enumerate(occurrences):
        if len(holders):  # ascending, since rows are appended in order
            at = np.minimum(holders.searchsorted(rows), len(holders) - 1)
            found[:, position] = np.where(holders[at] == rows, counts[at], 0.0)
    return found


def of_groups(occurrences: Sequence[Occurrences], groups: NDArray[np.int32], lengths: Scores) -> Scores:
    """The score of each group of rows, as if the group were one text; group 0 holds the rows that are in no group."""
    scores: Scores = np.zeros(len(lengths), np.float32)
    documents = int(np.count_nonzero(lengths[1:]))
    if not documents:
        return scores
    mean = max(float(lengths[1:].sum()) / documents, 1.0)
    for rows, counts in occurrences:
        held = np.bincount(groups[rows], counts, len(lengths)).astype(np.float32)
        held[0] = 0.0
        frequency = int(np.count_nonzero(held))
        if frequency:
            scores += rarity(documents, frequency) * weight(held, lengths, mean)
    return scores
