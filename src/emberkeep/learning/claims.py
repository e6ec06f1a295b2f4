"""Derive the claim of a statement: subject, relation and value. A pure function of one third-person sentence."""

import re
from collections.abc import Callable
from dataclasses import replace

from emberkeep.language.dates import without_dates
from emberkeep.language.places import is_wide
from emberkeep.learning import claims_of_people as people
from emberkeep.learning import verbs, words
from emberkeep.learning.claim_reading import (
    ATTRIBUTES,
    BY_TWO,
    NUMBERED,
    Told,
    after,
    fold,
    fold_subject,
    person_like,
    read,
)
from emberkeep.learning.consequences import with_consequences
from emberkeep.learning.entities import entities_of
from emberkeep.model.claim import OF_ALL, Claim

__all__ = ["claim_of", "entities_of"]

LONGEST = 400  # characters of a statement that are parsed
# Prepositions after "lives": before a place, and "with" before a person.
_LIVING = ("in", "at", "near", "on", "outside", "with")
# Products that "moved to ..." may name, which are no places to live in.
_TECH = frozenset(
    """
    postgres postgresql mysql sqlite kubernetes k8s docker github gitlab aws azure gcp python go rust react vue
    angular svelte slack linux windows macos java kotlin typescript javascript node redis kafka nomad jenkins bazel
    vim neovim emacs heroku vercel netlify vscode terraform figma notion jira linear bigquery snowflake fastapi django
    flask rails
    """.split()
)
# Something used for a purpose: "ruff for linting", "Postgres as the database".
_FOR = re.compile(r"^(?P<what>.+?)(?: for (?P<for>[\w -]+)| as (?:the|its|their|his|her|a|an|our|my) (?P<as>[\w -]+))$")
# A change of one thing for another: "from MySQL to Postgres", "Jenkins with GitLab".
_SWITCH = re.compile(r"^(?:(?:from )?(?P<old>.+?) )?(?:to|with|by) (?P<new>.+)$")
# A product and its version: "Python 3.12".
_VERSION = re.compile(r"^(?P<what>[A-Za-z][\w.+#-]*(?: [A-Z][\w.+#-]*)?) v?(?P<version>\d[\w.]*)(?P<more>\s.*)?$")


def claim_of(text: str) -> Claim | None:
    """Return what a statement claims; None if that cannot be told, or if it is a mere wish."""
    if len(text) > LONGEST:
        return None
    put_right = _NOT.search(text)  # "is 7, not 6"
    text = text[: put_right.start()] if put_right else text
    said = read(text)
    if said is None:
        return None
    if _is_plan(said):
        return _plan(said)
    claim = _of_a_time(said, text) or next((claim for match in _MATCHERS if (claim := match(said)) is not None), None)
    if claim is None or (not said.rest and said.lemma in _DATED and claim.relation not in ("date", said.lemma)):
        return None
    claim, beside = _of_one_of_them(said, claim), _is_beside(said, text)
    return replace(
        with_consequences(claim),
        single=claim.single and not (beside or _COMPARED.match(claim.value) or _LONG_AGO.search(text)),
        renewed=not beside and bool(_NOW.search(text)),
        instead_of=fold(put_right["old"]) if put_right else claim.instead_of,
        parted=said.lemma in ("sell", "give", "donate", "rehome"),
        wide=claim.relation == "home" and said.lemma in ("live", "reside", "be") and is_wide(claim.value),
        lasting=said.clause.verb.tense in ("present", "perfect") and bool(_UNTIL_NOW.search(text)),
        begun=_begins_then(said) and _goes_on(claim) and not _FOR_A_WHILE.search(text) and not is_wide(claim.value),
    )


def _of_one_of_them(said: Told, claim: Claim) -> Claim:
    """Return what a statement about the user and others says of the user alone: where they live, not what they drive.

    A denial may be true only of what they did together ("Anna and I don't play any more"), so it keeps all as its
    subject.
    """
    if not said.together or said.lemma in BY_TWO or claim.relation in ("spouse", "partner"):
        return claim
    if claim.negated:
        return replace(claim, subject=said.together)
    return replace(claim, single=claim.single and claim.relation in OF_ALL)


# "The same company" may be the one already known, so it must not end that.
_COMPARED = re.compile(
    r"(?:same|separate) (?:company|employer|firm|place|office|team|city|town|country|house|building)s?\b"
)


def _is_beside(said: Told, text: str) -> bool:
    """Return whether something is so only at times, or in addition: "on weekends", "also".

    Of a single act such as a move, a weekend is only its date.
    """
    return _BESIDE.search(_ONE_WEEKEND.sub("", text) if _begins_then(said) else text) is not None


def _begins_then(said: Told) -> bool:
    """Return whether a past act began something that goes on: somebody who moved somewhere lives there."""
    verb = said.clause.verb
    return verb.tense in ("past", "perfect") and not verb.progressive and said.lemma in words.TURNS


