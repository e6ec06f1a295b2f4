"""Chroma in a comparison: a collection in a folder, vectors compared by their cosine."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from emberkeep.bench.compare.entrant import DEPTH, Kept, Note
from emberkeep.bench.dataset import Question
from emberkeep.bench.peers.chroma import persistent_client
from emberkeep.providers.base import Embedder


class Chroma:
    """A `Kept` over a Chroma collection."""

    def __init__(self, collection: Any, embedder: Embedder) -> None:
        self._collection = collection
        self._embedder = embedder

    @property
    def version(self) -> str:
        """Chroma's version."""
        return version("chromadb")

    def add(self, notes: Sequence[Note]) -> None:
        """Keep the notes in a single `add`."""
        said = [note.message.spoken for note in notes]
        self._collection.add(
            ids=[f"{note.user}/{note.message.id}" for note in notes],
            documents=said,
            embeddings=self._embedder.embed(said),
            metadatas=[
                {"user": one.user, "session": one.message.session, "time": one.message.time.isoformat()}
                for one in notes
            ],
        )

    def find(self, user: str, question: Question) -> list[str]:
        """The nearest documents of the user."""
        vector = self._embedder.embed_query(question.text)
        found = self._collection.query(query_embeddings=[vector], n_results=DEPTH, where={"user": user})
        return [one.removeprefix(f"{user}/") for one in found["ids"][0]]

    def held(self) -> set[str]:
        """The texts of all documents."""
        return set(self._collection.get(include=["documents"])["documents"])

    def close(self) -> None:
        """Do nothing: Chroma's client has no `close`."""


def open_chroma(place: str, embedder: Embedder) -> Kept:
    """Open a collection in a folder."""
    collection = persistent_client(place).get_or_create_collection(
        "memories", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    return Chroma(collection, embedder)
