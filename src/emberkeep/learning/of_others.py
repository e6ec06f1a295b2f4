"""Rules for statements about other people and about things. Tried in order; the first that applies decides."""

from emberkeep.learning import words
from emberkeep.learning.of_speaker import got, has_ended
from emberkeep.learning.sorts import (
    DECISION,
    EVENT,
    FACT,
    LASTING,
    NOTHING,
    PAST,
    PLAN,
    Rule,
    Said,
    Sort,
    first_of,
    is_pointing,
    is_vague,
    only,
)

# Possessives of the speaker.
_OURS = frozenset("my our".split())
# Words that tie a clause to the speaker.
_TIES = frozenset("my our me us".split())
# States told only of people one knows: "Anna is pregnant".
_PERSONAL = frozenset("vegan vegetarian pregnant allergic diabetic engaged single".split())
# Participles after "got" that are told only of people one knows.
_PERSONALLY_GOT = frozenset("engaged married promoted divorced".split())
# Verbs for states that last.
_STATES = frozenset(
    """
    know have live work own play use study teach be suffer drive collect love run date see wear
    """.split()
)
# Verbs for what things do at the moment: "the build fails".
_FAILING = frozenset(
    """
    hurt ache throw pass fail crash return raise break hang freeze keep work stop say look seem show give get
    """.split()
)
# Verbs whose passive makes a plan: "is scheduled for Friday".
_SCHEDULED = frozenset("schedule plan book set due".split())
# Prepositions after "is" that tell where something is.
_PLACES = frozenset("in on at about near with up over under from for".split())
# Words after "in" and the like that tell no place: "in pain", "in vain".
_PASSING_PLACES = frozenset("it this that vain bed pain trouble town tears".split())
# First words after "is" that leave the content open: "the idea is that ...".
_EMPTY = frozenset("that how what why to like this it there such".split())


def of_other(said: Said) -> Sort | None:
    """Return the sort of a clause about somebody or something else; None if it is not worth keeping."""
    return first_of(_RULES, said)


def is_of_their_world(said: Said) -> bool:
    """Return whether the subject belongs to the speaker's life and work, not to the world at large."""
    kind = said.clause.subject.kind
    if kind == "name":
        return _is_known(said)
    return kind != "thing" or _is_definite(said) or _is_journey_off(said)


def _passing(said: Said) -> Sort | None:
    """Reject what is of the moment: a question, an error, code at hand; but not "my alarm code is 4471"."""
    subject = said.clause.subject
    numbered = subject.head == "code" and any(word[0].isdigit() for word in said.rest)
    passing = subject.head in words.MOMENT_SUBJECTS and not numbered
    code = subject.kind == "thing" and subject.head in words.CODE_NOUNS
    return NOTHING if passing or code or subject.kind == "pronoun" or said.lemma in words.HEDGING_VERBS else None


def _foreign(said: Said) -> Sort | None:
    """Reject what belongs to the world at large: "Paris is big"."""
    return None if is_of_their_world(said) else NOTHING


def _is_known(said: Said) -> bool:
    """Return whether a name is somebody in the speaker's life: family, or tied to the speaker in the same clause."""
    subject = said.clause.subject
    if subject.head in words.KIN_BARE or said.lowered & _TIES:
        return True
    return bool(said.rest) and _is_personal(said)


def _is_personal(said: Said) -> bool:
    """Return whether it is told only of people one knows: "has become a vegan", "got engaged"."""
    happened = said.dated in ("past", "either") and said.verb.tense == "past"
    if happened and (said.lemma in words.INCIDENTS or {"his", "her"} & set(said.rest)):
        return True
    if said.lemma == "be":
        return said.verb.tense == "present" and said.rest[0] in _PERSONAL
    if said.lemma == "become":
        return said.rest[0] in ("a", "an")
    return said.lemma == "get" and said.rest[0] in _PERSONALLY_GOT


def _is_definite(said: Said) -> bool:
    """Return whether a thing is the speaker's: by a possessive, by its kind, or because the details are particular."""
    subject = said.clause.words[said.clause.subject.start : said.clause.subject.end]
    head, lowered = said.clause.subject.head, {one.lower for one in subject}
    if lowered & _OURS:
        return True
    if any(one.text[0].isupper() for one in subject[1:]):
        model = lowered & {"the"} and any(one.text.isdigit() for one in subject)  # one item of a make, not the make
        return head in words.SYSTEM_NOUNS or bool(model)
    if subject[0].lower in ("a", "an"):
        return said.dated in ("past", "either") and said.verb.tense == "past"
    if lowered & {"every", "each", "everyone"}:
        return bool(said.lowered & _OURS)
    if lowered & words.SYSTEM_NOUNS or head in words.PLURAL_PEOPLE:
        return True
    told = said.concrete or said.dated is not None
    particular = said.recurs or (told and bool(lowered & (words.BARE_SYSTEMS | {"the", "everything"})))
    return particular and head not in words.WORLD_NOUNS


