"""What a form of date means on the day it is said: an absolute date, its first day and its last."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from emberkeep.language.feasts import FEASTS
from emberkeep.language.forms import (
    DAY,
    DAYS,
    EXPRESSION,
    MONTHS,
    NUMBERS,
    ORDINAL,
    ORDINALS,
    SEASONS,
    SHORT,
    WHICH,
    YEAR,
)

# Words which say that the dates of a sentence recur.
RECURRING = re.compile(r"\b(?:every|each|always|usually|annually|yearly|per)\b|\bday(?: off)? is\b", re.IGNORECASE)
# Days that recur every year.
_YEARLY = re.compile(r"\b(?:birthday|anniversary|name ?day)\b", re.IGNORECASE)
# Several days of the week, which are no date: "Monday and Tuesday".
_PAIRED = re.compile(rf"\b{DAY},? (?:and|or|to) (?:on )?{DAY}$", re.IGNORECASE)
# Words before a day of the week that is one of several: "the second Friday".
_ONE_OF = re.compile(rf"\b(?:{ORDINAL}|\d{{1,2}}(?:st|nd|rd|th)|other|last) (?:on )?$", re.IGNORECASE)
# Words after such a day: "the last Friday of the month".
_OF_ALL = re.compile(r" of (?!last|this|next)", re.IGNORECASE)
# Forms that are a date only after a preposition: "in May", but not "may".
_NEEDS_LEAD = frozenset(("slashed", "year_month", "month", "season", "year", "nth", "feast", "weekend", "hence"))
# Prepositions before a year or a month.
_YEAR_LEADS = frozenset(
    ("in", "since", "until", "till", "by", "from", "to", "during", "around", "before", "after", "back in")
)
# Prepositions before a date that usually lies ahead.
_FORWARD = frozenset(("until", "till", "by", "to", "for", "starting", "starting from", "as of"))
HALF_A_YEAR = 6  # months: "this winter" of the past, said in spring, is the last one
JUST_OVER = timedelta(days=31)  # "this Christmas" said in January may be the last one


@dataclass(frozen=True, slots=True)
class Found:
    """An absolute date as text (preposition and body), the day that stands for it, and its first and last day."""

    prep: str
    body: str
    moment: date
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Said:
    """The day of saying, whether the text is about the future, and whether the days it names recur.

    If all it tells is `over`, "this spring" is that of the present year, in autumn, too; otherwise the one to come.
    """

    on: date
    ahead: bool
    recurring: bool
    over: bool = False


def is_meant(match: re.Match[str], said: Said) -> bool:
    """Return whether the words are a date here: "may" and "2019" alone are not."""
    form, lead = match.lastgroup or "", (match["lead"] or "").strip().lower().removesuffix(" the")
    if form in ("hence", "year", "month"):
        return _is_led(match, said, form, lead)
    if form == "nth" and lead == "to" and match.end() == len(match.string):
        return not said.recurring
    if form in _NEEDS_LEAD:
        return bool(lead) and lead not in ("for", "to", "and") and not said.recurring
    if form in ("weekday", "turn"):
        return _is_that_day(match, said, form)
    if form in ("month_day", "day_month", "weekday_of") and not re.search(YEAR, match[0]):
        return not said.recurring and not _YEARLY.search(match.string)
    return True


def _is_that_day(match: re.Match[str], said: Said, form: str) -> bool:
    """Return whether a day of the week is a single day, not "the first Monday" or "the last Friday of each month"."""
    of_all = _OF_ALL.match(match.string, match.end()) is not None
    if form == "turn":
        return not (of_all and re.search(DAY, match[0], re.IGNORECASE))
    if said.recurring or of_all or _PAIRED.search(match.string, 0, match.end()):
        return False
    return not _ONE_OF.search(match.string, 0, match.start() + len(match["lead"] or ""))


def _is_led(match: re.Match[str], said: Said, form: str, lead: str) -> bool:
    """Return whether a preposition or a year makes a date of words that may be none."""
    if form == "hence":
        return bool(match["hence_now"] or (said.ahead and lead in ("in", "within")))
    if form == "year":
        return lead in _YEAR_LEADS or bool(match["yr_e"])
    named = lead == "for" or (lead in _YEAR_LEADS and not (said.recurring and lead == "in"))
    return bool(match["mo_y"] or match["mo_e"] or named)


def found(match: re.Match[str], said: Said) -> Found | None:
    """Return the date that the words say, None if they are no date here."""
    if not is_meant(match, said):
        return None
    lead = (match["lead"] or "").strip().lower()
    if lead.split(" ")[0] == "since":
        said = replace(said, ahead=False)
    elif lead in _FORWARD and not _BEGUN.search(match.string, 0, match.start()) and not _is_over(match, lead, said):
        said = replace(said, ahead=True)
    elif lead == "from" and not said.ahead:
        said = replace(said, on=_end_after(match, said) or said.on)
    return if_there_is(READERS[match.lastgroup or ""], match, said)


# The start of a range before its end: "from May to ...".
_BEGUN = re.compile(r"\bfrom (?:the )?[\w ]{1,20}\s$", re.IGNORECASE)
# Verbs of something that ended: "lived there until May".
_OVER = re.compile(r"\b(?:was|were|lived|worked|stayed|studied|served|taught|had)\b", re.IGNORECASE)
# The gap between the start of a range and its end.
_ENDING = re.compile(r" (?=(?:to|until|till|through) )", re.IGNORECASE)


def _is_over(match: re.Match[str], lead: str, said: Said) -> bool:
    """Return whether "until" is said of the past: "I lived there until May"."""
    return lead in ("until", "till") and not said.ahead and _OVER.search(match.string, 0, match.start()) is not None


def _end_after(match: re.Match[str], said: Said) -> date | None:
    """Return the end of a range, before which its first date lies: June in "from March to June"."""
    ending = _ENDING.match(match.string, match.end())
    until = EXPRESSION.match(match.string, ending.end()) if ending else None
    period = found(until, said) if until and until.lastgroup in CALENDAR and match.lastgroup in CALENDAR else None
    return period.moment if period else None


# Forms that name a month, with or without a day.
CALENDAR = ("month", "month_day", "day_month")


def if_there_is(reader: Callable[[re.Match[str], Said], Found], match: re.Match[str], said: Said) -> Found | None:
    """Return the date that the reader makes, None if the calendar has none: 31 June, the year 0."""
    try:
        return reader(match, said)
    except (ValueError, OverflowError):
        return None


def _iso(match: re.Match[str], _said: Said) -> Found:
    return _day(date.fromisoformat(match["iso"][-len("2026-05-20") :]))


def _near(match: re.Match[str], said: Said) -> Found:
    """Read "yesterday", "the day after tomorrow", "last night"."""
    words = match["near"].lower()
    days = {"the day before yesterday": -2, "the day after tomorrow": 2, "last night": -1}
    for start, offset in (days | {"yesterday": -1, "tomorrow": 1}).items():
        if words.startswith(start):
            return _day(said.on + timedelta(days=offset))
    return _day(said.on)


def _ago(match: re.Match[str], said: Said) -> Found:
    """Read "three weeks ago"."""
    return away(match["ago_n"], match["ago_u"], said.on, -1, half=bool(match["ago_h"]))


def _hence(match: re.Match[str], said: Said) -> Found:
    """Read "in three weeks", "three weeks from now"."""
    return away(match["hence_n"], match["hence_u"], said.on, 1)


def begun(match: re.Match[str], said: Said) -> Found:
    """Return the date since which something has gone on: "for two years"."""
    period = away(match["n"], match["u"], said.on, -1, half=bool(match["half"]))
    around = "around " if period.prep == "around" or match["hedge"] else ""
    return replace(period, prep="since", body=f"{around}{period.body}", last=said.on)


def away(number: str, unit: str, on: date, sign: int, *, half: bool = False) -> Found:
    """Return the date so many units on (`sign` 1) or back (-1), as exact as the unit is."""
    count = counted(number)
    unit = unit.lower().rstrip("s")
    vague = number.lower() in ("few", "several", "a few")
    if unit == "hour":
        return _day(on)
    if unit == "day":
        return _day(on + timedelta(days=sign * count), about=vague)
    if unit in ("week", "fortnight"):
        return _day(on + timedelta(weeks=sign * count * (2 if unit == "fortnight" else 1)), about=True)
    if unit == "month":
        return _month(*shifted(on, sign * count), about=vague)
    count *= 10 if unit == "decade" else 1
    year = shifted(on, sign * (count * 12 + 6))[0] if half else on.year + sign * count
    return _year(year, about=vague or unit == "decade")


def _edge(match: re.Match[str], said: Said) -> Found:
    """Read "the end of May", "the beginning of last year"."""
    which = f"the {match['edge_e'].lower().removeprefix('the ')}"
    late = "end" in which or "second" in which
    if match["edge_yy"] or (match["edge_u"] or "").lower() == "year":
        inner = _year(int(match["edge_yy"] or said.on.year + STEP.get(match["edge_w"].lower(), 0)))
        moment = date(inner.moment.year, 12, 1) if late else inner.moment
    else:
        if match["edge_m"]:
            inner = named_month(match["edge_m"], match["edge_y"], said)
        else:
            inner = turned(match["edge_u"].lower(), STEP.get(match["edge_w"].lower(), 0), said)
        moment = inner.moment + timedelta(days=20) if late else inner.moment
    edge = part(inner, which.split()[1])
    return replace(edge, prep="at", body=f"{which} {inner.body}", moment=moment)


# Words for the last, this or the next of a unit, as steps from the present one.
STEP = {"last": -1, "this past": -1, "the past": -1, "next": 1, "the coming": 1, "the following": 1}


def _turn(match: re.Match[str], said: Said) -> Found:
    """Read "last May", "this week", "next Friday"."""
    which, unit = match["turn_w"].lower(), match["turn_u"].lower()
    step = STEP.get(which, 0)
    if which == "this coming":
        said = replace(said, ahead=True)
    if match["turn_d"]:
        return _month_day(unit.split()[0], match["turn_d"], None, said)
    period = turned(unit, step, said)
    early = (match["turn_e"] or "").lower().strip(" -")
    if early in ("early", "late"):
        period = replace(period, prep=f"{early} {period.prep}")
    return part(period, early, said.on)


def turned(unit: str, step: int, said: Said) -> Found:
    """Return the week, month, season, day or feast that is `step` from the present one."""
    on = said.on
    if unit == "week":
        monday = on - timedelta(days=on.weekday()) + timedelta(weeks=step)
        return span("in", f"the week of {_written(monday)}", monday, days_on(monday, 6))
    if unit == "weekend":
        return _weekend_of(_weekend(on, step))
    if unit == "month":
        return _month(*shifted(on, step))
    if unit == "quarter":
        year, month = shifted(date(on.year, (on.month - 1) // 3 * 3 + 1, 1), step * 3)
        return months("in", f"Q{(month + 2) // 3} {year}", date(year, month, 1), 3)
    if unit == "year":
        return _year(on.year + step)
    return _turned_name(unit, step, on, ahead=said.ahead or step > 0, over=said.over and not said.ahead)


def _turned_name(unit: str, step: int, on: date, *, ahead: bool, over: bool) -> Found:
    """Return the feast, season, weekday or month that is last, this or next."""
    if unit in FEASTS:
        is_just_over = step == 0 and not ahead and _feast_of(unit, None, on, ahead=False).first > on - JUST_OVER
        return _feast_of(unit, None, on, ahead=step >= 0 and not is_just_over)
    if unit in SEASONS:
        return _season_of(unit, on, step, over=over)
    name = unit.partition(" ")[0]
    if name in DAYS:
        return _day(weekday_near(name, on, ahead=ahead and step >= 0))
    month = _month_number(unit)
    if step < 0:
        return _month(on.year - (month >= on.month), month)
    if step == 0 and over:
        return _month(on.year, month)
    return _month(on.year + (month < on.month or (step > 0 and month == on.month)), month)


def _weekend(on: date, step: int) -> date:
    """Return the Saturday of the weekend that is `step` from the present one."""
    saturday = on - timedelta(days=on.weekday()) + timedelta(days=5)
    return saturday + timedelta(weeks=step)


def _weekend_said(_match: re.Match[str], said: Said) -> Found:
    """Read "the weekend"."""
    return _weekend_of(_weekend(said.on, 0 if said.ahead or said.on.weekday() >= DAYS.index("saturday") else -1))


def _day_month_said(match: re.Match[str], said: Said) -> Found:
    """Read "3 June 2026", "3 to 5 June"."""
    period = _month_day(match["dm_m"], match["dm_d"], match["dm_y"], said)
    if not match["dm_s"]:
        return period
    first = period.first.replace(day=nth_number(match["dm_n"]))
    if first >= period.first:
        raise ValueError(match[0])
    return span(period.prep, f"{match['dm_s']}{period.body}", first, period.last)


def _slashed(match: re.Match[str], said: Said) -> Found:
    """Read a day and a month with a slash, if one number is above twelve and so tells which is which."""
    one, other, year = int(match["sl_a"]), int(match["sl_b"]), match["sl_y"]
    if (one > len(MONTHS)) == (other > len(MONTHS)):
        raise ValueError(match[0])
    day, month = max(one, other), min(one, other)
    if year and len(year) < len("1990"):
        year = str(int(year) + (2000 if int(year) <= said.on.year % 100 + 10 else 1900))
    return _month_day(MONTHS[month - 1], str(day), year, said)


def _month_day_said(match: re.Match[str], said: Said) -> Found:
    """Read "June 3, 2026"."""
    return _month_day(match["md_m"], match["md_d"], match["md_y"], said)


def _month_day(month: str, day: str, year: str | None, said: Said) -> Found:
    """Return a day of a month in that year, or in the nearest year ahead or behind that has it."""
    number, of_month = _month_number(month), nth_number(day)
    if year:
        return _day(date(int(year), number, of_month))
    years = range(said.on.year, said.on.year + 9) if said.ahead else range(said.on.year, said.on.year - 9, -1)
    for one in years:
        if of_month <= monthrange(one, number)[1]:
            found = date(one, number, of_month)
            if (found >= said.on) if said.ahead else (found <= said.on):
                return _day(found)
    raise ValueError(day)


def _weekday(match: re.Match[str], said: Said) -> Found:
    """Read "Friday", "Friday the 13th"."""
    if match["wd_d"]:
        return _day_of_month(int(match["wd_d"]), said)
    return _day(weekday_near(match["wd"].lower(), said.on, ahead=said.ahead))


def _weekday_of(match: re.Match[str], said: Said) -> Found:
    """Read "the last Friday of June"."""
    month = named_month(match["wo_m"], match["wo_y"], said)
    day = nth_weekday(match["wo_d"].lower(), WHICH[match["wo_n"].lower()], month)
    if not match["wo_y"] and (day < said.on if said.ahead else day > said.on):
        year = month.first.year + (1 if said.ahead else -1)
        day = nth_weekday(match["wo_d"].lower(), WHICH[match["wo_n"].lower()], _month(year, month.first.month))
    return _day(day)


def nth_weekday(name: str, number: int, period: Found) -> date:
    """Return the weekday of that name in a period by its position, counted from 0; -1 for the last."""
    if number < 0:
        return weekday_near(name, days_on(period.last, 1), ahead=False)
    return days_on(weekday_near(name, days_on(period.first, -1), ahead=True), number * len(DAYS))


def _month_said(match: re.Match[str], said: Said) -> Found:
    """Read "May 2026", "early May"."""
    period = named_month(match["mo"], match["mo_y"], said)
    early = (match["mo_e"] or "").strip(" -").lower()
    return replace(part(period, early), body=f"{early} {period.body}") if early else period


def named_month(name: str, year: str | None, said: Said) -> Found:
    """Return the month of that year, or the nearest one ahead or behind."""
    month, on = _month_number(name), said.on
    if year:
        return _month(int(year), month)
    return _month(on.year + (month < on.month if said.ahead else -(month > on.month)), month)


def _feast(match: re.Match[str], said: Said) -> Found:
    return _feast_of(match["feast_n"].lower(), match["feast_y"], said.on, ahead=said.ahead)


def _feast_of(name: str, year: str | None, on: date, *, ahead: bool) -> Found:
    feast = FEASTS[name]
    first = feast(int(year) if year else on.year)
    if not year and (first < on) == ahead:
        first = feast(on.year + (1 if ahead else -1))
    title = " ".join(f"{word[0].upper()}{word[1:]}" for word in name.split())
    return span("on" if name.endswith("day") else "at", f"{title} {first.year}", first, first)


def _season(match: re.Match[str], said: Said) -> Found:
    if match["se_y"]:
        period = _season_period(match["se"].lower(), int(match["se_y"]))
    else:
        period = _season_of(match["se"].lower(), said.on, 0 if said.ahead else -1)
    return part(period, (match["se_e"] or "").strip().lower())


def _season_of(name: str, on: date, step: int, *, over: bool = False) -> Found:
    """Return the season that is last, this or next; "this" one is not over yet unless all is `over`."""
    year, month = on.year, on.month
    if month + 12 < SEASONS[name] + 3:  # the present winter began last year
        year, month = year - 1, month + 12
    begun = month >= SEASONS[name]
    ended = month >= SEASONS[name] + 3
    if step < 0:
        return _season_period(name, year if ended else year - 1)
    if step > 0:
        return _season_period(name, year + 1 if begun else year)
    if over:
        return _season_period(name, year - 1 if SEASONS[name] - month > HALF_A_YEAR else year)
    return _season_period(name, year + 1 if ended else year)


def _season_period(name: str, year: int) -> Found:
    return months("in", f"{name} {year}", date(year, SEASONS[name], 1), 3)


def _nth(match: re.Match[str], said: Said) -> Found:
    return _day_of_month(nth_number(match["nth_d"]), said)


def _day_of_month(day: int, said: Said) -> Found:
    """Return the nearest such day of a month, ahead or behind."""
    on = said.on
    back = (day < on.day) if said.ahead else -(day > on.day)
    year, month = shifted(on, int(back))
    return _day(date(year, month, day))


def _year_said(match: re.Match[str], _said: Said) -> Found:
    early = (match["yr_e"] or "").lower()
    period = _year(int(match["yr"]))
    return replace(part(period, early.strip(" -")), body=f"{early}{period.body}") if early else period


# The function that reads each form of `forms.FORMS`.
READERS: dict[str, Callable[[re.Match[str], Said], Found]] = {
    "iso": _iso,
    "slashed": _slashed,
    "near": _near,
    "ago": _ago,
    "hence": _hence,
    "weekday_of": _weekday_of,
    "edge": _edge,
    "turn": _turn,
    "weekend": _weekend_said,
    "day_month": _day_month_said,
    "month_day": _month_day_said,
    "weekday": _weekday,
    "month": _month_said,
    "feast": _feast,
    "season": _season,
    "nth": _nth,
    "year": _year_said,
}


def counted(number: str) -> int:
    """Return the number in "3" or "a couple of"."""
    return NUMBERS.get(number.lower()) or int(number)


def nth_number(word: str) -> int:
    """Return the number in "3rd" or "twenty first"."""
    if word[0].isdigit():
        return int(word.rstrip("stndrh"))
    tens, _, ones = word.lower().replace("-", " ").rpartition(" ")
    known = {"thirtieth": 30} | {ordinal: number for number, ordinal in enumerate(ORDINALS, 1)}
    return {"": 0, "twenty": 20, "thirty": 30}[tens] + known[ones]


def weekday_near(name: str, on: date, *, ahead: bool) -> date:
    """Return the next or last day of that name, never the day itself."""
    distance = (DAYS.index(name) - on.weekday()) % 7
    return on + timedelta(days=(distance or 7) if ahead else (distance - 7))


def shifted(on: date, months: int) -> tuple[int, int]:
    """Return the year and the month so many months later."""
    total = on.year * 12 + on.month - 1 + months
    return total // 12, total % 12 + 1


def _month_number(name: str) -> int:
    return SHORT.index(name.lower()[:3]) + 1


def _written(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1].capitalize()} {day.year}"


def days_on(day: date, days: int) -> date:
    """Return the day so many days later or earlier, limited to the calendar."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def span(prep: str, body: str, first: date, last: date) -> Found:
    """Return a period whose first day stands for it."""
    return Found(prep, body, first, first, last)


