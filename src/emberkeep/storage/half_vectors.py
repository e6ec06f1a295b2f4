"""Half-precision vectors by key, to compare a query with those of given keys only. No I/O."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emberkeep.storage.search import Floats, Rows, Scores
from emberkeep.storage.shelf_columns import grown

Halves = NDArray[np.float16]


class HalfVectors:
    """The rows of a matrix, sorted by key. Keys usually grow, so new rows are appended."""

    def __init__(self, dimension: int, room: int = 64) -> None:
        self._keys: Rows = np.zeros(room, np.int64)
        self._matrix: Halves = np.zeros((room, dimension), np.float16)
        self._count = 0

    @classmethod
    def of(cls, keys: Rows, matrix: Halves) -> "HalfVectors":
        """Wrap these ascending keys and their vectors; nothing is copied until more are added."""
        made = cls(matrix.shape[1], 0)
        made._keys, made._matrix, made._count = keys, matrix, len(keys)
        return made

    def __len__(self) -> int:
        return self._count

    @property
    def matrix(self) -> Halves:
        """All vectors, in the order of their keys."""
        return self._matrix[: self._count]

    @property
    def keys(self) -> Rows:
        """All keys, ascending."""
        return self._keys[: self._count]

    def memory(self) -> int:
        """How many bytes the vectors and keys take."""
        return self._matrix.nbytes + self._keys.nbytes

    def have(self, keys: Rows) -> NDArray[np.bool_]:
        """Which of these keys have a vector here."""
        if not self._count:
            return np.zeros(len(keys), np.bool_)
        held: NDArray[np.bool_] = self.keys[np.minimum(self._places(keys), self._count - 1)] == keys
        return held

    def put(self, keys: Rows, vectors: NDArray[Any]) -> None:
        """Add vectors under keys that are not here yet."""
        if not len(keys):
            return
        order = np.argsort(keys)
        first, end = self._count, self._count + len(keys)
        if end > len(self._keys):
            size = max(end, 2 * len(self._keys))
            self._keys, self._matrix = grown(self._keys, size), grown(self._matrix, size)
        self._keys[first:end] = keys[order]
        self._matrix[first:end] = vectors[order]
        self._count = end
        if first and self._keys[first] < self._keys[first - 1]:
            order = np.argsort(self.keys, kind="stable")
            self._keys[:end], self._matrix[:end] = self._keys[order], self._matrix[order]

    def take(self, keys: Rows) -> Halves:
        """The vectors of these keys, which must all be here."""
        found: Halves = self._matrix.take(self._places(keys), axis=0)
        return found

    def similarity(self, query: Floats, keys: Rows) -> Scores:
        """The dot product of the query with the vector of each of these keys."""
        if not len(keys):
            return np.zeros(0, np.float32)
        import numkong  # noqa: PLC0415 - most stores never need it

        # NumPy has no half-precision product, and converting to floats first would take twice as long as all the rest.
        products = numkong.cdist(query.astype(np.float16)[np.newaxis], self.take(keys), metric="dot")
        scores: Scores = np.asarray(products, np.float32)[0]
        return scores

    def _places(self, keys: Rows) -> Rows:
        return self.keys.searchsorted(keys)
