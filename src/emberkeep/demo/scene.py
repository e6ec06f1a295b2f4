"""A scene of the story: when it happens, and the verb of the facade that makes it happen."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from emberkeep.memory import Memory

DAYS = 28  # the length of the story; the last day is yesterday
A_WEEK = 7
_SPOKEN_DAY = re.compile(r"<\+(\d+)>")


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of the story: a day, counted from 1, and the minutes since midnight; on day 0, minutes before now."""

    day: int
    minutes: int

    @classmethod
    def parse(cls, day: str, clock: str) -> "Moment":
        """Parse a moment, such as day "3" at "14:10", or "ago" with "2:30"."""
        hours, minutes = map(int, clock.split(":"))
        return cls(0 if day == "ago" else int(day), 60 * hours + minutes)

    def later(self, minutes: int) -> "Moment":
        """The moment so many minutes after this one."""
        return Moment(self.day, self.minutes + (minutes if self.day else -minutes))

    def seen_from(self, now: datetime) -> datetime:
        """The time of the moment, if the story ends now."""
        if not self.day:
            return now - timedelta(minutes=self.minutes)
        today = datetime.combine(now.date(), time(), UTC)
        return today - timedelta(days=DAYS + 1 - self.day, minutes=-self.minutes)


@dataclass(frozen=True, slots=True)
class Scene:
    """A call of a verb of the facade, such as "tasks.start", with its arguments; `then` is called with its result."""

    at: Moment
    verb: str
    given: Mapping[str, Any]
    then: Callable[[Memory, Any], object] | None = None


def told_at(value: Any, moment: datetime, now: datetime) -> Any:
    """A value with its days and moments filled in: "on <+3>" becomes "on Thursday", said three days before one."""
    if isinstance(value, str):
        return _SPOKEN_DAY.sub(lambda match: _spoken(moment + timedelta(days=int(match[1])), moment), value)
    if isinstance(value, Moment):
        return value.seen_from(now)
    if isinstance(value, Mapping):
        return {name: told_at(one, moment, now) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [told_at(one, moment, now) for one in value]
    return value


def _spoken(day: datetime, moment: datetime) -> str:
    return f"{day:%A}" if (day - moment).days < A_WEEK else f"{day.day} {day:%B}"
