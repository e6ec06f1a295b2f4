"""Resolve "she", "it" and "there" to what was named last."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from emberkeep.learning import verbs, words
from emberkeep.learning.clauses import Clause, after_time
from emberkeep.learning.subjects import Subject
from emberkeep.learning.tokens import Token, tokens

# Verbs after which a thing is the speaker's: "I adopted a dog".
_OWNING = frozenset(
    """
    have own adopt buy get meet inherit bring rescue purchase rent use sign order build start run
    """.split()
)
# Verbs after which a capitalised word is a person: "I met Zoe".
_KNOWING = frozenset("know meet see date marry love visit hire".split())
_SUBJECTS = frozenset("he she they it".split())
_PEOPLE = frozenset(("he", "she"))
# Pronouns as objects or owners, and the subject pronoun for each.
_OBJECTS = {"him": "he", "her": "she", "them": "they", "it": "it", "his": "he", "their": "they", "its": "it"}
_KIN = words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.KIN_BARE
# Capitalised words that are no names.
_NAMELESS = words.MONTH_NAMES | words.DAY_NAMES | {"i"}


@dataclass(frozen=True, slots=True)
class Named:
    """Something that was named: the words to repeat for it, and the pronouns that may refer to it."""

    words: tuple[Token, ...]
    pronouns: frozenset[str]
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Antecedents:
    """What was named so far (the latest last), the last place, and the names known to belong to the speaker's life."""

    named: tuple[Named, ...] = ()
    place: tuple[Token, ...] = ()
    known: frozenset[str] = frozenset()
    unclear: frozenset[str] = frozenset()  # pronouns that two people in the last clause share

    def of(self, pronoun: str) -> Named | None:
        """Return the latest thing that a pronoun may refer to; None without one, or if two people share the pronoun."""
        if pronoun in self.unclear:
            return None
        return next((one for one in reversed(self.named) if pronoun in one.pronouns), None)

    def after(self, clause: Clause, *, kept: bool) -> "Antecedents":
        """Return what is known after a clause; `kept` says whether the clause was worth keeping."""
        found = [one for one in (_of_subject(clause), _of_object(clause)) if one]
        place = _place(clause.words) or self.place
        known = self.known | _known(clause, kept=kept)
        return Antecedents((*self.named, *found)[-6:], place, known, _unclear(clause.words))

    def after_words(self, found: Sequence[Token]) -> "Antecedents":
        """Return what is known after words that are no statement: a later pronoun may refer to a name in them."""
        names = _names(found)
        if not names:
            return self
        named = Named(tuple(names), frozenset(("he", "she")))
        return replace(self, named=(named, *self.named)[-6:], place=_place(found) or self.place)

    def of_people(self) -> "Antecedents":
        """Return only the people, for the next message: "it" and "there" are not resolved across messages."""
        people = tuple(one for one in self.named if one.pronouns & _PEOPLE)
        return replace(self, named=people, place=())


def resolved(found: Sequence[Token], known: Antecedents) -> tuple[Token, ...] | None:
    """Return the words with their pronouns replaced by what they refer to; None if that is not clear."""
    words_left = list(found)
    if not words_left:
        return None
    first = words_left[0].lower
    if first in _SUBJECTS or (first in ("his", "her", "their", "its") and len(words_left) > 1):
        named = known.of(first if first in _SUBJECTS else _OBJECTS[first])
        if named is None:
            return None
        replaced = _as_owner(named.words) if first not in _SUBJECTS else named.words
        rest = words_left[1:]
        if first == "they" and not named.plural:
            rest = _singular(rest)
        words_left = [*_placed(replaced, words_left[0]), *rest]
    elif words_left[after_time(words_left)].lower in ("his", "her", "their", "its"):  # "last month her son was born"
        return None
    return _with_objects(words_left, known)


def _with_objects(found: list[Token], known: Antecedents) -> tuple[Token, ...] | None:
    """Replace "there", "him", "them" and "it" after the first word; None if one of them is unclear."""
    result: list[Token] = []
    local = {one.lower for one in found}
    for index, one in enumerate(found):
        following = found[index + 1].lower if index + 1 < len(found) else ""
        if one.lower == "there" and index and following not in words.BE:
            if not known.place:
                return None
            result.extend(_placed(known.place, one))
        elif one.lower in ("him", "them") and index and not _has_antecedent(found[:index]):
            named = known.of(_OBJECTS[one.lower])
            if named is None:
                return None
            result.extend(_placed(named.words, one))
        elif (
            one.lower == "it"
            and index
            and not _is_by_the_way(found, index)
            and not _has_antecedent(found[:index], things=True)
        ):
            named = known.of("it")
            if named is None or local & {"love", "like", "hate", "enjoy"}:
                return None
            result.extend(_placed(named.words, one))
        else:
            result.append(one)
    return tuple(result)


