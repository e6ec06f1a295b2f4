"""Add what follows from a claim: somebody who gave up tennis does not play it, somebody with a wife is not single."""

import re
from collections.abc import Iterator
from dataclasses import replace

from emberkeep.model.claim import Claim

# Relations for regular activities, which can be given up.
_DOINGS = frozenset("plays drink eat take has uses learn study practise practice do watch read go attend ride".split())
_SYNONYMS = {"learn": "study", "study": "learn"}
_SPOUSES = ("wife", "husband", "spouse")
_PARTNERS = (*_SPOUSES, "girlfriend", "boyfriend", "partner", "fiancé", "fiancée", "fiance", "fiancee")
# A value of "has" that is a partner: "new girlfriend", "wife named Anna".
_HAS_PARTNER = re.compile(
    rf"(?:(?:new|long-term|serious|lovely|wonderful) )?(?:{'|'.join(_PARTNERS)})(?:$|,| (?:named|called|now)\b)"
)
_MEAT = ("meat", "chicken", "beef")
# Foods that a diet rules out.
_NOT_EATEN: dict[str, tuple[str, ...]] = {"vegetarian": _MEAT, "vegan": (*_MEAT, "fish", "dairy", "cheese", "eggs")}
# A journey somebody has planned: "flight to Rome".
_TRIP = re.compile(r"(?:trip|flight|visit|journey|holiday|vacation|travels) (?:to|in) (?P<where>.+)$")
# An allergy as something somebody has: "nut allergy".
_ALLERGY = re.compile(r"(?P<to>.+) allergy$")
# An address in place of a town: "12 High Street".
_STREET = re.compile(r"\d+\w? \w")


def with_consequences(claim: Claim) -> Claim:
    """Return a claim with the claims that follow from it."""
    found = tuple(_over(claim) if claim.negated else _so(claim))
    return replace(claim, follows=(*claim.follows, *found)) if found else claim


def _over(claim: Claim) -> Iterator[Claim]:
    """Yield what a negated claim denies or ends besides."""
    relation, value = claim.relation, claim.value
    if relation == "does":
        yield from (_no(doing, value) for doing in sorted(_DOINGS))
    if relation in _SYNONYMS:
        yield _no(_SYNONYMS[relation], value)
    if relation in ("partner", "spouse"):
        yield from _parted(relation, value)
    if relation == "likes":
        yield _no("favourite", value)
    if relation == "has" and (trip := _TRIP.match(value)):
        yield _no("plans", trip["where"])
    if relation == "has" and (allergy := _ALLERGY.match(value)):
        yield _no("allergic to", allergy["to"])
    if relation == "allergic to":
        yield _no("has", f"{value} allergy")
    if relation == "has" and value:
        yield _no("subscribe", value)


def _parted(relation: str, value: str) -> Iterator[Claim]:
    """Yield what a separation ends.

    After parting from Mia there is no girlfriend of that name; after parting from "a girlfriend" there is none of any
    name.
    """
    who = "" if value in _PARTNERS else value
    kin = relation if value not in _PARTNERS else "spouse" if value in _SPOUSES else "partner"
    yield _no(kin, who)
    if who:
        yield _no("partner" if relation == "spouse" else "spouse", who)
    if value:
        yield _no("has", value)
    yield _no("relationship status", "married" if kin == "spouse" else "engaged")


def _so(claim: Claim) -> Iterator[Claim]:
    """Yield what else a claim implies, and what it rules out."""
    relation, value = claim.relation, claim.value
    if relation in _DOINGS:
        yield Claim("", "does", value)
    if relation in _SYNONYMS:
        yield Claim("", _SYNONYMS[relation], value)
    if relation in ("partner", "spouse") or (relation == "has" and _HAS_PARTNER.match(value)):
        yield _no("relationship status", "single")
    if relation == "relationship status":
        kin = _PARTNERS if value == "single" else _SPOUSES if value == "divorced" else ()
        yield from (_no("has", one) for one in kin)
    if relation == "home" and _STREET.match(value):
        yield Claim("", "address", value, single=True)
    if relation == "diet":
        yield from (_no("eat", food) for food in _NOT_EATEN.get(value, ()))
    if relation == "eat":
        yield from (_no("diet", diet) for diet, foods in _NOT_EATEN.items() if value in foods)


def _no(relation: str, value: str) -> Claim:
    """Return the negated claim of a relation and value."""
    return Claim("", relation, value, negated=True)
