"""Whom a user speaks of, and what else these are called: "my sister Anna", "Anna" and "my sister". Pure functions."""

import re
from collections.abc import Iterable
from dataclasses import replace

from emberkeep.learning import words
from emberkeep.model.claim import Claim

_KIN = words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.KIN_BARE
LONGEST = 400  # characters of a statement that are looked at
# Of whom one has several, so that what is said of one need not be of the one that was spoken of before.
_SEVERAL = frozenset(
    """
    friend colleague coworker co-worker neighbour neighbor roommate flatmate housemate cousin client customer tenant
    student teammate bandmate uncle aunt nephew niece report intern guy man woman girl boy lady
    """.split()
)
_PERHAPS_SEVERAL = _SEVERAL | frozenset(
    """
    son daughter brother sister child kid baby twin dog cat pet grandmother grandfather grandma grandpa granny nan gran
    grandparent grandchild grandson granddaughter stepson stepdaughter stepbrother stepsister sister-in-law
    brother-in-law daughter-in-law son-in-law sibling teacher doctor horse rabbit bird godson goddaughter half-sister
    half-brother
    """.split()
)
_NAME = r"[^\W\d_a-z][\w'’-]*"
_AGED = r"(?:,? (?:who is |who's |aged? )?\(?\d{1,2}\)?,?)?"
_WITH_NAMES = re.compile(
    r"(?<![\w-])(?P<whose>married to|[\w-]{1,30})(?P<is>[,:]| is| are|'s name is)?(?: (?:named|called))?"
    rf" (?P<names>{_NAME}(?:{_AGED}(?:, and|,| and) {_NAME})*)(?P<more>\W*\w)?"
)
_NO_NAMES = words.PEOPLE_ADJECTIVES | words.DAY_NAMES | words.MONTH_NAMES | {"i", "it", "us", "dr", "mr", "mrs", "ms"}
_WHOSE = _KIN | words.PLURAL_PEOPLE | {"married to"}


def introduced(claim: Claim, text: str) -> Claim:
    """A claim with what else its subject may have been called, and whether one of several is meant."""
    first, _, name = claim.subject.partition(" ")
    if first in _KIN and name and " " not in name:
        return replace(claim, also=(name,) if first in _PERHAPS_SEVERAL else (name, first))
    if first in _KIN and not name:
        many = first in (_PERHAPS_SEVERAL if claim.relation == "name" else _SEVERAL)
        return replace(claim, single=claim.single and (claim.renewed or not many), whose="" if many else first)
    if claim.relation == "date" and claim.negated:  # of "my flight", which may be the one to Rome
        return replace(claim, whose=claim.subject)
    if first and not name and re.search(rf"\b{re.escape(first.title())}\b", text):
        return replace(claim, also=tuple(f"{kin} {first}" for kin in sorted(_KIN)))
    return claim


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """The names in statements of those whom a user has spoken of as theirs, in small letters."""
    found = (match for text in texts for match in _WITH_NAMES.finditer(text[:LONGEST]) if _names_one(match))
    names = (name.removesuffix("'s").casefold() for match in found for name in re.findall(_NAME, match["names"]))
    return frozenset(name for name in names if name not in _NO_NAMES)


def _names_one(match: re.Match[str]) -> bool:
    """Whether the names are whose they seem to be: of "my boss is Karen", but not of "my boss is IT lead"."""
    return match["whose"] in _WHOSE and not (match["is"] in (" is", " are") and match["more"])
