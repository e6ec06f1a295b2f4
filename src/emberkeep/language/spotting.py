"""Find where in a text dates stand, fast enough for every message: most words are never tried against a pattern."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from emberkeep.language.forms import (
    DAY,
    DAYS,
    FORMS,
    LEAD,
    LONG_UNIT,
    MONTH,
    MONTHS,
    NTH,
    NUMBER,
    NUMBERS,
    ORDINALS,
    SEASON,
    SEASONS,
    SHORT,
    UNIT,
    WHICH,
    YEAR,
)

LONGEST = 4_000  # characters that are read
_ORDER = "|".join(WHICH)
# Forms in addition to those of `forms`; `spans` reads them.
_MORE = {
    "stamp": rf"(?P<st_y>{YEAR})(?P<st_s>[-/])(?P<st_m>\d\d)(?P=st_s)(?P<st_d>\d\d)(?:t\d\d:?\d\d[\d:.]*z?)?",
    "year_month": rf"(?P<ym_y>{YEAR})-(?P<ym_m>0[1-9]|1[0-2])(?!\d)|(?P<my_m>0?[1-9]|1[0-2])/(?P<my_y>{YEAR})(?!\d)",
    "years": rf"(?P<ys_a>{YEAR}) ?[-–—] ?(?P<ys_b>{YEAR})",
    "decade": r"(?:the )?(?P<de_e>early |late |mid[- ])?(?P<de>(?:19|20)\d0)'?s",
    "quarter": rf"q(?P<qu>[1-4])(?:,? (?:of )?(?P<qu_y>{YEAR}))?"
    rf"|(?:the )?(?P<qu_n>{_ORDER}) quarter of (?P<qu_w>{YEAR}|last year|this year)",
    "rolling": rf"(?:the )?(?P<ro_w>past|last|previous|next|coming) (?P<ro_n>{NUMBER}) (?P<ro_u>{UNIT})"
    r"|(?:the |(?<=the ))(?:past (?P<ro_p>day|week|month|year|decade)|last (?P<ro_l>week|month|year|decade))(?! of)",
    "dotted": rf"(?<![\w.=/+-])(?:(?P<do_a>\d{{1,2}}\.\d{{1,2}}\.)(?P<do_z>{YEAR})? ?[-–] ?)?"
    rf"(?P<do_d>\d{{1,2}}\.\d{{1,2}}\.)(?P<do_y>{YEAR})(?![\w+~]|\.\w)",
    "winter": rf"(?:the )?winter(?: of)? (?P<wi_y>{YEAR}) ?[-–/] ?(?P<wi_z>{YEAR}|\d\d)",
    "which": rf"(?:the )?(?P<wh_n>{_ORDER}) (?P<wh_u>day|weekend|week|{DAY}) (?:(?:of|in) "
    rf"(?:(?P<wh_m>{MONTH})(?: (?P<wh_y>{YEAR}))?|(?P<wh_w>last|this|next) month)"
    rf"|of (?P<wh_x>{YEAR}|(?:last|this|next) year))",
    "twice": rf"(?:the )?(?P<tw_u>weekend|week|month|year|{SEASON}|{DAY}) (?P<tw_w>before last|after next)",
    "day_ago": rf"(?:the )?(?P<da_d>{DAY}) (?:about |around )?(?P<da_n>{NUMBER}) (?P<da_u>{LONG_UNIT}) ago"
    rf"|(?P<ad_n>{NUMBER}) (?P<ad_u>{LONG_UNIT}) ago(?:,? on| this| last)?(?: the)? (?P<ad_d>{DAY})"
    rf"|(?P<nd_n>{NUMBER}) (?P<nd_d>{DAY}|weekend)s? ago",
    "half_ago": r"(?:about |around |roughly |almost )?half an? (?P<ha_u>hour|day|month|year|decade) ago",
    "nth_of": rf"(?:the )?(?P<no_d>{NTH}) of (?P<no_w>last|this|next) month",
}
# Words after "the 3rd" that open the next clause.
_SPEAKER = "(?:i|we|he|she|they|you|my|our|the|it|there)"
_ALL = _MORE | FORMS | {"nth": FORMS["nth"].replace(r"(?=\W*$", rf"(?=\W*$| {_SPEAKER}\b", 1)}
_SHORT_MONTH = "|".join(SHORT)
_DOT = rf"(?:(?:(?<=\b(?:{_SHORT_MONTH}))|(?<=\bsept))\.(?= \w))?"  # of a shortened month: "from Jan. to Mar. 2019"
# Any form of date, for text in small letters.
_WIDE = re.compile(
    rf"{LEAD}(?:" + "|".join(f"(?P<{name}>{form})" for name, form in _ALL.items()) + rf")\b{_DOT}(?!-\w|\.\d|/)"
)
# Dates with a slash, each digit as a 0.
_SLASHED = ("0/0", "0/00", "00/0", "00/00")
# Words one of which every date contains; each digit is written as a 0.
_ANCHORS = frozenset(
    """
    yesterday today tonight tomorrow morning afternoon evening night day days week weeks weekend weekends fortnight
    fortnights month months year years decade decades hour hours quarter christmas halloween easter thanksgiving
    valentine sept thirtieth 0000 0000s q0 0000/00/00 0/0000 00/0000 00t00 0st 0nd 0rd 0th 00st 00nd 00rd 00th
    """.split()
    + [*MONTHS, *SHORT, *DAYS, *(f"{day}s" for day in DAYS), *SEASONS, *ORDINALS, *_SLASHED]
    + [f"{slashed}/{year}" for slashed in _SLASHED for year in ("00", "0000")]
)
# Words before an anchor with which a date may begin.
_OPENERS = frozenset(
    """
    since until till by before after from for to through between and on in within at over during around starting as back
    just about roughly almost nearly more well some exactly the this last next past coming previous end start beginning
    middle half early late earlier later sometime mid couple new valentine boxing good black mother father labor
    memorial independence st patrick q1 q2 q3 q4
    """.split()
)
# Words with which a date may begin.
_STARTS = _ANCHORS | _OPENERS | {word.split()[0] for word in NUMBERS} | {"0", "00", "000"}
# Words that may stand between the beginning of a date and its anchor.
_WITHIN = _STARTS | {"", "a", "of", "half", "few", "dozen", "s"}
# Punctuation as spaces and digits as 0, so that positions stay the same.
_PLAIN = str.maketrans(dict.fromkeys(".,;:!?()[]{}<>\"'`*_~|=+&-–—…“”«»\n\t\r", " ") | dict.fromkeys("0123456789", "0"))
_ABBREVIATED = "|".join(rf"{month}\." for month in SHORT)
_SENTENCE_END = re.compile(rf"[.!?\n](?:(?=\s|$)|(?<=\n))(?<!{_ABBREVIATED})(?<!sept\.)")
# Words which say that the dates of a sentence recur.
_REPEATED = frozenset("every each always usually annually yearly per".split())
_DAY_IS = re.compile(r"\bday(?: off)? is\b")
_ORDINAL = re.compile("(?=[efnst])(?:" + "|".join(ORDINALS) + ")")
# An ordinal as a word that may be a day: "the third,".
_ORDINAL_DAY = re.compile(r"\w+(?=$|,| at | and )")
_BACK = 48  # characters before an anchor in which its date may begin


@dataclass(frozen=True, slots=True)
class Spotted:
    """A sentence in small letters, where it starts, its possible dates, and whether they recur."""

    text: str
    start: int
    matches: list[re.Match[str]]
    recurring: bool


def spotted(text: str) -> Iterator[Spotted]:
    """Yield the sentences of a text that may contain a date."""
    text = text[:LONGEST].lower().replace("’", "'")
    plain = text.translate(_PLAIN)
    anchors = _ANCHORS.intersection(plain.split())
    if not anchors:
        return
    places = _places(f" {plain} ", anchors)
    start = 0
    for end in [*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)]:
        inside = places[bisect_left(places, start) : bisect_left(places, end)]
        if inside:
            matches = list(_matches(text[start:end], plain[start:end], [place - start for place in inside]))
            if matches:
                yield Spotted(text[start:end], start, matches, _is_recurring(text[start:end], plain[start:end]))
        start = end


def _is_recurring(sentence: str, plain: str) -> bool:
    """Return whether the dates of a sentence recur."""
    return not _REPEATED.isdisjoint(plain.split()) or ("day" in plain and _DAY_IS.search(sentence) is not None)


def _places(plain: str, anchors: frozenset[str]) -> list[int]:
    """Return the positions of the words, in order."""
    places = []
    for word in anchors:
        padded = f" {word} "
        place = plain.find(padded)
        while place >= 0:
            places.append(place)
            place = plain.find(padded, place + 1)
    return sorted(places)


def _matches(sentence: str, plain: str, places: list[int]) -> Iterator[re.Match[str]]:
    """Yield the possible dates at those positions, without overlaps."""
    done = 0
    for place in places:
        if _ORDINAL.match(sentence, place) and not _ORDINAL_DAY.match(sentence, place):
            continue
        for start in _starts(plain, max(done, place - _BACK), place):
            match = _WIDE.match(sentence, start) if start >= done else None
            if match:
                yield match
                done = match.end()


def _starts(plain: str, first: int, place: int) -> list[int]:
    """Return the positions, in order, where a date that contains the word at `place` could start."""
    if first > place:
        return []
    starts, start = [place], place
    for word in reversed(plain[first : max(place - 1, first)].split(" ")):
        if word not in _WITHIN or (start - len(word) <= first + 1 and first and plain[first - 1] != " "):
            break
        start -= len(word) + 1
        if word in _STARTS and start >= first:
            starts.append(start)
    return starts[::-1]
