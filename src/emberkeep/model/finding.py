"""What a learner finds in an exchange, before it is weighed against what is known."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from emberkeep.model.interaction import Interaction
from emberkeep.model.kinds import Kind
from emberkeep.model.message import Message

# What a new statement is to a known one: it says the same, says it with more detail, is so in its place, says that it
# is over or not so, or has nothing to do with it.
Relation = Literal["same", "more", "instead", "ends", "other"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement worth keeping.

    `text` stands alone: it names whom it is about and gives absolute dates. `quote` is the part of the message at
    `position` that supports it, word for word. `occurred_at` is when it happened or began to hold, by the clock
    of where it was said, if that was told.
    """

    text: str
    kind: Kind
    position: int
    quote: str
    occurred_at: datetime | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a learner gets to see: an interaction, and what the user is called if that is known.

    Also the names of those whom the user has spoken of before, in small letters, and the message `before` the first
    one, if the session had any.
    """

    interaction: Interaction
    user_name: str | None = None
    acquaintances: frozenset[str] = frozenset()
    before: Message | None = None

    def message_before(self, position: int) -> Message | None:
        """The message before one of them; that before the first may have come earlier in the session."""
        return self.interaction.messages[position - 1] if position else self.before


@dataclass(frozen=True, slots=True)
class Spent:
    """What asking a language model took."""

    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, self.calls + other.calls)


NOTHING = Spent()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a learner made of an exchange, and what that took."""

    findings: tuple[Finding, ...]
    spent: Spent = NOTHING


@dataclass(frozen=True, slots=True)
class Doubt:
    """A new statement, and known ones near it of which the rules cannot tell what it is to them."""

    statement: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """For each doubt, what the statement is to each of the known ones, and what asking took."""

    relations: tuple[tuple[Relation, ...], ...]
    spent: Spent = NOTHING


@dataclass(frozen=True, slots=True)
class Gist:
    """What an account comes to in a few sentences, who says so, and what asking took."""

    text: str
    by: str
    spent: Spent = NOTHING
