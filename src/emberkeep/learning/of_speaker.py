"""Rules for what people say of themselves. Tried in order; the first that applies decides."""

from itertools import pairwise

from emberkeep.learning import words
from emberkeep.learning.sorts import (
    BOOKED,
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
    noun,
    only,
)
from emberkeep.learning.verbs import is_participle

# Words which say that something is over.
_ENDED = frozenset("anymore longer".split())
# Verbs for states that last, if it is said since when.
_STATES = frozenset(
    """
    know have live work own play use study teach be suffer drive collect love run date see wear
    """.split()
)
# Verbs for states that last in any case.
_LONG_STATES = frozenset("know live work own study".split())
# Verbs that tell an ability after "can".
_ABLE = frozenset(
    """
    speak swim play drive cook ride read sing eat drink tolerate have digest take dance ski sew smell
    """.split()
)
# Those that need no object: "I can't swim".
_ABLE_ALONE = frozenset("swim drive cook ski dance sing sew read".split())
# Verbs for what is merely going on, however long: "I've been trying for weeks".
_TRIED = frozenset(
    """
    try wait look think get have struggle read wonder mean ask search debug hope go do see sit use
    """.split()
)
# Verbs whose -ing form tells of the moment: "I'm looking for ...".
_MOMENT_ING = frozenset(
    """
    look try think wonder hope get ask refer guess assume see feel talk do use write read sit stand wait listen watch
    eat drink call joke kid struggle follow show say tell debug print need want have run make work put set
    """.split()
)
# People one goes with, so "went with" is no decision.
_COMPANY = words.FIRST_PERSON | words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.PLURAL_PEOPLE | {"him", "her"}
# Participles after "got" that tell an event.
_GOT = frozenset(
    """
    married engaged promoted divorced fired hired laid accepted pregnant sacked robbed vaccinated
    """.split()
)
# First words after "got" that tell an acquisition.
_GOT_A = frozenset("a an the my our two three new into".split())
# Units that make a number no age: "I'm 10 minutes away".
_MEASURES = frozenset(
    "minute minutes min mins hour hours second seconds day days percent % miles km blocks steps pages lines in".split()
)
# Units that make a number no age without a word of `_SO_LONG`: "I'm 12 weeks pregnant".
_SPANS = frozenset("week weeks month months".split())
_SO_LONG = frozenset("pregnant along old sober clean postpartum".split())
# Words before "of" that tell a lasting fear.
_FEARS = frozenset("scared afraid terrified hard frightened".split())
# Verbs that tell a habit without an object: "I smoke".
_ALONE = frozenset("smoke drink snore drive ski surf freelance cook swim dance".split())
# Words that refer to something said before.
_POINTERS = frozenset("it this that these those".split())
# Verbs that tell only of the moment in the present progressive: "I'm writing ...".
_PASSING_ING = frozenset("see run take write build follow share save play lead".split())
# Verbs whose past tense is worth keeping without a date: "I studied law".
_SCHOOLED = frozenset("live study grow serve teach major train".split())


def of_speaker(said: Said) -> Sort | None:
    """Return the sort of a clause whose subject is the speaker; None if it is not worth keeping."""
    return first_of(_RULES, said)


def goes_on(said: Said) -> bool:
    """Return whether a clause continues an event: "... and turned off the old login"."""
    verb = said.verb
    return (
        said.clause.subject.kind == "speaker"
        and verb.tense == "past"
        and not (verb.negated or verb.progressive or verb.modal or verb.lemma == "be")
        and verb.lemma not in words.TRIVIAL_PAST
        and bool(said.rest)
    )


def has_ended(said: Said) -> bool:
    """Return whether a clause says that something is over."""
    return bool(said.lowered & _ENDED) or ("any", "more") in _pairs(said)


def _pairs(said: Said) -> list[tuple[str, str]]:
    """Return each word after the verb with its successor."""
    return list(pairwise(said.rest))


def _hedged(said: Said) -> Sort | None:
    """Reject "I think ...", "I guess ..."."""
    return NOTHING if said.lemma in words.HEDGING_VERBS else None


def _former(said: Said) -> Sort | None:
    """Match "I used to smoke"."""
    return PAST if said.verb.tense == "former" else None


