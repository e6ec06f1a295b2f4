"""The sorts of statement, and what the rules that tell them apart look at."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from emberkeep.learning import words
from emberkeep.learning.clauses import Clause
from emberkeep.learning.predicates import Verb, is_adverb
from emberkeep.model.kinds import Kind


@dataclass(frozen=True, slots=True)
class Sort:
    """The kind of a finding, its tags, and how its dates are to be read.

    Dates may lie `ahead`, may say since when something is `lasting`, or may recur in what is `timeless`.
    """

    kind: Kind
    tags: tuple[str, ...] = ()
    ahead: bool = False
    lasting: bool = False
    timeless: bool = False


FACT = Sort("fact", ahead=True, timeless=True)
# A fact kept because the speaker asked for it.
TOLD = Sort("fact", ahead=True)
# Something that began in the past and is still so.
LASTING = Sort("fact", lasting=True)
# Something that was so.
PAST = Sort("fact")
EVENT = Sort("fact", ("event",))
# Something done for a date ahead: "I booked a flight for May".
BOOKED = Sort("fact", ("event",), ahead=True)
PLAN = Sort("fact", ("plan",), ahead=True)
PREFERENCE = Sort("preference", ahead=True, timeless=True)
DECISION = Sort("decision", ahead=True)
# Not worth keeping, as the decision of a rule.
NOTHING = Sort("episode")

# Capitalised words that are no names.
_NO_NAMES = words.DAY_NAMES | words.MONTH_NAMES | {"i"}
_TODAY = frozenset("today tonight later soon".split())
# Words after "at" that are an hour.
_HOURS = frozenset("noon midnight half dawn lunchtime".split())
_PEOPLE = words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.PLURAL_PEOPLE | words.KIN_BARE
# Words that refer to something said before.
_POINTERS = frozenset("that this it".split())


@dataclass(frozen=True)
class Said:
    """A clause, and where its dates lie: "past", "now", "future", "either", or None without a date."""

    clause: Clause
    dated: str | None

    @property
    def verb(self) -> Verb:
        """The verb of the clause."""
        return self.clause.verb

    @property
    def lemma(self) -> str:
        """The base form of the verb."""
        return self.clause.verb.lemma

    @property
    def rest(self) -> tuple[str, ...]:
        """The casefolded words after the verb."""
        return self.clause.rest

    @cached_property
    def first(self) -> str:
        """The first word after the verb that is no adverb."""
        return next((word for word in self.rest if not is_adverb(word)), self.rest[-1] if self.rest else "")

    @cached_property
    def after(self) -> tuple[str, ...]:
        """The words after `first`."""
        return self.rest[self.rest.index(self.first) + 1 :] if self.rest else ()

    @cached_property
    def lowered(self) -> frozenset[str]:
        """All words of the clause."""
        return frozenset(self.clause.lowered)

    @property
    def upcoming(self) -> bool:
        """Whether its dates may lie ahead."""
        return self.dated in ("future", "either")

    @cached_property
    def recurs(self) -> bool:
        """Whether it happens again and again: "every day"."""
        return bool(self.lowered & words.FREQUENCIES)

    @cached_property
    def habitual(self) -> bool:
        """Whether it recurs, or is done at an hour: "every day", "at six"."""
        lowered = self.clause.lowered
        hours = any(word == "at" and _is_hour(lowered[index + 1]) for index, word in enumerate(lowered[:-1]))
        return hours or self.recurs

    @cached_property
    def weekly(self) -> bool:
        """Whether it happens on a fixed day of the week: "deploys happen on Thursday"."""
        verb = self.verb
        if verb.tense != "present" or verb.progressive or verb.modal or not self._on_a_weekday:
            return False
        if self.lemma in ("open", "close") or self.first in ("open", "closed", "shut"):
            return self.habitual or self.lemma == "be"
        if self.lemma in words.PLAN_VERBS or "back" in self.rest:
            return False
        subject = self.clause.subject
        many = subject.kind in ("thing", "owned") and subject.plural and not self.person
        what = {*self.clause.lowered[: verb.start], *self.rest[: self.rest.index("on")]}
        regular = bool(what & words.WEEKLY) and not {"a", "an", "first", "last"} & what
        return regular or (many and self.lemma not in ("be", "have", "come"))

    @cached_property
    def _on_a_weekday(self) -> bool:
        """Whether "on Thursday", perhaps with an hour, is all it says about when."""
        lowered = self.clause.lowered
        days = [index for index, word in enumerate(lowered) if word in words.DAY_NAMES]
        if "on" not in self.rest or set(lowered) & (words.MONTH_NAMES | {"this", "next", "last", "coming"}):
            return False
        return bool(days) and all(
            lowered[index - 1] == "on" and lowered[index + 1 : index + 2] != ("the",) for index in days
        )

    @cached_property
    def of_today(self) -> bool:
        """Whether it is only about today."""
        return bool(_TODAY & set(self.rest))

    @cached_property
    def named(self) -> bool:
        """Whether a name follows the verb."""
        return any(one.text[0].isupper() and one.lower not in _NO_NAMES for one in self.clause.words[self.verb.end :])

    @cached_property
    def concrete(self) -> bool:
        """Whether a name, number, code or quotation follows the verb."""
        return any(
            one.text[0].isupper() or one.opaque or any(letter.isdigit() for letter in one.text)
            for one in self.clause.words[self.verb.end :]
        )

    @cached_property
    def person(self) -> bool:
        """Whether it is about a person or pet."""
        return self.clause.subject.head in _PEOPLE or self.clause.subject.kind in ("name", "known")

    def says(self, *begin: str) -> bool:
        """Return whether the words after the verb begin with these."""
        return self.rest[: len(begin)] == begin


# Returns the sort of a clause, `NOTHING` if it is not worth keeping, or None if the rule does not apply.
Rule = Callable[[Said], Sort | None]


def first_of(rules: Iterable[Rule], said: Said) -> Sort | None:
    """Return the sort by the first rule that applies; None if there is none, or if it rejects the clause."""
    for rule in rules:
        sort = rule(said)
        if sort is not None:
            return None if sort is NOTHING else sort
    return None


def only(sort: Sort, *, when: object) -> Sort:
    """Return the sort if the condition holds, otherwise `NOTHING`."""
    return sort if when else NOTHING


def is_pointing(rest: tuple[str, ...]) -> bool:
    """Return whether the words only refer to something not named here: "it", "that idea"."""
    if not rest or rest[:2] in (("it", "when"), ("it", "if")):
        return False
    near = set(rest[:3]) & (words.ADDRESSED | words.CHOICES)
    return rest[-1] in _POINTERS or rest[0] in words.MOMENT_OBJECTS or bool(near)


def noun(rest: tuple[str, ...]) -> str:
    """Return the last word of the noun phrase that the words begin with."""
    for index, word in enumerate(rest):
        if word in words.PREPOSITIONS or word in words.NOUN_ENDS or not word[0].isalnum():
            return rest[index - 1] if index else ""
    return rest[-1] if rest else ""


def is_vague(described: tuple[str, ...]) -> bool:
    """Return whether "a ..." names no trait: "a bit late", "an idiot", "the best"."""
    if set(described[:2]) & words.NOT_TRAITS or noun(described) in words.MOMENT_NOUNS:
        return True
    return described[:1] != () and described[0].endswith("est") and described[1:2] != ("of",)


def _is_hour(word: str) -> bool:
    return word[0].isdigit() or word in words.AGES or word in _HOURS
