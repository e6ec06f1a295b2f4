"""Vectors of words, packed for the database: four bits a number.

A model gives every piece of every word a vector of its own (`providers.base.WordVectors`). A chat message has some
seventeen of them, without the words that the text index leaves out too. Whole numbers are multiplied with whole
numbers, so that comparisons come out the same to the last bit, whoever else is compared and on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Matches = NDArray[np.float64]
NOTHING = 0.0  # how near a text without words is to anything
_ZERO, _MOST = 8, 7  # the four bits that stand for zero, and how far a number may be from it
_MOST_ASKED = 127
WITHOUT_THREADS = 200_000  # multiplications; from 262,144 on OpenBLAS shares them among threads
# By byte, the two numbers in it; as one value of eight bytes, because those are looked up six times as fast.
_PAIRS = np.array([[(byte >> 4) - _ZERO, (byte & 15) - _ZERO] for byte in range(256)], np.float32).view(np.uint64)[:, 0]


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The vectors of a question's words, in whole numbers, and the term that each stands for."""

    terms: tuple[int, ...]
    vectors: Floats


def pack(vectors: Floats) -> bytes:
    """The vectors of a text's words."""
    whole = _whole(vectors, _MOST).astype(np.int8) + _ZERO
    if whole.shape[1] % 2:
        whole = np.pad(whole, ((0, 0), (0, 1)), constant_values=_ZERO)
    packed: NDArray[np.uint8] = (whole[:, 0::2] << 4 | whole[:, 1::2]).astype(np.uint8)
    return packed.tobytes()


def asked(terms: tuple[int, ...], vectors: Floats) -> AskedWords | None:
    """What to compare with packed words; nothing if no word of the question says anything."""
    if not terms:
        return None
    whole = _whole(vectors, _MOST_ASKED)
    return AskedWords(terms, np.pad(whole, ((0, 0), (0, whole.shape[1] % 2))))


def best_matches(question: AskedWords, texts: Sequence[bytes]) -> Matches:
    """The highest cosine of each word of a question with any word of a text: a line a text, a column a word.

    A text that is not of this embedder's words is like one without any.
    """
    size = question.vectors.shape[1] // 2
    found = np.full((len(texts), len(question.terms)), NOTHING)
    there = [place for place, text in enumerate(texts) if text and len(text) % size == 0]
    if not there:
        return found
    packed = np.frombuffer(b"".join([texts[place] for place in there]), np.uint8)
    numbers = _PAIRS[packed].view(np.float32).reshape(-1, 2 * size)
    cosines = _products(numbers, question.vectors).astype(np.float64) / _lengths(numbers)[:, np.newaxis]
    starts = np.cumsum([0, *(len(texts[place]) // size for place in there[:-1])])
    found[there] = np.maximum.reduceat(cosines, starts, axis=0) / _lengths(question.vectors)
    return found


def _products(numbers: Floats, asked: Floats) -> Floats:
    """Each line of the one times each of the other, in pieces that are multiplied without threads.

    Those would wait for each other, on a busy machine for many milliseconds.
    """
    step = max(WITHOUT_THREADS // asked.size, 1)
    found = np.empty((len(numbers), len(asked)), np.float32)
    for start in range(0, len(numbers), step):
        np.matmul(numbers[start : start + step], asked.T, out=found[start : start + step])
    return found


def _whole(vectors: Floats, most: int) -> Floats:
    """Vectors in whole numbers: the largest of each is `most`."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    whole: Floats = np.rint(vectors / np.maximum(largest, np.finfo(np.float32).tiny) * most).astype(np.float32)
    return whole


def _lengths(vectors: Floats) -> Matches:
    """Never nothing: a vector of zeros is near to none."""
    squares = np.einsum("ij,ij->i", vectors, vectors).astype(np.float64)
    lengths: Matches = np.sqrt(np.maximum(squares, 1.0))
    return lengths