def months(prep: str, body: str, first: date, count: int) -> Found:
    """Return a period of so many whole months."""
    year, month = shifted(first, count - 1)
    last = date(year, month, monthrange(year, month)[1]) if year <= date.max.year else date.max
    return span(prep, body, first, last)


def _day(day: date, *, about: bool = False) -> Found:
    return span("around" if about else "on", _written(day), day, day)


def _month(year: int, month: int, *, about: bool = False) -> Found:
    return months("around" if about else "in", f"{MONTHS[month - 1].capitalize()} {year}", date(year, month, 1), 1)


def _year(year: int, *, about: bool = False) -> Found:
    return months("around" if about else "in", str(year), date(year, 1, 1), 12)


def _weekend_of(saturday: date) -> Found:
    return span("on", f"the weekend of {_written(saturday)}", saturday, days_on(saturday, 1))


def part(period: Found, which: str, on: date | None = None) -> Found:
    """Return the part of a period that "early", "the end of" and the like mean; all of it for other words."""
    first, last = period.first, period.last
    if on and first <= on <= last and which in ("earlier", "later"):
        return replace(period, last=on) if which == "earlier" else replace(period, first=on)
    if which in _PARTS and (last - first).days >= len(DAYS) - 1:
        number, of = _PARTS[which]
        if which in _ENDS and (last - first).days > _LONG:
            number, of = _ENDS[which]
        last = days_on(_cut(period, number + 1, of), -1) if number + 1 < of else last
        return replace(period, first=_cut(period, number, of), last=last)
    return period


# The part that each word means: which one, and of how many.
_PARTS = (
    dict.fromkeys(("early", "earlier", "start", "beginning"), (0, 3))
    | dict.fromkeys(("mid", "middle"), (1, 3))
    | dict.fromkeys(("late", "later", "end"), (2, 3))
    | {"first": (0, 2), "second": (1, 2)}
)

# Shorter parts, for periods longer than `_LONG` days.
_ENDS = {"start": (0, 6), "beginning": (0, 6), "end": (5, 6)}
# Days above which a period uses the shorter parts of `_ENDS`.
_LONG = 300


def _cut(period: Found, number: int, of: int) -> date:
    """Return the first day of one part of a period, in whole months if possible."""
    first, last = period.first, period.last
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    if first.day == 1 and count % of == 0:
        year, month = shifted(first, count // of * number)
        return date(year, month, 1)
    return days_on(first, ((last - first).days + 1) // of * number)
