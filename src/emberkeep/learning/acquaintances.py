"""The people a user speaks of, and other words for them: "my sister Anna", "Anna", "my sister". Pure functions."""

import re
from collections.abc import Iterable
from dataclasses import replace

from emberkeep.learning import words
from emberkeep.model.claim import Claim

_KIN = words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.KIN_BARE
LONGEST = 400  # characters of a statement that are searched for names
# Relations of which people usually have several: "my friend" today need not be the friend of last week.
_SEVERAL = frozenset(
    """
    friend colleague coworker co-worker neighbour neighbor roommate flatmate housemate cousin client customer tenant
    student teammate bandmate uncle aunt nephew niece report intern guy man woman girl boy lady
    """.split()
)
# Relations of which people may have several: "my sister" need not be "sister Anna".
_PERHAPS_SEVERAL = _SEVERAL | frozenset(
    """
    son daughter brother sister child kid baby twin dog cat pet grandmother grandfather grandma grandpa granny nan gran
    grandparent grandchild grandson granddaughter stepson stepdaughter stepbrother stepsister sister-in-law
    brother-in-law daughter-in-law son-in-law sibling teacher doctor horse rabbit bird godson goddaughter half-sister
    half-brother
    """.split()
)
_NAME = r"[^\W\d_a-z][\w'’-]*"
# An age after a name: ", who is 7", "(12)".
_AGED = r"(?:,? (?:who is |who's |aged? )?\(?\d{1,2}\)?,?)?"
# A relation with one name or more: "sister Anna", "married to Tom", "kids are Ada (4) and Ben".
_WITH_NAMES = re.compile(
    r"(?<![\w-])(?P<whose>married to|[\w-]{1,30})(?P<is>[,:]| is| are|'s name is)?(?: (?:named|called))?"
    rf" (?P<names>{_NAME}(?:{_AGED}(?:, and|,| and) {_NAME})*)(?P<more>\W*\w)?"
)
# Capitalised words that are no names.
_NO_NAMES = words.PEOPLE_ADJECTIVES | words.DAY_NAMES | words.MONTH_NAMES | {"i", "it", "us", "dr", "mr", "mrs", "ms"}
# Words before a name that make it the name of somebody in the user's life.
_WHOSE = _KIN | words.PLURAL_PEOPLE | {"married to"}


def introduced(claim: Claim, text: str) -> Claim:
    """Return a claim with other names of its subject, and not `single` where one of several people may be meant."""
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
    """Return, casefolded, the names of people whom the statements call the user's own: "anna" from "my sister Anna"."""
    found = (match for text in texts for match in _WITH_NAMES.finditer(text[:LONGEST]) if _names_one(match))
    names = (name.removesuffix("'s").casefold() for match in found for name in re.findall(_NAME, match["names"]))
    return frozenset(name for name in names if name not in _NO_NAMES)


def _names_one(match: re.Match[str]) -> bool:
    """Return whether the match names a person: "my boss is Karen" does, "my boss is IT lead" does not."""
    return match["whose"] in _WHOSE and not (match["is"] in (" is", " are") and match["more"])