def _is_by_the_way(found: Sequence[Token], index: int) -> bool:
    """Return whether "it" stands in a phrase that may stay unresolved: "it when ...", "before it ships"."""
    following = found[index + 1].lower if index + 1 < len(found) else ""
    return following == "when" or found[index - 1].lower in (
        "before",
        "after",
        "when",
        "until",
        "because",
        "as",
        "while",
        "that",
    )


def _has_antecedent(found: Sequence[Token], *, things: bool = False) -> bool:
    """Return whether the same clause already names what an object pronoun may refer to."""
    if things:
        return any(one.lower in ("a", "the", "an", "its") for one in found)
    people = words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.PLURAL_PEOPLE
    return any(one.lower in people for one in found)


def _singular(rest: list[Token]) -> list[Token]:
    """Return the words with their first verb agreeing with a singular subject: "they have" becomes "Sam has"."""
    if not rest:
        return rest
    agreed = verbs.agreed(rest[0].text)
    return [replace(rest[0], text=agreed, lower=agreed.lower()), *rest[1:]]


def _placed(found: Sequence[Token], at: Token) -> list[Token]:
    """Return the words at the position of another, so that they are quoted as that one."""
    return [replace(one, start=at.start, end=at.end, spaced=True) for one in found]


def _as_owner(found: Sequence[Token]) -> tuple[Token, ...]:
    """Return the words as an owner: "my sister" becomes "my sister's"."""
    last = found[-1]
    return (*found[:-1], replace(last, text=f"{last.text}'s", lower=f"{last.lower}'s"))


def _unclear(found: Sequence[Token]) -> frozenset[str]:
    """Return the pronouns that two people in the same words share: "he" for "my brother called my dad"."""
    counted = {"he": 0, "she": 0}
    named_before = False
    for index, one in enumerate(found):
        kin = one.lower.removesuffix("'s")
        is_name = index > 0 and one.text[0].isupper() and one.lower not in _NAMELESS and not one.opaque
        if is_name and (named_before or _is_no_person(found, index)):
            continue
        if kin in _KIN or is_name:
            for pronoun in counted:
                counted[pronoun] += pronoun in pronouns_of(kin) or is_name
        named_before = is_name or kin in _KIN
    return frozenset(pronoun for pronoun, count in counted.items() if count > 1)


def _is_no_person(found: Sequence[Token], index: int) -> bool:
    """Return whether a name is a place or firm, or names somebody already counted: "in Rome", "a friend named Zoe"."""
    return found[index - 1].lower in words.PREPOSITIONS | {"named", "called", "the"} or _is_said_to_be(found, index)


def _is_said_to_be(found: Sequence[Token], index: int) -> bool:
    """Return whether a name says who somebody is: "my mom's name is Carol", "my boss is Karen"."""
    before = [one.lower for one in found[max(index - 2, 0) : index]]
    return before[1:] == ["is"] and (before[0] == "name" or before[0] in _KIN) and not found[index].text.endswith("'s")


def _of_subject(clause: Clause) -> Named | None:
    """Return what the subject of a clause names, if a pronoun can refer to it."""
    subject = clause.subject
    if subject.kind == "with":
        other = [one for one in clause.words[subject.start : subject.end] if one.lower not in ("i", "and", "&", "we")]
        return Named(tuple(other), frozenset(("he", "she"))) if other else None
    if subject.kind not in ("owned", "thing", "name"):
        return None
    phrase = clause.words[subject.start : subject.end]
    owner = _owner_of_name(phrase, subject)
    if owner:
        return Named(owner, pronouns_of(owner[-1].lower))
    kin = phrase[-2].lower if len(phrase) > len("my son".split()) else ""
    head = kin if kin in _KIN and subject.head == phrase[-1].lower else subject.head  # "my son jake"
    return Named(phrase, pronouns_of(head, subject), subject.plural)


def _owner_of_name(phrase: Sequence[Token], subject: Subject) -> tuple[Token, ...] | None:
    """Return the sister for "my sister's name": a pronoun after it refers to her."""
    if subject.head in ("name", "birthday", "job", "address") and phrase[-2:-1]:
        owner = phrase[-2]
        if owner.lower.endswith("'s"):
            stem = owner.text[:-2]
            return (*phrase[:-2], replace(owner, text=stem, lower=stem.lower()))
    return None


def pronouns_of(head: str, subject: Subject | None = None) -> frozenset[str]:
    """Return the pronouns that may refer to a noun: "she" for "sister", "it" for "car"."""
    if head in words.PLURAL_PEOPLE or (subject and subject.plural):
        return frozenset(("they",))
    if head in words.KIN_HER:
        return frozenset(("she",))
    if head in words.KIN_HIM or head in ("dad", "grandpa", "grandad", "granddad", "papa", "uncle", "daddy"):
        return frozenset(("he",))
    if head in words.KIN_ANY or (subject and subject.kind == "name"):
        return frozenset(("he", "she", "they"))
    if head in words.KIN_BARE:
        return frozenset(("she",))
    return frozenset(("it",)) if head not in words.PROFESSIONS else frozenset(("he", "she", "they"))


