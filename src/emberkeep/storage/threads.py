"""The rows before and after each row of a shelf in its conversation. Numbers only, no I/O."""

from collections.abc import Mapping, Sequence

import numpy as np

from emberkeep.storage.search import Rows

NONE = -1  # in place of a row


class Threads:
    """Conversations as chains of rows, in the order of their items' ids. A conversation is named by two numbers."""

    def __init__(self) -> None:
        self._before: Rows = np.full(64, NONE, np.int64)
        self._after: Rows = np.full(64, NONE, np.int64)
        self._last: dict[tuple[int, int], int] = {}

    def arrays(self) -> dict[str, Rows]:
        """Return all conversations as arrays, from which `of` restores them."""
        last = np.array([(*thread, row) for thread, row in self._last.items()], np.int64).reshape(-1, 3)
        return {"before": self._before, "after": self._after, "last": last}

    @classmethod
    def of(cls, arrays: Mapping[str, Rows]) -> "Threads":
        """Restore conversations from what `arrays` returned."""
        made = cls()
        made._before, made._after = arrays["before"], arrays["after"]
        made._last = {(agent, session): row for agent, session, row in arrays["last"].tolist()}
        return made

    def reserve(self, size: int) -> None:
        """Make room for this many rows."""
        missing = size - len(self._before)
        if missing > 0:
            self._before = np.concatenate([self._before, np.full(missing, NONE, np.int64)])
            self._after = np.concatenate([self._after, np.full(missing, NONE, np.int64)])

    def add(self, row: int, thread: tuple[int, int], ids: Sequence[str]) -> None:
        """Insert a row into its thread, in the order of ids."""
        later, earlier = NONE, self._last.get(thread, NONE)
        while earlier != NONE and ids[earlier] > ids[row]:  # the row came after some with higher ids
            later, earlier = earlier, int(self._before[earlier])
        self._join(earlier, row)
        self._join(row, later)
        if later == NONE:
            self._last[thread] = row

    def remove(self, row: int, thread: tuple[int, int]) -> None:
        """Take a row out of its thread, and join its neighbours."""
        earlier, later = int(self._before[row]), int(self._after[row])
        if self._last.get(thread) == row:
            if earlier == NONE:
                del self._last[thread]
            else:
                self._last[thread] = earlier
        self._join(earlier, later)
        self._before[row] = self._after[row] = NONE

    def replace(self, row: int, other: int, thread: tuple[int, int]) -> None:
        """Put another row in the place of one in its thread."""
        earlier, later = int(self._before[row]), int(self._after[row])
        self._join(earlier, other)
        self._join(other, later)
        if self._last.get(thread) == row:
            self._last[thread] = other
        self._before[row] = self._after[row] = NONE

    def before(self, rows: Rows) -> Rows:
        """Return the row before each, -1 where there is none."""
        found: Rows = self._before[rows]
        return found

    def after(self, rows: Rows) -> Rows:
        """Return the row after each, -1 where there is none."""
        found: Rows = self._after[rows]
        return found

    def _join(self, earlier: int, later: int) -> None:
        """Make two rows neighbours; either may be `NONE`."""
        if earlier != NONE:
            self._after[earlier] = later
        if later != NONE:
            self._before[later] = earlier
