"""The times that a text tells of, and the time that a question asks about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from emberkeep.language.events import Event, Reach, Side, event_in, reach_before
from emberkeep.language.forms import ARRANGING, DAYS
from emberkeep.language.reading import days_on
from emberkeep.language.spans import Told, point, told
from emberkeep.language.spotting import LONGEST, spotted
from emberkeep.language.timeless import timeless


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `first` to `last`, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class Asked:
    """The time that a question is about: in a period, or before or after it.

    `event` is what happened then, in the words of the question ("my birthday"), for the caller to look up. With an
    event, `period` is when it happened, if the question says so. `reach` is the greatest distance from it ("the week
    before"). `rest` is the question without the words for the time, if they can be separated; None with an event.
    """

    period: Period | None
    event: str | None
    side: Side
    reach: timedelta | None = None
    rest: str | None = None


def periods(text: str, at: datetime, *, ahead: bool = False) -> tuple[Period, ...]:
    """Return the times that a text tells of, in order, as of the day it was said.

    With `ahead`, the text is about the future and "on Friday" is the next one, otherwise the last. Only the first 4,000
    characters are read.
    """
    on = at.date()
    return tuple(Period(one.first, one.last) for sentence in spotted(text) for one in told(sentence, on, ahead=ahead))


def about(text: str, at: datetime) -> Period | None:
    """Return the first time that a text tells of; in a sentence about the future it lies ahead, otherwise behind."""
    on = at.date()
    for sentence in spotted(text):
        ahead = _TO_COME.search(sentence.text) is not None
        for one in told(sentence, on, ahead=ahead, over=_OVER.search(sentence.text) is not None):
            return Period(one.first, one.last)
    return None


# Words of a question about the future.
_AHEAD = re.compile(
    r"\bnext (?!day|time|to|one|in|on|after)|['’]ll\b"
    r"|\b(?:plan(?:s|ned|ning)?|going to|gonna|upcoming|coming|will|scheduled)\b",
    re.IGNORECASE,
)
# Words of a question, and of a sentence in small letters, about what is over.
_ASKED_AS_OVER = re.compile(
    r"\b(?:did|was|were|had|went|happened)\b|\b(?:have|has) (?:i|we|he|she|they)\b(?! (?:to|any|an?)\b)", re.IGNORECASE
)
_OVER = re.compile(r"\b(?:did|was|were|had|went|got|took|saw|came|moved|visited|travell?ed|started|stayed|spent)\b")
# Words of a sentence about the future.
_TO_COME = re.compile(
    r"'ll\b|\b(?:will|won't|shall|gonna|going to|due (?:on|in|by|next|this)|upcoming|scheduled|planned for"
    r"|looking forward|can't wait|hop(?:e|ing) to|plan(?:s|ning)? (?:to|on|for)"
    r"|(?:is|are|'s|'re) (?:due|on|coming up|scheduled)"
    r"|(?:starts|begins|ends|expires|closes|opens|leaves|arrives) (?:on|in|at|by|next|this))\b"
)
# Prepositions of a question about the time before a date.
_BEFORE = frozenset(("before", "until", "till", "by"))
# Prepositions of a period that goes on until today.
_OPEN = frozenset(("since", "starting", "starting from", "as of"))
# What makes such a period of "from May": "from May on".
_ONWARDS = re.compile(r" on(?:wards?)?\b(?! \w+day)")
# Words before a date that make it inexact.
_AROUND = re.compile(
    r"\b(?:around|roughly|circa|approximately|(?:do|was|were|is|at|happened|sometime) about) (?:the )?$"
)
# A question about the distance to a date: "how many days until Christmas".
_HOW_FAR = re.compile(r"\bhow (?:long|many \w+) $")
# Number words that are inexact.
_VAGUE = re.compile(r"\b(?:few|several|couple)\b")
_LEAST, _LEAST_OF_WEEKS, _MOST = 3, 2, 183  # days that an inexact date is widened by


def asked(text: str, at: datetime) -> Asked | None:
    """Return the time that a question is about, None if it says none; the past unless it says otherwise."""
    whole, text, on = text, text[:LONGEST], at.date()
    ahead = _AHEAD.search(text) is not None
    over = _ASKED_AS_OVER.search(text) is not None and ARRANGING.search(text) is None
    found = [
        (sentence.start, one)
        for sentence in spotted(text)
        for one in told(sentence, on, ahead=ahead, over=over, asked=True)
    ]
    times, event = [one for _, one in found], event_in(text)
    if not times:
        return Asked(None, event.words, event.side, event.reach) if event else None
    if event and _is_within(times[0], event):
        return Asked(Period(times[0].first, times[0].last), event.words, event.side, event.reach)
    if _HOW_FAR.search(times[0].match.string, 0, times[0].start):
        return None
    used = found[: 2 if len(times) > 1 and times[1].listed else 1]
    return replace(_of_dates([one for _, one in used], on), rest=timeless(whole, used))


def _is_within(time: Told, event: Event) -> bool:
    """Return whether the date says when the event was: "after we got the dog in March"."""
    return event.words.lower().replace("’", "'").find(time.match[0]) > 0


def _of_dates(times: Sequence[Told], on: date) -> Asked:
    """Return the time that one date or two say, with their prepositions."""
    one = times[0]
    period = _widened(one, on)
    if len(times) > 1:
        period = Period(min(period.first, times[1].first), max(period.last, times[1].last))
    if one.form == "range":
        return Asked(period, None, "during")
    if one.lead in _OPEN or (one.lead == "from" and _ONWARDS.match(one.match.string, one.match.end())):
        return Asked(Period(period.first, max(period.first, on)), None, "during")
    if one.lead not in _BEFORE and one.lead != "after":
        return Asked(period, None, "during")
    side: Side = "after" if one.lead == "after" else "before"
    reach = reach_before(one.match.string, one.start) if one.lead in ("before", "after") else None
    return Asked(_beside(period, side, reach), None, "during") if reach else Asked(period, None, side)


def _beside(period: Period, side: Side, reach: Reach) -> Period:
    """Return the days before or after a date: "the week before Christmas", "two weeks after Christmas"."""
    days = reach.days
    if reach.exact:
        middle = days_on(period.first, -days) if side == "before" else days_on(period.last, days)
        return Period(days_on(middle, -(days // 4)), days_on(middle, days // 4))
    if side == "before":
        return Period(days_on(period.first, -days), days_on(period.first, -1))
    return Period(days_on(period.last, 1), days_on(period.last, days))


def _widened(one: Told, on: date) -> Period:
    """Return the days to search: "two weeks ago" is not exact to the day."""
    match = one.match
    if one.form == "ago":
        return _around_ago(match["ago_n"], match["ago_u"], on, half=bool(match["ago_h"]))
    if one.form == "day_ago" and not match["nd_d"]:
        return _weekdays_ago(one, on)
    if one.lead == "around" or _AROUND.search(match.string, max(0, one.start - 20), one.start):
        slack = max(_LEAST, ((one.last - one.first).days + 1) // 4)
        return Period(days_on(one.first, -slack), days_on(one.last, slack))
    return Period(one.first, one.last)


def _around_ago(number: str, unit: str, on: date, *, half: bool = False) -> Period:
    """Return a quarter of the distance on either side, half of it for "a few"."""
    middle = point(number, unit, on)
    if half:
        middle = days_on(middle, (point("one", unit, on) - on).days // 2)
    distance = (on - middle).days
    slack = min(_MOST, distance // (2 if _VAGUE.search(number) else 4))
    if unit.startswith("week"):
        slack = max(slack, _LEAST_OF_WEEKS)
    return Period(days_on(middle, -slack), days_on(middle, slack))


def _weekdays_ago(one: Told, on: date) -> Period:
    """Return the days that a weekday some time ago may be.

    "The Wednesday two weeks ago" is one day; "the Wednesday two months ago" may be one of several.
    """
    match = one.match
    unit = match["da_u"] or match["ad_u"]
    if not unit.startswith(("month", "year", "decade")):
        return Period(one.first, one.last)
    around, name = _around_ago(match["da_n"] or match["ad_n"], unit, on), match["da_d"] or match["ad_d"]
    first = days_on(around.first, (DAYS.index(name) - around.first.weekday()) % 7)
    return Period(first, days_on(around.last, -((around.last.weekday() - DAYS.index(name)) % 7)))
