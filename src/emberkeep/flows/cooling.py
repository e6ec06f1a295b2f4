"""Cooling: finds items so cold that they leave the index that searches use by default, and moves them out of it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection

from emberkeep.storage import cold, shelves
from emberkeep.storage.cold import Band, Warmth
from emberkeep.wiring import Parts

AT_ONCE = 500


class Cooling:
    """Looks for cold items of one tenant, and demotes them."""

    def __init__(self, parts: Parts, tenant: str) -> None:
        self._parts = parts
        self._tenant = tenant

    def pages(self) -> Iterator[list[Warmth]]:
        """The items that are cold by now, page by page."""
        now = self._parts.clock.now()
        bands = [Band(*one) for one in self._parts.thermal.bands(self._parts.config.cold_below, now)]
        after = ""
        while bands:
            with self._parts.database.read() as connection:
                found = cold.candidates(connection, self._tenant, bands, now, after=after, limit=AT_ONCE)
            if not found:
                return
            after = found[-1].item_id
            if page := [one for one in found if self._is_cold(one)]:
                yield page

    def demote(self, found: Sequence[Warmth]) -> int:
        """Take items out of the index, unless someone warmed them meanwhile; returns how many."""
        by_user: dict[str, list[str]] = defaultdict(list)
        for one in found:
            by_user[one.user_id].append(one.item_id)

        def job(connection: Connection) -> int:
            demoted = 0
            for user_id, ids in sorted(by_user.items()):  # locked in order, so that two runs cannot deadlock
                shelves.hold(connection, self._tenant, [user_id])
                still = cold.still(connection, self._tenant, ids, self._parts.clock.now())
                going = [one.item_id for one in still if self._is_cold(one)]
                cold.demote(connection, self._tenant, user_id, going)
                demoted += len(going)
            return demoted

        return self._parts.database.write(job)

    def _is_cold(self, one: Warmth) -> bool:
        now = self._parts.clock.now()
        left = self._parts.thermal.cooled_from(one.temperature, one.heated_at, one.access_count, now)
        return left < self._parts.config.cold_below
