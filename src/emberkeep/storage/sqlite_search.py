"""Approximate search over a large shelf beside SQLite: a graph in this process, kept in files.

The files are a cache: they can be deleted at any time and are made anew from the store. They are mapped, not read, so a
large shelf answers as soon as the store is open. What comes afterwards is held beside it until all is saved again,
to be compared one by one while it is little, in a second graph when it is much.
"""

import os
import threading
from pathlib import Path

import numpy as np

from emberkeep.storage import array_file, index_files
from emberkeep.storage.array_file import Arrays, summed
from emberkeep.storage.graph import CHUNK, Graph
from emberkeep.storage.search import Floats, Rows, Scores, ShelfKey

EXACT_UP_TO = 10_000  # vectors that came since the graph was saved


class UsearchShelf:
    """A half-precision HNSW graph."""

    needs_vectors = True

    def __init__(self, key: ShelfKey, folder: Path | None) -> None:
        self._key = key
        self._file = None if folder is None else folder / f"{key.space}-{key.shelf}.usearch"
        self._lock = threading.Lock()
        self._graphs: tuple[Graph, ...] = ()

    def build(self, keys: Rows, vectors: Floats, stop: threading.Event) -> bool:
        """Add everything to a new graph, in chunks, then put it in place."""
        graph = Graph(self._key.dimension, room=len(keys))
        for start in range(0, len(keys), CHUNK):
            if stop.is_set():
                return False
            graph.add(keys[start : start + CHUNK], vectors[start : start + CHUNK])
        with self._lock:
            self._graphs = (graph,)
        return True

    def load(self) -> bool:
        """Take up the files, if there are whole ones for this dimension."""
        graph = self._saved(mapped=True)
        if graph is not None:
            self._graphs = (graph,)
        return graph is not None

    def missing(self, keys: Rows) -> Rows:
        """Which keys are not in the graphs."""
        for graph in self._graphs:
            keys = keys[~graph.vectors.have(keys)]
        return keys

    def put(self, keys: Rows, vectors: Floats) -> None:
        """Add vectors that are not in the graphs yet."""
        with self._lock:
            if not self._graphs or self._graphs[-1].is_mapped:
                self._graphs += (Graph(self._key.dimension, exact_up_to=EXACT_UP_TO),)
            self._graphs[-1].add(keys, vectors)

    def nearest(self, query: Floats, count: int) -> tuple[Rows, Scores]:
        """The nearest by the graphs."""
        found = [graph.nearest(query, count) for graph in self._graphs]
        if len(found) == 1:
            return found[0]
        keys, scores = (np.concatenate(parts) for parts in zip(*found, strict=True))
        best = np.argsort(-scores, kind="stable")[:count]
        return keys[best], scores[best]

    def similarity(self, query: Floats, keys: Rows) -> Scores:
        """From the tables."""
        scores = np.full(len(keys), np.nan, np.float32)
        for graph in self._graphs:
            held = graph.vectors.have(keys)
            scores[held] = graph.vectors.similarity(query, keys[held])
        return scores

    def memory(self) -> int:
        """The tables, and the graphs, which hold the vectors too."""
        return sum(2 * graph.vectors.memory() for graph in self._graphs)

    def save(self, keys: Rows, *, tidy: bool) -> bool:
        """Write the files, each in one step, so that a reader never sees half of one."""
        if self._file is None:
            return False
        whole = self._whole(keys, tidy=tidy)
        if whole is None:
            return False
        self._file.parent.mkdir(mode=0o700, exist_ok=True)  # names and vectors of what is remembered
        draft = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            with self._lock:
                whole.save(draft)
                with draft.open("rb") as written:
                    os.fsync(written.fileno())
                    sum_of_graph = summed(written, draft.stat().st_size)
                whole.save_table(index_files.table_file(self._file), of=sum_of_graph)
            index_files.sum_file(self._file).write_text(sum_of_graph.hex())
            draft.replace(self._file)
        except FileNotFoundError:  # discarded meanwhile, because something was deleted
            return False
        finally:
            draft.unlink(missing_ok=True)
        return True

    def keep(self, state: Arrays) -> None:
        """Write a file more, for what else the index of the shelf holds."""
        if self._file is not None:
            array_file.write(index_files.state_file(self._file), state)

    def kept(self) -> Arrays | None:
        """What is in that file."""
        return None if self._file is None else array_file.read(index_files.state_file(self._file))

    def discard(self) -> None:
        """Delete the files, and drafts of them that a killed process left."""
        if self._file is not None:
            index_files.remove(self._file.parent, self._file.stem)

    def _whole(self, keys: Rows, *, tidy: bool) -> Graph | None:
        """One graph of just these keys, if it is there or may be built."""
        if len(self._graphs) > 1:
            self._join()
        if len(self.missing(keys)) or (len(self._graphs[0]) > len(keys) and not tidy):
            return None
        if len(self._graphs[0]) > len(keys):
            self.build(keys, self._graphs[0].vectors.take(keys).astype(np.float32), threading.Event())
        return self._graphs[0]

    def _join(self) -> None:
        """Add what came since to what was saved, read into memory for that."""
        graph = self._saved(mapped=False) or Graph(self._key.dimension, room=len(self._graphs[0]))
        for part in self._graphs:
            for start in range(0, len(part), CHUNK):
                some = part.vectors.keys[start : start + CHUNK]
                some = some[~graph.vectors.have(some)]
                if len(some):
                    graph.add(some, part.vectors.take(some).astype(np.float32))
        with self._lock:
            self._graphs = (graph,)

    def _saved(self, *, mapped: bool) -> Graph | None:
        if self._file is None or not self._file.exists():
            return None
        found = index_files.sum_if_whole(self._file)
        if found is None:  # loading what a power cut left of it could end the process
            self.discard()
            return None
        table = index_files.table_file(self._file)
        graph = Graph.load(self._key.dimension, self._file, table, of=found, mapped=mapped)
        is_same = index_files.sum_if_whole(self._file) == found  # else another process saved its own meanwhile
        return graph if is_same else None
