"""A clock that stands still until it is moved."""

from datetime import UTC, datetime, timedelta


class FixedClock:
    """A clock for tests, which only moves when told to."""

    def __init__(self, start: datetime = datetime(2026, 6, 1, 12, tzinfo=UTC)) -> None:
        self._now = start

    def now(self) -> datetime:
        """The time it was last set to."""
        return self._now

    def move(self, **by: float) -> None:
        """Move by so many `days=`, `hours=` or `seconds=`, backwards if negative."""
        self._now += timedelta(**by)
