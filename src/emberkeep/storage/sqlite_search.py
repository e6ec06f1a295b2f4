"""Approximate search over a large shelf beside SQLite: a `usearch` graph in this process, kept in a file.

The file is a cache: it can be deleted at any time and is made anew from the store. The vectors are held once more in a
table, because the graph gives them out one by one.
"""

import hashlib
import os
import threading
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from emberkeep.storage.half_vectors import HalfVectors
from emberkeep.storage.search import Floats, Rows, Scores, ShelfKey

# Measured in docs/benchmarks.md: with these the ten best of 100,000 are those of an exact search, 995 times in 1,000.
CONNECTIVITY = 16
EFFORT_TO_ADD = 128
EFFORT_TO_SEARCH = 48
BUILD_CHUNK = 1_024


class UsearchShelf:
    """A half-precision HNSW graph."""

    needs_vectors = True

    def __init__(self, key: ShelfKey, folder: Path | None) -> None:
        self._key = key
        self._file = None if folder is None else folder / f"{key.space}-{key.shelf}.usearch"
        self._lock = threading.Lock()
        self._vectors = HalfVectors(key.dimension)

    @cached_property
    def _index(self) -> Any:
        return self._empty()

    def build(self, keys: Rows, vectors: Floats, stop: threading.Event) -> bool:
        """Add everything to a new graph, in chunks, then put it in place."""
        index = self._empty()
        for start in range(0, len(keys), BUILD_CHUNK):
            if stop.is_set():
                return False
            index.add(keys[start : start + BUILD_CHUNK].astype(np.uint64), vectors[start : start + BUILD_CHUNK])
        held = HalfVectors(self._key.dimension, len(keys))
        held.put(keys, vectors)
        with self._lock:
            self._index, self._vectors = index, held
        return True

    def load(self) -> bool:
        """Read the file, if there is a whole one for this dimension."""
        if self._file is None or not self._file.exists():
            return False
        if not self._is_whole(self._file):  # loading what a power cut left of it could end the process
            self.discard()
            return False
        index = self._empty()
        try:
            index.load(str(self._file))
        except RuntimeError:  # cut short or of another version: a cache that is of no use
            self.discard()
            return False
        if index.ndim != self._key.dimension:
            return False
        self._index, self._vectors = index, _vectors_of(index)
        return True

    def missing(self, keys: Rows) -> Rows:
        """Which keys are not in the graph."""
        absent: Rows = keys[~self._vectors.have(keys)]
        return absent

    def put(self, keys: Rows, vectors: Floats) -> None:
        """Add vectors that are not in the graph yet."""
        with self._lock:
            self._index.add(keys.astype(np.uint64), vectors)
            self._vectors.put(keys, vectors)

    def nearest(self, query: Floats, count: int) -> tuple[Rows, Scores]:
        """The nearest by the graph."""
        matches = self._index.search(query, count, threads=1)
        return np.asarray(matches.keys).astype(np.int64), (1.0 - np.asarray(matches.distances)).astype(np.float32)

    def similarity(self, query: Floats, keys: Rows) -> Scores:
        """From the table."""
        return self._vectors.similarity(query, keys)

    def memory(self) -> int:
        """The table, and the graph, which holds the vectors too."""
        return 2 * self._vectors.memory()

    def save(self, keys: Rows, *, tidy: bool) -> bool:
        """Write the file in one step, so that a reader never sees half of it."""
        if self._file is None or (len(self._vectors) > len(keys) and not tidy):
            return False
        if len(self._vectors) > len(keys):
            self.build(keys, self._vectors.take(keys).astype(np.float32), threading.Event())
        self._file.parent.mkdir(exist_ok=True)
        draft = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            with self._lock:
                self._index.save(str(draft))
            with draft.open("rb") as written:
                os.fsync(written.fileno())
                digest = hashlib.file_digest(written, "blake2b").hexdigest()
            self._sum(self._file).write_text(digest)
            draft.replace(self._file)
        except FileNotFoundError:  # discarded meanwhile, because something was deleted
            return False
        finally:
            draft.unlink(missing_ok=True)
        return True

    def discard(self) -> None:
        """Delete the file, and drafts of it that a killed process left."""
        if self._file is not None:
            for file in (self._file, self._sum(self._file), *self._file.parent.glob(f"{self._file.stem}.*.tmp")):
                file.unlink(missing_ok=True)

    @staticmethod
    def _sum(file: Path) -> Path:
        return file.with_suffix(".sum")

    def _is_whole(self, file: Path) -> bool:
        """Whether the file is as it was written, by the sum that was written before it was put in place."""
        try:
            with file.open("rb") as saved:
                return hashlib.file_digest(saved, "blake2b").hexdigest() == self._sum(file).read_text()
        except (OSError, UnicodeDecodeError):
            return False

    def _empty(self) -> Any:
        from usearch.index import Index  # noqa: PLC0415 - most stores never need it

        return Index(
            ndim=self._key.dimension,
            metric="cos",
            dtype="f16",
            connectivity=CONNECTIVITY,
            expansion_add=EFFORT_TO_ADD,
            expansion_search=EFFORT_TO_SEARCH,
        )


def _vectors_of(index: Any) -> HalfVectors:
    held = HalfVectors(index.ndim, len(index))
    keys = np.sort(np.asarray(index.keys[:]).astype(np.int64))
    for start in range(0, len(keys), BUILD_CHUNK):
        some = keys[start : start + BUILD_CHUNK]
        held.put(some, np.concatenate(index.get(some.astype(np.uint64))).reshape(len(some), -1))
    return held
