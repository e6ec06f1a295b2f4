"""How far a replica must have replayed the log before a tenant may read from it: all that was written for that tenant.

Nothing here asks a database. A write leaves a mark at the end of the log, whose position is not known yet. The first
read after it goes to the primary anyway, and learns there what that position is.
"""

import threading
from dataclasses import dataclass

MOST_TENANTS = 100_000
_AT_THE_END = 2**64


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A log position that a tenant's reads must not be behind. Each write makes its own; marks compare by identity."""

    position: int

    @property
    def is_known(self) -> bool:
        """Whether the position is known, and not just the end of the log."""
        return self.position < _AT_THE_END


@dataclass(frozen=True, slots=True)
class Following:
    """The state of a replica: how many bytes of the log it is behind, or why it is not asked."""

    url: str
    behind: int | None = None
    problem: str | None = None


class Marks:
    """The latest mark of each tenant that has one. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._marks: dict[str, Mark] = {}
        self._others: Mark | None = None  # for tenants without a mark of their own, after there were too many to keep

    def of(self, tenant: str) -> Mark | None:
        """The mark that a tenant's reads must not be behind; `None` if any state will do."""
        return self._marks.get(tenant, self._others)

    def wrote(self, tenant: str) -> None:
        """Take note that something was written for a tenant."""
        self._put(tenant, Mark(_AT_THE_END))

    def expect(self, tenant: str, position: int) -> None:
        """Take note that a tenant has seen the log up to this position elsewhere."""
        mark = self.of(tenant)
        if mark is None or mark.position < position:
            self._put(tenant, Mark(position))

    def settle(self, tenant: str, mark: Mark, end: int) -> None:
        """Give a mark a position: after it was made the log ended here, so what it stands for is not further on."""
        if mark.position > end:
            self._replace(tenant, mark, Mark(end))

    def passed(self, tenant: str, mark: Mark) -> None:
        """Drop a mark, since the replica has all that it stands for."""
        self._replace(tenant, mark, None)

    def _put(self, tenant: str, mark: Mark) -> None:
        with self._lock:
            if len(self._marks) >= MOST_TENANTS:
                self._marks, self._others = {}, Mark(_AT_THE_END)
            self._marks[tenant] = mark

    def _replace(self, tenant: str, mark: Mark, by: Mark | None) -> None:
        """Replace a mark by another, or by none, unless a later one has taken its place."""
        with self._lock:
            if self._marks.get(tenant) is mark:
                if by is not None:
                    self._marks[tenant] = by
                elif self._others is None:  # otherwise `_others` would apply to the tenant again
                    del self._marks[tenant]
            elif self._others is mark:
                self._others = by
