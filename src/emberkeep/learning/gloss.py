"""Extra words by which a statement can be found: somebody who moved to Berlin lives there."""

from emberkeep.model.claim import Claim

# Words to add for each relation; {} is the value.
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
    """Return what else a claim says, for the search index only; "" if there is nothing to add."""
    if claim is None:
        return ""
    if claim.negated:
        return _ENDED
    return _GLOSSES.get(claim.relation, "").format(claim.value)
