"""Chroma, in this process and in RAM: a collection for each conversation."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any
from uuid import uuid4

from emberkeep.bench.contender import DEPTH, Found, Opened
from emberkeep.bench.dataset import Message, Question, Store
from emberkeep.errors import ConfigError
from emberkeep.providers.base import Embedder


class Chroma:
    """A `Contender` that ranks by cosine similarity alone."""

    def __init__(self, embedder: Embedder) -> None:
        if find_spec("chromadb") is None:
            raise ConfigError("Chroma is not installed: pip install 'emberkeep[bench]'")
        self._embedder = embedder

    @property
    def names(self) -> tuple[str, ...]:
        """A single way of asking."""
        return ("chroma",)

    @contextmanager
    def opened(self, dataset: str, store: Store) -> Iterator[Opened]:  # noqa: ARG002 - each has a name of its own
        """A collection for one conversation."""
        client = _client()
        collection = client.create_collection(
            f"bench-{uuid4().hex}",
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine"}},
        )

        def keep(session: str, messages: Sequence[Message]) -> None:
            said = [message.spoken for message in messages]
            collection.add(
                ids=[message.id for message in messages],
                documents=said,
                embeddings=self._embedder.embed(said),
                metadatas=[{"session": session, "time": message.time.isoformat()} for message in messages],
            )

        def ask(question: Question) -> list[Found]:
            vector = self._embedder.embed_query(question.text)
            found = collection.query(query_embeddings=[vector], n_results=DEPTH)
            rows = zip(found["ids"][0], found["documents"][0], found["distances"][0], strict=True)
            return [Found(text, 1 - distance, (message_id,)) for message_id, text, distance in rows]

        try:
            yield Opened(keep, {"chroma": ask})
        finally:
            client.delete_collection(collection.name)


def persistent_client(folder: str) -> Any:
    """A Chroma client whose data is in a folder."""
    chromadb, settings = _imported()
    return chromadb.PersistentClient(folder, settings)


def _client() -> Any:
    chromadb, settings = _imported()
    return chromadb.EphemeralClient(settings)


def _imported() -> tuple[Any, Any]:
    """The chromadb module, and settings that turn its telemetry off."""
    os.environ["ANONYMIZED_TELEMETRY"] = "False"
    import chromadb  # noqa: PLC0415 - an extra
    from chromadb.config import Settings  # noqa: PLC0415

    return chromadb, Settings(anonymized_telemetry=False)
