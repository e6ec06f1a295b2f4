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


@dataclass(frozen=True, slots=True)
class TextStatistics:
    """What BM25 has to know of all the texts it ranks among."""

    documents: int
    total_length: float
    frequencies: tuple[int, ...]

    @property
    def mean_length(self) -> float:
        """How long a text is, at least one term."""
        return max(self.total_length / self.documents, 1.0)

    def __add__(self, other: "TextStatistics") -> "TextStatistics":
        return TextStatistics(
            self.documents + other.documents,
            self.total_length + other.total_length,
            tuple(a + b for a, b in zip(self.frequencies, other.frequencies, strict=True)),
        )


def rarity(documents: int, frequency: int) -> float:
    """What a term that so many of the texts hold says."""
    return math.log1p((documents - frequency + 0.5) / (frequency + 0.5))


def weight(counts: NDArray[Any], lengths: NDArray[Any], mean: float) -> NDArray[Any]:
    """What a term that occurs so often in texts so long counts there."""
    norm = K1 * (1.0 - B + B / mean * lengths)
    found: NDArray[Any] = (K1 + 1.0) * counts / (counts + norm)
    return found


def counts_in(rows: Rows, occurrences: Sequence[Occurrences]) -> Scores:
    """How often each row holds each term, a line a row; nothing at row -1."""
    found = np.zeros((len(rows), len(occurrences)), np.float32)
    for position, (holders, counts) in enumerate(occurrences):
        if len(holders):  # ascending, as rows came
            at = np.minimum(holders.searchsorted(rows), len(holders) - 1)
            found[:, position] = np.where(holders[at] == rows, counts[at], 0.0)
    return found


def of_groups(occurrences: Sequence[Occurrences], groups: NDArray[np.int32], lengths: Scores) -> Scores:
    """The score of each group of rows as if it were one text; what is in group 0 is in none."""
    scores: Scores = np.zeros(len(lengths), np.float32)
    there = int(np.count_nonzero(lengths[1:]))
    if not there:
        return scores
    mean = max(float(lengths[1:].sum()) / there, 1.0)
    for rows, counts in occurrences:
        held = np.bincount(groups[rows], counts, len(lengths)).astype(np.float32)
        held[0] = 0.0
        frequency = int(np.count_nonzero(held))
        if frequency:
            scores += rarity(there, frequency) * weight(held, lengths, mean)
    return scores
