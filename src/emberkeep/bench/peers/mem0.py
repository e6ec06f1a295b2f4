"""Mem0 with its own Qdrant in a temporary folder; without a language model, so each message is kept unchanged.

It searches by vectors alone: its keyword index and its entities need models that it would download.
"""

import gc
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Any

from emberkeep.bench.contender import DEPTH, Found, Opened
from emberkeep.bench.dataset import Message, Question, Store
from emberkeep.errors import ConfigError
from emberkeep.model.message import side_of
from emberkeep.providers.base import Embedder
from emberkeep.providers.mem0 import import_mem0

_USER = "bench"


class Mem0:
    """A `Contender` that runs Mem0 on vectors alone."""

    def __init__(self, embedder: Embedder) -> None:
        if find_spec("mem0") is None:
            raise ConfigError("Mem0 is not installed: pip install 'emberkeep[bench]'")
        self._embedder = embedder

    @property
    def names(self) -> tuple[str, ...]:
        """A single way of asking."""
        return ("mem0",)

    @contextmanager
    def opened(self, dataset: str, store: Store) -> Iterator[Opened]:  # noqa: ARG002 - each has a folder of its own
        """A memory for one conversation."""
        message_of: dict[str, str] = {}
        with _memory(self._embedder) as memory:

            def keep(session: str, messages: Sequence[Message]) -> None:
                said = [{"role": side_of(message.role) or "user", "content": message.spoken} for message in messages]
                kept = memory.add(said, user_id=_USER, run_id=session, infer=False)["results"]
                message_of.update({one["id"]: message.id for one, message in zip(kept, messages, strict=True)})

            def ask(question: Question) -> list[Found]:
                found = memory.search(question.text, filters={"user_id": _USER}, top_k=DEPTH, threshold=0.0)
                return [Found(one["memory"], one["score"], (message_of[one["id"]],)) for one in found["results"]]

            yield Opened(keep, {"mem0": ask})


class _Same:
    """Emberkeep's embedder with the interface of Mem0's."""

    def __init__(self, embedder: Embedder, config: Any) -> None:
        self.config = config
        self._embedder = embedder

    def embed(self, text: str, action: str | None = None) -> list[float]:
        """The vector of a text, or of a question."""
        made = self._embedder.embed_query(text) if action == "search" else self._embedder.embed([text])[0]
        vector: list[float] = made.tolist()
        return vector

    def embed_batch(self, texts: Sequence[str], action: str | None = None) -> list[list[float]]:
        """The vectors of several texts."""
        return [self.embed(text, action) for text in texts]


@contextmanager
def _memory(embedder: Embedder) -> Iterator[Any]:
    with TemporaryDirectory(prefix="emberkeep-bench-") as folder:
        memory = open_memory(folder, embedder, history=":memory:")
        try:
            yield memory
        finally:
            close_memory(memory)


def open_memory(folder: str, embedder: Embedder, *, history: str) -> Any:
    """A Mem0 with its Qdrant in a folder and Emberkeep's embedder."""
    unused = {"provider": "openai", "config": {"api_key": "not-used"}}  # neither model is ever called
    store = {"path": f"{folder}/qdrant", "embedding_model_dims": embedder.dimension, "on_disk": True}
    config = {
        "llm": unused,
        "embedder": unused,
        "vector_store": {"provider": "qdrant", "config": store},
        "history_db_path": history,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # from Qdrant, which never closes a database
        memory = _memory_class(folder).from_config(config)
        gc.collect()
    memory.vector_store._bm25_encoder = False  # noqa: SLF001 - a model that Mem0 would download
    memory.embedding_model = _Same(embedder, memory.embedding_model.config)
    return memory


def close_memory(memory: Any) -> None:
    """Close Mem0 and its store, which it leaves open itself."""
    memory.close()
    memory.vector_store.client.close()


def _memory_class(folder: str) -> Any:
    """Mem0's `Memory` class, with `MEM0_DIR` set during the import, when Mem0 writes a file to that folder."""
    former = os.environ.get("MEM0_DIR")
    os.environ["MEM0_DIR"] = folder
    try:
        return import_mem0()
    finally:
        if former is None:
            del os.environ["MEM0_DIR"]
        else:
            os.environ["MEM0_DIR"] = former
