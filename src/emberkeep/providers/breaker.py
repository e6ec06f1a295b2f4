"""A circuit breaker: a language model that keeps failing is not asked for a while."""

import threading
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from emberkeep.clock import Clock, Deadline, SystemClock
from emberkeep.errors import ModelUnavailable, UnusableReply
from emberkeep.providers.base import Completion, LanguageModel
from emberkeep.spans import span


class Guarded:
    """A `LanguageModel` that is not asked for `pause_s` after `failures` in a row; then one call tries it again."""

    def __init__(
        self, model: LanguageModel, *, failures: int = 5, pause_s: float = 30.0, clock: Clock | None = None
    ) -> None:
        self._model = model
        self._limit = failures
        self._pause = timedelta(seconds=pause_s)
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._failed = 0
        self._reason = ""
        self._opened_at: datetime | None = None
        self._trying = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def complete(
        self, system: str, user: str, *, schema: Mapping[str, Any] | None = None, deadline: Deadline | None = None
    ) -> Completion:
        """The model's answer; raises `ModelUnavailable`, at once while the model is left alone."""
        if deadline is not None and deadline.passed:
            raise ModelUnavailable(f"{self.name}: the deadline has passed")
        trial = self._enter()
        try:
            with span("model"):
                answer = self._model.complete(system, user, schema=schema, deadline=deadline)
        except UnusableReply:
            self._close()
            raise
        except ModelUnavailable as error:
            self._count(error, trial=trial)
            raise
        else:
            self._close()
            return answer
        finally:
            if trial:
                self._trying = False

    def _enter(self) -> bool:
        """Whether this call is the one that tries the model again; raises `ModelUnavailable` during the pause."""
        with self._lock:
            if self._opened_at is None:
                return False
            since = self._clock.now() - self._opened_at
            # A negative `since` means that the clock was set back, which must not lengthen the pause.
            if timedelta(0) <= since < self._pause or self._trying:
                raise self._left_alone(self._pause - since)
            self._trying = True
            return True

    def _left_alone(self, wait: timedelta) -> ModelUnavailable:
        when = "another call is trying it now" if self._trying else f"it is tried again in {wait.total_seconds():.0f} s"
        failed = f"{self.name} failed {self._failed} times in a row"
        return ModelUnavailable(f"{failed}, {when}; the last time: {self._reason}")

    def _close(self) -> None:
        with self._lock:
            self._failed, self._opened_at = 0, None

    def _count(self, error: ModelUnavailable, *, trial: bool) -> None:
        with self._lock:
            self._failed += 1
            self._reason = str(error)
            if trial or (self._failed >= self._limit and self._opened_at is None):
                self._opened_at = self._clock.now()
