"""Derive claims about people: whom they are with, what they are, how old they are, what they eat."""

import re
from dataclasses import replace

from emberkeep.learning.claim_reading import Told, fold_subject, person_like, phrase_of
from emberkeep.model.claim import SELF, Claim

_PETS = frozenset(
    """
    dog cat puppy kitten horse pony rabbit hamster parrot bird fish tortoise turtle pet bunny goldfish guinea
    """.split()
)
# Values of the relationship status.
_STATUS = frozenset("single married divorced engaged widowed separated".split())
_DIETS = frozenset("vegan vegetarian pescatarian kosher halal keto paleo gluten-free lactose-free".split())
# Jobs by their last word, or whole with underscores.
_TRADES = frozenset(
    """
    engineer developer programmer manager teacher nurse doctor chef lawyer artist designer writer driver baker student
    scientist analyst architect consultant director officer pilot farmer plumber electrician carpenter midwife
    paramedic surgeon vet dentist pharmacist therapist professor lecturer researcher accountant barista waiter
    waitress cook mechanic translator interpreter journalist editor photographer musician drummer sailor soldier
    police_officer firefighter librarian cleaner gardener seamstress tailor hairdresser barber cto ceo cfo coo founder
    co-founder freelancer contractor intern assistant secretary receptionist salesperson realtor broker banker
    economist psychologist psychiatrist physicist chemist biologist mathematician historian geologist astronomer actor
    actress singer dancer composer producer administrator technician operator tester recruiter coach trainer tutor
    lead principal judge politician priest pastor social_worker data_scientist product_owner scrum_master devops sre
    """.split()
)


def death(said: Told) -> Claim | None:
    """Match "Alex's father died", "Rex passed away"; a pet that died is one the owner no longer has."""
    if said.lemma != "die" and not (said.lemma == "pass" and said.rest == "away"):
        return None
    head = said.clause.subject.head
    if head in _PETS:
        return replace(said, subject=said.owner).claim("has", head, negated=True)
    return said.claim("alive", "", negated=True) if person_like(said) else None


def parting_of_two(said: Told) -> Claim | None:
    """Match "Mia and the user broke up" and "Jane and Alex are divorced".

    The claim is about the user if one of them is the user, otherwise about the second one named.
    """
    pair = _PAIR.match(phrase_of(said.clause))
    together = said.rest == "together" and said.negated
    if pair is None or not (together or _PARTED.fullmatch(f"{said.lemma} {said.rest}".strip())):
        return None
    married = "divorce" in f"{said.lemma} {said.rest}"
    one, other = fold_subject(pair["one"]), fold_subject(pair["other"])
    if one == "":
        one, other = other, one
    return replace(said, subject=other).claim("spouse" if married else "partner", one, negated=True)


_PAIR = re.compile(r"(?P<one>.+) and (?P<other>.+)")
# Verbs for a separation of two people.
_PARTED = re.compile(r"(?:break|split) up|split|separate|divorce|(?:be|get) (?:divorced|separated|over)|part ways")


def left_by(said: Told) -> Claim | None:
    """Match "Mia dumped the user"."""
    if said.lemma != "dump" or not (said.subject == "" or said.rest.lower() in SELF):
        return None
    return replace(said, subject="").claim("partner", said.subject or said.rest, negated=True)


def bond(said: Told) -> Claim | None:
    """Match "married Anna", "is dating Tom", "got divorced"."""
    rest, lemma = said.rest, said.lemma
    if lemma == "marry" or (lemma in ("be", "get") and rest.startswith("married to ")):
        return said.claim("spouse", re.sub(r"^married to ", "", rest)) if rest else None
    if lemma == "date" and rest:
        return said.claim("partner", rest)
    if lemma in ("break", "split") and (match := re.match(r"up with (?P<who>.+)$", rest)):
        return said.claim("partner", match["who"], negated=True)
    if lemma == "divorce":
        return said.claim("spouse", rest, negated=True)
    if lemma in ("be", "get") and rest.split(" ")[0].lower() in _STATUS:
        return said.claim("relationship status", rest.split(" ")[0])
    return None


def name(said: Told) -> Claim | None:
    """Match "goes by Al", "is called Rex"."""
    by_name = said.lemma == "go" and said.rest.startswith("by ")
    called = said.lemma == "be" and said.rest.startswith(("called ", "named "))
    return said.claim("name", said.rest.split(" ", 1)[1]) if by_name or called else None


def weight(said: Told) -> Claim | None:
    """Match "weighs about 80 kg"."""
    match = _WEIGHT.match(said.rest) if said.lemma == "weigh" else None
    return said.claim("weight", f"{match['number']} {match['unit']}", single=True) if match else None


_WEIGHT = re.compile(
    r"(?:about |around )?(?P<number>\d[\d.,]*) ?(?P<unit>kg|kgs|kilos?|lbs?|pounds|stone|g|grams|tons?)$"
)


def age(said: Told) -> Claim | None:
    """Match "turned 30", "is seven years old"."""
    match = _AGED.match(said.rest) if said.lemma in ("turn", "be") else None
    return said.claim("age", match["age"]) if match else None


def constitution(said: Told) -> Claim | None:
    """Match a diet or an intolerance: "is vegan", "is allergic to nuts"."""
    if said.lemma not in ("be", "become", "go"):
        return None
    diet = re.match(r"(?:a |strictly |fully )?(?P<diet>[\w-]+)$", said.rest)
    if diet and diet["diet"].lower() in _DIETS:
        return said.claim("diet", diet["diet"])
    allergy = re.match(r"(?:allergic|intolerant|sensitive) to (?P<what>.+)$", said.rest)
    return said.claim("allergic to", allergy["what"]) if allergy else None


def school(said: Told) -> Claim | None:
    """Match "studies at Oxford University"."""
    match = re.match(r".*?\b(?:at|to) (?P<at>[A-Z].*(?:University|College|School|Institute).*)$", said.rest)
    return said.claim("school", match["at"]) if match and said.lemma in ("study", "go", "attend") else None


_AGED = re.compile(
    r"(?P<age>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|eighteen|nineteen|one|two|three"
    r"|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)(?: years? old)?$",
    re.IGNORECASE,
)


def habit(said: Told) -> Claim | None:
    """Match "is a heavy smoker"."""
    match = _SMOKER.match(said.rest) if said.lemma in ("be", "become") else None
    return said.claim("smoke", "", negated=said.negated != bool(match["non"])) if match else None


_SMOKER = re.compile(
    r"(?:an? )?(?:(?:heavy|chain|regular|occasional|social|light) )?(?P<non>non-?)?smoker$", re.IGNORECASE
)


def trade(said: Told) -> Claim | None:
    """Match a known job: "is a nurse", "became the head chef"."""
    match = re.match(r"(?:an?|the) (?P<what>.+)$", said.rest) if said.lemma in ("be", "become") else None
    if match is None or not person_like(said) or (said.clause.verb.tense == "past" and said.lemma == "be"):
        return None
    trade = re.split(r" (?:at|for|in|with|from|of|who|on) ", match["what"].casefold())[0]
    known = trade.split(" ")[-1] in _TRADES or trade.replace(" ", "_") in _TRADES
    return said.claim("job", match["what"]) if known else None
