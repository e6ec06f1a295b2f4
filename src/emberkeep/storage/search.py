"""The seam of vector search: what a shelf asks of its vectors, whoever holds them."""

from dataclasses import dataclass
from threading import Event
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from emberkeep.storage.array_file import Arrays

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Scores = NDArray[np.float32]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ShelfKey:
    """Names a shelf's vectors in one space."""

    tenant: str
    shelf: int
    space: int
    dimension: int


class LargeShelf(Protocol):
    """An approximate index over a shelf's vectors, which are named by the revision that wrote them."""

    @property
    def needs_vectors(self) -> bool:
        """Whether new vectors have to be handed to `put`, or the database already has them."""
        ...

    def build(self, keys: Rows, vectors: Floats, stop: Event) -> bool:
        """Make it anew of all vectors, which may take long; whether it got there before it was to stop."""
        ...

    def load(self) -> bool:
        """Take up an index that was built before; whether there was one."""
        ...

    def missing(self, keys: Rows) -> Rows:
        """Which of these keys it does not hold."""
        ...

    def put(self, keys: Rows, vectors: Floats) -> None:
        """Add vectors."""
        ...

    def nearest(self, query: Floats, count: int) -> tuple[Rows, Scores]:
        """About the nearest keys, best first, with their cosine; some may have been dropped since."""
        ...

    def similarity(self, query: Floats, keys: Rows) -> Scores:
        """The exact cosine with each of these keys."""
        ...

    def memory(self) -> int:
        """About how many bytes it takes in this process."""
        ...

    def save(self, keys: Rows, *, tidy: bool) -> bool:
        """Keep it for the next process, where that is needed; whether it was kept.

        If it holds more than these keys, which were deleted since, it is made `tidy` first, or else not kept.
        """
        ...

    def keep(self, state: Arrays) -> None:
        """Keep what else the index of the shelf holds, where there is a place for it."""
        ...

    def kept(self) -> Arrays | None:
        """What was kept of that, if it is whole."""
        ...

    def discard(self) -> None:
        """Remove what was saved and kept: it holds vectors that were deleted."""
        ...
