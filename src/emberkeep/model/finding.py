"""What learners, judges and summarisers get and return, before findings are compared with what is known."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from emberkeep.model.interaction import Interaction
from emberkeep.model.kinds import Kind
from emberkeep.model.message import Message

# How a new statement relates to a known one: it says the same, says the same in more detail, replaces it, says that it
# is over or not so, or has nothing to do with it.
Relation = Literal["same", "more", "instead", "ends", "other"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement worth keeping.

    `text` stands alone: it names whom it is about and gives absolute dates. `quote` is the part of the message at
    `position` that supports it, word for word. `occurred_at` is when it happened or began to hold, at the UTC offset
    of where it was said; `None` if that was not said.
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
    """What a learner gets: an interaction, and the user's name if it is known.

    `acquaintances` are the names, in lower case, of people whom the user has mentioned before. `before` is the message
    that preceded the first one in the session, if there was one.
    """

    interaction: Interaction
    user_name: str | None = None
    acquaintances: frozenset[str] = frozenset()
    before: Message | None = None

    def message_before(self, position: int) -> Message | None:
        """The message before the one at `position`; for the first, the last one of the session so far, if any."""
        return self.interaction.messages[position - 1] if position else self.before


@dataclass(frozen=True, slots=True)
class Spent:
    """The tokens and calls that asking a language model took."""

    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, self.calls + other.calls)


NOTHING = Spent()


@dataclass(frozen=True, slots=True)
class Lesson:
    """The findings of a learner in an exchange, and what they cost."""

    findings: tuple[Finding, ...]
    spent: Spent = NOTHING


@dataclass(frozen=True, slots=True)
class Doubt:
    """A new statement, and similar known ones whose relation to it the rules cannot tell."""

    statement: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """For each doubt, the relation of the statement to each of the known ones, and what asking cost."""

    relations: tuple[tuple[Relation, ...], ...]
    spent: Spent = NOTHING


@dataclass(frozen=True, slots=True)
class Gist:
    """A summary of an account in a few sentences, the name of its author (`by`), and what asking cost."""

    text: str
    by: str
    spent: Spent = NOTHING
