"""Embeds with any server that speaks OpenAI's `/embeddings`."""

import json
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray

from emberkeep.clock import Deadline, SystemClock
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.providers.base import Vectors

_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 60.0
_EXCERPT_LENGTH = 200


@dataclass(frozen=True, slots=True)
class _Setback:
    """Why an attempt failed that may succeed when repeated, after a pause if the server asked for one."""

    reason: str
    pause_s: float | None = None


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
        self._url = _embeddings_url(base_url)
        self._model = model
        self._api_key = _checked_key(api_key)
        self._dimension = dimension
        self._timeout_s = timeout_s
        self._batch_size = batch_size
        self._max_retries = max_retries
        self._connecting = threading.Lock()
        self._client: httpx.Client | None = None

    @property
    def name(self) -> str:
        """Identifies the vector space."""
        return f"openai:{self._model}"

    @property
    def dimension(self) -> int:
        """How long each vector is; asks the server when it was neither configured nor seen yet."""
        return self._dimension or self.embed(["dimension"]).shape[1]

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector a text, in order; raises `ModelUnavailable`."""
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
        with self._connecting:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _embed_batch(self, texts: list[str], deadline: Deadline | None) -> Vectors:
        body = self._ask(texts, deadline)
        try:
            vectors = _read_vectors(body, len(texts))
        except (ValueError, RecursionError) as error:
            raise self._unavailable(f"nonsense in the reply ({error}): {self._excerpt(body)}") from None
        self._check_dimension(vectors.shape[1])
        return vectors

    def _check_dimension(self, received: int) -> None:
        if self._dimension is None:
            self._dimension = received
        if received != self._dimension:
            raise self._unavailable(
                f"vectors of {received} dimensions received, {self._dimension} expected: "
                f"set the dimension to {received}, or choose a model that gives {self._dimension}"
            )

    def _ask(self, texts: list[str], deadline: Deadline | None) -> bytes:
        attempt = 1
        while isinstance(answer := self._attempt(texts, deadline), _Setback):
            pause_s = _pause_after(attempt) if answer.pause_s is None else answer.pause_s
            patience_s = _LONGEST_PAUSE_S if deadline is None else deadline.remaining()
            if attempt > self._max_retries or pause_s >= patience_s:
                raise self._unavailable(f"gave up after attempt {attempt}: {answer.reason}")
            time.sleep(pause_s)
            attempt += 1
        return answer

    def _attempt(self, texts: list[str], deadline: Deadline | None) -> bytes | _Setback:
        limit = Deadline.after(self._timeout_s)
        if deadline is not None and deadline.at < limit.at:
            limit = deadline
        if limit.passed:
            return _Setback("the deadline has passed")
        try:
            reply, body = self._post(texts, limit)
        except httpx.RequestError as error:
            # The name only: the message of a protocol error can quote the header with the key.
            return _Setback(type(error).__name__)
        if reply.is_success:
            return body
        reason = f"HTTP {reply.status_code}: {self._excerpt(body)}"
        if reply.status_code == httpx.codes.TOO_MANY_REQUESTS or reply.is_server_error:
            return _Setback(reason, _retry_after(reply.headers.get("Retry-After")))
        raise self._unavailable(reason)

    def _post(self, texts: list[str], limit: Deadline) -> tuple[httpx.Response, bytes]:
        payload = {"model": self._model, "input": texts, "encoding_format": "float"}
        body = bytearray()
        with self._http().stream("POST", self._url, json=payload, timeout=limit.remaining()) as reply:
            # httpx limits the wait for each piece; a reply that trickles in has to be stopped here.
            for piece in reply.iter_bytes():
                body += piece
                if limit.passed:
                    raise httpx.ReadTimeout("the reply took too long")
        return reply, bytes(body)

    def _http(self) -> httpx.Client:
        with self._connecting:
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {}
                self._client = httpx.Client(headers=headers)
            return self._client

    def _excerpt(self, body: bytes) -> str:
        text = body.decode("utf-8", errors="replace")
        if self._api_key:
            text = text.replace(self._api_key, "***")  # before the cut, which could leave half of it
        return " ".join(text.split())[:_EXCERPT_LENGTH]

    def _unavailable(self, reason: str) -> ModelUnavailable:
        return ModelUnavailable(f"{self.name} at {self._url.host}: {reason}")


def _embeddings_url(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.rstrip("/") + "/embeddings")
    except httpx.InvalidURL as error:
        raise ConfigError(f"the embedder's base URL is not a URL: {error}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigError("the embedder's base URL has to look like https://host/v1")
    return url


def _checked_key(api_key: str | None) -> str | None:
    if api_key and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        raise ConfigError("the embedder's API key holds a space, a line break or a letter outside ASCII")
    return api_key


def _pause_after(attempt: int) -> float:
    jitter = random.uniform(0.5, 1.0)  # noqa: S311  (spreads clients out, hides nothing)
    return min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** (attempt - 1)) * jitter


def _retry_after(header: str | None) -> float | None:
    """The seconds that a Retry-After header asks for; it holds a number or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - SystemClock().now()).total_seconds())
    except (ValueError, TypeError):
        return None


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
    if matrix.dtype.kind not in "if":
        raise ValueError("a vector of something else than numbers")
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ValueError("a vector that is zero or not finite")
    unit: Vectors = (matrix / lengths).astype(np.float32)
    return unit