def _goes_on(claim: Claim) -> bool:
    """Return whether a change lasts for years, as a move does; an age or a price may have changed again since."""
    return claim.relation in _LASTING and not claim.negated


# Relations whose values last for years.
_LASTING = OF_ALL | {"job", "spouse", "location", "school"}


def _of_a_time(said: Told, text: str) -> Claim | None:
    """Match statements about a date or an hour, of which only one holds: "the meeting is on 3 June"."""
    when = _last_date(text)
    if not said.rest and said.lemma in _DATED:
        return _date(said, when)
    if _RESCHEDULED.search(text) and when:
        return said.claim("date", when, single=True)
    if said.rest == "born" and when and not said.subject:
        return said.claim("born", when, single=True)
    if said.lemma in _DATED - {"be"} and _AT.match(said.rest):
        return said.claim(f"{said.lemma} at", _AT.sub("", said.rest))
    routine = _ROUTINE.match(said.rest) if said.clause.verb.tense == "present" and said.lemma != "be" else None
    return said.claim(f"{said.lemma} {routine['what']} at", routine["hour"]) if routine else None


# What a correction replaces: "is 7, not 6".
_NOT = re.compile(
    r", (?:and )?not (?P<old>(?!(?:only|just|yet|even|any ?more|any|longer|really|always)\b)[\w.'’-]+(?: [\w.'’-]+)?)$",
    re.IGNORECASE,
)
# An hour: "at 9:30", "at noon".
_AT = re.compile(r"at (?=\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?$|noon$|midnight$)", re.IGNORECASE)
# Something done at a fixed hour: "gets up at 6", "gets to work at 9 am".
_ROUTINE = re.compile(
    r"(?P<what>up|to (?:bed|sleep|work|school)|home|work|breakfast|lunch|dinner)"
    r" at (?P<hour>\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?|noon|midnight)$",
    re.IGNORECASE,
)
# Something that is so only at times, or in addition, leaves room for what is so otherwise.
_BESIDE = re.compile(
    r"\b(?:on|at|over|during) (?:(?:the )?(?:weekends?|weekdays|evenings?|nights?|holidays)|\w+days)\b|\bpart[- ]time\b"
    r"|\b(?:in|during|over) (?:the )?(?:summers?|winters?|springs?|autumns?|semesters?|holidays)\b(?! (?:of )?\d)"
    r"|\btoo$|\b(?:also|as a volunteer|as well|too now|half the (?:year|time)|part of the year|a side (?:job|gig)"
    r"|a second (?:job|home))\b",
    re.IGNORECASE,
)

# A date, not a habit: "on the weekend of 3 June".
_ONE_WEEKEND = re.compile(r"\b(?:on|at|over|during) the weekend of (?=\d)", re.IGNORECASE)
# A stay that was limited: "for two years", "until May", "it didn't last".
_FOR_A_WHILE = re.compile(
    r"\bfor (?:[\w-]+ ){1,3}(?:years?|months?|weeks?|days?|summer|winter|semester|term|while|season)\b"
    r"|\b(?:until|till|temporarily|briefly|only stayed|only lasted|did(?:n['’]t| not) (?:work|last|stay))\b|^before\b",
    re.IGNORECASE,
)
# Words for a young person.
_YOUNG = r"(?:child|kid|bab(?:y|ie)|boy|girl|teen|teenager|student|toddler)s?(?:ren)?"
# Something of childhood or youth: "when I was ten", "as a child".
_LONG_AGO = re.compile(
    r"\bwhen (?:\S+ ){1,3}(?:was|were) (?:only |just |about |still )?(?:\d|little\b|young\b|small\b|"
    rf"(?:an? )?{_YOUNG}\b|(?:at|in) (?:\w+ )?(?:school|college|university|kindergarten)\b|in \w+ (?:teens|twenties)\b|"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty)\b)"
    rf"|\bas (?:an? )?{_YOUNG}(?=\W*$|[,.;]| (?:in|at|with)\b)",
    re.IGNORECASE,
)


# "Has lived there for ten years" is so now; "for ten years as a child" is not.
_UNTIL_NOW = re.compile(
    r"\bsince\b|\b(?:for|(?:over|during) the (?:last|past)) (?:[\w-]+ ){1,4}(?:years?|months?|weeks?|days?|decades?)\b"
    r"(?! (?:in|from|until|before|when|as|ago)\b)",
    re.IGNORECASE,
)
# Words which say that something changed: "now", "instead", "the user's new ...".
_NOW = re.compile(r"\b(?:now|nowadays|these days|from now on|instead)\b|'s (?:brand[ -])?new\b", re.IGNORECASE)


# Verbs that tell a wish, which is no plan.
_WISHES = frozenset("plan intend hope want wish aim".split())


