"""Fits the vectors of a small model into a store made for longer ones."""

from collections.abc import Sequence

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError
from emberkeep.providers.base import (
    Embedder,
    Vectors,
    WordVectors,
    embed_query_words,
    embed_words,
    has_words,
    reads,
    unrelated_to,
)

_MARK = "+pad"


def padded_to(name: str, inner: str) -> int:
    """The padded length if `name` is that of a `PaddedEmbedder` around the embedder named `inner`; else 0."""
    length = name.removeprefix(f"{inner}{_MARK}")
    return int(length) if length != name and length.isdecimal() else 0


class PaddedEmbedder:
    """Another embedder's vectors with zeros appended, which changes neither angles nor lengths."""

    def __init__(self, inner: Embedder, dimension: int) -> None:
        if dimension < inner.dimension:
            raise ConfigError(
                f"{inner.name} gives {inner.dimension} dimensions, which do not fit in {dimension}: "
                f"set the dimension to {inner.dimension} or more"
            )
        self.inner = inner
        self._dimension = dimension

    @property
    def name(self) -> str:
        """Identifies the vector space: the inner embedder's name and the padded length."""
        return f"{self.inner.name}{_MARK}{self._dimension}"

    @property
    def dimension(self) -> int:
        """How long each vector is, zeros included."""
        return self._dimension

    @property
    def unrelated(self) -> float:
        """The median cosine of two unrelated statements: the inner embedder's."""
        return unrelated_to(self.inner)

    def reads(self, text: str) -> bool:
        """Whether the inner embedder was made for texts like this."""
        return reads(self.inner, text)

    @property
    def has_words(self) -> bool:
        """Whether the inner embedder gives vectors of words."""
        return has_words(self.inner)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector per text, in order."""
        return self._pad(self.inner.embed(texts, deadline=deadline))

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question."""
        return self._pad(self.inner.embed_query(text, deadline=deadline))

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        """One unit vector per text, in order, and the vectors of each text's words, which are not padded."""
        vectors, words = embed_words(self.inner, texts, deadline)
        return self._pad(vectors), words

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> tuple[Vectors, WordVectors | None]:
        """The unit vector of a question, and the vectors of its words, which are not padded."""
        vector, words = embed_query_words(self.inner, text, deadline)
        return self._pad(vector), words

    def _pad(self, vectors: Vectors) -> Vectors:
        padded = np.zeros((*vectors.shape[:-1], self._dimension), dtype=np.float32)
        padded[..., : vectors.shape[-1]] = vectors
        return padded
