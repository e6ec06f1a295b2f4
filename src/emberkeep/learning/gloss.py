"""Words that a statement is looked for by and does not hold itself: who moved to Berlin lives there."""

from emberkeep.model.claim import Claim

_GLOSSES = {
    "home": "lives in {}, home, where to find them",
    "location": "is located in {}, place",
    "employer": "works for {}, job, company, employer",
    "job": "works as {}, job, occupation, profession",
    "name": "is called {}",
    "age": "how old",
    "birthday": "born, birthday, age",
    "spouse": "married to {}, husband, wife, partner",
    "partner": "together with {}, girlfriend, boyfriend, relationship",
    "relationship status": "relationship, marriage, partner",
    "diet": "eats, food, diet",
    "phone": "phone number, to call",
    "email": "email address, to write to",
}
_ENDED = "no longer, not any more, ended"


def gloss(claim: Claim | None) -> str:
    """What else a statement says, for the index only; "" when it says it all itself."""
    if claim is None:
        return ""
    if claim.negated:
        return _ENDED
    return _GLOSSES.get(claim.relation, "").format(claim.value)
