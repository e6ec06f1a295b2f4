"""Sentences as clauses: whom each is about, its verb with all that belongs to it, and the rest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from emberkeep.learning import verbs, words
from emberkeep.learning.tokens import Token

FARTHEST_VERB = 12
LONGEST_LEAD = 10
_PRONOUNS = frozenset("he she they it this that these those there you who everyone nobody someone somebody".split())
_OWNED = frozenset("my our his her their its".split())
_OPENERS = frozenset(
    "the a an every each everything everyone all both one two three four five this another neither nobody".split()
)
_STARTERS = frozenset("i we he she they it there".split()) | _OWNED | _OPENERS
_SUBORDINATING = frozenset("when while after before since as once until although though because whenever".split())
_DATE_WORDS = frozenset(
    "yesterday today tomorrow tonight last next these nowadays lately recently currently sometimes occasionally".split()
)
_JOINTS = frozenset("and but so then also plus though although while whereas now yet or because as since".split())
_NO_NAMES = frozenset("i here there thanks sorry hello hi".split())
_REASONS = frozenset("because as since".split())
_RELATIVE = frozenset("who which that whose where".split())
_NOUNS_OR_VERBS = frozenset(
    """
    work love play run study drive walk cook travel dance like use hike ride train practice help research code design
    blog drink hate cycle ski surf swim share water rent store ship post wear plan cost host record book support
    """.split()
)
_IMPERATIVES = frozenset(
    """
    play set turn include remove check add send call delete use make avoid please do show tell give put keep answer
    schedule deliver switch ring look let see skip stop open close lock start try write read ask go wait take fix
    hang remind help explain update find get bring recommend suggest come leave thank
    """.split()
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom or what a clause is about: a span of its words. `kind`: speaker, with (X and I), owned, thing, name, pronoun."""

    kind: str
    start: int
    end: int
    head: str
    plural: bool


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its helpers: a span of words, the base form of the main verb, and how it is said."""

    start: int
    end: int
    lemma: str
    tense: str
    progressive: bool = False
    negated: bool = False
    passive: str = ""
    modal: str = ""


@dataclass(frozen=True)
class Clause:
    """A clause with its parts; `lead` words come before the subject."""

    words: tuple[Token, ...]
    subject: Subject
    verb: Verb

    @cached_property
    def rest(self) -> tuple[str, ...]:
        """The folded words after the verb."""
        return tuple(one.lower for one in self.words[self.verb.end :])

    @cached_property
    def lowered(self) -> tuple[str, ...]:
        """All its words, folded."""
        return tuple(one.lower for one in self.words)


def split(found: Sequence[Token]) -> list[tuple[Token, ...]]:
    """The clauses of a sentence as runs of words; a subject left out is put back, and reasons are left out."""
    parts: list[tuple[Token, ...]] = []
    start, index = 0, 1
    owner: tuple[Token, ...] = ()
    while index < len(found):
        cut = _cut(found, start, index, owner)
        if cut is None:
            index += 1
            continue
        parts.append((*owner, *found[start:index]))
        reason = {one.lower for one in found[index : cut[0]]} & _REASONS
        start, owner = cut
        if reason:
            return parts
        index = start + 1
    parts.append((*owner, *found[start:]))
    return [part for part in parts if part]


def _cut(
    found: Sequence[Token], start: int, index: int, owner: tuple[Token, ...]
) -> tuple[int, tuple[Token, ...]] | None:
    """Where the next clause begins if one ends at `index`, and the words to put before it."""
    mark = found[index].lower
    if mark not in _JOINTS and mark not in (",", ":", "-", "–", "—", "("):
        return None
    begin = index + 1
    while begin < len(found) and (found[begin].lower in _JOINTS or found[begin].lower in words.ADVERBS):
        begin += 1
    if begin >= len(found):
        return None
    clause = parse((*owner, *found[start:index]))
    if clause is None:
        speaks = found[begin].lower in words.SPEAKER and mark in ("and", "but", ",", ":")
        speaks = speaks and found[start].lower != "if" and _mentions_verb(found[start:index])
        return (index + 1 + _joints(found, index + 1), ()) if speaks else None
    if mark == "since" and clause.verb.tense == "perfect":
        return None
    if mark != ":" and _has_subject(found, begin):
        return index + 1 + _joints(found, index + 1), ()
    if mark == "," and found[begin].lower in _IMPERATIVES and begin == index + 1:
        return begin, ()
    if verbs.is_base(found[begin].lower) and found[begin + 1 : begin + 2] and found[begin + 1].lower in ("me", "us"):
        return begin, ()
    if found[begin - 1].lower in ("and", "but") or found[index].lower in ("and", "but"):
        shared = _shared(clause, found, begin)
        return (index + 1 + _joints(found, index + 1), shared) if shared else None
    return None


def _mentions_verb(found: Sequence[Token]) -> bool:
    return any(_is_verb_word(one.lower) or verbs.is_base(one.lower) for one in found)


def _joints(found: Sequence[Token], index: int) -> int:
    count = 0
    while index + count < len(found) and found[index + count].lower in _JOINTS:
        count += 1
    return count


def _has_subject(found: Sequence[Token], begin: int) -> bool:
    first = found[begin].lower
    if first in ("that", "which", "who") and found[begin - 1].lower == ",":
        return first == "that"
    if first in ("a", "an"):
        return False
    if found[begin - 1].lower in _REASONS - {"because"} and first not in _STARTERS - _OPENERS:
        return False
    if first in words.PREPOSITIONS and found[begin - 1].lower in _JOINTS:
        later = parse(found[begin:])
        return later is not None and later.subject.kind == "speaker"
    return _subject(found, begin) is not None


def _shared(clause: Clause, found: Sequence[Token], begin: int) -> tuple[Token, ...]:
    """The words to put before a verb whose subject was left out; none if it is no such verb."""
    verb, word = clause.verb, found[begin].lower
    if not clause.rest or verb.modal or verb.tense == "future":
        return ()
    subject = clause.words[clause.subject.start : clause.subject.end]
    if verb.progressive:
        helpers = clause.words[verb.start : verb.end - 1]
        return (*subject, *helpers) if verbs.progressive_lemma(word) and verb.lemma in words.PLAN_ING else ()
    if verb.tense in ("past", "perfect"):
        return subject if verbs.is_past(word) and word not in ("read", "set", "put", "cut") else ()
    if _third_expected(clause.subject):
        return subject if verbs.is_third(word) and not _is_noun_here(found, begin) else ()
    if not verbs.is_base(word) and word not in ("am", "are", "have"):
        return ()
    return () if "to" in clause.rest or _is_noun_here(found, begin) else subject


def _third_expected(subject: Subject) -> bool:
    return subject.kind not in ("speaker", "with") and not subject.plural


def _is_noun_here(found: Sequence[Token], begin: int) -> bool:
    following = found[begin + 1] if begin + 1 < len(found) else None
    if following is None or following.lower in (",", "and", "or"):
        return True
    base = verbs.lemma(found[begin].lower)
    if base not in _NOUNS_OR_VERBS:
        return False
    return not (following.lower in words.DETERMINERS | words.PREPOSITIONS or following.text[0].isupper())


def parse(found: Sequence[Token]) -> Clause | None:
    """The parts of a clause, None if they cannot be told."""
    if not found:
        return None
    start = _lead(found)
    if start is None:
        return None
    parsed = _subject(found, start)
    if parsed is None:
        return None
    subject, at = parsed
    verb = _verb(found, at, subject)
    return Clause(tuple(found), subject, verb) if verb else None


def _lead(found: Sequence[Token]) -> int | None:
    """How many words come before the subject; None if that is not clear."""
    first = found[0].lower
    if first not in words.PREPOSITIONS and first not in _DATE_WORDS and first not in _SUBORDINATING:
        is_day = first in words.DAY_NAMES or first in words.MONTH_NAMES or first in ("earlier", "two", "three", "a")
        if not (is_day or first in words.ADVERBS) or (first == "a" and not _says_ago(found)):
            return 0
    for index in range(1, min(len(found), LONGEST_LEAD)):
        before, word = found[index - 1].lower, found[index].lower
        if before == ",":
            return index
        if first in _SUBORDINATING - {"since"}:
            continue
        if (word in _STARTERS or _is_name(found[index])) and before not in words.PREPOSITIONS | words.DETERMINERS:
            if word in _STARTERS and before not in ("last", "next", "this", "these", "and"):
                return index
    return 0 if first in words.ADVERBS or first in ("two", "three", "this") else None


def _says_ago(found: Sequence[Token]) -> bool:
    return any(one.lower == "ago" for one in found[:6])


def _is_name(token: Token) -> bool:
    return token.text[0].isupper() and token.lower not in _NO_NAMES and not token.opaque and not verbs.is_third(token.lower)


def _subject(found: Sequence[Token], start: int) -> tuple[Subject, int] | None:
    """The subject that begins at a word, and where its verb begins."""
    if start >= len(found) or found[start].opaque:
        return None
    first = found[start].lower
    following = found[start + 1].lower if start + 1 < len(found) else ""
    if first in words.SPEAKER:
        if following in ("and", "&"):
            return _phrase(found, start, "with")
        begin = start + 2 if following in ("both", "all") else start + 1
        return (Subject("speaker", start, begin, first, plural=False), begin) if begin < len(found) else None
    if first in _PRONOUNS and not (first in ("this", "that", "these", "those") and not _is_verb_word(following)):
        return (Subject("pronoun", start, start + 1, first, plural=first in ("they", "these", "those")), start + 1)
    if first == "your":
        return Subject("pronoun", start, start + 1, first, plural=False), start + 1
    if first in _OWNED:
        return _phrase(found, start, "owned")
    if first in _OPENERS or first in words.BARE_SYSTEMS:
        return _phrase(found, start, "thing")
    if first.removesuffix("'s") in words.KIN_BARE or _is_name(found[start]):
        return _phrase(found, start, "name")
    if any(one.lower in ("my", "our") for one in found[start + 1 : start + 6]):
        return _phrase(found, start, "thing")
    return None


def _is_verb_word(word: str) -> bool:
    return word in words.BE or word in words.HAVE or word in words.MODALS or verbs.is_third(word) or verbs.is_past(word)


def _phrase(found: Sequence[Token], start: int, kind: str) -> tuple[Subject, int] | None:
    """A subject of several words: up to the first word that can be its verb."""
    end, index, joined = 0, start + 1, False
    while index < min(len(found), start + FARTHEST_VERB):
        word = found[index].lower
        if word in ("?", ":") or word in _RELATIVE or word in words.ADDRESSED - {"you"}:
            return None
        if word in ("and", "&"):
            joined = True
        if word == ",":
            aside = _after_aside(found, index)
            if aside is None:
                return None
            end, index = index, aside
            continue
        if _is_verb(found, index, start, plural=joined or _is_plural(found, start, index)):
            end = end or index
            speaker = any(one.lower == "i" for one in found[start:end])
            head = _head(found, start, end)
            plural = joined or (_is_plural(found, start, end) and not found[end - 1].text[0].isupper())
            if kind == "name" and (found[start].lower.endswith("'s") or _is_ours(found[start:end])):
                kind = "owned"
            return Subject("with" if joined and speaker else kind, start, end, head, plural=plural), index
        index += 1
    return None


def _is_ours(found: Sequence[Token]) -> bool:
    return any(one.lower in ("my", "our") for one in found)


def _after_aside(found: Sequence[Token], comma: int) -> int | None:
    """Where a clause goes on after something between commas."""
    for index in range(comma + 2, min(len(found) - 1, comma + 8)):
        if found[index].lower == ",":
            return index + 1 if _is_verb_word(found[index + 1].lower) else None
    return None


def _is_verb(found: Sequence[Token], index: int, start: int, *, plural: bool) -> bool:
    token = found[index]
    word = token.lower
    following = found[index + 1].lower if index + 1 < len(found) else ""
    if token.opaque or (token.text[0].isupper() and index > start + 1 and word != "is"):
        return False
    before = found[index - 1].lower
    if before in words.DETERMINERS or before in words.PREPOSITIONS:
        return False
    if word in words.BE or word in words.HAVE or word in words.DO or word in words.MODALS:
        return True
    if word == "no" and following == "longer":
        return True
    if word in words.ADVERBS and index > start + (found[start].lower in _OWNED | _OPENERS):
        return _is_verb_word(following) or verbs.is_base(following)
    if index == start + 1 and found[start].lower in _OWNED | _OPENERS - {"everything", "everyone", "nobody"}:
        return False
    if word in ("used", "ended"):
        return True
    if verbs.is_third(word) or verbs.is_past(word):
        return not _is_certain_verb(following)
    return plural and verbs.is_base(word) and not _is_certain_verb(following)


def _is_certain_verb(word: str) -> bool:
    return word in words.BE or word in words.MODALS or word in words.HAVE or word in _PLAIN_VERBS


_PLAIN_VERBS = frozenset("take live run use go come start begin end need work happen contain cost".split())


def _is_plural(found: Sequence[Token], start: int, end: int) -> bool:
    head = _head(found, start, end)
    if head in words.PLURAL_PEOPLE or found[start].lower in ("both", "most", "all", "two", "three", "four", "five"):
        return True
    return head.endswith("s") and not head.endswith(("ss", "us", "is", "'s")) and head not in words.SINGULAR_S


def _head(found: Sequence[Token], start: int, end: int) -> str:
    """The noun that the phrase is about: the last plain word before a name or "of ..."."""
    head = found[start].lower
    if head in words.KIN_BARE:
        return head
    for one in found[start + (end - start > 1) : end]:
        if one.lower in words.PREPOSITIONS or one.lower in ("called", "named", "who", "and", ","):
            break
        if one.text[0].isupper() and head not in words.DETERMINERS and head != found[start].lower:
            break
        head = one.lower
    return head.removesuffix("'s") if head.endswith("'s") else head


def _verb(found: Sequence[Token], start: int, subject: Subject) -> Verb | None:
    """The verb that begins at a word, with its helpers."""
    state = Verb(start, start, "", "present")
    index = start
    while index < len(found):
        word, following = found[index].lower, _next_plain(found, index)
        if word == "not" or word == "never":
            state = replace(state, negated=True)
        elif word == "no" and following == "longer":
            state = replace(state, negated=True)
            index += 1
        elif word in words.MODALS and not (word == "will" and found[index].text[0].isupper()):
            state = _with_modal(state, word)
        elif word in words.BE and not _is_main_be(following):
            state = _with_be(state, word)
        elif word in words.HAVE and following == "got" and _has_got(found, index):
            return replace(state, end=index + 2, lemma="have")
        elif word in words.HAVE and (verbs.is_participle(following)):
            state = replace(state, tense="perfect" if state.tense != "future" else "future")
        elif word in words.DO and verbs.is_base(following) and state.lemma == "":
            state = replace(state, tense="past" if word == "did" else state.tense)
        elif word == "used" and following == "to":
            return _after_to(found, index, replace(state, tense="former"))
        elif word == "going" and state.progressive and _goes_to(found, index):
            return _after_to(found, index, replace(state, tense="future", progressive=False))
        elif not _is_adverb(word):
            return _with_main(found, index, state, subject)
        index += 1
    return None


def _has_got(found: Sequence[Token], index: int) -> bool:
    """Whether "have got" means to have: a thing follows, not "married" or "to"."""
    if found[index + 1].lower != "got" or index + 2 >= len(found):
        return False
    following = found[index + 2].lower
    return following != "to" and following not in words.PREPOSITIONS and not verbs.is_participle(following)


def _with_modal(state: Verb, word: str) -> Verb:
    if word in ("will", "shall"):
        return replace(state, tense="future")
    return replace(state, modal="cannot" if word == "cannot" else word, negated=state.negated or word == "cannot")


def _with_be(state: Verb, word: str) -> Verb:
    past = word in ("was", "were") and state.tense == "present"
    return replace(state, tense="past" if past else state.tense, progressive=True)


def _is_main_be(following: str) -> bool:
    return not (verbs.progressive_lemma(following) or following == "been" or following == "being")


def _goes_to(found: Sequence[Token], index: int) -> bool:
    return index + 2 < len(found) and found[index + 1].lower == "to" and _next_plain(found, index + 1) in _BASES_TO


class _Bases:
    def __contains__(self, word: object) -> bool:
        return word == "be" or (isinstance(word, str) and verbs.is_base(word))


_BASES_TO = _Bases()


def _after_to(found: Sequence[Token], index: int, state: Verb) -> Verb | None:
    main = index + 2
    while main < len(found) and _is_adverb(found[main].lower):
        main += 1
    if main >= len(found):
        return None
    word = found[main].lower
    return replace(state, end=main + 1, lemma=verbs.lemma(word) or word)


def _next_plain(found: Sequence[Token], index: int) -> str:
    for one in found[index + 1 :]:
        if not _is_adverb(one.lower):
            return one.lower
    return ""


def _is_adverb(word: str) -> bool:
    return word in words.ADVERBS or (word.endswith("ly") and len(word) > len("fly!") and word not in words.NOT_ADVERBS)


def _with_main(found: Sequence[Token], index: int, state: Verb, subject: Subject) -> Verb | None:
    word = found[index].lower
    if found[index].opaque or not word[0].isalpha():
        return None
    if word in words.BE:
        tense = "past" if word in ("was", "were") and state.tense == "present" else state.tense
        following = _next_plain(found, index)
        passive = verbs.lemma(following) or "" if verbs.is_participle(following) else ""
        return replace(state, end=index + 1, lemma="be", tense=tense, progressive=False, passive=passive)
    if state.progressive:
        base = verbs.progressive_lemma(word)
        return replace(state, end=index + 1, lemma=base) if base else None
    base = verbs.lemma(word)
    if base is None:
        return None
    tense = state.tense
    if tense == "present" and not state.modal and index == state.start + _skipped(found, state.start, index):
        tense = _simple_tense(word, base, found, index, subject)
    return replace(state, end=index + 1, lemma=base, tense=tense)


def _skipped(found: Sequence[Token], start: int, index: int) -> int:
    """The words between the start of the verb and its main word, unless one of them is a helper."""
    helped = any(one.lower in words.DO for one in found[start:index])
    return -1 if helped else index - start


def _simple_tense(word: str, base: str, found: Sequence[Token], index: int, subject: Subject) -> str:
    if not verbs.is_past(word):
        return "present"
    if word != base:
        return "past"
    if _third_expected(subject):
        return "past"
    later = {one.lower for one in found[index:]}
    return "present" if later & words.FREQUENCIES or (word == "read" and not later & _PAST_HINTS) else "past"


_PAST_HINTS = frozenset("yesterday ago last".split())
