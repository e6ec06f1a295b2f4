"""What a learner finds in an exchange, before it is weighed against what is known."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from emberkeep.clock import Deadline
from emberkeep.model.interaction import Interaction
from emberkeep.model.kinds import Kind


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement worth keeping.

    `text` stands alone: it names whom it is about and gives absolute dates. `quote` is the part of the message at
    `position` that supports it, word for word. `occurred_at` is when it happened or began to hold, if that was said.
    """

    text: str
    kind: Kind
    position: int
    quote: str
    occurred_at: datetime | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """What a statement says, in a form that can be compared with another: of whom, in which respect, and what.

    All three are folded: lower case, without articles and punctuation. Of a `single` relation only one value holds at
    a time, so a new one ends the old. A `negated` claim says that it is not, or no longer, so.
    """

    subject: str
    relation: str
    value: str
    single: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a learner gets to see: an interaction, and what the user is called if that is known."""

    interaction: Interaction
    user_name: str | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """What asking a language model took."""

    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, self.calls + other.calls
        )


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a learner made of an exchange, and what that took."""

    findings: tuple[Finding, ...]
    spent: Spent = Spent()


class Learner(Protocol):
    """Finds what is worth keeping in an exchange."""

    @property
    def name(self) -> str:
        """Identifies the learner and its version; recorded with what it learned."""
        ...

    def learn(self, exchange: Exchange, *, deadline: Deadline | None = None) -> Lesson:
        """The findings, in the order in which they were said.

        Raises `ModelUnavailable` when a model cannot be asked now, `UnusableReply` when its answer is no use.
        """
        ...
