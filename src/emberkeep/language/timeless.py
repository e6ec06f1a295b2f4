"""Remove the time from a question: what is left is what happened then."""

import re
from collections.abc import Sequence

from emberkeep.language.feasts import FEASTS
from emberkeep.language.forms import DAY, FEAST, MONTH
from emberkeep.language.spans import YEARS_OWN, Told
from emberkeep.language.spotting import LONGEST

# Prepositions with which a date is no part of a name.
_LED = re.compile(
    r"(?:on|in|at|during|over|within|around|since|until|till|by|before|after|from|between|back in|starting|as of)\b"
)
# Forms that are dates even without a preposition.
_PLAIN = frozenset(("ago", "near", "turn", "rolling", "twice", "day_ago", "half_ago", "edge", "nth_of", "which"))
_CALENDAR = re.compile(f"(?:{DAY}|{MONTH})", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"\b\w[\w'’]* $")
# A capitalised word after a date, of which the date may be part.
_NAME_AFTER = re.compile(r" (?!I\b)[A-Z]")
# Words before a date that belong to it: "the week of", "a day".
_PART_OF_MORE = re.compile(
    r"\b(?:the|an?|of|days?|weeks?|weekends?|months?|years?|morning|afternoon|evening|night|early|late) $",
    re.IGNORECASE,
)
# Words before a date that make it inexact.
_ROUGHLY = re.compile(r"\b(?:about|around|roughly|circa|approximately) $", re.IGNORECASE)
# "Talked about", in which "about" does not belong to the date.
_TALKED = re.compile(r"\b(?:talk(?:ed|ing)?|chat(?:ted)?|speak|spoke|wr[io]te|hear|heard) about $", re.IGNORECASE)
_AT_A_FEAST = re.compile(rf"\b(?:(?:on|at|over|during|for|this|last) ){{0,2}}{FEAST}\b", re.IGNORECASE)


def timeless(text: str, times: Sequence[tuple[int, Told]]) -> str | None:
    """Return a question without its time; None if the words for the time may be part of a name or of a longer phrase.

    `times` are one time or two listed ones, each with the offset of its sentence. A name is "Black Friday" or "Friday
    the 13th"; a longer phrase, "the week of".
    """
    (at, first), (last_at, last) = times[0], times[-1]
    start, end = at + first.whole[0], last_at + last.whole[1]
    if len(text[:LONGEST].lower()) != len(text[:LONGEST]):
        return None  # lower case has another length, so the offsets would not fit
    words, before, after = text[start:end], text[:start], text[end:]
    small = words.lower().replace("’", "'")
    led = _LED.match(small) is not None
    if not (led or first.form in _PLAIN or YEARS_OWN.search(small)) or any(feast in small for feast in FEASTS):
        return None
    if after.startswith(("'s", "’s")) or _PART_OF_MORE.search(before) or _is_quoted(before):
        return None
    if not led and _ROUGHLY.search(before) and not _TALKED.search(before):  # "about a week ago"
        return None
    if _is_title(words, before) or (not led and _ends_in_name(before)) or _NAME_AFTER.match(after):
        return None
    return f"{before.rstrip()}{after}".lstrip(" ,;")


def without_feasts(text: str) -> str | None:
    """Return a question without the feasts that it names; None if it names none."""
    bare = _AT_A_FEAST.sub("", text[:LONGEST])
    return bare if bare != text[:LONGEST] else None


def _is_title(words: str, before: str) -> bool:
    """Return whether the words are a title: "Before Tomorrow"."""
    return bool(before) and words[0].isupper() and _CALENDAR.match(words) is None


def _ends_in_name(before: str) -> bool:
    """Return whether a name precedes: "the Black" before Friday; the first word of a question does not count."""
    word = _WORD_BEFORE.search(before)
    return word is not None and word.start() > 0 and word[0][0].isupper()


def _is_quoted(before: str) -> bool:
    """Return whether a quotation is still open."""
    return before.count('"') % 2 == 1 or before.rfind("“") > before.rfind("”") or before.endswith(("'", "‘"))