def _is_plan(said: Told) -> bool:
    """Return whether the statement is about the future, or a wish: "is moving to Rome", "plans to retire"."""
    verb = said.clause.verb
    if verb.tense == "future" or verb.lemma in _WISHES:
        return not (verb.lemma == "want" and "always" in said.clause.lowered)
    return verb.progressive and verb.tense == "present" and verb.lemma in words.PLAN_ING - {"see", "expect", "play"}


def _plan(said: Told) -> Claim | None:
    """Match a plan, which may be called off later; a wish is no plan."""
    verb = said.clause.verb
    if verb.lemma in _WISHES or not said.rest or not (verb.progressive or verb.tense == "future"):
        return None
    return said.claim("plans", f"{said.lemma} {said.rest}")


def _date(said: Told, when: str) -> Claim | None:
    """Match statements such as "the meeting is on 3 June 2026": only one date holds."""
    if not when or said.clause.verb.tense != "present" or said.clause.verb.progressive:
        return None
    return said.claim("date" if said.lemma == "be" else said.lemma, when, single=True)


def _last_date(text: str) -> str:
    """Return the date at the end of a text, without its preposition."""
    kept = without_dates(text)
    return re.sub(r"^(?:on|in|at|around|to) ", "", text.strip(" .")[len(kept) :].strip(" ."))


# A new date: "was moved to Friday".
_RESCHEDULED = re.compile(
    r"\b(?:was|is|got|been) (?:now )?(?:moved|rescheduled|postponed|pushed(?: back)?|shifted|brought forward) to \S"
)
# Verbs before a date: "the lease ends on ...".
_DATED = frozenset("be start begin end expire renew leave open close arrive".split())


def _rather(said: Told) -> Claim | None:
    """Match "would rather have tea than coffee": prefers tea."""
    if said.clause.verb.modal != "would":
        return None
    value = re.sub(r"^(?:have|drink|eat|use|take) ", "", said.rest)
    return said.claim("prefers", re.split(r" than | over ", value)[0], negated=False)


def _taste(said: Told) -> Claim | None:
    """Match likes, dislikes and preferences: "prefers tea to coffee", "can't stand jazz"."""
    if said.lemma == "prefer":
        one, *others = re.split(r" to (?!\w+ing\b\s*$)| over | rather than | instead of ", said.rest)
        if not others:
            return said.claim("prefers", one)
        return said.claim(f"prefers:{' or '.join(sorted((fold(one), fold(others[0]))))}", one, single=True)
    if said.lemma == "want":
        return said.claim("prefers", said.rest)
    if said.lemma in ("like", "love", "enjoy", "adore"):
        return said.claim("likes", said.rest)
    if said.lemma in ("dislike", "hate", "detest", "loathe"):
        return said.claim("likes", said.rest, negated=not said.negated)
    unbearable = said.clause.verb.modal == "cannot" and said.lemma in ("stand", "bear")
    return said.claim("likes", _WHY.sub("", said.rest), negated=True) if unbearable else None


# A reason, which is no part of what is disliked.
_WHY = re.compile(r" (?:since|because|after|ever since) .+$")


# What follows "asks": "always to answer in German".
_ANSWERS = re.compile(r"(?:always )?to (?:answer|reply|respond|write|speak|talk)(?: to \w+)? in (?P<what>.+)$")


def _answers(said: Told) -> Claim | None:
    """Match "asks always to answer in German": only one language, or style, holds."""
    match = _ANSWERS.match(said.rest) if said.lemma == "ask" else None
    return said.claim("answers in", match["what"], single=True) if match else None


def _asked_to_use(said: Told) -> Claim | None:
    """Match "asks always to use a@b.example as Alex's email"."""
    match = _USE_AS.match(said.rest) if said.lemma == "ask" else None
    relation = ATTRIBUTES.get(match["what"], "") if match else ""
    return said.claim(relation, match["new"]) if match and relation in _USED else None


# What follows "asks": "to use a@b.example as Alex's email".
_USE_AS = re.compile(r"(?:always )?to use (?P<new>.+) as (?:the user|[\w.-]+)'s (?:new )?(?P<what>[a-z -]+)$")
_USED = frozenset(("email", "phone", "address"))


# "A big fan of ...", "crazy about ...".
_FOND = re.compile(
    r"^(?:a )?(?:(?:big|huge|great|massive|avid|real|lifelong) )?(?:fan of|lover of|fond of|into|keen on|crazy about"
    r"|partial to|obsessed with|passionate about|big on) (?P<what>.+)$"
)


def _fondness(said: Told) -> Claim | None:
    """Match "is a big fan of jazz": likes jazz."""
    match = _FOND.match(said.rest) if said.lemma == "be" else None
    return said.claim("likes", match["what"]) if match else None


