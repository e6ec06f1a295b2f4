"""Dates as people say them ("last May", "three weeks ago") to dates that hold for every reader."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

_MONTHS = "january february march april may june july august september october november december".split()
_SHORT = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_FEASTS = {
    "christmas": (12, 25), "christmas eve": (12, 24), "new year's eve": (12, 31), "new year's day": (1, 1),
    "new year's": (1, 1), "halloween": (10, 31), "valentine's day": (2, 14), "boxing day": (12, 26),
}  # fmt: skip
_NUMBERS = {
    word: number
    for number, words in enumerate(
        "zero one|a|an two three|few|several four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
    for word in words.split("|")
} | {"a couple of": 2, "a couple": 2, "couple of": 2, "a few": 3, "a dozen": 12, "thirty": 30, "forty": 40, "fifty": 50}

_NUMBER = r"(?:\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_MONTH = "(?:" + "|".join(_MONTHS) + "|(?:" + "|".join(_SHORT) + r"|sept)\b\.?)"
_DAY = "(?:" + "|".join(_DAYS) + ")"
_SEASON = "(?:" + "|".join(_SEASONS) + ")"
_FEAST = "(?:" + "|".join(sorted(_FEASTS, key=len, reverse=True)) + ")"
_YEAR = r"(?:19|20)\d\d"
_PART = r"(?: (?:morning|afternoon|evening|night))?"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_ORDINAL = rf"(?:(?:twenty|thirty)[- ](?:{'|'.join(_ORDINALS[:9])})|{'|'.join(_ORDINALS)}|thirtieth)"
_NTH = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})"
_LONG_UNIT = "(?:day|week|fortnight|month|year|decade)s?"
_AFTER_NTH = "(?:at|and|to|until|till|with|for|in|from|by|because|so|but|or|around)"
_UNIT = f"(?:hours?|{_LONG_UNIT})"
_HEDGE = r"(?:about |around |roughly |almost |nearly |over |more than |at least |just over |well over |some |exactly )?"
_KEPT = "since|until|till|by|before|after|from|for|to|through|between|and"
_LEAD = (
    rf"(?P<lead>(?:{_KEPT}|on|in|within|at|over|during|around|starting|starting from|as of|back in|just) (?:the )?)?"
)

_FORMS = {
    "iso": rf"{_YEAR}-\d\d-\d\d",
    "slashed": rf"(?P<sl_a>\d{{1,2}})/(?P<sl_b>\d{{1,2}})(?:/(?P<sl_y>{_YEAR}|\d\d))?",
    "near": rf"(?:the day before yesterday|the day after tomorrow|yesterday|today|tonight|tomorrow){_PART}"
    r"|this (?:morning|afternoon|evening)|last night|(?:earlier|later) today",
    "ago": rf"{_HEDGE}(?P<ago_n>{_NUMBER}) (?P<ago_u>{_UNIT})(?P<ago_h> and a half)? (?:ago|back|earlier)\b",
    "hence": rf"{_HEDGE}(?P<hence_n>{_NUMBER}) (?P<hence_u>{_UNIT})(?:'s? time)?"
    r"(?P<hence_now> from (?:now|today))?",
    "edge": r"(?P<edge_e>(?:the )?(?:end|start|beginning|middle|first half|second half) of) "
    rf"(?:(?P<edge_w>the|this|last|next) (?P<edge_u>week|month|year|quarter)"
    rf"|(?P<edge_m>{_MONTH})(?: (?P<edge_y>{_YEAR}))?|(?P<edge_yy>{_YEAR}))",
    "turn": r"(?P<turn_e>early |late |earlier |later |sometime |mid-?)?"
    r"(?P<turn_w>last|next|this past|this coming|this|the coming|the past|the following) "
    rf"(?P<turn_u>weekend|week|month|year|quarter|{_SEASON}|{_DAY}{_PART}|{_FEAST}|{_MONTH}(?: (?P<turn_d>{_NTH})\b)?)",
    "weekend": r"the weekend",
    "day_month": rf"(?:the )?(?P<dm_s>(?P<dm_n>{_NTH})(?: (?:to|and|until|till|through) (?:the )?| ?[-–] ?))?"
    rf"(?P<dm_d>{_NTH})(?: of)? (?P<dm_m>{_MONTH})(?:,? (?P<dm_y>{_YEAR}))?",
    "month_day": rf"(?:{_DAY},? )?(?P<md_m>{_MONTH}) (?:the )?(?P<md_d>{_NTH})\b(?:,? (?P<md_y>{_YEAR}))?",
    "weekday": rf"(?P<wd>{_DAY})(?P<wd_p>{_PART})(?: the (?P<wd_d>\d{{1,2}})(?:st|nd|rd|th)\b)?"
    rf"(?! (?:nights|evenings|mornings|afternoons)|,? (?:and|or) {_DAY}| to {_DAY})",
    "month": rf"(?P<mo_e>early |late |mid[- ])?(?P<mo>{_MONTH})(?:,? (?:of )?(?P<mo_y>{_YEAR}))?",
    "feast": rf"(?P<feast_n>{_FEAST})(?: (?P<feast_y>{_YEAR}))?",
    "season": rf"(?:the )?(?P<se_e>early |late )?(?P<se>{_SEASON})(?: of)?(?: (?P<se_y>{_YEAR}))?",
    "nth": rf"the (?P<nth_d>\d{{1,2}}(?:st|nd|rd|th)\b(?=\W*$|[,.;:)!]| {_AFTER_NTH}\b)|{_ORDINAL}(?=$|,| at | and ))",
    "year": rf"(?P<yr_e>early |late |mid-?)?(?P<yr>{_YEAR})",
}
_EXPRESSION = re.compile(
    rf"\b{_LEAD}(?:" + "|".join(f"(?P<{name}>{form})" for name, form in _FORMS.items()) + r")\b(?!'s\b|-\w|\.\d|/)",
    re.IGNORECASE,
)
_LASTING = re.compile(
    rf"\bfor (?:the (?:past|last) )?(?P<hedge>{_HEDGE})(?P<n>{_NUMBER})\+? (?P<u>{_LONG_UNIT})"
    r"(?P<half> and a half)?(?: now)?\b(?! old)",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"\d|day|night|morrow|week|month|year|quarter|decade|ago\b|morning|evening|afternoon|spring|summer|autumn|fall\b"
    r"|winter|christmas|halloween|th\b|first|second|third|\b(?:" + "|".join(_SHORT) + ")",
    re.IGNORECASE,
)
_RECURRING = re.compile(r"\b(?:every|each|always|usually|annually|yearly|per)\b|\bday(?: off)? is\b", re.IGNORECASE)
_YEARLY = re.compile(r"\b(?:birthday|anniversary|name ?day)\b", re.IGNORECASE)
_PAIRED = re.compile(rf"\b{_DAY},? (?:and|or|to) (?:on )?{_DAY}$", re.IGNORECASE)
_NEEDS_LEAD = frozenset(("slashed", "month", "season", "year", "nth", "feast", "weekend", "hence"))
_YEAR_LEADS = frozenset(
    ("in", "since", "until", "till", "by", "from", "to", "during", "around", "before", "after", "back in")
)
_FORWARD = frozenset(("until", "till", "by", "to", "for", "starting", "starting from", "as of"))


@dataclass(frozen=True, slots=True)
class Dated:
    """A text with absolute dates, and the first moment of the first of them."""

    text: str
    moment: datetime | None


@dataclass(frozen=True, slots=True)
class _Period:
    prep: str
    body: str
    first: date


@dataclass(frozen=True, slots=True)
class _Said:
    """When it was said, whether of what is to come, and whether the days it names come round again and again."""

    on: date
    ahead: bool
    recurring: bool


def absolute(text: str, at: datetime, *, ahead: bool, lasting: bool = False, timeless: bool = False) -> Dated:
    """The text with its dates made absolute.

    `ahead` says that it is about the future: "on Friday" is the next one then, else the last. `lasting` says that
    what it tells still goes on, so that "for two years" gives the year it began, `timeless` that it holds every year.
    """
    if not _HINT.search(text):
        return Dated(text, None)
    said = _Said(at.date(), ahead, timeless or bool(_RECURRING.search(text)))
    moments: list[date] = []

    def replaced(match: re.Match[str], period: _Period | None) -> str:
        if period is None:
            return match[0]
        moments.append(period.first)
        return _with_lead(match, period)

    text = _EXPRESSION.sub(lambda match: replaced(match, _period(match, said)), _fronted_last(text, said))
    if lasting:
        text = _LASTING.sub(lambda match: replaced(match, _if_there_is(_begun, match, said)), text)
    first = datetime(moments[0].year, moments[0].month, moments[0].day, tzinfo=UTC) if moments else None
    return Dated(text, first)


def without_dates(text: str) -> str:
    """The text without its absolute dates and how long it lasted."""
    if not _HINT.search(text):
        return text
    said = _Said(date(2000, 1, 1), ahead=False, recurring=False)
    text = _WEEK_OF.sub("", text)
    text = _EXPRESSION.sub(lambda match: "" if _is_meant(match, said) else match[0], text)
    return " ".join(_LASTING.sub("", text).split())


_IS_CURRENT = re.compile(r"\bthis (?!past|morning)", re.IGNORECASE)
_WEEK_OF = re.compile(
    r"\b(?:in|since|on|from|until|by|for) the (?:week|weekend|end|start|beginning|middle) of\b"
    r"|\bthe (?:week|weekend) of(?= \d)",
    re.IGNORECASE,
)


def direction(text: str, at: datetime) -> str | None:
    """Where the dates in a text lie: "past", "now", "future", "either" if its tense decides, None if it has none."""
    if not _HINT.search(text):
        return None
    said = _Said(at.date(), ahead=True, recurring=bool(_RECURRING.search(text)))
    found = None
    for match in _EXPRESSION.finditer(text):
        latest = _period(match, said)
        if latest is None:
            continue
        earliest = _period(match, replace(said, ahead=False)) or latest
        if latest.first <= said.on:
            return "now" if _IS_CURRENT.search(match[0]) else "past"
        found = "future" if earliest.first > said.on or found == "future" else "either"
    return found


def _fronted_last(text: str, said: _Said) -> str:
    """A date that opens the text goes to its end, so that it begins with whom it is about."""
    match = _EXPRESSION.match(text)
    if match is None or not _is_meant(match, said):
        return text
    rest = text[match.end() :].lstrip(", ")
    return f"{rest} {match[0][0].lower()}{match[0][1:]}" if rest else text


def _with_lead(match: re.Match[str], period: _Period) -> str:
    lead = (match.groupdict().get("lead") or "").strip().lower().removesuffix(" the")
    if not lead and match.string[: match.start()].lower().endswith(" of "):
        return period.body
    if lead in _KEPT.split("|") or (lead == "in" and period.prep == "around"):
        return f"{match[0].split()[0]} {period.body}" if lead != "in" else f"around {period.body}"
    if lead in ("starting", "starting from", "as of", "just"):
        return f"{lead} {period.prep} {period.body}"
    return f"{period.prep} {period.body}".strip()


def _is_meant(match: re.Match[str], said: _Said) -> bool:
    """Whether the words are a date here: "may" and "2019" alone are not."""
    form, lead = match.lastgroup or "", (match["lead"] or "").strip().lower().removesuffix(" the")
    if form in ("hence", "year", "month"):
        return _is_led(match, said, form, lead)
    if form == "nth" and lead == "to" and match.end() == len(match.string):
        return not said.recurring
    if form in _NEEDS_LEAD:
        return bool(lead) and lead not in ("for", "to", "and") and not said.recurring
    if form == "weekday":
        return not said.recurring and not _PAIRED.search(match.string, 0, match.end())
    if form in ("month_day", "day_month") and not re.search(_YEAR, match[0]):
        return not said.recurring and not _YEARLY.search(match.string)
    return True


def _is_led(match: re.Match[str], said: _Said, form: str, lead: str) -> bool:
    """Whether "in" or the like makes a date of words that may be none."""
    if form == "hence":
        return bool(match["hence_now"] or (said.ahead and lead in ("in", "within")))
    if form == "year":
        return lead in _YEAR_LEADS or bool(match["yr_e"])
    named = lead == "for" or (lead in _YEAR_LEADS and not (said.recurring and lead == "in"))
    return bool(match["mo_y"] or match["mo_e"] or named)


def _period(match: re.Match[str], said: _Said) -> _Period | None:
    if not _is_meant(match, said):
        return None
    lead = (match["lead"] or "").strip().lower()
    if lead.split(" ")[0] == "since":
        said = replace(said, ahead=False)
    elif lead in _FORWARD and not _BEGUN.search(match.string, 0, match.start()) and not _is_over(match, lead, said):
        said = replace(said, ahead=True)
    elif lead == "from" and not said.ahead:
        said = replace(said, on=_end_after(match, said) or said.on)
    return _if_there_is(_READERS[match.lastgroup or ""], match, said)


_BEGUN = re.compile(r"\bfrom (?:the )?[\w ]{1,20}\s$", re.IGNORECASE)
_OVER = re.compile(r"\b(?:was|were|lived|worked|stayed|studied|served|taught|had)\b", re.IGNORECASE)
_ENDING = re.compile(r" (?=(?:to|until|till|through) )", re.IGNORECASE)


def _is_over(match: re.Match[str], lead: str, said: _Said) -> bool:
    """As in "I lived there until May", told of the past."""
    return lead in ("until", "till") and not said.ahead and _OVER.search(match.string, 0, match.start()) is not None


def _end_after(match: re.Match[str], said: _Said) -> date | None:
    """The end of a period whose first date was found: that date is the last before it, "from March to June"."""
    ending = _ENDING.match(match.string, match.end())
    until = _EXPRESSION.match(match.string, ending.end()) if ending else None
    period = _period(until, said) if until and until.lastgroup in _CALENDAR and match.lastgroup in _CALENDAR else None
    return period.first if period else None


_CALENDAR = ("month", "month_day", "day_month")


def _if_there_is(
    reader: Callable[[re.Match[str], _Said], _Period], match: re.Match[str], said: _Said
) -> _Period | None:
    """The period, None if the calendar has none such: 31 June, the year 0."""
    try:
        return reader(match, said)
    except (ValueError, OverflowError):
        return None


def _iso(match: re.Match[str], _said: _Said) -> _Period:
    return _day(date.fromisoformat(match["iso"]))


def _near(match: re.Match[str], said: _Said) -> _Period:
    words = match["near"].lower()
    days = {"the day before yesterday": -2, "the day after tomorrow": 2, "last night": -1}
    for start, offset in (days | {"yesterday": -1, "tomorrow": 1}).items():
        if words.startswith(start):
            return _day(said.on + timedelta(days=offset))
    return _day(said.on)


def _ago(match: re.Match[str], said: _Said) -> _Period:
    return _away(match["ago_n"], match["ago_u"], said.on, -1, half=bool(match["ago_h"]))


def _hence(match: re.Match[str], said: _Said) -> _Period:
    return _away(match["hence_n"], match["hence_u"], said.on, 1)


def _begun(match: re.Match[str], said: _Said) -> _Period:
    period = _away(match["n"], match["u"], said.on, -1, half=bool(match["half"]))
    around = "around " if period.prep == "around" or match["hedge"] else ""
    return _Period("since", f"{around}{period.body}", period.first)


def _away(number: str, unit: str, on: date, sign: int, *, half: bool = False) -> _Period:
    count = _NUMBERS.get(number.lower()) or int(number)
    unit = unit.lower().rstrip("s")
    vague = number.lower() in ("few", "several", "a few")
    if unit == "hour":
        return _day(on)
    if unit == "day":
        return _day(on + timedelta(days=sign * count), about=vague)
    if unit in ("week", "fortnight"):
        return _day(on + timedelta(weeks=sign * count * (2 if unit == "fortnight" else 1)), about=True)
    if unit == "month":
        return _month(*_shifted(on, sign * count), about=vague)
    count *= 10 if unit == "decade" else 1
    year = _shifted(on, sign * (count * 12 + 6))[0] if half else on.year + sign * count
    return _year(year, about=vague or unit == "decade")


def _edge(match: re.Match[str], said: _Said) -> _Period:
    which = f"the {match['edge_e'].lower().removeprefix('the ')}"
    late = "end" in which or "second" in which
    if match["edge_yy"] or (match["edge_u"] or "").lower() == "year":
        year = int(match["edge_yy"] or said.on.year + _STEP.get(match["edge_w"].lower(), 0))
        return _Period("at", f"{which} {year}", date(year, 12 if late else 1, 1))
    if match["edge_m"]:
        inner = _named_month(match["edge_m"], match["edge_y"], said)
    else:
        inner = _turned(match["edge_u"].lower(), _STEP.get(match["edge_w"].lower(), 0), said)
    return _Period("at", f"{which} {inner.body}", inner.first + timedelta(days=20) if late else inner.first)


_STEP = {"last": -1, "this past": -1, "the past": -1, "next": 1, "the coming": 1, "the following": 1}


def _turn(match: re.Match[str], said: _Said) -> _Period:
    which, unit = match["turn_w"].lower(), match["turn_u"].lower()
    step = _STEP.get(which, 0)
    if which == "this coming":
        said = replace(said, ahead=True)
    if match["turn_d"]:
        return _month_day(unit.split()[0], match["turn_d"], None, said)
    period = _turned(unit, step, said)
    early = (match["turn_e"] or "").lower().strip()
    prep = f"{early} {period.prep}" if early in ("early", "late") else period.prep
    return _Period(prep, period.body, period.first)


def _turned(unit: str, step: int, said: _Said) -> _Period:
    on = said.on
    if unit == "week":
        monday = on - timedelta(days=on.weekday()) + timedelta(weeks=step)
        return _Period("in", f"the week of {_written(monday)}", monday)
    if unit == "weekend":
        return _weekend_of(_weekend(on, step))
    if unit == "month":
        return _month(*_shifted(on, step))
    if unit == "quarter":
        year, month = _shifted(date(on.year, (on.month - 1) // 3 * 3 + 1, 1), step * 3)
        return _Period("in", f"Q{(month + 2) // 3} {year}", date(year, month, 1))
    if unit == "year":
        return _year(on.year + step)
    return _turned_name(unit, step, on, ahead=said.ahead or step > 0)


def _turned_name(unit: str, step: int, on: date, *, ahead: bool) -> _Period:
    if unit in _FEASTS:
        return _feast_of(unit, None, on, ahead=step >= 0)
    if unit in _SEASONS:
        return _season_of(unit, on, step)
    name = unit.partition(" ")[0]
    if name in _DAYS:
        return _day(_weekday_near(name, on, ahead=ahead and step >= 0))
    month = _month_number(unit)
    if step < 0:
        return _month(on.year - (month >= on.month), month)
    return _month(on.year + (month < on.month or (step > 0 and month == on.month)), month)


def _weekend(on: date, step: int) -> date:
    """The Saturday of the last, this or the next weekend."""
    saturday = on - timedelta(days=on.weekday()) + timedelta(days=5)
    return saturday + timedelta(weeks=step)


def _weekend_said(_match: re.Match[str], said: _Said) -> _Period:
    return _weekend_of(_weekend(said.on, 0 if said.ahead or said.on.weekday() >= _DAYS.index("saturday") else -1))


def _day_month_said(match: re.Match[str], said: _Said) -> _Period:
    period = _month_day(match["dm_m"], match["dm_d"], match["dm_y"], said)
    if not match["dm_s"]:
        return period
    first = period.first.replace(day=_nth_number(match["dm_n"]))
    if first >= period.first:
        raise ValueError(match[0])
    return _Period(period.prep, f"{match['dm_s']}{period.body}", first)


def _slashed(match: re.Match[str], said: _Said) -> _Period:
    """A day and a month, if a number above twelve tells which is which."""
    one, other, year = int(match["sl_a"]), int(match["sl_b"]), match["sl_y"]
    if (one > len(_MONTHS)) == (other > len(_MONTHS)):
        raise ValueError(match[0])
    day, month = max(one, other), min(one, other)
    if year and len(year) < len("1990"):
        year = str(int(year) + (2000 if int(year) <= said.on.year % 100 + 10 else 1900))
    return _month_day(_MONTHS[month - 1], str(day), year, said)


def _month_day_said(match: re.Match[str], said: _Said) -> _Period:
    return _month_day(match["md_m"], match["md_d"], match["md_y"], said)


def _month_day(month: str, day: str, year: str | None, said: _Said) -> _Period:
    number, of_month = _month_number(month), _nth_number(day)
    if year:
        return _day(date(int(year), number, of_month))
    years = range(said.on.year, said.on.year + 9) if said.ahead else range(said.on.year, said.on.year - 9, -1)
    for one in years:
        if of_month <= monthrange(one, number)[1]:
            found = date(one, number, of_month)
            if (found >= said.on) if said.ahead else (found <= said.on):
                return _day(found)
    raise ValueError(day)


def _weekday(match: re.Match[str], said: _Said) -> _Period:
    if match["wd_d"]:
        return _day_of_month(int(match["wd_d"]), said)
    return _day(_weekday_near(match["wd"].lower(), said.on, ahead=said.ahead))


def _month_said(match: re.Match[str], said: _Said) -> _Period:
    period = _named_month(match["mo"], match["mo_y"], said)
    early = (match["mo_e"] or "").strip(" -").lower()
    return _Period(period.prep, f"{early} {period.body}".strip(), period.first)


def _named_month(name: str, year: str | None, said: _Said) -> _Period:
    month, on = _month_number(name), said.on
    if year:
        return _month(int(year), month)
    return _month(on.year + (month < on.month if said.ahead else -(month > on.month)), month)


def _feast(match: re.Match[str], said: _Said) -> _Period:
    return _feast_of(match["feast_n"].lower(), match["feast_y"], said.on, ahead=said.ahead)


def _feast_of(name: str, year: str | None, on: date, *, ahead: bool) -> _Period:
    month, day = _FEASTS[name]
    first = date(int(year) if year else on.year, month, day)
    if not year and (first < on) == ahead:
        first = date(on.year + (1 if ahead else -1), month, day)
    return _Period("at", f"{name[0].upper()}{name[1:]} {first.year}", first)


def _season(match: re.Match[str], said: _Said) -> _Period:
    if match["se_y"]:
        return _season_period(match["se"].lower(), int(match["se_y"]))
    return _season_of(match["se"].lower(), said.on, 0 if said.ahead else -1)


def _season_of(name: str, on: date, step: int) -> _Period:
    begun = on.month >= _SEASONS[name]
    ended = on.month >= _SEASONS[name] + 3
    if step < 0:
        return _season_period(name, on.year if ended else on.year - 1)
    if step > 0:
        return _season_period(name, on.year + 1 if begun else on.year)
    return _season_period(name, on.year + 1 if ended else on.year)


def _season_period(name: str, year: int) -> _Period:
    return _Period("in", f"{name} {year}", date(year, _SEASONS[name], 1))


def _nth(match: re.Match[str], said: _Said) -> _Period:
    return _day_of_month(_nth_number(match["nth_d"]), said)


def _day_of_month(day: int, said: _Said) -> _Period:
    on = said.on
    back = (day < on.day) if said.ahead else -(day > on.day)
    year, month = _shifted(on, int(back))
    return _day(date(year, month, day))


def _year_said(match: re.Match[str], _said: _Said) -> _Period:
    early = (match["yr_e"] or "").lower()
    return _Period("in", f"{early}{match['yr']}", date(int(match["yr"]), 1, 1))


_READERS: dict[str, Callable[[re.Match[str], _Said], _Period]] = {
    "iso": _iso,
    "slashed": _slashed,
    "near": _near,
    "ago": _ago,
    "hence": _hence,
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


def _nth_number(word: str) -> int:
    """The number in "3rd" or "twenty first"."""
    if word[0].isdigit():
        return int(word.rstrip("stndrh"))
    tens, _, ones = word.lower().replace("-", " ").rpartition(" ")
    known = {"thirtieth": 30} | {ordinal: number for number, ordinal in enumerate(_ORDINALS, 1)}
    return {"": 0, "twenty": 20, "thirty": 30}[tens] + known[ones]


def _weekday_near(name: str, on: date, *, ahead: bool) -> date:
    """The next or last day of that name, never the day itself."""
    distance = (_DAYS.index(name) - on.weekday()) % 7
    return on + timedelta(days=(distance or 7) if ahead else (distance - 7))


def _shifted(on: date, months: int) -> tuple[int, int]:
    total = on.year * 12 + on.month - 1 + months
    return total // 12, total % 12 + 1


def _month_number(name: str) -> int:
    return _SHORT.index(name.lower()[:3]) + 1


def _written(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1].capitalize()} {day.year}"


def _day(day: date, *, about: bool = False) -> _Period:
    return _Period("around" if about else "on", _written(day), day)


def _month(year: int, month: int, *, about: bool = False) -> _Period:
    return _Period("around" if about else "in", f"{_MONTHS[month - 1].capitalize()} {year}", date(year, month, 1))


def _year(year: int, *, about: bool = False) -> _Period:
    return _Period("around" if about else "in", str(year), date(year, 1, 1))


def _weekend_of(saturday: date) -> _Period:
    return _Period("on", f"the weekend of {_written(saturday)}", saturday)
