"""Vectors that are computed and timed once, and looked up by every store, so that only the stores are compared."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from emberkeep.bench.measures import percentile
from emberkeep.clock import Deadline
from emberkeep.errors import InvalidInput
from emberkeep.providers.base import (
    Embedder,
    Vectors,
    WordVectors,
    embed_query_words,
    embed_words,
    has_words,
    reads,
)

Made = tuple[Vectors, WordVectors | None]


class Recorder:
    """An `Embedder` that records the vectors of the real one, and how long they took."""

    def __init__(self, real: Embedder) -> None:
        self._real = real
        self._texts: dict[str, Made] = {}
        self._queries: dict[str, Made] = {}
        self._seconds = 0.0
        self._asking: list[float] = []

    @property
    def name(self) -> str:
        """The real embedder's name."""
        return self._real.name

    @property
    def dimension(self) -> int:
        """The real embedder's dimension."""
        return self._real.dimension

    @property
    def per_second(self) -> float:
        """The number of texts embedded per second."""
        return len(self._texts) / self._seconds if self._seconds else 0.0

    @property
    def query_ms(self) -> float:
        """The median time of embedding a question."""
        return percentile(self._asking, 50) * 1_000 if self._asking else 0.0

    @property
    def has_words(self) -> bool:
        """Whether the real embedder gives word vectors."""
        return has_words(self._real)

    def reads(self, text: str) -> bool:
        """Whether the real embedder was made for texts like this."""
        return reads(self._real, text)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """The vectors of texts, each computed only once."""
        return self.embed_words(texts, deadline=deadline)[0]

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The vector of a question."""
        return self.embed_query_words(text, deadline=deadline)[0]

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        """The vectors of texts, and of their words."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._texts]
        if fresh:
            began = time.perf_counter()
            made = embed_words(self._real, fresh, deadline)
            self._seconds += time.perf_counter() - began
            self._texts.update(zip(fresh, zip(*made, strict=True), strict=True))
        known = [self._texts[text] for text in texts]
        return _stacked([vector for vector, _ in known], self.dimension), [words for _, words in known]

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> Made:
        """The vector of a question, and of its words."""
        if text not in self._queries:
            began = time.perf_counter()
            self._queries[text] = embed_query_words(self._real, text, deadline)
            self._asking.append(time.perf_counter() - began)
        return self._queries[text]

    def write(self, file: Path, *, texts: bool = True) -> None:
        """Write the vectors to a file, only those of questions without `texts`; two files beside it index them.

        A `.json` file holds the texts in order, a `.words.npz` file the word vectors if every text has them.
        """
        of_texts = self._texts if texts else {}
        made = [*of_texts.values(), *self._queries.values()]
        np.save(file, _stacked([vector for vector, _ in made], self.dimension))
        words = [word_vectors for _, word_vectors in made if word_vectors is not None]
        if words and len(words) == len(made):
            counts, terms = [len(one.terms) for one in words], [term for one in words for term in one.terms]
            vectors = np.concatenate([one.vectors for one in words])
            np.savez(_words(file), counts=counts, terms=np.array(terms, np.uint64), vectors=vectors)
        named = {"name": self.name, "texts": list(of_texts), "queries": list(self._queries)}
        _names(file).write_text(json.dumps(named), encoding="utf-8")


class Known:
    """An `Embedder` that looks up the vectors that a `Recorder` wrote; any other text raises `InvalidInput`."""

    def __init__(self, file: Path) -> None:
        self._vectors: Vectors = np.load(file)
        self._words = _read_words(file)
        named = json.loads(_names(file).read_text(encoding="utf-8"))
        self.name: str = named["name"]
        self._texts = _rows(named["texts"], 0)
        self._queries = _rows(named["queries"], len(named["texts"]))

    @property
    def dimension(self) -> int:
        """How long each vector is."""
        return int(self._vectors.shape[1])

    @property
    def has_words(self) -> bool:
        """Whether the real embedder gave word vectors."""
        return bool(self._words)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:  # noqa: ARG002
        """The vectors of texts."""
        return self._vectors[[_row(self._texts, text) for text in texts]]

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:  # noqa: ARG002
        """The vector of a question."""
        vector: Vectors = self._vectors[_row(self._queries, text)]
        return vector

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        """The vectors of texts, and of their words."""
        return self.embed(texts, deadline=deadline), [self._words[_row(self._texts, text)] for text in texts]

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> Made:
        """The vector of a question, and of its words."""
        return self.embed_query(text, deadline=deadline), self._words[_row(self._queries, text)]


def _rows(texts: Sequence[str], first: int) -> dict[str, int]:
    """The row of each text's vector; also for the text without outer spaces, which some stores strip."""
    rows = {text: row for row, text in enumerate(texts, first)}
    return {text.strip(): row for text, row in rows.items()} | rows


def _row(rows: dict[str, int], text: str) -> int:
    try:
        return rows[text]
    except KeyError:
        raise InvalidInput(f"no vector was made ahead for {text[:80]!r}: report it, with the data") from None


def _names(file: Path) -> Path:
    return file.with_suffix(".json")


def _words(file: Path) -> Path:
    return file.with_suffix(".words.npz")


def _read_words(file: Path) -> list[WordVectors]:
    """The word vectors of each text and question, in order; empty if the real embedder gave none."""
    if not _words(file).exists():
        return []
    with np.load(_words(file)) as kept:
        ends = np.cumsum(kept["counts"])[:-1]
        terms, vectors = np.split(kept["terms"], ends), np.split(kept["vectors"], ends)
    return [WordVectors(tuple(of_text.tolist()), rows) for of_text, rows in zip(terms, vectors, strict=True)]


def _stacked(rows: Sequence[Vectors], dimension: int) -> Vectors:
    return np.stack(rows).astype(np.float32) if rows else np.empty((0, dimension), np.float32)