def _attribute(said: Told) -> Claim | None:
    """Match "Alex's name is ...", "the deadline is ...": the owner is the subject."""
    if said.lemma != "be" or not said.attribute or not said.rest:
        return None
    said = replace(said, attribute=_NEW.sub("", said.attribute))
    favourite = _FAVOURITE.match(said.attribute)
    of_owner = replace(said, subject=said.owner)
    if favourite:
        return of_owner.claim(_favourite(favourite["what"]), said.rest)
    relation = ATTRIBUTES.get(said.attribute)
    if relation in ("spouse", "partner", "employer"):
        named = said.rest[0].isupper() or said.rest.lower().startswith(("called ", "named "))
        return of_owner.claim(relation, re.sub(r"^(?:called|named) ", "", said.rest)) if named else None
    if relation:
        misread = relation == "name" and not said.rest[0].isupper()  # "his name is on the lease"
        return None if misread else of_owner.claim(relation, _without_preposition(said.rest))
    if said.attribute.split()[-1] in NUMBERED and not said.rest.lower().startswith(("in ", "on ")):
        return of_owner.claim(said.attribute, said.rest, single=True)
    return None


# Adjectives before what somebody owns: "new", "current".
_NEW = re.compile(r"^(?:(?:brand )?new|current|present|latest) ")
_FAVOURITE = re.compile(r"(?:(?P<owner>.+?)'s )?(?:all-time )?(?:favou?rite|preferred) (?P<what>.+)$", re.IGNORECASE)
# A person by relation, after "is": "Alex's sister".
_KINSHIP = re.compile(r"(?P<owner>.+?)'s (?:(?:brand )?new |current )?(?P<kin>[\w-]+)$")
# What somebody owns, after "is": "Alex's home address".
_OWNED = re.compile(r"(?P<owner>.+?)'s (?:(?:brand )?new |current )?(?P<what>[a-z -]+)$")
# Attributes that may follow their value: "Rome is Alex's home".
_ALSO_INVERTED = frozenset(("home", "home address", "city", "employer", "hometown", "mother tongue", "native language"))
# Roles of people that, like family, may follow their names: "Kate is Alex's boss".
_ROLES = frozenset(
    """
    boss manager supervisor landlord landlady doctor gp dentist therapist teacher tutor coach trainer lawyer accountant
    roommate flatmate neighbour neighbor mentor vet hairdresser assistant
    """.split()
)


def _favourite(what: str) -> str:
    """Return the relation of a favourite: "favourite:colour"."""
    return f"favourite:{re.sub('color', 'colour', fold(what))}"


def _inverted(said: Told) -> Claim | None:
    """Match statements whose value comes first: "Blue is Alex's favourite colour", "Kate is Alex's sister"."""
    if said.lemma != "be" or said.clause.subject.kind != "name" or said.attribute:
        return None
    favourite = _FAVOURITE.match(said.rest)
    if favourite and favourite["owner"]:
        of_owner = replace(said, subject=fold_subject(favourite["owner"]))
        return of_owner.claim(_favourite(favourite["what"]), said.subject)
    owned = _OWNED.match(said.rest)
    if owned and owned["what"] in _ALSO_INVERTED:
        return replace(said, subject=fold_subject(owned["owner"])).claim(ATTRIBUTES[owned["what"]], said.subject)
    kinship = _KINSHIP.match(said.rest)
    if kinship is None or kinship["kin"].lower() not in words.KIN_HER | words.KIN_HIM | words.KIN_ANY | _ROLES:
        return None
    return replace(said, subject=fold_subject(said.rest)).claim("name", said.subject)


def _changed(said: Told) -> Claim | None:
    """Match "Alex changed Alex's email to ...", "Alex's phone number has changed to ...", "the rent went up to ..."."""
    if said.lemma not in ("change", "go", "rise", "drop", "fall", "increase", "decrease", "grow"):
        return None
    owned = r"(?:(?:his|her|their|my|.+?'s) (?P<what>[\w -]+?) )?"
    match = re.match(rf"{owned}(?:from .+? )?(?:(?:up|down|back) )?to (?P<new>.+)$", said.rest)
    if match is None or (match["what"] and said.lemma != "change"):
        return None
    what = fold(match["what"] or said.attribute)
    of_owner = replace(said, subject=said.subject if match["what"] else said.owner)
    if what in ATTRIBUTES:
        return of_owner.claim(ATTRIBUTES[what], match["new"])
    return of_owner.claim(what, match["new"], single=True) if what.split(" ")[-1] in NUMBERED else None


def _without_preposition(rest: str) -> str:
    return re.sub(r"^(?:in|on|at) ", "", rest)


def _living(said: Told) -> Claim | None:
    """Match "lives in Rome" (home), "lives with Anna" (lives with), and, of a thing, its location."""
    if said.lemma not in ("live", "reside"):
        return None
    place = after(said.rest, *_LIVING)
    if place is None:
        return None
    if said.rest.startswith("with "):
        return said.claim("lives with", place)
    if not person_like(said):
        return said.claim("location", place)
    return said.claim("dwelling" if _DWELLING.match(place) and not _PLACE.match(place) else "home", place)


