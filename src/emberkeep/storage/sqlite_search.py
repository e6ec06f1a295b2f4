"""Approximate search over a large shelf beside SQLite: a graph in this process, saved in files.

The files are a cache: they can be deleted at any time, and are built anew from the store. They are mapped, not read, so
that a large shelf can be searched as soon as the store is open. Vectors that are added later are held apart until all
are saved again: a query is compared with each of them while they are few, and a second graph holds them when they are
many.
"""

import os
import threading
from pathlib import Path

import numpy as np

from emberkeep.storage import array_file, index_files
from emberkeep.storage.array_file import Arrays, summed
from emberkeep.storage.graph import CHUNK, Graph
from emberkeep.storage.search import Floats, Rows, Scores, ShelfKey

EXACT_UP_TO = 10_000  # vectors added since the graph was saved; for more, a second graph is built


class UsearchShelf:
    """A half-precision HNSW graph; if that is mapped from a file, a second one for vectors added since."""

    needs_vectors = True

    def __init__(self, key: ShelfKey, folder: Path | None) -> None:
        self._key = key
        self._file = None if folder is None else folder / f"{key.space}-{key.shelf}.usearch"
        self._lock = threading.Lock()
        self._graphs: tuple[Graph, ...] = ()

    def build(self, keys: Rows, vectors: Floats, stop: threading.Event) -> bool:
        """Add all vectors to a new graph, in chunks, then put it in place; returns False if `stop` was set first."""
        graph = Graph(self._key.dimension, room=len(keys))
        for start in range(0, len(keys), CHUNK):
            if stop.is_set():
                return False
            graph.add(keys[start : start + CHUNK], vectors[start : start + CHUNK])
        with self._lock:
            self._graphs = (graph,)
        return True

    def load(self) -> bool:
        """Map the saved files, if they are intact and of this dimension; returns whether they are."""
        graph = self._saved(mapped=True)
        if graph is not None:
            self._graphs = (graph,)
        return graph is not None

    def missing(self, keys: Rows) -> Rows:
        """Return those of these keys that are in none of the graphs."""
        for graph in self._graphs:
            keys = keys[~graph.vectors.have(keys)]
        return keys

    def put(self, keys: Rows, vectors: Floats) -> None:
        """Add vectors that are in none of the graphs yet."""
        with self._lock:
            if not self._graphs or self._graphs[-1].is_mapped:
                self._graphs += (Graph(self._key.dimension, exact_up_to=EXACT_UP_TO),)
            self._graphs[-1].add(keys, vectors)

    def nearest(self, query: Floats, count: int) -> tuple[Rows, Scores]:
        """Return approximately the nearest keys, found by the graphs."""
        found = [graph.nearest(query, count) for graph in self._graphs]
        if len(found) == 1:
            return found[0]
        keys, scores = (np.concatenate(parts) for parts in zip(*found, strict=True))
        best = np.argsort(-scores, kind="stable")[:count]
        return keys[best], scores[best]

    def similarity(self, query: Floats, keys: Rows) -> Scores:
        """Return the cosine with each of these keys, from the tables; NaN for a key that is in none."""
        scores = np.full(len(keys), np.nan, np.float32)
        for graph in self._graphs:
            held = graph.vectors.have(keys)
            scores[held] = graph.vectors.similarity(query, keys[held])
        return scores

    def memory(self) -> int:
        """Return about how many bytes it takes: the tables, and as much for the graphs, which hold the vectors too."""
        return sum(2 * graph.vectors.memory() for graph in self._graphs)

    def save(self, keys: Rows, *, tidy: bool) -> bool:
        """Write the files, each in one step, so that a reader never sees half of one."""
        if self._file is None:
            return False
        graph = self._whole(keys, tidy=tidy)
        if graph is None:
            return False
        self._file.parent.mkdir(mode=0o700, exist_ok=True)  # for its owner alone: names and vectors are private
        draft = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            with self._lock:
                graph.save(draft)
                with draft.open("rb") as written:
                    os.fsync(written.fileno())
                    sum_of_graph = summed(written, draft.stat().st_size)
                graph.save_table(index_files.table_file(self._file), of=sum_of_graph)
            index_files.sum_file(self._file).write_text(sum_of_graph.hex())
            draft.replace(self._file)
        except FileNotFoundError:  # discarded meanwhile, after a deletion
            return False
        finally:
            draft.unlink(missing_ok=True)
        return True

    def keep(self, state: Arrays) -> None:
        """Write everything else that the index of the shelf holds to a file of its own."""
        if self._file is not None:
            array_file.write(index_files.state_file(self._file), state)

    def kept(self) -> Arrays | None:
        """Return what is in that file; `None` if it does not exist or is damaged."""
        return None if self._file is None else array_file.read(index_files.state_file(self._file))

    def discard(self) -> None:
        """Delete the files, and drafts of them that a killed process left."""
        if self._file is not None:
            index_files.remove(self._file.parent, self._file.stem)

    def _whole(self, keys: Rows, *, tidy: bool) -> Graph | None:
        """Return one graph of exactly these keys, with `tidy` rebuilt if it has others; `None` if that cannot be."""
        if len(self._graphs) > 1:
            self._join()
        if len(self.missing(keys)) or (len(self._graphs[0]) > len(keys) and not tidy):
            return None
        if len(self._graphs[0]) > len(keys):
            self.build(keys, self._graphs[0].vectors.take(keys).astype(np.float32), threading.Event())
        return self._graphs[0]

    def _join(self) -> None:
        """Make one graph of the saved one, read into memory for that, and of the vectors added since."""
        graph = self._saved(mapped=False) or Graph(self._key.dimension, room=len(self._graphs[0]))
        for part in self._graphs:
            for start in range(0, len(part), CHUNK):
                keys = part.vectors.keys[start : start + CHUNK]
                keys = keys[~graph.vectors.have(keys)]
                if len(keys):
                    graph.add(keys, part.vectors.take(keys).astype(np.float32))
        with self._lock:
            self._graphs = (graph,)

    def _saved(self, *, mapped: bool) -> Graph | None:
        """Return the saved graph, mapped or read into memory; `None` if there is none that is intact."""
        if self._file is None or not self._file.exists():
            return None
        checksum = index_files.sum_if_whole(self._file)
        if checksum is None:  # loading what, say, a power cut left of it could crash the process
            self.discard()
            return None
        table = index_files.table_file(self._file)
        graph = Graph.load(self._key.dimension, self._file, table, of=checksum, mapped=mapped)
        is_same = index_files.sum_if_whole(self._file) == checksum  # if not, another process has replaced it meanwhile
        return graph if is_same else None
