"""Vectors of words, packed for the database at four bits per number.

A model gives every piece of every word a vector of its own (`providers.base.WordVectors`). A chat message has about
seventeen of them, without the words that the text index leaves out too. Only whole numbers are multiplied, so that
similarities are the same to the last bit on every machine, and whichever texts are compared along with one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Matches = NDArray[np.float64]
NOTHING = 0.0  # how similar a text without words is to any word
_ZERO, _MOST = 8, 7  # the four bits that stand for zero, and the largest number
_MOST_ASKED = 127  # the largest number in the vectors of a question
WITHOUT_THREADS = 200_000  # multiplications in one product; OpenBLAS shares 262,144 or more among threads
# The two numbers in each byte, as one value of eight bytes: looking those up is six times as fast.
_PAIRS = np.array([[(byte >> 4) - _ZERO, (byte & 15) - _ZERO] for byte in range(256)], np.float32).view(np.uint64)[:, 0]


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The vectors of a question's words, in whole numbers, and the term of each."""

    terms: tuple[int, ...]
    vectors: Floats


def pack(vectors: Floats) -> bytes:
    """Return the vectors of a text's words as bytes."""
    whole = _whole(vectors, _MOST).astype(np.int8) + _ZERO
    if whole.shape[1] % 2:
        whole = np.pad(whole, ((0, 0), (0, 1)), constant_values=_ZERO)
    packed: NDArray[np.uint8] = (whole[:, 0::2] << 4 | whole[:, 1::2]).astype(np.uint8)
    return packed.tobytes()


def asked(terms: tuple[int, ...], vectors: Floats) -> AskedWords | None:
    """Return a question's word vectors in the form to compare with packed ones; `None` if there are none."""
    if not terms:
        return None
    whole = _whole(vectors, _MOST_ASKED)
    return AskedWords(terms, np.pad(whole, ((0, 0), (0, whole.shape[1] % 2))))


def best_matches(question: AskedWords, texts: Sequence[bytes]) -> Matches:
    """Return the highest cosine of each word of a question with any word of a text: a row per text, a column per word.

    A text whose vectors cannot have the length of the question's is treated as one without words.
    """
    size = question.vectors.shape[1] // 2
    found = np.full((len(texts), len(question.terms)), NOTHING)
    comparable = [place for place, text in enumerate(texts) if text and len(text) % size == 0]
    if not comparable:
        return found
    packed = np.frombuffer(b"".join([texts[place] for place in comparable]), np.uint8)
    numbers = _PAIRS[packed].view(np.float32).reshape(-1, 2 * size)
    cosines = _products(numbers, question.vectors).astype(np.float64) / _lengths(numbers)[:, np.newaxis]
    starts = np.cumsum([0, *(len(texts[place]) // size for place in comparable[:-1])])
    found[comparable] = np.maximum.reduceat(cosines, starts, axis=0) / _lengths(question.vectors)
    return found


def _products(numbers: Floats, asked: Floats) -> Floats:
    """Return the dot products of each row with each row asked, in pieces small enough to be multiplied without threads.

    Threads would wait for each other, on a busy machine for many milliseconds.
    """
    step = max(WITHOUT_THREADS // asked.size, 1)
    found = np.empty((len(numbers), len(asked)), np.float32)
    for start in range(0, len(numbers), step):
        np.matmul(numbers[start : start + step], asked.T, out=found[start : start + step])
    return found


def _whole(vectors: Floats, most: int) -> Floats:
    """Scale vectors to whole numbers, of which the largest in each vector is `most`."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    whole: Floats = np.rint(vectors / np.maximum(largest, np.finfo(np.float32).tiny) * most).astype(np.float32)
    return whole


def _lengths(vectors: Floats) -> Matches:
    """Return the lengths of vectors, at least 1, so that a vector of zeros is similar to none."""
    squares = np.einsum("ij,ij->i", vectors, vectors).astype(np.float64)
    lengths: Matches = np.sqrt(np.maximum(squares, 1.0))
    return lengths
