"""The subject of a clause."""

from collections.abc import Sequence
from dataclasses import dataclass

from emberkeep.learning import verbs, words
from emberkeep.learning.tokens import Token

FARTHEST_VERB = 12  # words from the start of the subject
# Pronouns that are determiners too: "this works", "this app works".
_POINTING = frozenset("this that these those".split())
_PRONOUNS = frozenset("he she they it there you who everyone nobody someone somebody".split()) | _POINTING
_OWNED = frozenset("my our his her their its".split())
# First words of a noun phrase that is no pronoun.
OPENERS = frozenset(
    "the a an every each everything everyone all both one two three four five this another neither nobody".split()
)
# First words of a subject.
STARTERS = frozenset("i we he she they it there".split()) | _OWNED | OPENERS
# First words of a plural subject.
_COUNTS = frozenset("both all two three four five".split())
# Single words that are a whole subject.
_WHOLE = frozenset("everything everyone nobody".split())
# Capitalised words that are no names.
_NO_NAMES = frozenset("i here there thanks sorry hello hi".split())
# Words that open a relative clause, after which the verb is not looked for.
_RELATIVE = frozenset("who which that whose where".split())
# Words that end the part of a phrase with its main noun.
_AFTER_HEAD = frozenset("called named who and ,".split())
# Verbs after a word which make that word a noun: "our builds take long".
_PLAIN_VERBS = frozenset("take live run use go come start begin end need work happen contain cost".split())


@dataclass(frozen=True, slots=True)
class Subject:
    """The words that a clause is about.

    `kind` is speaker, with ("Tom and I"), owned ("my sister"), thing ("the server"), name, or pronoun. A name that was
    tied to the speaker before gets the kind known.
    """

    kind: str
    start: int
    end: int
    head: str
    plural: bool

    @property
    def third(self) -> bool:
        """Whether its verb takes an -s."""
        return self.kind not in ("speaker", "with") and not self.plural


def subject_at(found: Sequence[Token], start: int) -> tuple[Subject, int] | None:
    """Return the subject that begins at a word, and where its verb begins."""
    if start >= len(found) or found[start].opaque:
        return None
    first, following = found[start].lower, found[start + 1].lower if start + 1 < len(found) else ""
    if first in words.SPEAKER:
        return _speaker(found, start, following)
    if first == "your" or (first in _PRONOUNS and (first not in _POINTING or is_verb_form(following))):
        return Subject("pronoun", start, start + 1, first, plural=first in ("they", "these", "those")), start + 1
    kind = _kind(found, start)
    return _phrase(found, start, kind) if kind else None


def _speaker(found: Sequence[Token], start: int, following: str) -> tuple[Subject, int] | None:
    if following in ("and", "&"):
        return _phrase(found, start, "with")
    begin = start + 1 + (following in ("both", "all"))
    return (Subject("speaker", start, begin, found[start].lower, plural=False), begin) if begin < len(found) else None


def _kind(found: Sequence[Token], start: int) -> str | None:
    """Return the kind of a subject of several words; None if no subject begins here."""
    first = found[start].lower
    if first in _OWNED:
        return "owned"
    if first in OPENERS or first in words.BARE_SYSTEMS:
        return "thing"
    if first.removesuffix("'s") in words.KIN_BARE or is_name(found[start]):
        return "name"
    return "thing" if _is_ours(found[start + 1 : start + 6]) else None


def is_name(token: Token) -> bool:
    """Return whether a word is written like a name."""
    known = token.lower in _NO_NAMES or token.opaque or verbs.is_third(token.lower)
    return token.text[0].isupper() and not known


def is_verb_form(word: str) -> bool:
    """Return whether a word can be a verb after "he", "she" or "it", or a helper."""
    return word in words.BE or word in words.HAVE or word in words.MODALS or verbs.is_third(word) or verbs.is_past(word)


def _is_ours(found: Sequence[Token]) -> bool:
    """Return whether the words contain "my" or "our"."""
    return any(one.lower in ("my", "our") for one in found)


