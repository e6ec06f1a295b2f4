"""What a statement says, in a form that can be compared with another."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

SELF = ("the user", "user")


@dataclass(frozen=True, slots=True)
class Claim:
    """Of whom, in which respect, and what; all folded: lower case, without articles and punctuation.

    Of a `single` relation only one value holds at a time, so a new one ends the old. A `negated` claim says that it is
    not, or no longer, so. `instead_of` is what it says that it takes the place of. The subject of a user's own
    statements is "".
    """

    subject: str
    relation: str
    value: str
    single: bool = False
    negated: bool = False
    instead_of: str = ""

    @property
    def family(self) -> str:
        """The relation without its purpose: what is used for linting is used."""
        return self.relation.partition(":")[0]

    def owned_by(self, names: Iterable[str | None]) -> "Claim":
        """The same with the user themselves as subject "", whichever of their names it was made with."""
        for name in (*SELF, *(name.casefold() for name in names if name)):
            if self.subject == name:
                return replace(self, subject="")
            if self.subject.startswith((f"{name}'s ", f"{name}’s ")):
                return replace(self, subject=self.subject[len(name) + 3 :])
        return self
