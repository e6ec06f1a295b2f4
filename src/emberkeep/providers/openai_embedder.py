"""Embeds with any server that speaks OpenAI's `/embeddings`."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emberkeep.clock import Deadline
from emberkeep.providers.base import Vectors
from emberkeep.providers.openai_http import Endpoint, earliest


class OpenAIEmbedder:
    """An `Embedder` that asks a server; safe to share between threads."""

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        dimension: int | None = None,
        timeout_s: float = 30.0,
        batch_size: int = 64,
        max_retries: int = 3,
    ) -> None:
        self._model = model
        self._dimension = dimension
        self._batch_size = batch_size
        self._timeout_s = timeout_s
        self._endpoint = Endpoint(
            base_url, "/embeddings", name=self.name, api_key=api_key, timeout_s=timeout_s, max_retries=max_retries
        )

    @property
    def name(self) -> str:
        """Identifies the vector space."""
        return f"openai:{self._model}"

    @property
    def dimension(self) -> int:
        """How long each vector is; asks the server when it was neither configured nor seen yet."""
        return self._dimension or self.embed(["dimension"]).shape[1]

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector per text, in order; raises `ModelUnavailable`."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        starts = range(0, len(texts), self._batch_size)
        batches = [list(texts[start : start + self._batch_size]) for start in starts]
        return np.concatenate([self._embed_batch(batch, deadline) for batch in batches])

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question; raises `ModelUnavailable`."""
        vector: Vectors = self.embed([text], deadline=deadline)[0]
        return vector

    def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        self._endpoint.close()

    def _embed_batch(self, texts: list[str], deadline: Deadline | None) -> Vectors:
        limit = earliest(Deadline.after(self._timeout_s), deadline)  # retries included
        reply = self._endpoint.ask({"model": self._model, "input": texts, "encoding_format": "float"}, limit)
        if not reply.ok:
            raise self._endpoint.refused(reply)
        try:
            vectors = _read_vectors(reply.body, len(texts))
        except (ValueError, RecursionError) as error:
            raise self._endpoint.nonsense(error, reply) from None
        self._check_dimension(vectors.shape[1])
        return vectors

    def _check_dimension(self, received: int) -> None:
        if self._dimension is None:
            self._dimension = received
        if received != self._dimension:
            raise self._endpoint.unavailable(
                f"vectors of {received} dimensions received, {self._dimension} expected: "
                f"set the dimension to {received}, or choose a model that gives {self._dimension}"
            )


def _read_vectors(body: bytes, expected: int) -> Vectors:
    """The unit vectors in a reply, in the order of their `index`; raises ValueError."""
    match json.loads(body):
        case {"data": list(items)} if len(items) == expected:
            rows = _in_order(items)
        case {"data": list(items)}:
            raise ValueError(f"{len(items)} vectors for {expected} texts")
        case _:
            raise ValueError("no list `data`")
    if len({len(row) for row in rows}) != 1:
        raise ValueError("vectors of different lengths")
    return _normalised(np.array(rows))


def _in_order(items: list[Any]) -> list[list[Any]]:
    rows: dict[int, list[Any]] = {}
    for item in items:
        match item:
            case {"index": int(index), "embedding": list(row)}:
                rows[index] = row
            case _:
                raise ValueError("an item without `index` and `embedding`")
    if sorted(rows) != list(range(len(items))):
        raise ValueError("`index` does not count from 0 to the last text")
    return [rows[index] for index in range(len(items))]


def _normalised(matrix: NDArray[Any]) -> Vectors:
    if matrix.dtype.kind not in "if" or matrix.ndim != 2:  # noqa: PLR2004 - a row a text
        raise ValueError("a vector of something else than numbers")
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ValueError("a vector that is zero or not finite")
    unit: Vectors = (matrix / lengths).astype(np.float32)
    return unit
