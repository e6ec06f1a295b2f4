"""Times as Emberkeep keeps them: whole microseconds since 1970 in UTC, the same on every database."""

from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MINUTE = timedelta(minutes=1)


def to_micros(moment: datetime) -> int:
    """The time as whole microseconds since 1970."""
    return (moment - EPOCH) // _MICROSECOND


@lru_cache(maxsize=4_096)
def from_micros(micros: int) -> datetime:
    """The aware UTC time that lies this many microseconds after the start of 1970."""
    return EPOCH + timedelta(microseconds=micros)


def offset_of(moment: datetime) -> int:
    """The UTC offset of a time in minutes, positive to the east; 0 for a naive time."""
    return (moment.utcoffset() or timedelta()) // _MINUTE


def at_offset(moment: datetime, minutes: int) -> datetime:
    """The same time at another UTC offset in minutes; unchanged if its year would leave 1 to 9999."""
    if not minutes:
        return moment
    try:
        return moment.astimezone(timezone(minutes * _MINUTE))
    except OverflowError:
        return moment


def by_clock(reading: datetime, minutes: int) -> datetime:
    """The UTC time at which a clock that is `minutes` ahead of UTC shows `reading`.

    The reading itself if the year would leave 1 to 9999.
    """
    try:
        return reading - minutes * _MINUTE
    except OverflowError:
        return reading


def day_of(moment: datetime) -> str:
    """The UTC day of a time, such as "2026-05-09"."""
    return moment.astimezone(UTC).date().isoformat()


def micros_of_days(first: date, last: date) -> tuple[int, int]:
    """The first microsecond of one UTC day and the last of another."""
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)
    end = datetime(last.year, last.month, last.day, 23, 59, 59, 999_999, tzinfo=UTC)
    return to_micros(start), to_micros(end)