# What follows "lives in" when it is no town: "a small flat", "fear".
_DWELLING = re.compile(
    r"(?:an?|the|my|our|his|her|their|this|that|constant|fear|peace|harmony|hope|denial)\b", re.IGNORECASE
)


def _moving(said: Told) -> Claim | None:
    """Match "moved to Rome" (home), "moved to Postgres" (uses), and, of a thing, its new location."""
    if said.lemma not in ("move", "relocate", "emigrate", "settle"):
        return None
    match = _MOVED.match(said.rest)
    if match is None or _NOT_FOR_LONG.search(said.rest):
        return None
    if _is_tech(match["place"]) or _is_tech(match["old"] or ""):
        return replace(said.claim("uses", match["place"]), instead_of=fold(match["old"] or ""))
    if not person_like(said):
        return said.claim("location", match["place"])
    return said.claim("home", re.split(r" from (?=[A-Z])", match["place"])[0]) if _is_place(match["place"]) else None


# A stay that ended: "and then moved back".
_NOT_FOR_LONG = re.compile(r"\b(?:and|but) (?:then )?(?:(?:came|moved|flew|went) )?(?:back|home)\b|\band returned\b")
# What follows "moved": "from Rome to Lyon", "back to Rome with Anna".
_MOVED = re.compile(
    r"(?:from (?P<old>.+?) )?(?:back )?(?:home )?(?:to|into|in) (?P<place>.+?)(?: (?:together )?with .+)?$"
)
# Words that begin with a name or contain one: "Rome", "a village near Rome", "12 High Street".
_PLACE = re.compile(r"(?:the )?(?!.*'s [a-z])[^\W\d_a-z]\S*|.*\b(?:in|near|outside) (?:the )?[^\W\d_a-z]|\d+\w? [A-Z]")
# Capitalised or not, these are no places to live in: "sales", "the third floor".
_NO_PLACES = words.STANDING_IN | frozenset(
    "plan building floor room team engineering support hr it product legal business first economy".split()
)


def _is_place(text: str) -> bool:
    """Return whether somebody can live there: a name, or something in or near one; not "the sofa", "sales"."""
    return _PLACE.match(text) is not None and text.removeprefix("the ").split(" ")[0].lower() not in _NO_PLACES


def _is_tech(text: str) -> bool:
    """Return whether a name is a product rather than a place: a known one, or one written like "MongoDB", "Next.js"."""
    first = text.partition(" ")[0]
    mixed = first[1:] != first[1:].lower() and not first.isupper() and not first.startswith(("Mc", "Mac", "O'"))
    return first.lower() in _TECH or "." in first[:-1] or mixed


def _based(said: Told) -> Claim | None:
    """Match "is based in Rome": home of a person, location of a thing."""
    match = re.match(r"(?:based|located|situated) (?:in|at|near|on) (?P<where>.+)$", said.rest)
    if said.lemma != "be" or match is None:
        return None
    return said.claim("home" if person_like(said) else "location", match["where"])


def _joining(said: Told) -> Claim | None:
    """Match "joined Acme", "started a new job at Acme": employer."""
    if said.lemma == "join" and person_like(said):
        who = _without_role(said.rest)
        return said.claim("employer", who) if _FIRM.fullmatch(who) and not _PASTIME.search(who) else None
    match = _NEW_JOB.match(said.rest) if said.lemma in ("start", "begin") else None
    who = _without_role(match["who"]) if match else ""
    return said.claim("employer", who) if who and not _PASTIME.search(who) else None


# What people join besides work: a gym, a choir, a social network.
_PASTIME = re.compile(
    r"\b(?:gym|universit(?:y|ies)|uni|school|college|kindergarten|academy|course|class|club|choir|band|team|league"
    r"|church|twitter|facebook|instagram|linkedin|reddit|discord|tiktok|mastodon|bluesky|whatsapp|telegram|duolingo"
    r"|strava|netflix|tinder|weight watchers|rotary|rotaract|scouts|toastmasters|alcoholics anonymous)\b",
    re.IGNORECASE,
)
# A name in capitals, with small words inside: "Bank of England".
_FIRM = re.compile(r"[^\W\d_a-z]\S*(?: (?:[^\W_a-z]\S*|and|of|the|de|&))*")
# What follows "started": "a new job at Acme", "working for Acme".
_NEW_JOB = re.compile(
    r"(?:(?:a |his |her |their |\w+'s )?(?:new )?(?:job|position|role) (?:at|with)|at|working (?:at|for)) (?P<who>.+)$"
)


def _without_role(text: str) -> str:
    """Return a firm without the role in it: "Acme" for "Acme as a nurse"."""
    return re.sub(r" as .+$", "", text)


def _employed(said: Told) -> Claim | None:
    """Match "is employed by Acme", "was fired from Acme", "got promoted to director"."""
    if said.lemma not in ("be", "get"):
        return None
    if match := re.match(r"employed (?:by|at) (?P<who>.+)$", said.rest):
        return said.claim("employer", match["who"])
    if match := re.match(r"(?:fired|laid off|sacked|made redundant)(?: (?:from|by) (?P<who>.+))?$", said.rest):
        return said.claim("employer", match["who"] or "", negated=True)
    if match := re.match(r"promoted to (?P<what>.+)$", said.rest):
        return said.claim("job", match["what"])
    return None


