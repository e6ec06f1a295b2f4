"""Find the event that a question tells its time by: "before I moved", "the week after the wedding"."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from emberkeep.language.forms import NUMBER
from emberkeep.language.reading import counted
from emberkeep.language.spotting import LONGEST

# Days within which "the week after" and the like reach.
_DAYS_IN = {
    "day": 1, "night": 1, "morning": 1, "evening": 1, "weekend": 7, "week": 7, "fortnight": 14, "month": 31,
    "year": 366,
}  # fmt: skip
_UNIT = "|".join(_DAYS_IN)
# A distance before "before" or "after": "two days", "the week", "shortly".
_REACH = re.compile(
    rf"\b(?:(?P<the>the )?(?:(?!zero)(?P<n>{NUMBER}) )?(?P<unit>{_UNIT})s?|(?P<soon>right|just|immediately|directly)"
    r"|(?P<later>shortly|soon|not long)) $",
    re.IGNORECASE,
)
_SHORTLY, _A_WHILE = 7, 31  # days meant by "right after" and by "soon after"
# First words of a clause after "the week".
_PERSON = r"(?:i|we|you|he|she|they|my|our|his|her|their|the)\b"
# Words before an event: "before", "the week that", "on my birthday".
_OPENING = re.compile(
    r"\b(?:(?P<word>before|after|since|until|till|while|whilst|when|during) +"
    rf"|the (?P<unit>{_UNIT}) (?:of +|(?:that |when )?(?={_PERSON})))"
    r"|\bon (?=(?:my|our|his|her|their|\w+['’]s) (?:[\w-]+ )?(?:birthday|anniversary|wedding)\b)",
    re.IGNORECASE,
)
_ASKS = r"(?:did|do|does|was|were|is|are|have|had|has)\b"
# The words of the event, up to a comma, the end, or the question proper.
_WORDS = re.compile(
    r"[^,;?!\n]{2,200}?(?= *(?:[,;?!\n]|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bst)(?<!\bmrs)\.(?:\s|$)|$"
    rf"| (?:what|where|who|whom|which|how|why) (?:[\w']+ ){{0,2}}?{_ASKS}"
    r"| (?:did|do|does|had|have) (?:i|we|you|he|she|they)\b))",
    re.IGNORECASE,
)
# A question about a duration, in which "since I moved" gives no time to search in.
_HOW_LONG = re.compile(
    r"\bhow (?:long|much time|many (?:minutes|hours|days|weeks|weekends|months|years))\b", re.IGNORECASE
)
# Verbs that put the question in the past.
_PAST = re.compile(r"\b(?:did|was|were|had|went|got|said|told|gave|made|took|saw|met|bought|\w{2,}ed)\b", re.IGNORECASE)
# Verbs that put it in the present, so that "before a run" is no single event.
_PRESENT = re.compile(r"\b(?:do|does|should|can|could|would|will|is|are|am)\b", re.IGNORECASE)
# A polite opening whose present tense does not count: "do you remember ...".
_ASIDE = re.compile(
    r"\b(?:do|can|could|would|will) you (?:know|remember|recall|think|tell|remind|say)\b", re.IGNORECASE
)
# A clause after "since" that gives a reason: "since I'm tired".
_CAUSE = re.compile(
    r"(?:it|he|she|they|we|i|you|this|that|there)"
    r"(?:['’](?:s|re|m)| is| are| am| can| do| does| will| should| need| want| have)\b",
    re.IGNORECASE,
)
# First words of what is no event: "before work", "when did ...".
_NOT_FIRST = frozenset(
    """
    all work school lunch dinner breakfast bed bedtime noon midnight dark sunset sunrise long then now when what how who
    which whom why where did do does is are was were will would can could should have has had am exactly ago each every
    or and
    """.split()
)
# Words that name no event by themselves.
_NOTHING = frozenset(
    "that,this,it,them,him,her,me,us,you,these,those,everything,anything,everyone,anyone,another,day,week,month,year,"
    "time,class,hours,and,or,too,so,the day,the night,the week,the weekend,the month,the year,the morning,the evening,"
    "the time,my life".split(",")
)
Side = Literal["during", "before", "after"]
# The side of an event that each opening means; with other openings it is "during".
_SIDES: dict[str, Side] = {"before": "before", "until": "before", "till": "before", "after": "after", "since": "after"}
# Words before an opening after which it opens no event: "look after", "say when".
_NOT_AFTER = {
    "before": frozenset(("or", "and")),
    "after": frozenset("or and named called look looks looked looking modelled modeled".split()),
    "when": frozenset("know remember recall me say said says tell told asked about sure of and or out since".split()),
    "while": frozenset(("a", "worth")),
}


@dataclass(frozen=True, slots=True)
class Event:
    """An event in the words of the question.

    `side` says whether the time during, before or after it is meant, and `reach` how far from it at most.
    """

    words: str
    side: Side
    reach: timedelta | None


@dataclass(frozen=True, slots=True)
class Reach:
    """How far from an event: at most `days` from it, or with `exact` about `days` from it."""

    days: int
    exact: bool


def event_in(text: str) -> Event | None:
    """Return the event that a question tells its time by, None if there is none."""
    text = text[:LONGEST]
    if _HOW_LONG.search(text):
        return None
    for opening in _OPENING.finditer(text):
        words = _WORDS.match(text, opening.end())
        if words and _is_event(opening, words[0]):
            return _event(opening, words[0].rstrip())
    return None


def reach_before(text: str, end: int) -> Reach | None:
    """Return the distance that ends at that place, before "before" or "after": "the week", "two days", "shortly"."""
    match = _REACH.search(text, max(0, end - 30), end)
    if match is None:
        return None
    if match["unit"] is None:
        return Reach(_SHORTLY if match["soon"] else _A_WHILE, exact=False)
    number = match["n"] or "one"
    count = counted(number)
    return Reach(count * _DAYS_IN[match["unit"].lower()], exact=bool(match["n"] and not match["the"]))


def _event(opening: re.Match[str], words: str) -> Event:
    """Return the event; an exact distance is allowed a quarter more."""
    word = (opening["word"] or "").lower()
    if word not in _SIDES:
        unit = opening["unit"]
        return Event(words, "during", timedelta(days=_DAYS_IN[unit.lower()]) if unit else None)
    reach = reach_before(opening.string, opening.start()) if word in ("before", "after") else None
    days = reach.days + (reach.days // 4 if reach.exact else 0) if reach else 0
    return Event(words, _SIDES[word], timedelta(days=days) if reach else None)


def _is_event(opening: re.Match[str], words: str) -> bool:
    """Return whether the words can be an event: not "it", "work" or "3 pm"."""
    text, word = opening.string, (opening["word"] or "").lower()
    words = words.strip().lower()
    first = words.split(" ")[0]
    if words in _NOTHING or first in _NOT_FIRST or first[:1].isdecimal() or not any(map(str.isalpha, words)):
        return False
    before = text[: opening.start()].lower().split()[-1:]
    if before and before[0] in _NOT_AFTER.get(word, ()):
        return False
    if word == "since":
        return _CAUSE.match(words) is None
    return _is_of_the_past(text, word)


def _is_of_the_past(text: str, word: str) -> bool:
    """Return whether the event happened once, unlike in "What do I eat before a run?"."""
    if _PAST.search(text):
        return True
    return word not in ("when", "while", "whilst") and not _PRESENT.search(_ASIDE.sub("", text))
