"""An inverted index in memory: which rows hold a term, and how often. Numbers only, no I/O."""

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

SETTLE_AT = 5_000  # entries that are sorted anew each time something comes
RATIO = 4  # a part is merged with the one before it, unless that is so many times larger


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
        return np.repeat(self.terms, np.diff(self.starts)), self.rows, self.counts


_EMPTY = _Segment.of(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.float32))


class Postings:
    """Sorted parts, each much larger than the next, and a small one for what came last.

    So an entry is sorted again only as often as the number of entries has grown by the ratio.
    """

    def __init__(self) -> None:
        self._settled: list[_Segment] = []
        self._recent = _EMPTY

    def add(self, rows: Rows, packed: list[Packed]) -> None:
        """Index the packed terms of each of these rows, which all come after those that are here."""
        if not packed:
            return
        flat = np.concatenate(packed) if len(packed) > 1 else packed[0]
        sizes = np.fromiter(map(len, packed), np.int64, len(packed))
        terms, counts = flat["term"].astype(np.uint64), flat["count"].astype(np.float32)
        self._recent = _Segment.of(*_joined(self._recent.spread(), (terms, np.repeat(rows, sizes), counts)))
        if len(self._recent.rows) > SETTLE_AT:
            self._settle()

    def find(self, term: int) -> tuple[Rows, Counts]:
        """The rows that hold a term, ascending, each once, with its count there."""
        parts = [part for segment in (*self._settled, self._recent) if (part := segment.find(term)) is not None]
        if not parts:
            return _EMPTY.rows, _EMPTY.counts
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it, as arrays from which `of` makes it again."""
        whole = _merged([*self._settled, self._recent])
        return {"terms": whole.terms, "starts": whole.starts, "rows": whole.rows, "counts": whole.counts}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> "Postings":
        """What `arrays` gave."""
        made = cls()
        made._settled = [_Segment(arrays["terms"], arrays["starts"], arrays["rows"], arrays["counts"])]
        return made

    def _settle(self) -> None:
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
    """Packed terms as they were stored."""
    return np.frombuffer(stored, PACKED)