def _retired(said: Told) -> Claim | None:
    """Match "retired", "is retired"."""
    return said.claim("job", "retired") if said.lemma == "retire" or said.rest == "retired" else None


def _working(said: Told) -> Claim | None:
    """Match "works at Acme" (employer), "works as a nurse" (job), "works from home"."""
    if said.lemma != "work" or not person_like(said):
        return None
    at = re.search(r"(?:^|\s)(?:at|for) (?P<who>.+?)(?: as .+)?$", said.rest)
    if at and not said.rest.startswith("as "):
        return said.claim("employer", at["who"])
    trade, base = after(said.rest, "as"), after(said.rest, "from")
    if trade:
        return said.claim("job", re.sub(r" (?:at|for) .+$", "", trade))
    if base:
        return said.claim("works from", base, single=True)
    return said.claim("work", said.rest) if said.rest else None


def _resigning(said: Told) -> Claim | None:
    """Match "resigned" without a name: no employer any more."""
    return said.claim("employer", "", negated=True) if said.lemma == "resign" and not said.rest else None


def _leaving(said: Told) -> Claim | None:
    """Match "left Acme", "quit the job at Acme", "stopped smoking": what is over."""
    if said.lemma not in ("leave", "quit", "resign", "lose"):
        return None
    rest = said.rest
    ended = _gerund(rest) if said.lemma != "lose" else None
    if ended:
        return _ended_habit(said, ended)
    if match := _JOB.match(rest):
        return said.claim("employer", match["who"] or "", negated=True)
    if said.lemma == "lose":
        return None
    place = after(rest, "from") or rest
    if not place[:1].isupper():
        return None
    claim = said.claim("employer", place, negated=True)
    # "Left Rome" may mean for good, and so ends the home; with a day it is the start of a journey.
    for_good = said.lemma == "leave" and not _ON_A_DAY.search(said.when)
    return replace(claim, follows=(Claim("", "home", claim.value, negated=True),)) if for_good else claim


# A day or hour: "on 3 June", "next week", "at nine".
_ON_A_DAY = re.compile(r"\b\d{1,2}(?!\d)|\bweek\b|\bat\b")
# "The job at Acme", "the old position".
_JOB = re.compile(
    r"(?:from )?(?:(?:his|her|their|the|my|our|[\w. -]+'s) )?(?:(?:old|current|last|day|previous) )?"
    r"(?:job|position)(?: (?:at|with) (?P<who>.+))?$"
)


def _gerund(rest: str) -> tuple[str, str] | None:
    """Return the base form of a leading -ing verb and the words after it; None if there is no such verb."""
    first, _, more = rest.partition(" ")
    base = verbs.progressive_lemma(first.lower())
    return (base, more) if base else None


def _ended_habit(said: Told, ended: tuple[str, str]) -> Claim | None:
    """Return the claim of the habit, negated: "quit smoking" denies "smokes"."""
    base, more = ended
    as_it_was = replace(said.clause, verb=replace(said.clause.verb, tense="present"))
    again = replace(said, lemma=base, rest=more, negated=True, clause=as_it_was)
    return next((claim for match in _MATCHERS if (claim := match(again)) is not None), None)


def _stopping(said: Told) -> Claim | None:
    """Match "gave up coffee", "stopped eating meat", "quit tennis": the habit is over."""
    rest = said.rest
    if said.lemma == "give" and rest.startswith("up "):
        rest = rest[len("up ") :].removeprefix("on ")
    elif said.lemma not in ("stop", "quit") or not rest:
        return None
    if ended := _gerund(rest):
        return _ended_habit(said, ended)
    if said.lemma == "stop" or (said.lemma == "quit" and rest.removeprefix("from ")[:1].isupper()):
        return None
    if _JOB.match(rest):
        return _leaving(replace(said, lemma="leave", rest=rest))
    return said.claim(_CONSUMED.get(fold(rest), "does"), rest, negated=True)


# What is eaten or drunk, for "gave up coffee": does not drink coffee.
_CONSUMED = dict.fromkeys("coffee tea alcohol beer wine soda".split(), "drink") | dict.fromkeys(
    "meat sugar dairy gluten bread chocolate fish".split(), "eat"
)


def _use(said: Told) -> Claim | None:
    """Match "uses ruff for linting"."""
    return _using(said, said.rest) if said.lemma == "use" else None


def _switching(said: Told) -> Claim | None:
    """Match "switched from MySQL to Postgres"."""
    if said.lemma not in ("switch", "migrate", "convert", "change", "replace", "swap"):
        return None
    match = _SWITCH.match(said.rest)
    named = re.match(r"(?:his|her|their|its|my|\w+'s) ", said.rest)
    if match is None or named:
        return None
    return replace(_using(said, match["new"]), instead_of=fold(match["old"] or ""))


