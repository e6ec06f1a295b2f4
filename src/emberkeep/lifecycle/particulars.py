"""Differences between statements with equal claims: a date, a number, a word that changes the meaning. Pure functions.

A claim leaves out articles, dates and adverbs. So "met Bob on 3 May" and "met Bob on 9 June" have the same claim, and
still are two facts.
"""

import re
from dataclasses import dataclass

from emberkeep.language.forms import DAYS, MONTHS, NTH, NUMBERS, ORDINALS, SEASONS, SHORT

_TURNING = frozenset(
    """
    few hardly rarely seldom barely scarcely almost nearly only except unless if before after until without we us our
    """.split()
)
_HIS, _HERS = frozenset(("his", "him")), frozenset(("her", "hers"))
_CALENDAR = (
    {name: name for name in (*DAYS, *SEASONS, *MONTHS)} | dict(zip(SHORT, MONTHS, strict=True)) | {"sept": MONTHS[8]}
)
# Day and month together are one detail; otherwise the 10th would equal ten o'clock.
_MONTH = "|".join(sorted((*MONTHS, *SHORT, "sept"), key=len, reverse=True))
_DAY = re.compile(
    rf"\b(?:(?P<d>{NTH})(?: of)? (?P<m>{_MONTH})|(?P<month>{_MONTH})\.? (?:the )?(?P<day>{NTH}))\b",
    re.IGNORECASE,
)
_HOW_OFTEN = frozenset("once twice thrice hourly daily nightly weekly monthly yearly".split())
_NTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_WORDS = {word: str(number) for word, number in NUMBERS.items() if word.isalpha() and word not in ("a", "an", "one")}
_ORDINALS = {word: number for number, word in enumerate(ORDINALS, 1)} | {"thirtieth": 30}
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_WORD = re.compile(r"[^\s,;:!?\"“”()\[\]]+")
_TOO = re.compile(r"\btoo (?=\w)", re.IGNORECASE)  # "too old", not "tea, too"


@dataclass(frozen=True, slots=True)
class Particulars:
    """The particulars of a statement.

    `details` are its numbers and dates, `turns` the words that change its meaning, `his` and `hers` whether it has such
    a pronoun.
    """

    details: frozenset[str]
    turns: frozenset[str]
    his: bool
    hers: bool

    def contradict(self, other: "Particulars") -> bool:
        """Whether the statements differ in words that change the meaning, or in "his" against "hers"."""
        crossed = (self.his, self.hers) == (other.hers, other.his) and self.his != self.hers
        return self.turns != other.turns or crossed


def particulars(text: str) -> Particulars:
    """The particulars of a statement."""
    days = {_day(found) for found in _DAY.finditer(text)}
    without = _DAY.sub(lambda found: f" {found['m'] or found['month']} ", text)
    words = [word.strip(".'’…") for word in _WORD.findall(without)]
    small = {word.lower() for word in words}
    numbers = [part for word in words if any(char.isdigit() for char in word) for part in _parts(word)]
    numbers += [_WORDS[word] for word in small if word in _WORDS]
    named = (_CALENDAR[word] for word in small if word in _CALENDAR)
    details = {*days, *numbers, *named, *(small & _HOW_OFTEN)}
    turns = (small & _TURNING) | ({"too"} if _TOO.search(text) else set())
    return Particulars(frozenset(details), frozenset(turns), bool(small & _HIS), bool(small & _HERS))


def _day(found: re.Match[str]) -> str:
    return f"{_nth(found['d'] or found['day'])} {_CALENDAR[(found['m'] or found['month']).lower()]}"


def _nth(said: str) -> int:
    """The number of a day of a month: "3", "3rd", "third", "twenty-third"."""
    if number := _NTH.fullmatch(said.lower()):
        return int(number[1])
    tens, _, ones = said.lower().replace(" ", "-").rpartition("-")
    return {"": 0, "twenty": 20, "thirty": 30}[tens] + _ORDINALS[ones]


def _parts(word: str) -> tuple[str, ...]:
    """A word with digits in a uniform form: "3rd" becomes 3, and "2026-05-03" the details of 3 May 2026."""
    if (day := _ISO.fullmatch(word)) and 1 <= int(day[2]) <= len(MONTHS):
        month = MONTHS[int(day[2]) - 1]
        return day[1], month, f"{int(day[3])} {month}"
    nth = _NTH.fullmatch(word.lower())
    return (nth[1] if nth else word,)
