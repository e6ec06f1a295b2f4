"""Times as Emberkeep keeps them: whole microseconds since 1970 in UTC, the same on every database."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970."""
    return (moment - EPOCH) // _MICROSECOND


@lru_cache(maxsize=4_096)
def from_micros(micros: int) -> datetime:
    """The aware UTC time of so many microseconds since 1970."""
    return EPOCH + timedelta(microseconds=micros)
