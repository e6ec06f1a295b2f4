"""What Emberkeep asks of a model. Implementations live in the files beside this one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from emberkeep.clock import Deadline

Vectors = NDArray[np.float32]


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
    """What a language model wrote, and what that took."""

    text: str
    tokens_in: int
    tokens_out: int


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
