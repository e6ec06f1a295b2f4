"""Rate limits: a token bucket per caller, which fills at a steady rate; each request takes a token.

The buckets are local to this process: N processes that serve the same keys let N times as much through.
"""

import math
import threading
from collections import OrderedDict
from datetime import datetime
from typing import NamedTuple

from emberkeep.clock import Clock
from emberkeep.errors import InvalidInput, TooManyRequests
from emberkeep.model import checks

MOST_BUCKETS = 10_000
_WHOLE = 1 - 1e-9  # one token, with a margin for rounding


class _Bucket(NamedTuple):
    tokens: float
    at: datetime


class RateLimiter:
    """Allows each caller `per_s` requests a second in the long run, and `burst` requests at once after a rest."""

    def __init__(self, clock: Clock, *, per_s: float, burst: int, most: int = MOST_BUCKETS) -> None:
        self._clock = clock
        self._per_s = checks.positive(per_s, name="per_s")
        self._burst = checks.positive(burst, name="burst")
        if self._burst < 1:
            raise InvalidInput(f"burst is {burst}: a bucket for less than one lets nobody through")
        self._most = checks.limit(most, most=10_000_000, name="most")
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()  # the most recent caller is at the end

    def take(self, key: str) -> float:
        """Try to take a token: returns 0.0 if the request is allowed, else how many seconds to wait."""
        with self._lock:
            now = self._clock.now()
            tokens = self._tokens(key, now)
            allowed = tokens >= _WHOLE
            self._buckets[key] = _Bucket(max(0.0, tokens - 1) if allowed else tokens, now)
            self._buckets.move_to_end(key)
            while len(self._buckets) > self._most:
                self._buckets.popitem(last=False)  # the least recently used, which has refilled longest
        # Rounded up to the microsecond, the resolution of clocks, so that the wait is never too short.
        return 0.0 if allowed else math.ceil((1 - tokens) / self._per_s * 1e6) / 1e6

    def check(self, key: str) -> None:
        """Take a token, or raise `TooManyRequests` if there is none."""
        wait_s = self.take(key)
        if wait_s:
            raise TooManyRequests(f"too many requests: try again in {wait_s:.1f} s", retry_after_s=wait_s)

    def _tokens(self, key: str, now: datetime) -> float:
        bucket = self._buckets.get(key)
        if bucket is None:
            return self._burst
        passed_s = max(0.0, (now - bucket.at).total_seconds())  # a clock that was set back fills no bucket
        return min(self._burst, bucket.tokens + passed_s * self._per_s)