def _is_journey_off(said: Said) -> bool:
    """Match "the move to Paris fell through": a journey mentioned before, and so the speaker's."""
    return _is_off(said) and said.clause.subject.head in _JOURNEYS and said.clause.lowered[0] == "the"


_JOURNEYS = frozenset("move trip flight visit journey holiday vacation".split())


def _is_ours_and_off(said: Said) -> bool:
    """Return whether something of the speaker's was called off."""
    return _is_journey_off(said) or (_is_off(said) and said.clause.subject.kind == "owned")


def _is_off(said: Said) -> bool:
    """Return whether it was called off: "was cancelled", "fell through"."""
    if said.lemma == "fall":
        return said.verb.tense in ("past", "perfect") and said.rest[:1] == ("through",)
    return said.lemma == "be" and (said.verb.passive == "cancel" or said.rest[:2] == ("called", "off"))


def _group_decided(said: Said) -> Sort | None:
    """Match "the team decided to ...", "the decision is to ..."."""
    if said.clause.subject.head == "decision":
        return only(DECISION, when=said.lemma == "be" and said.rest[:1] in (("to",), ("that",)))
    decided = said.verb.tense in ("past", "perfect") and said.lemma in ("decide", "agree")
    return DECISION if decided and said.rest[:1] in (("to",), ("on",)) else None


def _over(said: Said) -> Sort | None:
    """Match what is no longer so: "my sister used to smoke", "the server is no longer in use"."""
    if said.verb.tense == "former":
        return PAST
    return FACT if has_ended(said) else None


def _future(said: Said) -> Sort | None:
    """Match "my sister will move in May"; without a date or a verb of planning, reject it."""
    return only(PLAN, when=said.dated or said.lemma in words.PLAN_ING) if said.verb.tense == "future" else None


def _perfect(said: Said) -> Sort | None:
    """Match "my dad has lived there since 2010", "my sister has become a vegan"."""
    if said.verb.tense != "perfect":
        return None
    since = said.dated is not None or "since" in said.rest or "for" in said.rest
    if said.lemma == "have" and set(said.rest) & words.HAPPENINGS:
        return EVENT
    if said.verb.progressive or said.lemma in _STATES:
        return only(LASTING, when=since or said.lemma in words.LASTING_ING)
    return LASTING if said.lemma == "become" else only(EVENT, when=said.lemma in words.LIFE_EVENTS)


def _past(said: Said) -> Sort | None:
    """Decide on anything in the past tense; reject what no rule for it matches."""
    if said.verb.tense != "past":
        return None
    if said.verb.negated or said.verb.progressive:
        return NOTHING
    return first_of((_was, _dealt, _had, _got, _changed, _turned, _happened), said) or NOTHING


def _was(said: Said) -> Sort | None:
    """Match "was promoted", "was held on Friday", "my father was a baker"."""
    if said.lemma != "be":
        return None
    passive = said.verb.passive
    if (passive and said.dated) or (said.person and passive in words.LIFE_EVENTS) or _is_ours_and_off(said):
        return EVENT
    held = said.dated and said.first in ("in", "on", "at") and not said.person
    was_one = said.person and said.first in ("a", "an")
    return EVENT if held else only(PAST, when=was_one)


def _dealt(said: Said) -> Sort | None:
    """Keep everyday dealings only with a date and a name: "my boss called Acme on Friday"."""
    return only(EVENT, when=said.dated and said.named) if said.lemma in words.DEALINGS else None


def _had(said: Said) -> Sort | None:
    """Match "had a baby", "had surgery"."""
    return EVENT if said.lemma == "have" and set(said.rest) & words.HAPPENINGS else None


def _got(said: Said) -> Sort | None:
    """Match "got engaged", "got a dog"."""
    return got(said) if said.rest else None


def _changed(said: Said) -> Sort | None:
    """Match "the password changed to ...", "my rent went up to 900"."""
    by = said.rest[:1] in (("up",), ("down",))
    to = said.rest[1:] if by else said.rest
    if said.person or to[:1] != ("to",) or not to[1:]:
        return None
    figures = any(char.isdigit() for word in to for char in word)
    grown = figures and (by or said.lemma in ("rise", "drop", "fall", "increase", "decrease"))
    return EVENT if said.lemma == "change" or (grown and said.lemma in _GROWING) else None


# Verbs for a figure that changes.
_GROWING = frozenset("go rise drop fall increase decrease grow".split())


def _turned(said: Said) -> Sort | None:
    """Match "my son just turned six"."""
    aged = said.lemma == "turn" and said.person and (said.first in words.AGES or said.first.isdigit())
    return EVENT if aged else None


def _happened(said: Said) -> Sort | None:
    """Match other events: those with a date, and those that matter without one."""
    if said.lemma == "dump":
        return only(EVENT, when=said.first == "me" and not any(word[0].isalnum() for word in said.after))
    told = said.lemma in ("die", "pass") or (said.person and said.lemma in words.LIFE_EVENTS) or _has_moved(said)
    told = told or _is_ours_and_off(said)
    told = told or (said.person and said.lemma == "turn" and (said.first in words.AGES or said.first.isdigit()))
    return only(EVENT, when=said.dated or told)


