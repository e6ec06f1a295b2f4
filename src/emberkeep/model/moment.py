"""Times as Emberkeep keeps them: whole microseconds since 1970 in UTC, the same on every database."""

from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MINUTE = timedelta(minutes=1)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970."""
    return (moment - EPOCH) // _MICROSECOND


@lru_cache(maxsize=4_096)
def from_micros(micros: int) -> datetime:
    """The aware UTC time of so many microseconds since 1970."""
    return EPOCH + timedelta(microseconds=micros)


def offset_of(moment: datetime) -> int:
    """How many minutes east of UTC a time was told."""
    return (moment.utcoffset() or timedelta()) // _MINUTE


def at_offset(moment: datetime, minutes: int) -> datetime:
    """The same time by the clock of a place that many minutes east of UTC, as far as its year can be written."""
    if not minutes:
        return moment
    try:
        return moment.astimezone(timezone(minutes * _MINUTE))
    except OverflowError:
        return moment


def by_clock(reading: datetime, minutes: int) -> datetime:
    """When a clock shows that which is so many minutes ahead of UTC's, as far as its year can be written."""
    try:
        return reading - minutes * _MINUTE
    except OverflowError:
        return reading


def day_of(moment: datetime) -> str:
    """The day it is in UTC, such as "2026-05-09"."""
    return moment.astimezone(UTC).date().isoformat()


def micros_of_days(first: date, last: date) -> tuple[int, int]:
    """From the first moment of one day to the last of another."""
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)
    end = datetime(last.year, last.month, last.day, 23, 59, 59, 999_999, tzinfo=UTC)
    return to_micros(start), to_micros(end)
