"""An inverted index in memory: which rows hold a term, and how often. Numbers only, no I/O."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emberkeep.storage.terms import PACKED, Packed

Terms = NDArray[np.uint64]
Rows = NDArray[np.int64]
Counts = NDArray[np.float32]

MERGE_AT = 50_000


@dataclass(frozen=True, slots=True)
class _Segment:
    """Postings sorted by term: those of `terms[i]` lie from `starts[i]` to `starts[i + 1]`."""

    terms: Terms
    starts: Rows
    rows: Rows
    counts: Counts

    @classmethod
    def of(cls, terms: Terms, rows: Rows, counts: Counts) -> "_Segment":
        order = np.argsort(terms, kind="stable")
        terms = terms[order]
        firsts = np.flatnonzero(np.r_[True, terms[1:] != terms[:-1]]) if len(terms) else np.empty(0, np.int64)
        return cls(terms[firsts], np.r_[firsts, len(terms)], rows[order], counts[order])

    def find(self, term: int) -> tuple[Rows, Counts] | None:
        at = int(self.terms.searchsorted(np.uint64(term)))
        if at == len(self.terms) or self.terms[at] != term:
            return None
        part = slice(self.starts[at], self.starts[at + 1])
        return self.rows[part], self.counts[part]

    def spread(self) -> tuple[Terms, Rows, Counts]:
        return np.repeat(self.terms, np.diff(self.starts)), self.rows, self.counts


_EMPTY = _Segment.of(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.float32))


class Postings:
    """A large sorted part, and a small one for what came since; merged when the small one has grown."""

    def __init__(self) -> None:
        self._settled = _EMPTY
        self._recent = _EMPTY

    def add(self, rows: Rows, packed: list[Packed]) -> None:
        """Index the packed terms of each of these rows."""
        if not packed:
            return
        flat = np.concatenate(packed) if len(packed) > 1 else packed[0]
        sizes = np.fromiter(map(len, packed), np.int64, len(packed))
        terms, owners, counts = self._recent.spread()
        self._recent = _Segment.of(
            np.concatenate([terms, flat["term"].astype(np.uint64)]),
            np.concatenate([owners, np.repeat(rows, sizes)]),
            np.concatenate([counts, flat["count"].astype(np.float32)]),
        )
        if len(self._recent.rows) > MERGE_AT:
            self._merge()

    def find(self, term: int) -> tuple[Rows, Counts]:
        """The rows that hold a term, each once, with its count there."""
        parts = [part for part in (self._settled.find(term), self._recent.find(term)) if part is not None]
        if not parts:
            return _EMPTY.rows, _EMPTY.counts
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _merge(self) -> None:
        terms, rows, counts = self._settled.spread()
        more_terms, more_rows, more_counts = self._recent.spread()
        self._settled = _Segment.of(
            np.concatenate([terms, more_terms]),
            np.concatenate([rows, more_rows]),
            np.concatenate([counts, more_counts]),
        )
        self._recent = _EMPTY


def unpack(stored: bytes) -> Packed:
    """Packed terms as they were stored."""
    return np.frombuffer(stored, PACKED)
