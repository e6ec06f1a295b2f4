"""How often someone may ask: a bucket of tokens each, which fills at a steady rate and is emptied by asking.

The buckets are this process's own: several processes that serve the same keys let so many times as much through.
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
_WHOLE = 1 - 1e-9  # a token, but for rounding


class _Bucket(NamedTuple):
    tokens: float
    at: datetime


class RateLimiter:
    """Lets each of many through `per_s` times a second on the long run, and `burst` times at once after a rest."""

    def __init__(self, clock: Clock, *, per_s: float, burst: int, most: int = MOST_BUCKETS) -> None:
        self._clock = clock
        self._per_s = checks.positive(per_s, name="per_s")
        self._burst = checks.positive(burst, name="burst")
        if self._burst < 1:
            raise InvalidInput(f"burst is {burst}: a bucket for less than one lets nobody through")
        self._most = checks.limit(most, most=10_000_000, name="most")
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()  # who asked last is at the end

    def take(self, key: str) -> float:
        """Ask once: 0.0 if that is allowed, else how many seconds to wait."""
        with self._lock:
            now = self._clock.now()
            tokens = self._tokens(key, now)
            allowed = tokens >= _WHOLE
            self._buckets[key] = _Bucket(max(0.0, tokens - 1) if allowed else tokens, now)
            self._buckets.move_to_end(key)
            while len(self._buckets) > self._most:
                self._buckets.popitem(last=False)  # whose bucket has filled up most, and is missed least
        # To the microsecond, as clocks have it, and not a moment too short.
        return 0.0 if allowed else math.ceil((1 - tokens) / self._per_s * 1e6) / 1e6

    def check(self, key: str) -> None:
        """Ask once, and raise `TooManyRequests` if that is not allowed now."""
        wait_s = self.take(key)
        if wait_s:
            raise TooManyRequests(f"too many requests: try again in {wait_s:.1f} s", retry_after_s=wait_s)

    def _tokens(self, key: str, now: datetime) -> float:
        bucket = self._buckets.get(key)
        if bucket is None:
            return self._burst
        passed_s = max(0.0, (now - bucket.at).total_seconds())  # a clock that was set back fills no bucket
        return min(self._burst, bucket.tokens + passed_s * self._per_s)
