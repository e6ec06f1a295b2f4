"""The interface of vector search over a large shelf, which each database implements in its own way."""

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
    """Identifies the vectors of a shelf in one space."""

    tenant: str
    shelf: int
    space: int
    dimension: int


class LargeShelf(Protocol):
    """An approximate index over a shelf's vectors, which are named by the revision that wrote them."""

    @property
    def needs_vectors(self) -> bool:
        """Whether vectors have to be passed to `put`; if not, the database indexes those that it stores."""
        ...

    def build(self, keys: Rows, vectors: Floats, stop: Event) -> bool:
        """Build it anew from all vectors, which may take long; returns False if `stop` was set before it was done."""
        ...

    def load(self) -> bool:
        """Load an index that was built before; returns whether there was one."""
        ...

    def missing(self, keys: Rows) -> Rows:
        """Return those of these keys that it does not hold."""
        ...

    def put(self, keys: Rows, vectors: Floats) -> None:
        """Add vectors."""
        ...

    def nearest(self, query: Floats, count: int) -> tuple[Rows, Scores]:
        """Return approximately the nearest keys, best first, with their cosine; some may have been deleted since."""
        ...

    def similarity(self, query: Floats, keys: Rows) -> Scores:
        """Return the exact cosine with each of these keys; NaN for a key that it does not hold."""
        ...

    def memory(self) -> int:
        """Return about how many bytes it takes in this process."""
        ...

    def save(self, keys: Rows, *, tidy: bool) -> bool:
        """Save it for the next process, where that is needed; returns whether it was saved.

        If it also holds keys other than these, which were deleted since, it is only saved if it may be rebuilt without
        them first (`tidy`).
        """
        ...

    def keep(self, state: Arrays) -> None:
        """Save everything else that the index of the shelf holds, where there is a place for it."""
        ...

    def kept(self) -> Arrays | None:
        """Return what `keep` saved, if that is intact; otherwise `None`."""
        ...

    def discard(self) -> None:
        """Remove all that was saved: it holds vectors that were deleted."""
        ...
