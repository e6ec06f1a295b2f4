"""What Emberkeep asks of a model. Implementations live in the files beside this one."""

from collections.abc import Sequence
from typing import Protocol

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
