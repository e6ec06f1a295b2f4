"""What Emberkeep asks of a model. Implementations live in the files beside this one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emberkeep.clock import Deadline
from emberkeep.model.finding import Doubt, Exchange, Judgement, Lesson

Vectors = NDArray[np.float32]
End = Literal["stop", "length", "refused"]


class Embedder(Protocol):
    """Turns texts into unit vectors.

    `name` identifies the vector space: two embedders with one name must give one vector for one text,
    because a store remembers the name and refuses any other.
    """

    @property
    def name(self) -> str:
        """Identifies the vector space; recorded with the data."""
        ...

    @property
    def dimension(self) -> int:
        """How long each vector is."""
        ...

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector a text, in order, as rows of a matrix; raises `ModelUnavailable`."""
        ...

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question (some models want a prefix); raises `ModelUnavailable`."""
        ...


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model wrote, what that took, and why it ended: done, cut at the length limit, or refused."""

    text: str
    tokens_in: int
    tokens_out: int
    end: End = "stop"


class LanguageModel(Protocol):
    """Answers a prompt."""

    @property
    def name(self) -> str:
        """Which model this is; recorded with what was learned through it, and in the ledger."""
        ...

    def complete(
        self, system: str, user: str, *, schema: Mapping[str, Any] | None = None, deadline: Deadline | None = None
    ) -> Completion:
        """The answer; with a schema, a JSON text that should follow it (servers differ in how well they hold to it).

        Raises `ModelUnavailable` when the model is down, too slow, or its server answers nonsense.
        """
        ...


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


@runtime_checkable
class Judge(Protocol):
    """Compares statements where the rules are in doubt. A learner may be one too."""

    def judge(self, doubts: Sequence[Doubt], *, deadline: Deadline | None = None) -> Judgement:
        """What each statement is to those it is compared with; raises `ModelUnavailable`, as a learner does."""
        ...
