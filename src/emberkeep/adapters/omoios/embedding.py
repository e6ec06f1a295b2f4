"""OmoiOS's embedding service: vectors of 1,536 dimensions, from a local model or OpenAI's."""

import os
from collections.abc import Sequence
from enum import StrEnum

from emberkeep.errors import ConfigError
from emberkeep.providers.base import Embedder
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.providers.openai_embedder import OpenAIEmbedder
from emberkeep.providers.padding import PaddedEmbedder

DIMENSIONS = 1536
OPENAI_MODEL = "text-embedding-3-small"


class EmbeddingProvider(StrEnum):
    """The source of vectors: a model on this machine, or OpenAI's."""

    LOCAL = "local"
    OPENAI = "openai"


class EmbeddingService:
    """Makes vectors of 1,536 dimensions; those of the local model are padded with zeros."""

    def __init__(
        self,
        provider: EmbeddingProvider | str | None = None,
        openai_api_key: str | None = None,
        base_url: str = "https://api.openai.com/v1",
    ) -> None:
        named = provider or os.environ.get("EMBEDDING_PROVIDER") or EmbeddingProvider.LOCAL
        try:
            self.provider = EmbeddingProvider(named)
        except ValueError:
            raise ConfigError(f"EMBEDDING_PROVIDER is {named!r}: use local or openai") from None
        self.dimensions = DIMENSIONS
        self.embedder: Embedder
        if self.provider is EmbeddingProvider.LOCAL:
            self.embedder = PaddedEmbedder(LocalEmbedder(), DIMENSIONS)
            self.model_name = "sentence-transformers/all-MiniLM-L6-v2"
            return
        key = openai_api_key or os.environ.get("OPENAI_API_KEY")
        if not key:
            raise ConfigError("the openai provider needs a key: pass openai_api_key, or set OPENAI_API_KEY")
        self.embedder = OpenAIEmbedder(base_url=base_url, model=OPENAI_MODEL, api_key=key, dimension=DIMENSIONS)
        self.model_name = OPENAI_MODEL

    def generate_embedding(self, text: str) -> list[float]:
        """The vector of a text."""
        return self.generate_embeddings([text])[0]

    def generate_embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of several texts."""
        return [[float(number) for number in row] for row in self.embedder.embed(list(texts))] if texts else []
