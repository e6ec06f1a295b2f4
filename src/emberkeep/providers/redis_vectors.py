"""A cache of vectors in Redis or Valkey, shared by processes. Its entries may be gone or corrupt at any time."""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from redis.exceptions import RedisError

from emberkeep.providers.redis_client import connect

_logger = logging.getLogger(__name__)
TIMEOUT_S = 0.25
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0


class RedisVectors:
    """Bytes by key. After a failure, nothing is found for a pause that doubles with each failure in a row."""

    def __init__(self, url: str, *, keep_s: float) -> None:
        self._client = connect(url, timeout_s=TIMEOUT_S, setting="embedding_cache_url", as_text=False)
        self._keep_ms = max(1, round(keep_s * 1000))
        self._lock = threading.Lock()
        self._failures = 0
        self._again_at = 0.0

    def get(self, keys: Sequence[str]) -> list[bytes | None]:
        """The value under each key, or None."""
        nothing: list[bytes | None] = [None] * len(keys)
        if not keys or self._is_left_alone():
            return nothing
        try:
            found: Any = self._client.mget(keys)
        except (RedisError, OSError) as error:
            self._failed(error)
            return nothing
        self._worked()
        return [value if isinstance(value, bytes) else None for value in found]

    def put(self, values: Mapping[str, bytes]) -> None:
        """Keep values if the server is reachable."""
        if not values or self._is_left_alone():
            return
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                for key, value in values.items():
                    pipeline.set(key, value, px=self._keep_ms)
                pipeline.execute()
        except (RedisError, OSError) as error:
            self._failed(error)
        else:
            self._worked()

    def _is_left_alone(self) -> bool:
        return time.monotonic() < self._again_at

    def _worked(self) -> None:
        self._failures = 0

    def _failed(self, error: Exception) -> None:
        with self._lock:
            self._failures += 1
            pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (self._failures - 1))
            self._again_at = time.monotonic() + pause
        _logger.warning("the embedding cache is left alone for %g s: %s", pause, error)
