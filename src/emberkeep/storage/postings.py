"""An inverted index in memory: the rows that hold each term, and how often. Numbers only, no I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emberkeep.language.terms import PACKED, Packed

Terms = NDArray[np.uint64]
Rows = NDArray[np.int64]
Counts = NDArray[np.float32]
_Entries = tuple[Terms, Rows, Counts]

SETTLE_AT = 5_000  # recent entries, which are sorted anew with each addition; more become a segment of their own
RATIO = 4  # a segment is merged with the one before it, unless that is at least this many times larger


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

    def spread(self) -> _Entries:
        """Return the term, row and count of each entry."""
        return np.repeat(self.terms, np.diff(self.starts)), self.rows, self.counts


_EMPTY = _Segment.of(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.float32))


class Postings:
    """Sorted segments, each much larger than the next, and a small one for the most recent entries.

    So an entry is sorted again only when the number of entries has grown by `RATIO`.
    """

    def __init__(self) -> None:
        self._settled: list[_Segment] = []
        self._recent = _EMPTY

    def add(self, rows: Rows, packed: list[Packed]) -> None:
        """Index the packed terms of these rows, whose numbers are all higher than those that are here."""
        if not packed:
            return
        flat = np.concatenate(packed) if len(packed) > 1 else packed[0]
        sizes = np.fromiter(map(len, packed), np.int64, len(packed))
        terms, counts = flat["term"].astype(np.uint64), flat["count"].astype(np.float32)
        self._recent = _Segment.of(*_joined(self._recent.spread(), (terms, np.repeat(rows, sizes), counts)))
        if len(self._recent.rows) > SETTLE_AT:
            self._settle()

    def find(self, term: int) -> tuple[Rows, Counts]:
        """Return the rows that hold a term, ascending and each once, with its count in each."""
        parts = [part for segment in (*self._settled, self._recent) if (part := segment.find(term)) is not None]
        if not parts:
            return _EMPTY.rows, _EMPTY.counts
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the whole index as arrays, from which `of` restores it."""
        whole = _merged([*self._settled, self._recent])
        return {"terms": whole.terms, "starts": whole.starts, "rows": whole.rows, "counts": whole.counts}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> "Postings":
        """Restore an index from what `arrays` returned."""
        made = cls()
        made._settled = [_Segment(arrays["terms"], arrays["starts"], arrays["rows"], arrays["counts"])]
        return made

    def _settle(self) -> None:
        """Make a segment of the recent entries, and merge it with former ones that are not much larger."""
        self._settled.append(self._recent)
        self._recent = _EMPTY
        while len(self._settled) > 1 and len(self._settled[-2].rows) < RATIO * len(self._settled[-1].rows):
            self._settled[-2:] = [_merged(self._settled[-2:])]


def _merged(segments: Sequence[_Segment]) -> _Segment:
    return _Segment.of(*_joined(*(segment.spread() for segment in segments)))


def _joined(*parts: _Entries) -> _Entries:
    terms, rows, counts = zip(*parts, strict=True)
    return np.concatenate(terms), np.concatenate(rows), np.concatenate(counts)


def unpack(stored: bytes) -> Packed:
    """Return packed terms from the bytes that are stored."""
    return np.frombuffer(stored, PACKED)
