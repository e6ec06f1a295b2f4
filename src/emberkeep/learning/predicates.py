"""The verb of a clause with its helper verbs: tense, negation, and the main verb."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from emberkeep.learning import verbs, words
from emberkeep.learning.subjects import Subject
from emberkeep.learning.tokens import Token

# Words that make "read" a past tense.
_PAST_HINTS = frozenset("yesterday ago last".split())


@dataclass(frozen=True, slots=True)
class Verb:
    """The words of a verb, its base form, and how it is used.

    `tense` is present, past, perfect, future, or former ("used to"). `passive` is the base form of a participle after
    "be"; `modal` is a helper such as "can".
    """

    start: int
    end: int
    lemma: str = ""
    tense: str = "present"
    progressive: bool = False
    negated: bool = False
    passive: str = ""
    modal: str = ""


def verb_at(found: Sequence[Token], start: int, subject: Subject) -> Verb | None:
    """Return the verb that begins at a word; None if there is none that is known."""
    verb, index = Verb(start, start), start
    while index < len(found):
        whole = _whole(found, index, verb)
        if whole is not None:
            return whole
        helped = _helped(found, index, verb)
        if helped is None:
            return _main(found, index, verb, subject)
        verb, index = helped, index + 1
    return None


def _whole(found: Sequence[Token], index: int, verb: Verb) -> Verb | None:
    """Return the verb that several words form: "used to live", "am going to visit", "have got"."""
    word, following = found[index].lower, next_plain(found, index)
    if word == "used" and following == "to":
        return _after_to(found, index, replace(verb, tense="former"))
    if word == "going" and verb.progressive and following == "to" and _is_infinitive(next_plain(found, index + 1)):
        return _after_to(found, index, replace(verb, tense="future", progressive=False))
    if word in words.HAVE and _has_got(found, index):
        return replace(verb, end=index + 2, lemma="have")
    return None


def _helped(found: Sequence[Token], index: int, verb: Verb) -> Verb | None:
    """Return the verb with one more helper or adverb; None if the word is neither."""
    word, following = found[index].lower, next_plain(found, index)
    if word in ("not", "never") or (word == "no" and found[index + 1 : index + 2] and following == "longer"):
        return replace(verb, negated=True)
    if word in words.MODALS and not (word == "will" and found[index].text[0].isupper()):
        return _with_modal(verb, word)
    if word in words.BE and (verbs.progressive_lemma(following) or following in ("been", "being")):
        return replace(verb, tense=_be_tense(verb, word), progressive=True)
    if word in words.HAVE and verbs.is_participle(following):
        return replace(verb, tense="future" if verb.tense == "future" else "perfect")
    if word in words.DO and verbs.is_base(following):
        return replace(verb, tense="past" if word == "did" else verb.tense)
    return verb if is_adverb(word) or word == "longer" else None


def _be_tense(verb: Verb, word: str) -> str:
    return "past" if word in ("was", "were") and verb.tense == "present" else verb.tense


def _with_modal(verb: Verb, word: str) -> Verb:
    if word in ("will", "shall"):
        return replace(verb, tense="future")
    return replace(verb, modal=word, negated=verb.negated or word == "cannot")


def _has_got(found: Sequence[Token], index: int) -> bool:
    """Return whether "have got" means "have": a thing follows, not "married" or "to"."""
    if index + 2 >= len(found) or found[index + 1].lower != "got":
        return False
    following = found[index + 2].lower
    return following not in words.PREPOSITIONS and not verbs.is_participle(following)


def _is_infinitive(word: str) -> bool:
    return word == "be" or verbs.is_base(word)


def _after_to(found: Sequence[Token], index: int, verb: Verb) -> Verb | None:
    """Return the verb that follows "to"."""
    main = index + 2
    while main < len(found) and is_adverb(found[main].lower):
        main += 1
    if main >= len(found):
        return None
    word = found[main].lower
    return replace(verb, end=main + 1, lemma=verbs.lemma(word) or word)


def _main(found: Sequence[Token], index: int, verb: Verb, subject: Subject) -> Verb | None:
    """Return the verb with its main verb; None if the word is no known verb."""
    word = found[index].lower
    if found[index].opaque or not word[0].isalpha():
        return None
    if word in words.BE:
        following = next_plain(found, index)
        passive = verbs.lemma(following) or "" if verbs.is_participle(following) else ""
        return replace(verb, end=index + 1, lemma="be", tense=_be_tense(verb, word), progressive=False, passive=passive)
    base = verbs.progressive_lemma(word) if verb.progressive else verbs.lemma(word)
    if base is None:
        return None
    helped = verb.modal or verb.progressive or any(one.lower in words.DO for one in found[verb.start : index])
    tense = verb.tense if helped or verb.tense != "present" else _simple_tense(word, base, found[index:], subject)
    return replace(verb, end=index + 1, lemma=base, tense=tense)


def _simple_tense(word: str, base: str, later: Sequence[Token], subject: Subject) -> str:
    """Return the tense of a verb without helpers; "read" and "put" are the same in both."""
    if not verbs.is_past(word):
        return "present"
    if word != base or subject.third:
        return "past"
    said = {one.lower for one in later}
    return "present" if said & words.FREQUENCIES or (word == "read" and not said & _PAST_HINTS) else "past"


def next_plain(found: Sequence[Token], index: int) -> str:
    """Return the next word that is no adverb."""
    for one in found[index + 1 :]:
        if not is_adverb(one.lower):
            return one.lower
    return ""


def is_adverb(word: str) -> bool:
    """Return whether a word is an adverb."""
    return word in words.ADVERBS or (word.endswith("ly") and len(word) > len("fly!") and word not in words.NOT_ADVERBS)
