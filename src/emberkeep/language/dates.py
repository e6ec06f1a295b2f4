"""Turn dates as people say them ("last May", "three weeks ago") into absolute dates."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from emberkeep.language.forms import ARRANGING, EXPRESSION, HINT, KEPT, LASTING
from emberkeep.language.reading import RECURRING, Found, Said, begun, found, if_there_is, is_meant


@dataclass(frozen=True, slots=True)
class Dated:
    """A text with absolute dates, and the first moment of the first of them."""

    text: str
    moment: datetime | None


def absolute(text: str, at: datetime, *, ahead: bool, lasting: bool = False, timeless: bool = False) -> Dated:
    """Return the text with its dates made absolute, as of `at`.

    With `ahead`, the text is about the future and "on Friday" is the next one, otherwise the last. With `lasting`, what
    it tells still goes on, so "for two years" becomes the year it began. With `timeless`, it holds every year.
    """
    if not HINT.search(text):
        return Dated(text, None)
    over = not ahead and (EXPRESSION.match(text) is not None or ARRANGING.search(text) is None)
    said = Said(at.date(), ahead, timeless or bool(RECURRING.search(text)), over)
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
    """Return whether `without_dates` might remove a word; judged by the word alone, a hundred times faster."""
    return word in _OF_DATES or bool(HINT.search(word))


def without_dates(text: str) -> str:
    """Return the text without its dates and durations."""
    if not HINT.search(text):
        return text
    said = Said(date(2000, 1, 1), ahead=False, recurring=False)
    text = _WEEK_OF.sub("", text)
    text = EXPRESSION.sub(lambda match: "" if is_meant(match, said) else match[0], text)
    return " ".join(LASTING.sub("", text).split())


# A period that is not over yet: "this week".
_IS_CURRENT = re.compile(r"\bthis (?!past|morning)", re.IGNORECASE)
# What may stand before an absolute date: "in the week of", "since the end of".
_WEEK_OF = re.compile(
    r"\b(?:in|since|on|from|until|by|for) the (?:week|weekend|end|start|beginning|middle) of\b"
    r"|\bthe (?:week|weekend) of(?= \d)",
    re.IGNORECASE,
)

# All words that occur in the patterns of dates.
_OF_DATES = frozenset(re.findall("[a-z]+", f"{EXPRESSION.pattern} {LASTING.pattern} {_WEEK_OF.pattern}".lower()))


def direction(text: str, at: datetime) -> str | None:
    """Return where the dates of a text lie: "past", "now", "future", "either" if the tense decides, None if none."""
    if not HINT.search(text):
        return None
    said = Said(at.date(), ahead=True, recurring=bool(RECURRING.search(text)))
    where = None
    for match in EXPRESSION.finditer(text):
        latest = found(match, said)
        if latest is None:
            continue
        earliest = found(match, replace(said, ahead=False, over=True)) or latest
        if latest.moment <= said.on:
            return "now" if _IS_CURRENT.search(match[0]) else "past"
        where = "future" if earliest.moment > said.on or where == "future" else "either"
    return where


def _fronted_last(text: str, said: Said) -> str:
    """Move a date that opens the text to its end, so that the text begins with its subject."""
    match = EXPRESSION.match(text)
    if match is None or not is_meant(match, said):
        return text
    rest = text[match.end() :].lstrip(", ")
    return f"{rest} {match[0][0].lower()}{match[0][1:]}" if rest else text


def _with_lead(match: re.Match[str], period: Found) -> str:
    """Return the absolute date with the preposition that fits it: "since May 2024", "on 3 June 2024"."""
    lead = (match.groupdict().get("lead") or "").strip().lower().removesuffix(" the")
    if not lead and match.string[: match.start()].lower().endswith(" of "):
        return period.body
    if lead in KEPT.split("|") or (lead == "in" and period.prep == "around"):
        return f"{match[0].split()[0]} {period.body}" if lead != "in" else f"around {period.body}"
    if lead in ("starting", "starting from", "as of", "just"):
        return f"{lead} {period.prep} {period.body}"
    return f"{period.prep} {period.body}".strip()