def _choosing(said: Told) -> Claim | None:
    """Match "chose Postgres over MySQL", "decided to use ruff", "went with SQLite"."""
    rest = said.rest
    if said.lemma in ("choose", "pick", "select"):
        return _using(said, _without_rival(rest)) if rest and not _gerund(rest) else None
    if said.lemma in ("settle", "opt", "go"):
        what = after(rest, "with") if said.lemma == "go" else after(rest, "on", "for")
        return _using(said, what) if what else None
    if said.lemma in ("decide", "agree"):
        match = re.match(r"(?:to (?:use|go with|adopt|switch to|stick with)|on) (?P<what>.+)$", rest)
        return _using(said, _without_rival(match["what"])) if match else None
    return None


def _without_rival(text: str) -> str:
    """Return what was chosen without what was not: "Postgres" for "Postgres over MySQL"."""
    return re.split(r" over | instead of | rather than ", text)[0]


def _dropping(said: Told) -> Claim | None:
    """Match "dropped support for Python 3.9": no longer uses it."""
    if said.lemma not in ("drop", "ditch", "abandon", "deprecate", "discontinue") or not said.rest:
        return None
    return said.claim("uses", re.sub(r" support$|^support for ", "", said.rest), negated=True)


def _using(said: Told, what: str) -> Claim:
    """Return the claim that something is used: for a purpose, in a version, or at all."""
    match = _FOR.match(what)
    if match:
        purpose = fold(match["for"] or match["as"])
        return said.claim(f"uses:{purpose}", match["what"], single=True)
    version = _VERSION.match(what)
    if version and re.match(r"$| in | on ", version["more"] or ""):
        return said.claim(f"version:{fold(version['what'])}", version["version"])
    return said.claim("uses", what)


def _running(said: Told) -> Claim | None:
    """Match "runs on Kubernetes", "runs Python 3.12", "upgraded to Python 3.12"."""
    if said.lemma == "run":
        place = after(said.rest, "on", "in")
        return said.claim("runs on", place) if place and not person_like(said) else _versioned(said, said.rest)
    if said.lemma in ("upgrade", "update"):
        match = re.search(r"(?:^|\s)to (?P<to>.+)$", said.rest)
        return _versioned(said, match["to"]) if match else None
    return None


def _versioned(said: Told, text: str) -> Claim | None:
    """Return the claim of a version; None if the text does not name one."""
    match = _VERSION.match(text)
    return said.claim(f"version:{fold(match['what'])}", match["version"]) if match else None


def _built(said: Told) -> Claim | None:
    """Match "is hosted on AWS" (runs on), "is written in Rust" (written in)."""
    if said.lemma != "be":
        return None
    if match := re.match(r"(?:hosted|deployed|running) (?:on|in|at|to|with) (?P<what>.+)$", said.rest):
        return said.claim("runs on", match["what"])
    if match := re.match(r"(?:written|built|developed|implemented|coded) (?:in|with|on) (?P<what>.+)$", said.rest):
        return said.claim("written in", match["what"])
    return None


def _having(said: Told) -> Claim | None:
    """Match "has a dog", "has no car"; "had a dog" is a relation of its own."""
    rest = said.rest
    if said.lemma not in _OWNING or not rest:
        return None
    if said.lemma == "have" and said.clause.verb.tense == "past":
        return said.claim("had", rest)
    none = re.match(r"(?:no|any|not any|zero) (?P<what>.+)$", rest)
    return said.claim("has", none["what"], negated=True) if none else said.claim("has", rest)


# Verbs that make somebody an owner.
_OWNING = frozenset("have own adopt buy purchase inherit rescue acquire".split())


def _getting(said: Told) -> Claim | None:
    """Match "got a dog" and "got rid of the car"."""
    if said.lemma != "get":
        return None
    rest = said.rest.removeprefix("rid of ")
    if rest != said.rest:
        return said.claim("has", rest, negated=True)
    return said.claim("has", rest) if re.match(r"(?:a|an|the|two|three|new|his|her|their)\b", rest) else None


def _parting(said: Told) -> Claim | None:
    """Match "sold the car", "gave away the sofa", "outgrew a nut allergy": has it no longer."""
    outgrown = said.lemma == "outgrow" and said.rest.endswith("allergy")
    if (said.lemma in ("sell", "lose", "donate", "rehome", "cancel") and said.rest) or outgrown:
        return said.claim("has", said.rest.removeprefix("off "), negated=True)
    match = re.match(r"(?:away (?P<a>.+)|(?P<b>.+) away)$", said.rest) if said.lemma == "give" else None
    return said.claim("has", match["a"] or match["b"], negated=True) if match else None