def _given_up(said: Said) -> Sort | None:
    """Match "I gave up coffee", "I cut out sugar"; not "I gave up on it"."""
    if said.verb.tense not in ("past", "perfect") or said.verb.negated:
        return None
    what = said.rest[1:] if said.says("up") or said.says("out") else said.rest
    ended = (said.lemma == "give" and said.says("up")) or (said.lemma == "cut" and said.says("out"))
    told = bool(what) and what[0] not in {"on", "trying", "looking", "waiting", "hope", *_POINTERS}
    return EVENT if told and (ended or (said.lemma == "quit" and what[0] != "the")) else None


def _decided(said: Said) -> Sort | None:
    """Match decisions that were taken: "I decided to move", "we went with SQLite"."""
    if said.verb.tense not in ("past", "perfect") or said.verb.passive or said.verb.negated or not said.rest:
        return None
    if said.lemma == "agree":
        return only(DECISION, when=said.rest[0] in ("to", "on", "that"))
    if said.lemma == "go":
        chosen = said.rest[0] == "with" or said.says("for", "the")
        return DECISION if chosen and not set(said.rest[1:4]) & _COMPANY else None
    made = said.lemma == "make" and said.rest[1:2] == ("decision",)
    return DECISION if made or (said.lemma in words.DECIDING and said.rest[0] not in ("it", "up")) else None


def _deciding(said: Said) -> Sort | None:
    """Match decisions for the future: "we'll use Postgres", "we're going with SQLite"."""
    going_with = said.lemma == "go" and said.says("with")
    if said.verb.tense == "future":
        settled = said.lemma in words.CHOICE_VERBS and (said.dated is None or said.lemma not in words.CHANGES)
        return DECISION if settled or going_with else None
    if said.verb.progressive and said.dated is None and said.verb.tense == "present":
        return DECISION if going_with or said.lemma in words.CHOICE_VERBS - {"use", "keep"} else None
    return None


def _ended(said: Said) -> Sort | None:
    """Match what is over: "I don't smoke any more"."""
    return only(FACT, when=said.lemma not in words.REJECTED_VERBS) if has_ended(said) else None


def _able(said: Said) -> Sort | None:
    """Match abilities: "I can't swim", "I can't eat nuts"."""
    if not said.verb.modal:
        return None
    able = said.lemma in _ABLE and not is_pointing(said.rest)
    return only(FACT, when=able and (said.rest or said.lemma in _ABLE_ALONE))


def _future(said: Said) -> Sort | None:
    """Match plans: "I'll move to Rome in May"; reject trivial ones: "I'll try that"."""
    if said.verb.tense != "future":
        return None
    if said.lemma in words.TRIVIAL_FUTURE:
        return only(PLAN, when=said.dated and said.lemma in words.SERIOUS_FUTURE and not said.of_today)
    return only(PLAN, when=said.dated or said.lemma in words.PLAN_ING | words.LIFE_EVENTS)


def _perfect(said: Said) -> Sort | None:
    """Decide on anything in the perfect tense; reject what no rule for it matches."""
    return only(first_of(_PERFECT, said) or NOTHING, when=True) if said.verb.tense == "perfect" else None


def _since(said: Said) -> bool:
    """Return whether it is said when, since when or for how long."""
    return said.dated is not None or "since" in said.rest or "for" in said.rest


def _has_been_doing(said: Said) -> Sort | None:
    """Match "I've been learning Spanish", "I've been running since May"."""
    if not said.verb.progressive:
        return None
    settled = said.lemma in words.LASTING_ING or (_since(said) and said.lemma not in _TRIED)
    return only(LASTING, when=settled and not set(said.rest) & {"this", "hours", "minutes", "hour"})


def _has_been(said: Said) -> Sort | None:
    """Match "I've been vegan since 2019", "I've been to Rome"."""
    if said.lemma != "be":
        return None
    return only(LASTING, when=_since(said) or said.says("to") or said.verb.passive in words.LIFE_EVENTS)


def _has_never(said: Said) -> Sort | None:
    """Match "I've never eaten oysters"."""
    if "never" not in said.lowered or not said.rest:
        return None
    return only(PAST, when=not set(said.rest) & {"this", "that", "it", "such", "like", "anything", "so"})


def _has_become(said: Said) -> Sort | None:
    """Match "I've become a vegan", "I've gone vegan"."""
    gone = said.lemma == "go" and said.first in words.DURABLE_STATES
    return LASTING if gone or said.lemma == "become" else None


