"""An embedder that needs no model: texts with words in common get similar vectors."""

import hashlib
from collections.abc import Sequence

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.errors import ModelUnavailable
from emberkeep.providers.base import Vectors


class WordEmbedder:
    """Adds up a fixed random vector for each word. Set `down` to make it fail like a model that cannot be reached."""

    def __init__(self, name: str = "words", dimension: int = 64) -> None:
        self.name = name
        self.dimension = dimension
        self.down = False
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:  # noqa: ARG002
        """Return one vector per text; the texts are added to `embedded`."""
        if self.down:
            raise ModelUnavailable(f"{self.name} is down")
        self.embedded += texts
        return np.array([self._vector(text) for text in texts], np.float32).reshape(len(texts), self.dimension)

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """Return the vector of a query."""
        vector: Vectors = self.embed([text], deadline=deadline)[0]
        return vector

    def _vector(self, text: str) -> Vectors:
        vector: Vectors = np.full(self.dimension, 1e-6, np.float32)
        for word in text.casefold().split():
            seed = int.from_bytes(hashlib.sha256(word.strip(".,!?:").encode()).digest()[:8], "big")
            vector += np.random.default_rng(seed).normal(size=self.dimension).astype(np.float32)
        unit: Vectors = vector / np.linalg.norm(vector)
        return unit