def _called_off(said: Told) -> Claim | None:
    """Match "Alex's flight was cancelled": its date, time and place no longer hold."""
    if not _OFF.match(f"{said.lemma} {said.rest}"):
        return None
    if said.attribute.startswith("move to "):
        return replace(said, subject=said.owner).claim("plans", said.attribute, negated=True)
    more = tuple(Claim("", relation, "", negated=True) for relation in ("time", "location", "leave", "start"))
    return replace(said.claim("date", "", negated=True), follows=more)


# Verbs for what was cancelled.
_OFF = re.compile(r"(?:(?:be|get) (?:cancell?ed|called off|scrapped)|fall through)\b")


def _car(said: Told) -> Claim | None:
    """Match "Alex's car is a blue Toyota": it is driven until it is sold, perhaps next to another."""
    if said.lemma != "be" or said.clause.verb.tense != "present" or not _MAKE.match(said.rest):
        return None
    owned = _NEW.sub("", said.attribute) == "car" and said.clause.lowered[said.clause.subject.end - 2] != "the"
    return replace(said, subject=said.owner).claim("drive", said.rest, single=False) if owned else None


# A car by its make: "a blue Toyota", but not "an SUV".
_MAKE = re.compile(r"an? (?:[\w-]+ ){0,3}(?!(?:EV|SUV|PHEV|MPV)\b)[A-Z]\w")


def _origin(said: Told) -> Claim | None:
    """Match "is from Rome" (origin), "was born in Rome" (birthplace), "has been to Rome" (visit)."""
    if said.lemma in ("be", "come") and said.rest.startswith("from "):
        place = said.rest.split(" ", 1)[1]
        return None if _DWELLING.match(place) and place.islower() else said.claim("origin", place)
    if said.lemma == "be" and said.rest.startswith("born in "):
        return said.claim("birthplace", said.rest.removeprefix("born in "))
    been = said.lemma == "be" and said.clause.verb.tense == "perfect" and said.rest.startswith("to ")
    return said.claim("visit", said.rest.removeprefix("to ")) if been else None


# An hour after "is at".
_TIME = re.compile(r"^(?:\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]\.?m\b|\s*$)|noon\b|midnight\b)", re.IGNORECASE)


def _place(said: Told) -> Claim | None:
    """Match, of a thing, "is at 9:30" (time), "is in the kitchen" (location), "is on Python 3.12" (version)."""
    if said.lemma != "be":
        return None
    place = after(said.rest, "in", "at")
    if place and not person_like(said):
        return said.claim("time" if _TIME.match(place) else "location", place)
    return _versioned(said, after(said.rest, "on") or "")


def _identity(said: Told) -> Claim | None:
    """Match "Alex's sister is Anna"."""
    first = said.rest.partition(" ")[0]
    named = first[:1].isupper() and first.lower() not in words.PEOPLE_ADJECTIVES
    return (
        said.claim("name", said.rest) if said.lemma == "be" and said.attribute and named and person_like(said) else None
    )


def _being(said: Told) -> Claim | None:
    """Match any other "is ..." or "was ..."."""
    if said.lemma not in ("be", "become") or not said.rest:
        return None
    return said.claim("was" if said.clause.verb.tense == "past" and said.lemma == "be" else "is", said.rest)


def _driving(said: Told) -> Claim | None:
    """Match "drives a Honda", of which there is one; driving to work, for a firm or in a rented car is not single."""
    if said.lemma != "drive":
        return None
    what = _WAY.split(said.rest)[0]
    one = _VEHICLE.match(what) is not None and " for " not in said.rest
    return said.claim("drive", what) if one else said.claim("drive", said.rest, single=False)


# Where or with whom somebody drives.
_WAY = re.compile(r" (?=(?:to|around|in|on|with|at|back|home)\b)")
# A car of one's own: "a Honda", "the van", but not "a rental", "a lot".
_VEHICLE = re.compile(
    r"(?!.*'s )(?:(?:an?|the|this) (?!(?:lot|bit|little|rental|rented|hired?|loan(?:er)?|borrowed|courtesy)\b)|[A-Z\d])"
)


def _any(said: Told) -> Claim | None:
    """Take the verb itself as the relation, when no other matcher applies."""
    names = {"speak": "speaks", "play": "plays"}
    return said.claim(names.get(said.lemma, said.lemma), said.rest)


# Tried in this order; the first claim is taken.
_MATCHERS: tuple[Callable[[Told], Claim | None], ...] = (
    _rather, _taste, _answers, _asked_to_use, _fondness, _attribute, _inverted, _changed, _stopping, people.death,
    _called_off, _living, _moving, _based, _working, _joining, _resigning, _leaving, _employed, _retired, _use,
    _switching, _choosing, _dropping, _running, _built, people.parting_of_two, people.left_by, people.bond, people.name,
    _car, people.age, people.weight, _origin, people.constitution, people.school, _having, _getting, _parting,
    people.habit, people.trade, _place, _identity, _being, _driving, _any,
)  # fmt: skip
