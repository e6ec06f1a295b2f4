"""The reach of a denial: "no dog" ends "a dog named Rex", but "no peanut oil" does not end "peanuts". Pure functions.

Keeping two contradicting statements does less harm than losing one, so a denial ends only what it clearly means.
"""

import re
from collections.abc import Callable

from emberkeep.lifecycle.particulars import particulars

Words = Callable[[str], frozenset[int]]
_LISTED = re.compile(r",| and | or ")
# Words that introduce a detail: "a dog" and "a dog named Rex", "Dell" and "an engineer at Dell".
_PARTS = re.compile(
    r",|\b(?:named|called|in|at|with|from|as|on|near|for|of|to|by|who|which|that|since|every|each|daily|once|twice"
    r"|(?:a|per) (?:day|week)|(?:\d+|two|three|four|five) times"
    r"|\d[\d.,]* ?(?:mg|mcg|µg|g|ml|iu|units?|tablets?|pills?|drops|puffs|cups?|hours?|minutes?|km|miles)\b)\b"
)
_NOT = re.compile(r"\b(?:not|cannot|no|never)\b|n['’]t\b", re.IGNORECASE)
_FOR_GOOD = re.compile(r"\b(?:any ?more|any longer|no longer|since|never)\b", re.IGNORECASE)
# Words that weaken a denial: "not very", "nothing but", "not well".
_LESS = re.compile(
    r"(?:\b(?:not|never|no)|n['’]t) (?:just|only|merely|simply|very|too|so|that|always|usually|exclusively|necessarily"
    r"|all|every)\b"
    r"|\b(?:except|besides|other than|apart from|(?:no|any)(?:thing|one|body) but|well|fluently|perfectly|often|enough"
    r"|right now|at the moment|yet)\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r" (?:named|called) ")


def denies(no: str, yes: str) -> bool:
    """Whether the denial `no` holds without reservation for the statement `yes`.

    "Not today" and "not on Fridays" are reservations, unless `yes` is about the same day. A statement that something
    ended, which has no "not", is without reservation.
    """
    if not _NOT.search(no):
        return True
    if _LESS.search(no):
        return False
    return bool(_FOR_GOOD.search(no)) or particulars(no).details <= particulars(yes).details


def is_denied(value: str, denied: str, words: Words, *, kinds: bool = True) -> bool:
    """Whether a value is the denied thing, or one of its `kinds`: "a red car" is a car, "car keys" are not."""
    if not denied or value == denied or _is_detailed(value, denied):
        return True
    denied = _CALLED.split(denied)[0].removesuffix(" at all")
    wanted = words(denied)
    if not value or not wanted:
        return False
    if wanted < words(value) and _LISTED.search(value):
        return False  # denying one of several listed things says nothing about the others
    parts = [part for part in _PARTS.split(value) if wanted <= words(part)]
    return any(head(part, words) == head(denied, words) and (kinds or words(part) == wanted) for part in parts)


def _is_detailed(value: str, denied: str) -> bool:
    """Whether a value is the denied thing with details: "a trip to Italy with Bob" and "a trip to Italy"."""
    return value.startswith(f"{denied} ") and _PARTS.match(value[len(denied) + 1 :]) is not None


def has_details(value: str) -> bool:
    """Whether a value has details after the thing itself: "a dog named Rex", "a meeting with Bob"."""
    return _PARTS.search(value) is not None


def head(value: str, words: Words) -> frozenset[int]:
    """The head noun of a value: the last word before its details, in the form that `words` gives."""
    part = _PARTS.split(value)[0]
    return words(part.rsplit(maxsplit=1)[-1]) if part.strip() else frozenset()
