"""How much a replica has to have replayed before a tenant may read from it: all that was written for that tenant.

No database is asked here. A write leaves a mark, of which at first only is known that it is at the end of the log. The
first read after it goes to the primary anyway, and learns there how far the end is.
"""

import threading
from dataclasses import dataclass

MOST_TENANTS = 100_000
_AT_THE_END = 2**64


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A position that a tenant's reads must not be behind. Each write makes another one, so that two can be told."""

    position: int

    @property
    def is_known(self) -> bool:
        """Whether there is a number to compare with."""
        return self.position < _AT_THE_END


@dataclass(frozen=True, slots=True)
class Following:
    """How a replica does: how many bytes of the log it is behind, or why it is not asked."""

    url: str
    behind: int | None = None
    problem: str | None = None


class Marks:
    """The latest mark of each tenant that has one. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._marks: dict[str, Mark] = {}
        self._others: Mark | None = None  # of whoever has none of their own, since there were too many

    def of(self, tenant: str) -> Mark | None:
        """What a tenant has to see; none if any state will do."""
        return self._marks.get(tenant, self._others)

    def wrote(self, tenant: str) -> None:
        """Something was written for a tenant."""
        self._put(tenant, Mark(_AT_THE_END))

    def expect(self, tenant: str, position: int) -> None:
        """A tenant has seen this much elsewhere."""
        mark = self.of(tenant)
        if mark is None or mark.position < position:
            self._put(tenant, Mark(position))

    def settle(self, tenant: str, mark: Mark, end: int) -> None:
        """The end of the log was here after a mark was made, so nothing that it stands for is further on."""
        if mark.position > end:
            self._replace(tenant, mark, Mark(end))

    def passed(self, tenant: str, mark: Mark) -> None:
        """The replica has all that a mark stands for."""
        self._replace(tenant, mark, None)

    def _put(self, tenant: str, mark: Mark) -> None:
        with self._lock:
            if len(self._marks) >= MOST_TENANTS:
                self._marks, self._others = {}, Mark(_AT_THE_END)
            self._marks[tenant] = mark

    def _replace(self, tenant: str, mark: Mark, by: Mark | None) -> None:
        """Put another in the place of a mark, unless there is a later one."""
        with self._lock:
            if self._marks.get(tenant) is mark:
                if by is not None:
                    self._marks[tenant] = by
                elif self._others is None:  # else that one would be the tenant's again
                    del self._marks[tenant]
            elif self._others is mark:
                self._others = by
