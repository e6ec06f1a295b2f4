"""Embedders for made-up memories (`emberkeep.bench.texts`): the real model with a cache on disk, and cheap ones."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from emberkeep.bench.texts import Texts
from emberkeep.clock import Deadline
from emberkeep.providers.base import Vectors, WordVectors
from emberkeep.providers.local_embedder import LocalEmbedder

__all__ = ["KeptEmbedder", "MixedEmbedder", "SummedEmbedder", "Texts"]

KEPT = Path(__file__).parent.parent / ".cache" / "benchmarks"


class KeptEmbedder:
    """The real model, with a cache on disk of the vectors from earlier runs."""

    name = "kept"
    dimension = 384
    has_words = True

    def __init__(self, real: LocalEmbedder) -> None:
        self._real = real

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        return self.embed_words(texts, deadline=deadline)[0]

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        file = KEPT / f"{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:24]}.npz"
        if not file.exists():
            made, words = self._real.embed_words(texts, deadline=deadline)
            said = [one for one in words if one is not None]
            KEPT.mkdir(parents=True, exist_ok=True)
            np.savez(
                file,
                vectors=made,
                ends=np.cumsum([len(one.terms) for one in said]),
                terms=np.array([term for one in said for term in one.terms], np.uint64),
                words=np.concatenate([one.vectors for one in said]).astype(np.float16),
            )
        with np.load(file) as kept:
            ends = kept["ends"][:-1]
            each = zip(np.split(kept["terms"], ends), np.split(kept["words"].astype(np.float32), ends), strict=True)
            return kept["vectors"], [WordVectors(tuple(terms.tolist()), vectors) for terms, vectors in each]

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        return self._real.embed_query(text, deadline=deadline)

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> tuple[Vectors, WordVectors | None]:
        return self._real.embed_query_words(text, deadline=deadline)


class MixedEmbedder:
    """Random mixtures of real vectors, for a million memories that are never searched for."""

    name = "mixed"
    dimension = 384

    def __init__(self, real: LocalEmbedder, texts: Texts) -> None:
        self._real = real
        self._bases = real.embed(texts.memories(1_000))
        self._random = np.random.default_rng(1)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        first, second = self._random.integers(0, len(self._bases), (2, len(texts)))
        mixed = self._bases[first] + 0.5 * self._bases[second]
        unit: Vectors = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
        return unit

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        return self._real.embed_query(text, deadline=deadline)


class SummedEmbedder:
    """Sums of a fixed random vector per word, 50,000 texts a second: for measures that depend only on the numbers."""

    name = "summed"
    dimension = 384

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._directions = np.empty((1_024, self.dimension), np.float32)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        words = [text.casefold().split() for text in texts]
        rows = [self._row(word) for of_text in words for word in of_text]
        ends = np.cumsum([len(of_text) for of_text in words])
        summed = np.add.reduceat(self._directions[rows], [0, *ends[:-1]])
        unit: Vectors = summed / np.linalg.norm(summed, axis=1, keepdims=True)
        return unit

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        vector: Vectors = self.embed([text])[0]
        return vector

    def _row(self, word: str) -> int:
        row = self._rows.get(word)
        if row is None:
            row = self._rows[word] = len(self._rows)
            if row == len(self._directions):
                self._directions = np.concatenate([self._directions, np.empty_like(self._directions)])
            self._directions[row] = np.random.default_rng(crc32(word.encode())).normal(size=self.dimension)
        return row
