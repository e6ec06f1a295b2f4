"""The source of the current time: all code asks a `Clock` for it. Deadlines use the monotonic clock instead."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime:
        """The current time, timezone-aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current time in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the monotonic clock by which an answer has to be there."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """A deadline that many seconds from now."""
        return cls(time.monotonic() + seconds)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - time.monotonic())

    @property
    def passed(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() >= self.at
