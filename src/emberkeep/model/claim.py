"""The claim of a statement: its subject, relation and value, in a form that can be compared with others."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

SELF = ("the user", "user")
# Relations that stay single-valued when several people are the subject together.
OF_ALL = frozenset(("home", "employer", "diet", "address", "relationship status"))
_OF_THE_LIVING = (  # relations that end with a death
    *"home dwelling location employer job work age diet has likes prefers school partner plays speaks uses is".split(),
    *"drive phone email".split(),
    "lives with",
    "works from",
    "allergic to",
    "relationship status",
)
_OF_WHAT_ONE_HAS = tuple("drive learn study practise practice".split())  # end when the thing is given away or up
_APART = frozenset(("single", "divorced", "separated", "widowed"))  # statuses that end "spouse" and "partner"


@dataclass(frozen=True, slots=True)
class Claim:
    """Subject, relation and value; all folded: lower case, without articles and punctuation.

    The subject of a user's own statements is "". A `single` relation has one value at a time, so a new value ends the
    old. A `negated` claim says that something is not, or no longer, so.

    The fields from `instead_of` on serve the comparison with known claims and are not stored. `instead_of` is the value
    that the statement says it replaces. A claim is `renewed` if it says that something is so now, whatever was before;
    `parted` if something was given away or up; `lasting` if it began long ago and still holds; `begun` if it is an
    event whose result lasts, such as a move; `wide` if it names a country, in which a town told before may lie.
    `follows` are claims implied in other relations, `also` other names of the subject. `whose` is set for a subject
    such as "sister", whose name may be known.
    """

    subject: str
    relation: str
    value: str
    single: bool = False
    negated: bool = False
    instead_of: str = ""
    renewed: bool = field(default=False, compare=False)  # from here on: how it is said, not what it says
    parted: bool = field(default=False, compare=False)
    lasting: bool = field(default=False, compare=False)
    begun: bool = field(default=False, compare=False)
    wide: bool = field(default=False, compare=False)
    follows: tuple["Claim", ...] = field(default=(), compare=False)
    also: tuple[str, ...] = field(default=(), compare=False)
    whose: str = field(default="", compare=False)

    @property
    def family(self) -> str:
        """The relation without its purpose: "uses" for "uses:linting"."""
        return self.relation.partition(":")[0]

    @property
    def is_own_name(self) -> bool:
        """Whether it states the user's own name or nickname."""
        return self.subject == "" and self.relation in ("name", "nickname") and not self.negated

    @property
    def is_death(self) -> bool:
        """Whether it says that its subject is dead."""
        return self.relation == "alive" and self.negated

    @property
    def tied(self) -> tuple[str, ...]:
        """Other relations that this claim may end: a user who leaves Dell is no longer an engineer at Dell."""
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
        """The claims in `follows`, about the same subject."""
        return tuple(replace(one, subject=self.subject, also=self.also, whose=self.whose) for one in self.follows)

    def owned_by(self, names: Iterable[str | None]) -> "Claim":
        """The claim with "" in place of the user as its subject, whichever of `names` or `SELF` it uses.

        "Alex and Anna" becomes the user too, "Alex's sister" becomes "sister".
        """
        for name in (*SELF, *(name.casefold() for name in names if name)):
            if self.subject == name:
                return replace(self, subject="")
            if self.subject.endswith(f" and {name}") and " of " not in self.subject and not self.negated:
                return replace(self, subject="", single=self.single and self.relation in OF_ALL)
            if self.subject.startswith((f"{name}'s ", f"{name}’s ")):
                return replace(self, subject=self.subject[len(name) + 3 :])
        return self
