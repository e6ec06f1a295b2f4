"""Dates as people say them ("last May", "three weeks ago") to dates that hold for every reader."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from emberkeep.language.forms import EXPRESSION, HINT, KEPT, LASTING
from emberkeep.language.reading import RECURRING, Found, Said, begun, found, if_there_is, is_meant


@dataclass(frozen=True, slots=True)
class Dated:
    """A text with absolute dates, and the first moment of the first of them."""

    text: str
    moment: datetime | None


def absolute(text: str, at: datetime, *, ahead: bool, lasting: bool = False, timeless: bool = False) -> Dated:
    """The text with its dates made absolute.

    `ahead` says that it is about the future: "on Friday" is the next one then, else the last. `lasting` says that
    what it tells still goes on, so that "for two years" gives the year it began, `timeless` that it holds every year.
    """
    if not HINT.search(text):
        return Dated(text, None)
    said = Said(at.date(), ahead, timeless or bool(RECURRING.search(text)))
    moments: list[date] = []

    def replaced(match: re.Match[str], period: Found | None) -> str:
        if period is None:
            return match[0]
        moments.append(period.moment)
        return _with_lead(match, period)

    text = EXPRESSION.sub(lambda match: replaced(match, found(match, said)), _fronted_last(text, said))
    if lasting:
        text = LASTING.sub(lambda match: replaced(match, if_there_is(begun, match, said)), text)
    first = datetime(moments[0].year, moments[0].month, moments[0].day, tzinfo=UTC) if moments else None
    return Dated(text, first)


def may_be_of_a_date(word: str) -> bool:
    """Whether `without_dates` might leave a word out: told from the word alone, in a hundredth of the time."""
    return word in _OF_DATES or bool(HINT.search(word))


def without_dates(text: str) -> str:
    """The text without its absolute dates and how long it lasted."""
    if not HINT.search(text):
        return text
    said = Said(date(2000, 1, 1), ahead=False, recurring=False)
    text = _WEEK_OF.sub("", text)
    text = EXPRESSION.sub(lambda match: "" if is_meant(match, said) else match[0], text)
    return " ".join(LASTING.sub("", text).split())


_IS_CURRENT = re.compile(r"\bthis (?!past|morning)", re.IGNORECASE)
_WEEK_OF = re.compile(
    r"\b(?:in|since|on|from|until|by|for) the (?:week|weekend|end|start|beginning|middle) of\b"
    r"|\bthe (?:week|weekend) of(?= \d)",
    re.IGNORECASE,
)

_OF_DATES = frozenset(re.findall("[a-z]+", f"{EXPRESSION.pattern} {LASTING.pattern} {_WEEK_OF.pattern}".lower()))


def direction(text: str, at: datetime) -> str | None:
    """Where the dates in a text lie: "past", "now", "future", "either" if its tense decides, None if it has none."""
    if not HINT.search(text):
        return None
    said = Said(at.date(), ahead=True, recurring=bool(RECURRING.search(text)))
    where = None
    for match in EXPRESSION.finditer(text):
        latest = found(match, said)
        if latest is None:
            continue
        earliest = found(match, replace(said, ahead=False)) or latest
        if latest.moment <= said.on:
            return "now" if _IS_CURRENT.search(match[0]) else "past"
        where = "future" if earliest.moment > said.on or where == "future" else "either"
    return where


def _fronted_last(text: str, said: Said) -> str:
    """A date that opens the text goes to its end, so that it begins with whom it is about."""
    match = EXPRESSION.match(text)
    if match is None or not is_meant(match, said):
        return text
    rest = text[match.end() :].lstrip(", ")
    return f"{rest} {match[0][0].lower()}{match[0][1:]}" if rest else text


def _with_lead(match: re.Match[str], period: Found) -> str:
    lead = (match.groupdict().get("lead") or "").strip().lower().removesuffix(" the")
    if not lead and match.string[: match.start()].lower().endswith(" of "):
        return period.body
    if lead in KEPT.split("|") or (lead == "in" and period.prep == "around"):
        return f"{match[0].split()[0]} {period.body}" if lead != "in" else f"around {period.body}"
    if lead in ("starting", "starting from", "as of", "just"):
        return f"{lead} {period.prep} {period.body}"
    return f"{period.prep} {period.body}".strip()
