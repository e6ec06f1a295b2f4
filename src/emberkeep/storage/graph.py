"""A `usearch` HNSW graph over half-precision vectors, and a table with a second copy of the vectors.

The graph finds nearest neighbours. The table returns the vectors of given keys at once, where the graph would return
them one by one.
"""

from pathlib import Path
from typing import Any

import numpy as np

from emberkeep.storage import array_file
from emberkeep.storage.half_vectors import HalfVectors
from emberkeep.storage.search import Floats, Rows, Scores

# Measured in docs/benchmarks.md: with these, 995 in 1,000 of the ten best among 100,000 are those of an exact search.
CONNECTIVITY = 16
EFFORT_TO_ADD = 128
EFFORT_TO_SEARCH = 48
CHUNK = 1_024
ALONE_UP_TO = 4_096  # vectors: threads that add to a small graph undo each other's links, so that some are never found


class Graph:
    """Vectors by key. A graph that is mapped from a file takes no more vectors.

    Up to `exact_up_to` vectors no graph is built, since comparing with each of them is quicker than building one.
    """

    def __init__(self, dimension: int, *, room: int = 64, exact_up_to: int = 0) -> None:
        self._index = _empty(dimension)
        self._exact_up_to = exact_up_to
        self.vectors = HalfVectors(dimension, room)
        self.is_mapped = False

    def __len__(self) -> int:
        return len(self.vectors)

    def add(self, keys: Rows, vectors: Floats) -> None:
        """Add vectors under keys that are not here yet."""
        self.vectors.put(keys, vectors)
        if len(self) > self._exact_up_to:
            first = not len(self._index)
            added = self.vectors.matrix.astype(np.float32) if first else vectors
            threads = 1 if len(self) <= ALONE_UP_TO else 0  # 0: one per core
            self._index.add((self.vectors.keys if first else keys).astype(np.uint64), added, threads=threads)

    def nearest(self, query: Floats, count: int) -> tuple[Rows, Scores]:
        """Approximately the nearest keys, best first, with their cosine similarity."""
        if not len(self._index):
            scores = self.vectors.similarity(query, self.vectors.keys)
            best = np.argsort(-scores, kind="stable")[:count]
            return self.vectors.keys[best], scores[best]
        matches = self._index.search(query, count, threads=1)
        return np.asarray(matches.keys).astype(np.int64), (1.0 - np.asarray(matches.distances)).astype(np.float32)

    def save(self, file: Path) -> None:
        """Write the graph."""
        try:
            self._index.save(str(file))
        except RuntimeError as error:  # raised by usearch when, say, the disk is full
            raise OSError(str(error)) from error

    def save_table(self, file: Path, *, of: bytes) -> None:
        """Write the table, marked with `of`, the checksum of the graph that it belongs to."""
        owner = np.frombuffer(of, np.uint8)
        array_file.write(file, {"of": owner, "keys": self.vectors.keys, "matrix": self.vectors.matrix})

    @classmethod
    def load(cls, dimension: int, file: Path, table: Path, *, of: bytes, mapped: bool) -> "Graph | None":
        """The saved graph: read into memory, or mapped, which takes no time. `None` if it cannot be used.

        The caller must have checked that the graph's file is intact: loading a damaged one can crash the process.
        """
        graph = cls(dimension, room=0)
        try:
            (graph._index.view if mapped else graph._index.load)(str(file))
        except (FileNotFoundError, RuntimeError):  # discarded after a deletion, or written by another version
            return None
        if graph._index.ndim != dimension:
            return None
        arrays = array_file.read(table)
        if arrays is not None and bytes(arrays["of"]) == of:
            graph.vectors = HalfVectors.of(arrays["keys"], arrays["matrix"])
        else:
            graph.vectors = _vectors_of(graph._index)
        graph.is_mapped = mapped
        return graph


def _empty(dimension: int) -> Any:
    from usearch.index import Index  # noqa: PLC0415 - most stores never need it

    return Index(
        ndim=dimension,
        metric="cos",
        dtype="f16",
        connectivity=CONNECTIVITY,
        expansion_add=EFFORT_TO_ADD,
        expansion_search=EFFORT_TO_SEARCH,
    )


def _vectors_of(index: Any) -> HalfVectors:
    held = HalfVectors(index.ndim, len(index))
    keys = np.sort(np.asarray(index.keys[:]).astype(np.int64))
    for start in range(0, len(keys), CHUNK):
        some = keys[start : start + CHUNK]
        held.put(some, np.concatenate(index.get(some.astype(np.uint64))).reshape(len(some), -1))
    return held