def _phrase(found: Sequence[Token], start: int, kind: str) -> tuple[Subject, int] | None:
    """Return a subject of several words, which ends before the first word that can be its verb."""
    end, index, joined = 0, start + 1, False
    while index < min(len(found), start + FARTHEST_VERB):
        word = found[index].lower
        if word in ("?", ":") or word in _RELATIVE or word in words.ADDRESSED - {"you"}:
            return None
        joined = joined or word in ("and", "&")
        if word == ",":
            aside = _after_aside(found, index)
            if aside is None:
                return None
            end, index = index, aside
            continue
        if word in ("he", "she", "they") and index + 1 < len(found) and is_verb_form(found[index + 1].lower):
            return _whole(found, start, index, kind, joined=joined), index + 1
        if _is_verb(found, index, start, plural=joined or _is_plural(found, start, index)):
            return _whole(found, start, end or index, kind, joined=joined), index
        index += 1
    return None


def _whole(found: Sequence[Token], start: int, end: int, kind: str, *, joined: bool) -> Subject:
    """Return the subject, with the kind that its words together have."""
    if joined and any(one.lower == "i" for one in found[start:end]):
        kind = "with"
    elif kind == "name" and (found[start].lower.endswith("'s") or _is_ours(found[start:end])):
        kind = "owned"
    plural = joined or (_is_plural(found, start, end) and not found[end - 1].text[0].isupper())
    return Subject(kind, start, end, _head(found, start, end), plural)


def _after_aside(found: Sequence[Token], comma: int) -> int | None:
    """Return where a clause continues after an aside between commas; None if it does not."""
    for index in range(comma + 2, min(len(found) - 1, comma + 8)):
        if found[index].lower == ",":
            return index + 1 if is_verb_form(found[index + 1].lower) else None
    return None


def _is_verb(found: Sequence[Token], index: int, start: int, *, plural: bool) -> bool:
    """Return whether the word at `index` can be the verb of a subject that begins at `start`."""
    token, before = found[index], found[index - 1].lower
    following = found[index + 1].lower if index + 1 < len(found) else ""
    named = token.text[0].isupper() and index > start + 1 and token.lower != "is"
    if token.opaque or named or before in words.DETERMINERS or before in words.PREPOSITIONS:
        return False
    if token.lower in words.HELPERS or (token.lower == "no" and following == "longer"):
        return True
    opened = found[start].lower in _OWNED | OPENERS - _WHOLE
    if token.lower in words.ADVERBS:
        return (index > start + opened) and (is_verb_form(following) or verbs.is_base(following))
    return not (opened and index == start + 1) and _is_main_verb(token.lower, following, plural=plural)


def _is_main_verb(word: str, following: str, *, plural: bool) -> bool:
    """Return whether a word is the verb here: "our team builds apps", but not "our builds take long"."""
    if word == "used":
        return True
    certain = following in words.HELPERS - words.DO or following in _PLAIN_VERBS
    fits = verbs.is_third(word) or verbs.is_past(word) or (plural and verbs.is_base(word))
    return fits and not certain


def _is_plural(found: Sequence[Token], start: int, end: int) -> bool:
    head = _head(found, start, end)
    if head in words.PLURAL_PEOPLE or found[start].lower in _COUNTS:
        return True
    return head.endswith("s") and not head.endswith(("ss", "us", "is", "'s")) and head not in words.SINGULAR_S


def _head(found: Sequence[Token], start: int, end: int) -> str:
    """Return the noun that the phrase is about: the last plain word before a name or "of ..."."""
    head = first = found[start].lower
    if head in words.KIN_BARE:
        return head
    for one in found[start + (end - start > 1) : end]:
        if one.lower in words.PREPOSITIONS or one.lower in _AFTER_HEAD:
            break
        if one.text[0].isupper() and head not in words.DETERMINERS and head != first:
            break
        head = one.lower
    return head.removesuffix("'s")
