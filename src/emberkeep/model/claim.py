"""What a statement says, in a form that can be compared with another."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

SELF = ("the user", "user")
_APART = frozenset(("single", "divorced", "separated", "widowed"))


@dataclass(frozen=True, slots=True)
class Claim:
    """Of whom, in which respect, and what; all folded: lower case, without articles and punctuation.

    Of a `single` relation only one value holds at a time, so a new one ends the old. A `negated` claim says that it is
    not, or no longer, so. `instead_of` is what it says that it takes the place of, and a `renewed` one says that it is
    now so, whatever was before. The subject of a user's own statements is "".
    """

    subject: str
    relation: str
    value: str
    single: bool = False
    negated: bool = False
    instead_of: str = ""
    renewed: bool = field(default=False, compare=False)  # how it is said, not what

    @property
    def family(self) -> str:
        """The relation without its purpose: what is used for linting is used."""
        return self.relation.partition(":")[0]

    @property
    def tied(self) -> tuple[str, ...]:
        """Other respects that may end with this one: who is no longer at Dell is no engineer at Dell."""
        if self.relation == "employer" and self.negated:
            return ("job",)
        return ("spouse", "partner") if self.relation == "relationship status" and self.value in _APART else ()

    def owned_by(self, names: Iterable[str | None]) -> "Claim":
        """The same with the user themselves as subject "", whichever of their names it was made with."""
        for name in (*SELF, *(name.casefold() for name in names if name)):
            if self.subject == name:
                return replace(self, subject="")
            if self.subject.startswith((f"{name}'s ", f"{name}’s ")):
                return replace(self, subject=self.subject[len(name) + 3 :])
        return self
