"""Vectors that are computed once, timed, and looked up by all who are compared: so it is the stores that are."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from emberkeep.bench.measures import percentile
from emberkeep.clock import Deadline
from emberkeep.errors import InvalidInput
from emberkeep.providers.base import Embedder, Vectors


class Recorder:
    """An `Embedder` that writes down what the real one gave, and how long that took."""

    def __init__(self, real: Embedder) -> None:
        self._real = real
        self._texts: dict[str, Vectors] = {}
        self._queries: dict[str, Vectors] = {}
        self._seconds = 0.0
        self._asking: list[float] = []

    @property
    def name(self) -> str:
        """The real one's."""
        return self._real.name

    @property
    def dimension(self) -> int:
        """The real one's."""
        return self._real.dimension

    @property
    def per_second(self) -> float:
        """How many texts were embedded in a second."""
        return len(self._texts) / self._seconds if self._seconds else 0.0

    @property
    def query_ms(self) -> float:
        """The median time of embedding a question."""
        return percentile(self._asking, 50) * 1_000 if self._asking else 0.0

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """The vectors of texts; those it has seen are not computed again."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._texts]
        if fresh:
            began = time.perf_counter()
            made = self._real.embed(fresh, deadline=deadline)
            self._seconds += time.perf_counter() - began
            self._texts.update(zip(fresh, made, strict=True))
        return _stacked([self._texts[text] for text in texts], self.dimension)

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The vector of a question."""
        if text not in self._queries:
            began = time.perf_counter()
            self._queries[text] = self._real.embed_query(text, deadline=deadline)
            self._asking.append(time.perf_counter() - began)
        return self._queries[text]

    def write(self, file: Path, *, texts: bool = True) -> None:
        """Write them down, or those of questions alone: in a file, and beside it which text has which."""
        of_texts = self._texts if texts else {}
        np.save(file, _stacked([*of_texts.values(), *self._queries.values()], self.dimension))
        named = {"name": self.name, "texts": list(of_texts), "queries": list(self._queries)}
        _names(file).write_text(json.dumps(named), encoding="utf-8")


class Known:
    """An `Embedder` that looks up what a `Recorder` wrote down, and knows nothing else."""

    def __init__(self, file: Path) -> None:
        self._vectors: Vectors = np.load(file)
        named = json.loads(_names(file).read_text(encoding="utf-8"))
        self.name: str = named["name"]
        self._texts = _rows(named["texts"], 0)
        self._queries = _rows(named["queries"], len(named["texts"]))

    @property
    def dimension(self) -> int:
        """How long each vector is."""
        return int(self._vectors.shape[1])

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:  # noqa: ARG002
        """The vectors of texts."""
        return self._vectors[[_row(self._texts, text) for text in texts]]

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:  # noqa: ARG002
        """The vector of a question."""
        vector: Vectors = self._vectors[_row(self._queries, text)]
        return vector


def _rows(texts: Sequence[str], first: int) -> dict[str, int]:
    """Where the vector of each text is; also without the space around it, which some take away."""
    rows = {text: row for row, text in enumerate(texts, first)}
    return {text.strip(): row for text, row in rows.items()} | rows


def _row(rows: dict[str, int], text: str) -> int:
    try:
        return rows[text]
    except KeyError:
        raise InvalidInput(f"no vector was made ahead for {text[:80]!r}: report it, with the data") from None


def _names(file: Path) -> Path:
    return file.with_suffix(".json")


def _stacked(rows: Sequence[Vectors], dimension: int) -> Vectors:
    return np.stack(rows).astype(np.float32) if rows else np.empty((0, dimension), np.float32)