def _has_moved(said: Said) -> bool:
    """Match "our office moved to Bristol"."""
    return said.clause.subject.kind == "owned" and said.lemma in ("move", "relocate") and said.first == "to"


def _progressive(said: Said) -> Sort | None:
    """Match "my sister is moving in May" (a plan) and "my son is learning Spanish" (a fact)."""
    if not said.verb.progressive:
        return None
    if said.upcoming and "since" not in said.rest:
        return PLAN
    if said.lemma in ("move", "retire", "expect", "marry"):
        return only(PLAN, when=said.person)
    return only(FACT, when=said.person and said.lemma in words.LASTING_ING - {"grow", "see"})


def _being(said: Said) -> Sort | None:
    """Decide on anything with "is"; reject what no rule for it matches."""
    if said.lemma != "be":
        return None
    return (first_of((_then, _somewhere, _for_the_moment, _something), said) or NOTHING) if said.rest else NOTHING


def _then(said: Said) -> Sort | None:
    """Match "the meeting is on Friday"."""
    if not said.upcoming or said.recurs or said.lowered & words.YEARLY:
        return None
    if said.verb.passive:
        return PLAN if said.verb.passive in _SCHEDULED else None
    return PLAN if said.rest[0] not in words.DETERMINERS - {"this"} else FACT


def _somewhere(said: Said) -> Sort | None:
    """Match "the office is in Bristol"; reject "my sister is in pain"."""
    if said.first not in _PLACES:
        return None
    passing = not said.after or said.after[0] in _PASSING_PLACES or said.rest[:2] == ("about", "to")
    roaming = said.person and said.after[:1] == ("the",) and not said.concrete
    return only(FACT, when=not (passing or roaming or "%" in said.rest))


def _for_the_moment(said: Said) -> Sort | None:
    """Reject moods and opinions, unless they last: "my sister is tired"."""
    if said.first.endswith("ing") and len(said.first) > len("thing"):
        return NOTHING
    if said.first == "afraid" and "of" in said.rest:
        return FACT
    if said.first in words.MOMENT_STATES | words.OPINIONS:
        return only(FACT, when="since" in said.rest or said.recurs)
    return NOTHING if said.first in _EMPTY else None


def _something(said: Said) -> Sort | None:
    """Keep any other "is ...", unless it is vague: "the server is a mess"."""
    if said.first in ("a", "an", "the"):
        opinion = set(said.after[:2]) & (words.MOMENT_NOUNS | words.OPINIONS)
        return only(FACT, when=said.concrete or not (opinion or is_vague(said.after)))
    return FACT


def _rejected(said: Said) -> Sort | None:
    """Reject verbs that say nothing lasting: "my boss wants ..."."""
    return NOTHING if said.lemma in words.REJECTED_VERBS | {"send"} else None


def _weekly(said: Said) -> Sort | None:
    """Match what happens every week: "deploys happen on Thursday"."""
    return FACT if said.weekly else None


def _planned(said: Said) -> Sort | None:
    """Match present tense for a future date: "the course starts in May"."""
    starts = said.dated == "either" and (said.lemma in words.PLAN_VERBS | {"have", "turn", "come"} or _on_a_day(said))
    return PLAN if (starts or said.dated == "future") and not said.recurs else None


def _on_a_day(said: Said) -> bool:
    """Return whether the date is a day: "on Friday", "on 3 June"."""
    return "on" in said.rest and bool(set(said.rest) & (words.MONTH_NAMES | words.DAY_NAMES))


def _able(said: Said) -> Sort | None:
    """Match "my son can play the piano"; only of people."""
    if not said.verb.modal:
        return None
    return only(FACT, when=said.person and said.rest and said.lemma not in ("wait", "believe", "find", "see"))


def _person_does(said: Said) -> Sort | None:
    """Keep what people do: "my sister plays the piano", but not "my sister likes it"."""
    if not said.person:
        return None
    return only(FACT, when=not is_pointing(said.rest))


def _thing_does(said: Said) -> Sort | None:
    """Keep what things do, if it lasts: "our app runs on Kubernetes", but not "the build fails"."""
    if said.lemma in _FAILING and not said.recurs:
        return only(FACT, when=said.lemma == "work" and said.rest[:1] in (("in",), ("as",), ("at",), ("for",)))
    if said.clause.subject.kind == "owned":
        return only(FACT, when=said.rest)
    return only(FACT, when=said.rest and (said.concrete or said.lemma in words.DURABLE | words.HAVE))


_RULES: tuple[Rule, ...] = (
    _passing,
    _foreign,
    _group_decided,
    _over,
    _future,
    _perfect,
    _past,
    _progressive,
    _weekly,
    _being,
    _rejected,
    _planned,
    _able,
    _person_does,
    _thing_does,
)
