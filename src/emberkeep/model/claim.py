"""What a statement says, in a form that can be compared with another."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

SELF = ("the user", "user")
OF_ALL = frozenset(("home", "employer", "diet", "address", "relationship status"))  # in which several are as one
_OF_THE_LIVING = (
    *"home dwelling location employer job work age diet has likes prefers school partner plays speaks uses is".split(),
    *"drive phone email".split(),
    "lives with",
    "works from",
    "allergic to",
    "relationship status",
)
_OF_WHAT_ONE_HAS = tuple("drive learn study practise practice".split())
_APART = frozenset(("single", "divorced", "separated", "widowed"))


@dataclass(frozen=True, slots=True)
class Claim:
    """Of whom, in which respect, and what; all folded: lower case, without articles and punctuation.

    Of a `single` relation only one value holds at a time, so a new one ends the old. A `negated` claim says that it is
    not, or no longer, so. `instead_of` is what it says that it takes the place of, and a `renewed` one says that it is
    now so, whatever was before; a `parted` one that something was given away or up; a `lasting` one that it began long
    ago and is so to this day; a `begun` one that something was done that goes on from then, as a move; a `wide` one
    names a country, in which a town that was told before may lie. What it says in other respects `follows`. The subject
    of a user's own statements is ""; others may `also` be called otherwise, and of a "sister" it is said `whose` name
    may be known. Of these last ones, from `renewed` on, nothing is kept.
    """

    subject: str
    relation: str
    value: str
    single: bool = False
    negated: bool = False
    instead_of: str = ""
    renewed: bool = field(default=False, compare=False)  # how it is said, not what
    parted: bool = field(default=False, compare=False)
    lasting: bool = field(default=False, compare=False)
    begun: bool = field(default=False, compare=False)
    wide: bool = field(default=False, compare=False)
    follows: tuple["Claim", ...] = field(default=(), compare=False)
    also: tuple[str, ...] = field(default=(), compare=False)
    whose: str = field(default="", compare=False)

    @property
    def family(self) -> str:
        """The relation without its purpose: what is used for linting is used."""
        return self.relation.partition(":")[0]

    @property
    def is_own_name(self) -> bool:
        """Whether it says what the user is called."""
        return self.subject == "" and self.relation in ("name", "nickname") and not self.negated

    @property
    def is_death(self) -> bool:
        """Whether it says that somebody is dead."""
        return self.relation == "alive" and self.negated

    @property
    def tied(self) -> tuple[str, ...]:
        """Other respects that may end with this one: who is no longer at Dell is no engineer at Dell."""
        if self.relation == "employer" and self.negated:
            return ("job",)
        if self.relation == "job" and self.value == "retired":
            return ("employer",)
        if self.relation == "has" and self.negated and self.parted:
            return _OF_WHAT_ONE_HAS
        if self.is_death:
            return _OF_THE_LIVING
        return ("spouse", "partner") if self.relation == "relationship status" and self.value in _APART else ()

    @property
    def consequences(self) -> tuple["Claim", ...]:
        """What follows from it, of the same subject."""
        return tuple(replace(one, subject=self.subject, also=self.also, whose=self.whose) for one in self.follows)

    def owned_by(self, names: Iterable[str | None]) -> "Claim":
        """The same with the user themselves as subject "", whichever of their names it was made with."""
        for name in (*SELF, *(name.casefold() for name in names if name)):
            if self.subject == name:
                return replace(self, subject="")
            if self.subject.endswith(f" and {name}") and " of " not in self.subject and not self.negated:
                return replace(self, subject="", single=self.single and self.relation in OF_ALL)
            if self.subject.startswith((f"{name}'s ", f"{name}’s ")):
                return replace(self, subject=self.subject[len(name) + 3 :])
        return self