def _has_had(said: Said) -> Sort | None:
    """Match "I've had a baby", "I've had my car stolen"."""
    done = any(is_participle(word) for word in said.rest[2:])
    return EVENT if said.lemma == "have" and (done or set(said.rest) & words.HAPPENINGS) else None


def _has_not(said: Said) -> Sort | None:
    """Match "I haven't smoked since May"."""
    return LASTING if said.verb.negated and _since(said) and said.lemma in words.DURABLE else None


def _has_state(said: Said) -> Sort | None:
    """Match "I've lived in Rome for years"."""
    return LASTING if said.lemma in _LONG_STATES or (said.lemma in _STATES and _since(said)) else None


def _has_done(said: Said) -> Sort | None:
    """Match "I've adopted a dog", "I've taken up tennis"."""
    if (said.lemma == "take" and said.says("up")) or (said.lemma == "change" and said.first in ("jobs", "schools")):
        return EVENT
    telling = said.lemma in words.LIFE_EVENTS - words.TRIVIAL_PAST and not said.verb.negated
    return only(EVENT, when=telling and (said.rest or _says_it_all(said)))


def _past(said: Said) -> Sort | None:
    """Decide on anything in the past tense; reject what no rule for it matches."""
    if said.verb.tense != "past":
        return None
    if said.verb.negated or said.verb.progressive:
        return NOTHING
    if not said.rest or said.lemma == "split":
        return only(EVENT, when=_says_it_all(said))
    return first_of(_PAST, said) or NOTHING


def _says_it_all(said: Said) -> bool:
    """Return whether a verb needs no object: "I resigned", "Chris and I split up", not "we split the bill"."""
    if said.clause.subject.kind == "with" and said.lemma in ("separate", "divorce", "split"):
        return all(word == "up" or not word[0].isalnum() for word in said.rest) or said.says("up")
    return said.lemma in ("resign", "retire")


def _was(said: Said) -> Sort | None:
    """Match "I was promoted", "I was a baker", "I was in Rome in May"."""
    if said.lemma != "be":
        return None
    passive = said.verb.passive
    if passive in words.LIFE_EVENTS or (passive and said.dated):
        return EVENT
    if said.rest[0] in ("a", "an", "the"):
        return only(PAST, when=not is_vague(said.rest[1:]))
    return only(EVENT, when=said.dated and said.named and said.rest[0] in ("in", "at", "on"))


def _everyday(said: Said) -> Sort | None:
    """Reject what people do every day: "bought milk", "went to bed"."""
    mislaid = said.lemma in ("lose", "drop", "leave", "find") and set(said.rest[:3]) & words.MISLAID
    what = noun(said.rest[1:] if said.rest[0] in words.PREPOSITIONS else said.rest)
    pointed = said.rest[0] in ("it", "this", "that", "your") and not said.dated
    return NOTHING if mislaid or pointed or (what in words.EVERYDAY and "first" not in said.rest) else None


def got(said: Said) -> Sort | None:
    """Match "got engaged", "got a dog"; reject "got up", "got the same error"."""
    if said.lemma != "get":
        return None
    rest = said.rest
    if rest[0] in ("back", "home") and not said.dated:
        return only(EVENT, when="from" in rest)
    passing = rest[0] == "up" or set(rest) & (words.MOMENT_NOUNS | {"same", "this", "it", "your"})
    return only(EVENT, when=rest[0] in _GOT or (not passing and (said.dated or rest[0] in _GOT_A)))


def _had_or_went(said: Said) -> Sort | None:
    """Match "had surgery", "went to Rome", and either verb with a date."""
    if said.lemma not in ("have", "go"):
        return None
    went = said.lemma == "go" and said.named and "to" in said.rest
    return only(EVENT, when=said.dated or went or set(said.rest) & words.HAPPENINGS)


def _named_it(said: Said) -> Sort | None:
    """Match "we named her Wren"."""
    if said.lemma not in ("call", "name"):
        return None
    return only(EVENT, when=said.named and said.rest[0] in ("the", "our", "my", "him", "her"))


def _worked(said: Said) -> Sort | None:
    """Match "I worked at Acme", "I worked as a nurse"."""
    if said.lemma != "work":
        return None
    at = said.rest[0] in ("at", "for", "as") and "hours" not in said.rest
    return only(EVENT if said.dated else PAST, when=at)


