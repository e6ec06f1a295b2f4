"""Turns of phrase that say a thing in their own way: names, proposals, "it's my birthday"."""

from collections.abc import Sequence
from dataclasses import replace

from emberkeep.learning import words
from emberkeep.learning.clauses import Clause
from emberkeep.learning.tokens import Token, tokens
from emberkeep.learning.verbs import is_base, is_past, lemma

_NAME_NOUNS = ("name", "full name", "first name", "real name")
_NAMERS = frozenset("everyone everybody people friends they family colleagues".split())
_PROPOSALS = frozenset("go use stick keep adopt switch drop pick choose settle stay ship".split())
_STANDING = frozenset("always never no only".split())
_DAYS = frozenset("today tomorrow tonight yesterday".split()) | words.DAY_NAMES


def called(plain: Sequence[Token]) -> str | None:
    """The name in "call me Sam" or "everyone calls me Sam"."""
    lowered = [one.lower for one in plain[:6]]
    for index, word in enumerate(lowered[:-1]):
        if word in ("call", "calls") and lowered[index + 1] == "me":
            opens = index == 0 or bool(set(lowered[:index]) & _NAMERS)
            return _name_at(plain, index + 2) if opens else None
    return None


def said_name(clause: Clause) -> str | None:
    """The name in "I'm Alex" or "my name is Alex"."""
    verb = clause.verb
    if verb.lemma != "be" or verb.negated or verb.tense != "present" or verb.end >= len(clause.words):
        return None
    subject = " ".join(clause.lowered[clause.subject.start : clause.subject.end])
    if subject in [f"my {noun}" for noun in _NAME_NOUNS]:
        return _name_at(clause.words, verb.end)
    first = clause.words[verb.end]
    described = words.PEOPLE_ADJECTIVES | words.DURABLE_STATES | words.TITLES
    if subject != "i" or not first.text[0].isupper() or first.lower in described:
        return None
    name = _name_at(clause.words, verb.end)
    return name if name and _is_whole(clause.words[verb.end + len(name.split()) :]) else None


def _is_whole(following: Sequence[Token]) -> bool:
    """Whether nothing follows that makes the words more than a name."""
    return not following or not following[0].text[0].isalnum() or following[0].lower in ("from", "and", "by")


def _name_at(found: Sequence[Token], index: int) -> str | None:
    run: list[str] = []
    for one in found[index : index + 4]:
        if not (one.text[0].isupper() or (not run and one.text.isalpha()) or one.text[0] in '"“'):
            break
        run.append(one.text.strip('"“”'))
    return " ".join(run) or None


def proposed(plain: Sequence[Token]) -> tuple[Token, ...] | None:
    """The decision in "let's go with SQLite", as "we decided to go with SQLite"."""
    lowered = [one.lower for one in plain[:5]]
    if lowered[:2] != ["let", "us"] or len(plain) < len("let us use X".split()):
        return None
    if lowered[2] not in _PROPOSALS or (lowered[2] == "go" and lowered[3] not in ("with", "for")):
        return None
    if set(lowered[3:]) & words.MOMENT_OBJECTS:
        return None
    return (*_in_place_of("we decided to", plain[0]), *plain[2:])


def _in_place_of(text: str, at: Token) -> list[Token]:
    return [replace(one, start=at.start, end=at.end, spaced=True) for one in tokens(text)]


def is_for_me(plain: Sequence[Token]) -> bool:
    """Whether it is a standing wish: "always a window seat for me"."""
    lowered = [one.lower for one in plain if one.text[0].isalnum()]
    opens = lowered[:1] and (lowered[0] in _STANDING or lowered[:2] in (["please", "always"], ["please", "never"]))
    return bool(opens) and lowered[-2:] in (["for", "me"], ["for", "us"]) and not set(lowered) & words.ADDRESSED


def with_speaker(part: Sequence[Token]) -> Sequence[Token]:
    """Puts the speaker back who is left out: "just moved to Oslo", "got a puppy last week"."""
    lowered = [one.lower for one in part]
    begin = 1 if lowered[0] in ("just", "recently") else 0
    verb = lowered[begin] if begin < len(lowered) else ""
    event = is_past(verb) and not is_base(verb) and (verb == "got" or lemma(verb) in words.LIFE_EVENTS)
    dated = begin or {"yesterday", "last", "ago", "today"} & set(lowered)
    if not event or not dated or len(part) <= len("just moved".split()):
        return part
    return (*_in_place_of("I", part[0]), replace(part[0], text=lowered[0]), *part[1:])


def without_echo(clause: Clause) -> Sequence[Token]:
    """Leaves out "she" from "my daughter she's called Wren"."""
    subject, found = clause.subject, clause.words
    echoed = subject.kind == "owned" and found[subject.end].lower in ("he", "she", "they")
    return (*found[: subject.end], *found[subject.end + 1 :]) if echoed else found


def turned(part: Sequence[Token]) -> Sequence[Token]:
    """Turns "It's my birthday on Friday" and "tomorrow is my birthday" as "my birthday is ..."."""
    lowered = [one.lower for one in part[:3]]
    if len(part) < len("it is my birthday".split()) or lowered[1] != "is" or lowered[2] not in ("my", "our"):
        return part
    if lowered[0] in _DAYS:
        return (*part[2:], part[1], part[0])
    if lowered[0] != "it":
        return part
    when = next((index for index, one in enumerate(part) if index > len("it is my") and _opens_date(one)), None)
    return part if when is None else (*part[2:when], part[1], *part[when:])


def _opens_date(one: Token) -> bool:
    return one.lower in _DAYS or one.lower in ("on", "next", "this", "in")


def with_kin(part: Sequence[Token]) -> Sequence[Token]:
    """Makes "Mum" "my mum"."""
    first = part[0]
    alone = len(part) > 1 and not part[1].text[0].isupper()
    if first.lower.removesuffix("'s") in words.KIN_BARE and alone:
        return (*_in_place_of("my", first), replace(first, text=first.lower, spaced=True), *part[1:])
    return part
