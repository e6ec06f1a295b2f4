"""Split sentences into clauses, each with its subject, its verb and the words after it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from emberkeep.language.forms import NUMBERS, SEASONS, YEAR
from emberkeep.learning import verbs, words
from emberkeep.learning.predicates import Verb, verb_at
from emberkeep.learning.subjects import OPENERS, STARTERS, Subject, is_verb_form, subject_at
from emberkeep.learning.tokens import Token

_YEAR = re.compile(YEAR)
LONGEST_LEAD = 10  # words before the subject
_SUBORDINATING = frozenset("when while after before as once until although though because whenever".split())
# Words for times before a subject, by themselves or after one of `_WHICH`: "today I ...", "last May we ...".
_DAYS = frozenset("yesterday today tomorrow tonight nowadays lately recently".split())
_WHICH = frozenset("last next this that every each".split())
_TIMES = (
    frozenset("year month week weekend day morning afternoon evening night christmas easter".split())
    | words.DAY_NAMES
    | words.MONTH_NAMES
    | SEASONS.keys()
)
# Words before a month, a weekday or a year.
_AT_TIME = frozenset("in on since until by from".split())
# First words of a subject that follows a time.
_AFTER_TIME = frozenset("i we he she they my our his her their the".split())
# First words of a date before the subject: "last week I ...".
_DATE_WORDS = _DAYS | frozenset("last next these earlier two three".split()) | words.DAY_NAMES | words.MONTH_NAMES
# Punctuation at which a clause may end.
_MARKS = frozenset(", : - – — (".split())
# Words at which a clause may end.
_JOINTS = frozenset("and but so then also plus though although while whereas now yet or because as since".split())
# Words of what is only thought of.
_UNREAL = frozenset("if unless wish wished hope hoping dream imagine suppose would could".split())
# Words before a reason.
_REASONS = frozenset("because as since".split())
# First words of a clause about the speaker.
_OWN = frozenset("i we my our".split())
# Verbs that are nouns, too: "I love work and travel".
_NOUNS_OR_VERBS = frozenset(
    """
    work love play run study drive walk cook travel dance like use hike ride train practice help research code design
    blog drink hate cycle ski surf swim share water rent store ship post wear plan cost host record book support
    """.split()
)
# Verbs that make a command of what follows a comma: ", play jazz instead".
_IMPERATIVES = frozenset(
    """
    play set turn include remove check add send call delete use make avoid please do show tell give put keep answer
    schedule deliver switch ring look let see skip stop open close lock start try write read ask go wait take fix hang
    remind help explain update find get bring recommend suggest come leave thank
    """.split()
)
# Verbs for what goes on, after a clause in the past: "I grew up in Ohio and live in Seattle".
_BEING_SO = frozenset("live work have own speak run study teach love hate use drive play be reside lead manage".split())
_WITH_BARE_VERBS = frozenset("help let make see watch hear have".split())  # "helped my sister move and run ..."
# Verbs of a command that dismisses what was said, with _DISMISSED after them: "forget what I said".
_DISMISSING = frozenset("ignore disregard forget override delete erase".split())
# First words of what a command dismisses.
_DISMISSED = frozenset("what everything all anything that the any my previous earlier whatever about".split())


Words = tuple[Token, ...]


@dataclass(frozen=True)
class Clause:
    """The words of a clause, its subject and its verb."""

    words: Words
    subject: Subject
    verb: Verb

    @cached_property
    def rest(self) -> tuple[str, ...]:
        """The casefolded words after the verb."""
        return tuple(one.lower for one in self.words[self.verb.end :])

    @cached_property
    def lowered(self) -> tuple[str, ...]:
        """All its words, casefolded."""
        return tuple(one.lower for one in self.words)


def parse(found: Sequence[Token]) -> Clause | None:
    """Return the clause with its subject and verb; None if they cannot be found."""
    start = _lead(found) if found else None
    parsed = subject_at(found, start) if start is not None else None
    if parsed is None:
        return None
    subject, at = parsed
    verb = verb_at(found, at, subject)
    return Clause(tuple(found), subject, verb) if verb else None


def is_present(found: Sequence[Token]) -> bool:
    """Return whether the clause is in the present tense."""
    clause = parse(found)
    return clause is not None and clause.verb.tense == "present"


def tells_where_one_is(found: Sequence[Token]) -> bool:
    """Return whether the clause says where somebody lives, works or stays."""
    clause = parse(found)
    return clause is not None and clause.verb.lemma in ("live", "work", "reside", "stay")


def _lead(found: Sequence[Token]) -> int | None:
    """Return how many words come before the subject; None if that is not clear."""
    first = found[0].lower
    if not _opens_lead(found):
        return 0
    for index in range(1, min(len(found), LONGEST_LEAD)):
        before = found[index - 1].lower
        if before == ",":
            return index
        starters = words.SPEAKER if first in _SUBORDINATING else STARTERS
        if found[index].lower in starters and not _belongs(before) and before not in _SUBORDINATING:
            return index
    return 0 if first in words.ADVERBS or first in ("two", "three", "this") else None


def after_time(found: Sequence[Token], start: int = 0) -> int:
    """Return where the subject is if the words at `start` tell a time: 2 in "last May I moved"; otherwise 0."""
    first, following, third = ([one.lower for one in found[start : start + 3]] + ["", "", ""])[:3]
    if first in _DAYS:
        end = start + 1
    elif first in NUMBERS and third == "ago":
        end = start + 3
    elif (first in _WHICH and following in _TIMES) or (first in _AT_TIME and _is_dated(following)):
        end = start + 2
    else:
        return 0
    end += end < len(found) and found[end].lower == ","
    return end if end < len(found) and found[end].lower in _AFTER_TIME else 0


def _is_dated(word: str) -> bool:
    """Return whether a word is a weekday, a month or a year."""
    return word in words.DAY_NAMES or word in words.MONTH_NAMES or _YEAR.fullmatch(word) is not None


def _opens_lead(found: Sequence[Token]) -> bool:
    """Return whether the first word opens a phrase before the subject: "in May I ...", "when I ..."."""
    first = found[0].lower
    if first == "a":
        return any(one.lower == "ago" for one in found[:6])
    dated = first in _DATE_WORDS or after_time(found) > 0
    return dated or first in words.PREPOSITIONS or first in _SUBORDINATING or first in words.ADVERBS


def _belongs(before: str) -> bool:
    """Return whether a word belongs to the one after it."""
    return before in words.PREPOSITIONS or before in words.DETERMINERS or before in ("last", "next", "and")


def split(found: Sequence[Token]) -> list[Words]:
    """Split a sentence into its clauses.

    A subject that was left out is put back: "I cook pasta and bake bread" gives "I bake bread". A clause that only
    gives a reason ends the list.
    """
    parts: list[Words] = []
    start, index = 0, 1
    owner: Words = ()
    while index < len(found):
        cut = _cut(found, start, index, owner)
        if cut is None:
            index += 1
            continue
        parts.append((*owner, *found[start:index]))
        if _is_mere_reason(found, index, cut[0]):
            return parts
        start, owner = cut
        index = start + 1
    parts.append((*owner, *found[start:]))
    return [part for part in parts if part]


def _is_mere_reason(found: Sequence[Token], index: int, begin: int) -> bool:
    """Return whether the next clause only gives a reason; "because I'm allergic", about the speaker, is kept."""
    joints = {one.lower for one in found[index:begin]} & _REASONS
    return bool(joints) and not (joints == {"because"} and found[begin].lower in _OWN)


# Words before a "but" that means "except".
_ALL_OR_NOTHING = frozenset("anything anyone anybody nothing nobody everything everyone everybody all none".split())


def _cut(found: Sequence[Token], start: int, index: int, owner: Words) -> tuple[int, Words] | None:
    """If a clause ends at `index`, return where the next one begins and the words to put before it; otherwise None."""
    mark = found[index].lower
    if mark in ("he", "she"):
        return (index, ()) if _runs_on(found, start, index, owner) else None
    begin = _after_joints(found, index + 1, adverbs=True)
    except_for = mark == "but" and found[index - 1].lower in _ALL_OR_NOTHING
    if (mark not in _JOINTS and mark not in _MARKS) or begin >= len(found) or except_for:
        return None
    clause = parse((*owner, *found[start:index]))
    after = _after_joints(found, index + 1)
    if clause is None:
        return (after, ()) if _speaks_at_last(found, start, index, begin) else None
    if _is_new(clause, found, index, begin):
        return after, ()
    if _is_command(found, index, begin) or _is_consequence(clause, found, index, begin):
        return begin, ()
    linked = {mark, found[begin - 1].lower} & {"and", "but"}
    shared = _shared(clause, found, begin) if linked else ()
    return (after, shared) if shared else None


def _runs_on(found: Sequence[Token], start: int, index: int, owner: Words) -> bool:
    """Return whether a sentence begins without punctuation, as in speech: "my son is called Femi he is six"."""
    following = found[index + 1].lower if index + 1 < len(found) else ""
    if following not in ("is", "was", "has") or found[index - 1].lower in words.CONNECTIVES | words.PREPOSITIONS:
        return False
    clause = parse((*owner, *found[start:index]))
    return clause is not None and clause.verb.lemma not in words.REPORTING | words.HEDGING_VERBS | {"know"}


def _after_joints(found: Sequence[Token], index: int, *, adverbs: bool = False) -> int:
    """Return the index of the first word that is not a conjunction, or with `adverbs` also no adverb."""
    while index < len(found) and (found[index].lower in _JOINTS or (adverbs and found[index].lower in words.ADVERBS)):
        index += 1
    return index


def _speaks_at_last(found: Sequence[Token], start: int, index: int, begin: int) -> bool:
    """Return whether words without a clear subject are followed by the speaker as subject."""
    if found[begin].lower not in words.SPEAKER or found[index].lower not in ("and", "but", ",", ":"):
        return False
    said = [one.lower for one in found[max(start, after_time(found, start)) : index]]
    return said[:1] != ["if"] and any(is_verb_form(word) or verbs.is_base(word) for word in said)


def _is_new(clause: Clause, found: Sequence[Token], index: int, begin: int) -> bool:
    """Return whether a clause with its own subject begins."""
    mark, first, before = found[index].lower, found[begin].lower, found[begin - 1].lower
    if mark == ":" or first in ("a", "an") or (mark == "since" and clause.verb.tense == "perfect"):
        return False
    if first in ("which", "who") or (first == "that" and before != ","):
        return False
    if before in _REASONS - {"because"} and first not in STARTERS - OPENERS:
        return False
    if after_time(found, begin) and _happened(found[begin:]):
        return before not in _REASONS and not _UNREAL.intersection(clause.lowered)
    if first in words.PREPOSITIONS and before in _JOINTS:
        later = parse(found[begin:])
        return later is not None and later.subject.kind == "speaker"
    return subject_at(found, begin) is not None


def _happened(found: Sequence[Token]) -> bool:
    """Return whether a clause says what the speaker, or somebody of theirs, did."""
    clause = parse(found)
    if clause is None or clause.subject.kind not in ("speaker", "with", "owned"):
        return False
    return clause.verb.tense in ("past", "perfect")


def _is_command(found: Sequence[Token], index: int, begin: int) -> bool:
    """Return whether a command follows: ", play jazz instead", "but wake me at six", "and forget what I said"."""
    following = found[begin + 1].lower if begin + 1 < len(found) else ""
    if found[begin].lower in _DISMISSING and following in _DISMISSED:
        return True
    told = (found[index].lower == "," and begin == index + 1) or found[begin - 1].lower == "so"
    if told and found[begin].lower in _IMPERATIVES:
        return True
    return verbs.is_base(found[begin].lower) and following in ("me", "us")


def _is_consequence(clause: Clause, found: Sequence[Token], index: int, begin: int) -> bool:
    """Return whether a consequence follows in passing: ", so ground floor please"."""
    so = found[begin - 1].lower == "so" and bool(clause.rest)
    return so and (found[index].lower == "," or found[begin].lower in words.DETERMINERS)


def _shared(clause: Clause, found: Sequence[Token], begin: int) -> Words:
    """Return the words to put before a verb whose subject was left out; none if there is no such verb."""
    verb, word = clause.verb, found[begin].lower
    past = {"used", "longer"} & set(clause.lowered[verb.start : verb.end])  # "used to" governs the other verb, too
    if not clause.rest or verb.modal or verb.tense == "future" or past or after_time(found, begin):
        return ()
    subject = clause.words[clause.subject.start : clause.subject.end]
    if verb.progressive:
        helpers = clause.words[verb.start : verb.end - 1]
        return (*subject, *helpers) if verbs.progressive_lemma(word) and verb.lemma in words.PLAN_ING else ()
    following = found[begin + 1].lower if begin + 1 < len(found) else ""
    return subject if _goes_with(clause, word, following) and not _is_noun_here(clause, found, begin) else ()


def _goes_with(clause: Clause, word: str, following: str) -> bool:
    """Return whether a verb has the same form as that of the clause, and so may share its subject."""
    if clause.verb.tense in ("past", "perfect"):
        return (verbs.is_past(word) and word not in ("read", "set", "put", "cut")) or _is_so_now(
            clause, word, following
        )
    if clause.subject.third:
        return verbs.is_third(word)
    return "to" not in clause.rest and (verbs.is_base(word) or word in ("am", "are", "have"))


def _is_so_now(clause: Clause, word: str, following: str) -> bool:
    """Return whether a verb says what is so since then: "I grew up in Ohio and live in Seattle".

    Not in "I got to sit and talk", where both verbs depend on the first.
    """
    if any(one == "to" and verbs.is_base(two) for one, two in pairwise(clause.rest)) or "did" in clause.lowered:
        return False
    if word in words.HAVE and verbs.is_participle(following):
        return False
    agrees = verbs.is_third(word) if clause.subject.third else verbs.is_base(word) or word in ("am", "are", "have")
    return agrees and verbs.lemma(word) in _BEING_SO and clause.verb.lemma not in _WITH_BARE_VERBS


def _is_noun_here(clause: Clause, found: Sequence[Token], begin: int) -> bool:
    """Return whether a word that may be a verb is a noun: "I love work and travel"."""
    if clause.verb.tense in ("past", "perfect") and verbs.is_past(found[begin].lower):
        return False
    following = found[begin + 1] if begin + 1 < len(found) else None
    if following is None or following.lower in (",", "and", "or"):
        return True
    if verbs.lemma(found[begin].lower) not in _NOUNS_OR_VERBS:
        return False
    after_verb = words.DETERMINERS | words.PREPOSITIONS | {"him", "it", "them"}
    return not (following.lower in after_verb or following.text[0].isupper())