def _changed(said: Said) -> Sort | None:
    """Match "I changed my name", "I became a father", "I turned 30", "I gave away the sofa"."""
    if said.lemma == "change" and said.rest[0] in ("my", "our"):
        return only(EVENT, when=said.rest[1:2] != ("mind",))
    if said.lemma == "become":
        return only(EVENT, when=said.dated or said.first in words.DURABLE_STATES | {"a", "an", "the"})
    if said.lemma == "turn":
        switched = said.dated and said.rest[0] in ("on", "off")
        return only(EVENT, when=switched or said.rest[0] in words.AGES or said.rest[0].isdigit())
    return EVENT if said.lemma == "give" and (said.rest[0] == "up" or "away" in said.rest) else None


def _did(said: Said) -> Sort | None:
    """Match any other event in the past tense; a trivial one needs a date."""
    if said.lemma in words.TRIVIAL_PAST:
        seen = said.named and said.lemma not in words.DEALINGS - {"see", "watch", "read"}
        telling = (seen or said.lemma in words.LIFE_EVENTS) and said.rest[0] != "into"
        return only(EVENT, when=said.dated and telling and not set(said.rest) & words.ADDRESSED)
    if said.lemma in ("book", "reserve", "schedule", "register") or "tickets" in said.rest:
        return BOOKED
    if said.lemma in words.LIFE_EVENTS or said.dated:
        return EVENT
    return PAST if said.lemma in _SCHOOLED else None


def _progressive(said: Said) -> Sort | None:
    """Decide on anything in the progressive; reject what no rule for it matches."""
    return (first_of(_DOING, said) or NOTHING) if said.verb.progressive else None


def _planning(said: Said) -> Sort | None:
    """Match "I'm planning ...", "I'm expecting ..."."""
    return PLAN if said.lemma in ("plan", "intend") or (said.lemma == "expect" and not said.verb.negated) else None


def _doing_often(said: Said) -> Sort | None:
    """Match "I'm always travelling"."""
    return FACT if said.recurs and said.dated is None else None


def _doing_then(said: Said) -> Sort | None:
    """Match plans: "I'm flying to Rome on Friday", "I'm moving house"."""
    if said.upcoming and not said.of_today and "since" not in said.rest:
        return only(PLAN, when=said.lemma not in _MOMENT_ING or said.lemma in words.PLAN_ING)
    soon = said.dated == "now" and said.lemma in words.PLANNED_NOW
    return PLAN if soon or (said.rest and said.lemma in words.PLANNED_ANYHOW) else None


def _getting(said: Said) -> Sort | None:
    """Match "I'm getting married", "I'm getting a puppy"."""
    if said.lemma != "get":
        return None
    return only(PLAN, when=said.first in ("married", "divorced") or {"puppy", "surgery"} & set(said.rest))


def _making(said: Said) -> Sort | None:
    """Match work in progress: "I'm using Django", "I'm writing a novel", "I'm working as a nurse"."""
    if said.lemma in ("use", "run"):
        return only(FACT, when=said.named and not set(said.rest) & {"this", "it", "your"})
    if said.lemma in ("write", "build", "develop", "work", "make") and set(said.rest) & words.PROJECTS:
        return FACT
    if said.lemma == "work":
        return only(FACT, when=said.rest and said.rest[0] in ("as", "at", "for", "in", "from", "towards"))
    return None


def _doing_for_long(said: Said) -> Sort | None:
    """Match "I'm learning Spanish"."""
    return FACT if said.lemma in words.LASTING_ING - _PASSING_ING else None


def _being(said: Said) -> Sort | None:
    """Decide on anything with "am"; reject what no rule for it matches."""
    if said.lemma != "be":
        return None
    return (first_of(_STATES_OF_BEING, said) or NOTHING) if said.rest else NOTHING


def _often(said: Said) -> Sort | None:
    """Match "I'm always early", but not "I'm so tired every day"."""
    return FACT if said.recurs and said.dated is None and said.rest[0] not in ("so", "too", "tired") else None


def _away_then(said: Said) -> Sort | None:
    """Match "I'm in Rome next week", "I'm away in May"."""
    away = said.upcoming and said.first in ("in", "on", "off", "at", "away", "abroad", "back", "out")
    return only(PLAN, when=not said.of_today) if away else None


