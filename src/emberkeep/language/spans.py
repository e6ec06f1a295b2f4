"""What the dates in a sentence say together: ranges, "in March last year", "the week of 5 June"."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from emberkeep.language.forms import DAYS, WHICH, YEAR
from emberkeep.language.reading import (
    CALENDAR,
    READERS,
    STEP,
    Found,
    Said,
    away,
    counted,
    days_on,
    found,
    if_there_is,
    is_meant,
    months,
    named_month,
    nth_number,
    nth_weekday,
    part,
    shifted,
    span,
    turned,
    weekday_near,
)
from emberkeep.language.spotting import Spotted

# Forms of a single day.
_DAYLIKE = frozenset(("stamp", "slashed", "dotted", "day_month", "month_day", "nth_of"))
# Forms that make a list: "in March and April".
_LISTED = frozenset(("month", "month_day", "day_month", "season", "year", "feast", "nth"))
# Forms that make a range.
_RANGED = _LISTED | _DAYLIKE | {"which", "weekday", "near", "turn", "edge", "quarter", "ago"}
# Forms that may lie inside one of `_BROAD`: "in March last year".
_NARROW = frozenset(("weekday", "month", "month_day", "day_month", "feast", "season", "nth"))
# Forms of longer periods.
_BROAD = frozenset(("turn", "year", "ago"))
# Forms that are dates even before "'s".
_ANYWHERE = frozenset(("near", "turn", "weekday", "ago", "stamp", "day_month", "month_day", "twice", "rolling"))
YEARS_OWN = re.compile(YEAR)
# Words before a day that make it a week or weekend.
_WEEK_OF = re.compile(r"\b(week(?:end)?) (?:of|starting|beginning|from)(?: the| on)? $")
# Units after which a number is no year.
_COUNTED = re.compile(
    r" (?:people|persons|men|women|kids|miles|km|kilomet|met(?:er|re)s|feet|times|percent|words|steps|pieces|dollars"
    r"|euros|pounds|calories|hours|minutes|points|items|pages|or more)\b|%"
)
# Words after which a dotted number is no date: "version 1.2.2024".
_NUMBERED = re.compile(r"\b(?:version|v|release|section|chapter|theorem|room|tel|phone|no)\b[.:]? $")
# Prepositions before a day written as a word: "on the third".
_WORD_LEADS = frozenset(("on", "by", "until", "till", "since", "from", "before", "after"))


@dataclass(frozen=True, slots=True)
class Told:
    """A time in a sentence: the match that says it, and the days it covers.

    `whole` is the start and end of all the words for it, with those it belongs to: "on Friday last week".
    """

    match: re.Match[str]
    first: date
    last: date
    start: int
    whole: tuple[int, int]
    listed: bool = False

    @property
    def lead(self) -> str:
        """The preposition before it: "since", "before"."""
        return lead_of(self.match)

    @property
    def form(self) -> str:
        """The name of its form, "range" for two dates."""
        return "range" if self.start < self.match.start() else self.match.lastgroup or ""


def told(sentence: Spotted, on: date, *, ahead: bool, over: bool = False, asked: bool = False) -> Iterator[Told]:
    """Yield the times in a sentence, in order; it is about the future, or all of it is `over`, or neither is known.

    In a question (`asked`), "by May" and "until May" look back as well.
    """
    said = Said(on, ahead, sentence.recurring, over)
    rest = list(sentence.matches)
    while rest:
        one = rest.pop(0)
        both = _together(one, rest[0], said) if rest else None
        if both:
            rest.pop(0)
            yield from both
            continue
        period = _alone(one, said, asked=asked)
        if period:
            yield Told(one, period.first, period.last, one.start(), one.span())


def lead_of(match: re.Match[str]) -> str:
    """Return the preposition before a date, without "the"."""
    return (match["lead"] or "").strip().removesuffix(" the")


def read(match: re.Match[str], said: Said) -> Found | None:
    """Return what the words say as a date, whether or not they are meant as one."""
    return if_there_is(_ALL_READERS[match.lastgroup or ""], match, said)


def _alone(match: re.Match[str], said: Said, *, asked: bool) -> Found | None:
    """Return what one date says, with "the week of" before it; None if it is no date."""
    form = match.lastgroup or ""
    if _is_doubtful(match, form):
        return None
    if asked or form in _MORE_READERS:
        period = read(match, said) if is_meant(match, said) or (asked and _is_all(match)) else None
    else:
        period = found(match, said)
    if period and period.first == period.last and (week := _week_of(match)):
        monday = days_on(period.first, -period.first.weekday())
        first = monday if week == "week" else days_on(monday, DAYS.index("saturday"))
        return replace(period, first=first, last=days_on(monday, 6))
    return period


def _is_all(match: re.Match[str]) -> bool:
    """Return whether the date is the whole question: "20/07/2025", but not "spring"."""
    return any(map(str.isdecimal, match[0])) and not match.string.replace(match[0], "").strip(" ?.!")


def _week_of(match: re.Match[str]) -> str | None:
    """Return "week" or "weekend" if "the week of" or "the weekend of" stands before a day."""
    end = match.end("lead") if match["lead"] else match.start()
    before = _WEEK_OF.search(match.string, max(0, end - 28), end)
    return before[1] if before else None


def _is_doubtful(match: re.Match[str], form: str) -> bool:
    """Return whether the words are something else here: "the second may", "to march", "on the weekend before"."""
    text, end = match.string, match.end()
    if text.startswith("'s", end):
        return form not in _ANYWHERE
    if form == "weekend":
        return text.startswith((" of ", " before ", " after "), end)
    if form == "nth":
        return not match["nth_d"][0].isdecimal() and lead_of(match) not in _WORD_LEADS
    if form == "month":
        return lead_of(match) == "to" and match["mo"].startswith(("mar", "may")) and not match["mo_y"]
    if form in ("day_month", "month_day") and not match["lead"] and not YEARS_OWN.search(match[0]):
        return _is_a_verb(match, form)
    return _is_a_number(match, form)


def _is_a_number(match: re.Match[str], form: str) -> bool:
    """Return whether it is a number: "2000 people", "our first week of 2024 miles", "version 1.2.2024"."""
    if form == "dotted" and not match["lead"]:
        numbered = _NUMBERED.search(match.string, max(0, match.start() - 12), match.start())
        return len(match["do_d"]) < len("01.02.") or numbered is not None
    if match["wh_x"] and " the " not in f" {match[0]}":
        return True
    return bool(form == "year" or match["wh_x"]) and _COUNTED.match(match.string, match.end()) is not None


def _is_a_verb(match: re.Match[str], form: str) -> bool:
    """Return whether it is a verb: "the second may", "you may first", "we march 10 miles"."""
    if form == "day_month":
        return match["dm_m"] == "may" and not match["dm_d"][0].isdecimal() and " of " not in match[0]
    if match["md_m"] not in ("may", "march"):
        return False
    return not match["md_d"][0].isdecimal() or _COUNTED.match(match.string, match.end()) is not None


def _together(one: re.Match[str], other: re.Match[str], said: Said) -> list[Told] | None:
    """Return what two adjacent dates say as one time, or as a list of two; None if they are independent."""
    gap = other.start() - one.end()
    if gap > len(" the ") or gap < 0 or said.recurring:
        return None
    between, whole = one.string[one.end() : other.start()], (one.start(), other.end())
    if _is_range(one, other, between):
        ends = _ends(one, other, said)
        return [Told(other, ends[0].first, ends[1].last, one.start(), whole)] if ends else None
    if _is_list(one, other, between):
        ends = _ends(one, other, said)
        pairs = zip((one, other), ends, (False, True), strict=True) if ends else ()
        return [
            Told(match, end.first, end.last, match.start(), match.span(), listed) for match, end, listed in pairs
        ] or None
    narrowed = _narrowed(one, other, said, between)
    return narrowed and [Told(narrowed[0], narrowed[1].first, narrowed[1].last, narrowed[0].start(), whole)]


def _is_range(one: re.Match[str], other: re.Match[str], between: str) -> bool:
    """Return whether the dates are the ends of a range: "from March to May", "March - May"."""
    if one.lastgroup not in _RANGED or other.lastgroup not in _RANGED:
        return False
    link = lead_of(other)
    if between == " ":
        return link in ("to", "until", "till", "through") or (link == "and" and lead_of(one) == "between")
    return not link and between.strip() in ("-", "–", "—")


def _is_list(one: re.Match[str], other: re.Match[str], between: str) -> bool:
    """Return whether the dates are a list: in "in March and April" the second is a date because the first is one."""
    if one.lastgroup != other.lastgroup or one.lastgroup not in _LISTED or not one["lead"]:
        return False
    return (between == " " and lead_of(other) == "and") or (between == " or " and not other["lead"])


def _ends(one: re.Match[str], other: re.Match[str], said: Said) -> tuple[Found, Found] | None:
    """Return both dates; one without a year is read near the other: "from March to May 2023"."""
    begin = read(one, said) if _has_year(one) else None
    end = read(other, replace(said, on=begin.first, ahead=True) if begin and not _has_year(other) else said)
    if end and not begin:
        near = one.lastgroup in CALENDAR or one.lastgroup == "season"
        begin = read(one, replace(said, on=end.first, ahead=False) if near else said)
    return (begin, end) if begin and end and begin.first <= end.last else None


def _has_year(match: re.Match[str]) -> bool:
    return YEARS_OWN.search(match[0]) is not None


def _narrowed(one: re.Match[str], other: re.Match[str], said: Said, between: str) -> tuple[re.Match[str], Found] | None:
    """Return the smaller of two dates, read inside the larger one.

    "In March last year", "last week on Friday", "Friday, 5 May", "last Friday before 5 May".
    """
    if one.lastgroup == "weekday" and other.lastgroup in _DAYLIKE and between in (" ", ", ", " the "):
        day = read(other, said)
        return (other, day) if day else None
    if between not in (" ", ", ", " of "):
        return None
    pairs = ((one, other), (other, one)) if other["lead"] or between == " of " else ((one, other),)
    for narrow, broad in pairs:
        inner = _inside(narrow, broad, said)
        if inner:
            return narrow, inner
    return _last_before(one, other, said) if between == " " else None


def _last_before(one: re.Match[str], other: re.Match[str], said: Said) -> tuple[re.Match[str], Found] | None:
    """Return the last weekend before 10 April 2023, or another unit; without the year it is the last one from now."""
    if lead_of(other) != "before" or other.lastgroup not in _DAYLIKE or not _has_year(other):
        return None
    if one["turn_w"] != "last" and not one["ro_l"]:
        return None
    day = read(other, said)
    period = read(one, replace(said, on=day.first)) if day else None
    return (one, period) if period else None


def _inside(narrow: re.Match[str], broad: re.Match[str], said: Said) -> Found | None:
    """Return the narrow date inside the broad one; None if it does not lie in it."""
    if narrow.lastgroup not in _NARROW or broad.lastgroup not in _BROAD or _has_year(narrow):
        return None
    outer = read(broad, said)
    if outer is None or outer.first == outer.last:
        return None
    past = narrow.lastgroup in ("weekday", "feast")
    inner = read(narrow, replace(said, on=days_on(outer.last, 1) if past else outer.last, ahead=False))
    return inner if inner and outer.first <= inner.first <= inner.last <= outer.last else None


def point(number: str, unit: str, on: date, sign: int = -1) -> date:
    """Return the day so many units back, or with `sign` 1 ahead."""
    count = sign * counted(number)
    unit = unit.rstrip("s")
    if unit == "hour":
        return on + timedelta(days=int(count / 24))
    if unit in ("day", "week", "fortnight"):
        return on + timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[unit])
    year, month = shifted(on, count * {"month": 1, "year": 12, "decade": 120}[unit])
    return date(year, month, min(on.day, monthrange(year, month)[1]))


def _stamp(match: re.Match[str], _said: Said) -> Found:
    day = date(int(match["st_y"]), int(match["st_m"]), int(match["st_d"]))
    return span("on", "", day, day)


def _year_month(match: re.Match[str], _said: Said) -> Found:
    """Read "2024-05", "05/2024"."""
    first = date(int(match["ym_y"] or match["my_y"]), int(match["ym_m"] or match["my_m"]), 1)
    return span("in", "", first, days_on(date(first.year + first.month // 12, first.month % 12 + 1, 1), -1))


def _dotted(match: re.Match[str], _said: Said) -> Found:
    """Read days written with dots, which come before the month: "02.01.2024", "02.01.-05.01.2024"."""
    year = int(match["do_y"])
    first = last = _day_and_month(match["do_d"], year)
    if match["do_a"]:
        first = _day_and_month(match["do_a"], int(match["do_z"] or year))
        if first > last and not match["do_z"]:
            first = _day_and_month(match["do_a"], year - 1)
    if first > last:
        raise ValueError(match[0])
    return span("on", "", first, last)


def _day_and_month(said: str, year: int) -> date:
    day, month = map(int, said.strip(".").split("."))
    return date(year, month, day)


def _winter(match: re.Match[str], _said: Said) -> Found:
    """Read a winter from one year to the next, "winter 2021-22"; of a longer range, all of it."""
    year, end = int(match["wi_y"]), int(match["wi_z"])
    if len(match["wi_z"]) < len("2022"):
        end = year + 1 if end == (year + 1) % 100 else year
    winter = months("in", "", date(year, 12, 1), 3)
    return span("in", "", winter.first, max(winter.last, date(end, 12, 31)) if end > year + 1 else winter.last)


def _years(match: re.Match[str], _said: Said) -> Found:
    """Read "2019-2021"."""
    first, last = date(int(match["ys_a"]), 1, 1), date(int(match["ys_b"]), 12, 31)
    if first > last:
        raise ValueError(match[0])
    return span("in", "", first, last)


def _decade(match: re.Match[str], _said: Said) -> Found:
    """Read "the early 1990s"."""
    whole = months("in", "", date(int(match["de"]), 1, 1), 120)
    return part(whole, (match["de_e"] or "").strip(" -"))


def _quarter(match: re.Match[str], said: Said) -> Found:
    """Read "Q3 2024", "the third quarter of last year"."""
    if match["qu_n"]:
        year = _year_of(match["qu_w"], said)
        number = WHICH[match["qu_n"]] % 4 + 1
    else:
        number = int(match["qu"])
        begun = number * 3 - 2 <= said.on.month
        year = int(match["qu_y"] or said.on.year - (not begun and not said.ahead))
    return months("in", "", date(year, number * 3 - 2, 1), 3)


def _year_of(words: str, said: Said) -> int:
    """Return the year of "2024" or "last year"."""
    return int(words) if words.isdecimal() else said.on.year + STEP.get(words.partition(" ")[0], 0)


def _rolling(match: re.Match[str], said: Said) -> Found:
    """Read "the last three weeks", "the past year"."""
    number, unit = match["ro_n"] or "one", match["ro_u"] or match["ro_p"] or match["ro_l"]
    if match["ro_w"] in ("next", "coming"):
        return span("in", "", said.on, point(number, unit, said.on, 1))
    return span("in", "", point(number, unit, said.on), said.on)


def _which(match: re.Match[str], said: Said) -> Found:
    """Read "the first Monday of June", "the last week of May", "the first week of 2024"."""
    if match["wh_m"]:
        outer = named_month(match["wh_m"], match["wh_y"], said)
    elif match["wh_x"] and said.recurring:
        raise ValueError(match[0])
    elif match["wh_x"]:
        outer = months("in", "", date(_year_of(match["wh_x"], said), 1, 1), 12)
    else:
        outer = turned("month", STEP.get(match["wh_w"], 0), said)
    period = _nth_in(outer, WHICH[match["wh_n"]], match["wh_u"])
    if period.first > said.on and not said.ahead and match["wh_m"] and not match["wh_y"]:
        return _which(match, replace(said, on=days_on(outer.first, -1)))
    return period


def _nth_in(outer: Found, number: int, unit: str) -> Found:
    """Return a week, day, weekend or weekday of a period by its position."""
    if unit == "week":
        first = days_on(outer.last, -6) if number < 0 else days_on(outer.first, number * 7)
        return span("in", "", first, min(days_on(first, 6), outer.last))
    if unit == "day":
        day = outer.last if number < 0 else days_on(outer.first, number)
        return span("on", "", day, day)
    day = nth_weekday("saturday" if unit == "weekend" else unit, number, outer)
    return span("on", "", day, days_on(day, 1) if unit == "weekend" else day)


def _twice(match: re.Match[str], said: Said) -> Found:
    """Read "the week before last", "the summer before last"."""
    unit, step = match["tw_u"], -1 if match["tw_w"] == "before last" else 1
    return turned(unit, step, replace(said, on=turned(unit, step, said).first))


def _day_ago(match: re.Match[str], said: Said) -> Found:
    """Read "the Wednesday two months ago", "two Saturdays ago"."""
    if match["nd_d"]:
        name = "saturday" if match["nd_d"] == "weekend" else match["nd_d"]
        last = weekday_near(name, said.on, ahead=False)
        day = point(str(counted(match["nd_n"]) - 1), "week", last)
        return span("on", "", day, days_on(day, 1) if match["nd_d"] == "weekend" else day)
    centre = point(match["da_n"] or match["ad_n"], match["da_u"] or match["ad_u"], said.on)
    day = weekday_near(match["da_d"] or match["ad_d"], centre + timedelta(days=4), ahead=False)
    return span("on", "", day, day)


def _half_ago(match: re.Match[str], said: Said) -> Found:
    """Read "half a year ago"."""
    if match["ha_u"] == "decade":
        return away("five", "year", said.on, -1)
    if match["ha_u"] == "year":
        return away("six", "month", said.on, -1)
    return away("two", "week", said.on, -1) if match["ha_u"] == "month" else away("one", "hour", said.on, -1)


def _nth_of(match: re.Match[str], said: Said) -> Found:
    """Read "the 3rd of last month"."""
    month = turned("month", STEP.get(match["no_w"], 0), said)
    day = month.first.replace(day=nth_number(match["no_d"]))
    return span("on", "", day, day)


# The function that reads each form of `spotting`, which only searches use.
_MORE_READERS: dict[str, Callable[[re.Match[str], Said], Found]] = {
    "stamp": _stamp,
    "year_month": _year_month,
    "dotted": _dotted,
    "winter": _winter,
    "years": _years,
    "decade": _decade,
    "quarter": _quarter,
    "rolling": _rolling,
    "which": _which,
    "twice": _twice,
    "day_ago": _day_ago,
    "half_ago": _half_ago,
    "nth_of": _nth_of,
}
_ALL_READERS = READERS | _MORE_READERS
