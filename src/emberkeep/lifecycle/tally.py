"""Counts of the events in a buffer by category and severity, updated without counting every event again."""

from collections import Counter, deque
from itertools import islice
from operator import attrgetter

from emberkeep.model.operational import LiveEvent, Severity

_SORT = attrgetter("category", "severity")


class Tally:
    """Counts by category and severity, brought up to date only when they are asked for, so that a push costs nothing.

    It remembers the category and severity of each event rather than the event, which may hold much data.
    """

    def __init__(self) -> None:
        self._pushed = 0
        self._sorts: deque[tuple[str, Severity]] = deque()
        self._counts: Counter[tuple[str, Severity]] = Counter()

    def count(self, held: deque[LiveEvent], pushed: int) -> tuple[dict[str, int], dict[str, int]]:
        """The counts by category and by severity, most first, of a buffer that has received `pushed` events so far."""
        new = list(map(_SORT, islice(reversed(held), pushed - self._pushed)))
        self._pushed = pushed
        self._sorts.extend(reversed(new))
        self._counts.update(new)
        gone = [self._sorts.popleft() for _ in range(len(self._sorts) - len(held))]
        if gone:
            self._counts.subtract(gone)
            self._counts = +self._counts  # drops the entries that fell to zero
        by_category: Counter[str] = Counter()
        by_severity: Counter[str] = Counter()
        for (category, severity), count in self._counts.items():
            by_category[category] += count
            by_severity[severity] += count
        return _most_first(by_category), _most_first(by_severity)


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda found: (-found[1], found[0])))
