"""What happens in the story: when, and by which verb of the facade."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from emberkeep.memory import Memory

DAYS = 28  # of the story; the last of them is yesterday
A_WEEK = 7
_SPOKEN_DAY = re.compile(r"<\+(\d+)>")


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of a day of the story, the first of which is 1; day 0 stands for so many minutes ago."""

    day: int
    minutes: int

    @classmethod
    def parse(cls, day: str, clock: str) -> "Moment":
        """Such as day "3" at "14:10", or "ago" with "2:30"."""
        hours, minutes = map(int, clock.split(":"))
        return cls(0 if day == "ago" else int(day), 60 * hours + minutes)

    def later(self, minutes: int) -> "Moment":
        """So many minutes after this."""
        return Moment(self.day, self.minutes + (minutes if self.day else -minutes))

    def seen_from(self, now: datetime) -> datetime:
        """When it was, if the story ends now."""
        if not self.day:
            return now - timedelta(minutes=self.minutes)
        today = datetime.combine(now.date(), time(), UTC)
        return today - timedelta(days=DAYS + 1 - self.day, minutes=-self.minutes)


@dataclass(frozen=True, slots=True)
class Scene:
    """A verb of the facade, such as "tasks.start", with its arguments, and what is done with what it gives."""

    at: Moment
    verb: str
    given: Mapping[str, Any]
    then: Callable[[Memory, Any], object] | None = None


def told_at(value: Any, moment: datetime, now: datetime) -> Any:
    """A value with its days and moments put in: "on <+3>" is said as one would, three days before a Thursday."""
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