def _afraid(said: Said) -> Sort | None:
    """Match "I'm afraid of spiders", but not "I'm afraid of that"."""
    if said.first not in _FEARS or said.after[:1] != ("of",):
        return None
    return only(FACT, when=not set(said.after[1:2]) & _POINTERS)


def _such(said: Said) -> Sort | None:
    """Match lasting traits: "I'm vegan", "I'm German", "I'm colour blind"."""
    first, after = said.first, said.after
    if first in ("colour", "color"):
        return only(FACT, when=after[:1] == ("blind",))
    if first in ("gluten", "lactose", "dairy"):
        return only(FACT, when=after[:1] in (("free",), ("intolerant",)))
    person = first == "more" and after[:2] == ("of", "a")
    return FACT if person or first in words.DURABLE_STATES | words.PEOPLE_ADJECTIVES else None


def _a_thing(said: Said) -> Sort | None:
    """Match "I'm a nurse", but not "I'm a bit late"."""
    if said.first not in ("a", "an", "the", "one"):
        return None
    return only(FACT, when=said.after and not is_vague(said.after))


def _somewhere(said: Said) -> Sort | None:
    """Match "I'm from Rome", "I'm in sales", "I'm new to Python", "I'm on the Pro plan"."""
    if said.first == "from":
        return FACT
    if said.first == "in":
        return only(FACT, when=words.STANDING_IN & set(said.after))
    if said.first == "new" and said.after[:1] == ("to",):
        return only(FACT, when=said.named)
    return only(FACT, when=_is_on_product(said) or words.STANDING_ON & set(said.after)) if said.first == "on" else None


def _is_on_product(said: Said) -> bool:
    """Return whether a name follows the first word: "on macOS Sonoma", "the Pro plan"."""
    following = said.clause.words[said.verb.end + 1 : said.verb.end + 2]
    return bool(following) and following[0].text != following[0].lower and not following[0].opaque


def _of_an_age(said: Said) -> Sort | None:
    """Match "I'm 34", but not "I'm 10 minutes away"."""
    unit = set(said.after[:1])
    measured = unit & _MEASURES or (unit & _SPANS and not set(said.after[1:]) & _SO_LONG)
    aged = said.first[0].isdigit() or said.first in words.AGES
    return only(FACT, when=not measured and "%" not in said.first) if aged else None


def _someone(said: Said) -> Sort | None:
    """Match "I'm Alex", but not "I'm Sorry"."""
    token = said.clause.words[said.verb.end]
    passing = said.first in words.MOMENT_STATES | words.OPINIONS | words.DAY_NAMES | words.MONTH_NAMES
    named = token.text[0].isupper() and not token.opaque and not said.verb.negated and token.lower not in words.ADVERBS
    return FACT if named and not passing else None


def _weekly(said: Said) -> Sort | None:
    """Match what happens every week: "I have yoga on Thursday"."""
    return FACT if said.weekly else None


def _present_plan(said: Said) -> Sort | None:
    """Match present tense for a future date: "I start on Monday", "I fly to Rome in May"."""
    starts = said.lemma in words.PLAN_VERBS and said.upcoming and not said.recurs
    this_day = said.upcoming and any(
        pair[0] in ("this", "next") and pair[1] in words.DAY_NAMES for pair in _pairs(said)
    )
    starts = starts or (this_day and said.lemma in words.DURABLE)
    return PLAN if starts or said.lemma in ("plan", "intend") else None


def _having(said: Said) -> Sort | None:
    """Match "I have two sisters", "I have an exam on Friday"; reject "I have a question"."""
    if said.lemma != "have":
        return None
    rest = said.rest
    if not rest or rest[0] in _POINTERS | {"been", "your"} or _is_mere_number(rest):
        return NOTHING
    if rest[0] == "to":
        return only(FACT, when={"every", "each", "daily"} & set(rest))
    if said.upcoming and not said.recurs and "since" not in rest:
        return PLAN
    return only(FACT, when=said.recurs or _is_subscribed(said) or not _is_passing(rest))


def _is_subscribed(said: Said) -> bool:
    """Match "I have the Pro plan": a subscription with a name."""
    named = said.says("the") and _is_on_product(said)
    return named and bool(_SUBSCRIPTIONS & set(said.rest[2:4]))