def _of_object(clause: Clause) -> Named | None:
    """Return what follows the verb as "my ...", as a name, or as a thing the speaker got or owns."""
    rest = clause.words[clause.verb.end :]
    if clause.subject.kind not in ("speaker", "with") or not rest:
        return None
    if rest[0].text[0].isupper() and rest[0].lower not in _NAMELESS:
        return _of_name(clause, rest)
    mine = next((index for index, one in enumerate(rest[:6]) if one.lower in ("my", "our")), None)
    if mine is not None:
        phrase = _noun_phrase(rest[mine + 1 :])
        return Named((rest[mine], *phrase), pronouns_of(phrase[-1].lower)) if phrase else None
    return _of_thing(rest) if clause.verb.lemma in _OWNING else None


def _of_name(clause: Clause, rest: Sequence[Token]) -> Named | None:
    """Return a name after the verb: a person for "I met Zoe", a thing for "I bought a Tesla"."""
    if clause.verb.lemma in _KNOWING:
        return Named((rest[0],), frozenset(("he", "she", "they")))
    return Named(_run(rest), frozenset(("it",))) if clause.verb.lemma in _OWNING else None


def _of_thing(rest: Sequence[Token]) -> Named | None:
    """Return "my dog" for "a dog", "my cats" for "two cats"."""
    begin = next((index for index, one in enumerate(rest[:4]) if one.lower in _ARTICLES), None)
    many = begin is None and _counts(rest[0].lower)
    phrase = _noun_phrase(rest[1:]) if many else _noun_phrase(rest[begin + 1 :]) if begin is not None else ()
    if not phrase:
        return None
    pronouns = frozenset(("they",)) if many else pronouns_of(phrase[-1].lower)
    return Named((tokens("my")[0], *phrase), pronouns, many)


_ARTICLES = frozenset("a an this another the".split())


def _run(found: Sequence[Token]) -> tuple[Token, ...]:
    """Return the capitalised words at the start."""
    end = next((index for index, one in enumerate(found) if not one.text[0].isupper()), len(found))
    return tuple(found[:end])


def _counts(word: str) -> bool:
    """Return whether the word is a number."""
    return word in words.AGES or word.isdigit()


def _noun_phrase(found: Sequence[Token]) -> tuple[Token, ...]:
    """Return the words of a noun phrase: up to the first preposition, name, date or punctuation mark."""
    phrase: list[Token] = []
    for one in found[:5]:
        stop = one.lower in words.PREPOSITIONS or one.lower in words.NOUN_ENDS or not one.text[0].isalnum()
        if stop or (phrase and one.text[0].isupper() and not phrase[-1].text[0].isupper()):
            break
        phrase.append(one)
    return tuple(phrase)


def _known(clause: Clause, *, kept: bool) -> set[str]:
    """Return the names that a clause ties to the speaker: "my sister Anna", "I work at Acme", not "I live in Paris"."""
    if clause.subject.kind not in ("speaker", "with", "owned") and not _TIES & set(clause.lowered):
        return {clause.lowered[clause.subject.start]} if kept and clause.subject.kind == "name" else set()
    end = clause.subject.end if clause.verb.lemma in _OF_THE_WORLD else len(clause.words)
    known: set[str] = set()
    placed = False
    for index, one in enumerate(clause.words[:end]):
        named = one.text[0].isupper() and one.lower not in _NAMELESS and not one.opaque
        placed = clause.lowered[index - 1] in _PLACING or (placed and named) if index else False
        if named and not placed and (index or clause.subject.kind == "name"):
            known.add(one.lower)
    return known


# Words that tie a clause to the speaker.
_TIES = frozenset("my our me us".split())
# Prepositions before places, whose names say nothing of the people the speaker knows.
_PLACING = frozenset("in to from near".split())
# Verbs whose objects are public things: "I love Paris", "I watched Dune".
_OF_THE_WORLD = words.LIKING | {"visit", "watch", "read", "study", "learn", "speak"}


def _names(found: Sequence[Token]) -> list[Token]:
    """Return the last run of capitalised words that does not open the sentence."""
    run: list[Token] = []
    last: list[Token] = []
    for index, one in enumerate(found):
        if one.text[0].isupper() and one.lower not in _NAMELESS and index and not one.opaque:
            run.append(one)
        else:
            last, run = (run or last), []
    return run or last


def _place(found: Sequence[Token]) -> tuple[Token, ...]:
    """Return the last place named, as "in" and its name."""
    for index in range(len(found) - 2, -1, -1):
        if found[index].lower in ("in", "to", "from", "at") and found[index + 1].text[0].isupper():
            run = [one for one in found[index + 1 : index + 4] if one.text[0].isupper()]
            if run[0].lower not in _NAMELESS:
                preposition = replace(found[index], text="in", lower="in")
                return (preposition, *run)
    return ()