_SUBSCRIPTIONS = frozenset("plan subscription account membership tier package tariff edition licence license".split())


def _is_mere_number(rest: tuple[str, ...]) -> bool:
    """Return whether a number stands without its noun: "one", "two, a boy and a girl"."""
    counted = rest[0].isdigit() or rest[0] in words.AGES | {"one", "any", "none", "some", "both"}
    return counted and (len(rest) == 1 or rest[1] in _AFTER_MERE_NUMBER)


_AFTER_MERE_NUMBER = frozenset(", : ; - ( and of now too already".split())


def _is_passing(rest: tuple[str, ...]) -> bool:
    """Return whether what the speaker has is of the moment: "a question", "the keys", "a meeting"."""
    what = noun(rest)
    if set(rest[:2]) & words.MOMENT_NOUNS - {"bad", "fear"} or what in words.MOMENT_NOUNS - {"fear"}:
        return True
    if what in words.EVERYDAY or what == "keys" or rest[:2] in (("the", "best"), ("so", "much")):
        return True
    return what in words.APPOINTMENTS and "season" not in rest


def _getting_up(said: Said) -> Sort | None:
    """Match "I get up at six"."""
    return only(FACT, when=said.dated is None and (said.says("up") or said.habitual)) if said.lemma == "get" else None


def _knowing(said: Said) -> Sort | None:
    """Match "I know Python", "I know Anna"."""
    if said.lemma != "know":
        return None
    following = said.clause.words[said.verb.end : said.verb.end + 1]
    return only(FACT, when=following and following[0].text[0].isupper() and not said.verb.negated)


def _of_no_note(said: Said) -> Sort | None:
    """Reject what is said in passing: "I need help", "I keep forgetting", "I start to worry"."""
    if said.lemma in words.REJECTED_VERBS:
        return NOTHING
    if not said.rest:
        return None
    pointed = said.rest[0] in _POINTERS and (len(said.rest) == 1 or said.lemma not in ("own", "use", "drive"))
    passing = said.rest[0] in ("this", "that", "these", "those") and set(said.rest) & words.MOMENT_NOUNS
    idle = said.lemma == "keep" and said.rest[0].endswith("ing")
    begun = said.lemma in ("start", "write", "play", "begin") and said.rest[0] == "to"
    idiom = said.rest[0] == "and" or (said.lemma, said.rest[0]) in (("live", "for"), ("carry", "on"), ("run", "the"))
    return NOTHING if pointed or passing or idle or begun or (idiom and not said.named) else None


def _going(said: Said) -> Sort | None:
    """Match "I go by Al", "I go to bed at ten", "I come from Rome", "I report to Anna"."""
    if said.lemma == "go":
        return only(FACT, when=said.says("by") or said.says("to", "bed", "at") or said.habitual)
    if said.lemma == "come":
        return only(FACT, when=said.says("from") or said.recurs)
    return only(FACT, when=said.says("to")) if said.lemma == "report" else None


def _lasting(said: Said) -> Sort | None:
    """Match lasting activities: "I play the piano", "I smoke"; other verbs only as a habit."""
    if said.lemma in words.DURABLE and (said.rest or said.lemma in _ALONE):
        return FACT
    return only(FACT, when=said.habitual and said.dated is None)


_PERFECT: tuple[Rule, ...] = (
    _has_been_doing,
    _has_been,
    _has_never,
    _has_become,
    _has_had,
    _has_not,
    _has_state,
    _has_done,
)
_PAST: tuple[Rule, ...] = (_was, _everyday, got, _had_or_went, _named_it, _worked, _changed, _did)
_DOING: tuple[Rule, ...] = (_planning, _doing_often, _doing_then, _getting, _making, _doing_for_long)
_STATES_OF_BEING: tuple[Rule, ...] = (
    _often,
    _away_then,
    _afraid,
    _such,
    _a_thing,
    _somewhere,
    _of_an_age,
    _someone,
)
_RULES: tuple[Rule, ...] = (
    _hedged,
    _former,
    _given_up,
    _decided,
    _deciding,
    _ended,
    _able,
    _future,
    _perfect,
    _past,
    _progressive,
    _being,
    _weekly,
    _present_plan,
    _having,
    _getting_up,
    _knowing,
    _of_no_note,
    _going,
    _lasting,
)
