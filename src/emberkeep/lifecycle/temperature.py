"""The temperature of a memory: it cools with time, and warms when it is told again or used. Pure functions."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from emberkeep.model.item import Item, at_temperature

HOTTEST = 100.0
_SECONDS_A_DAY = 86_400.0
_LONG_AGO = 365_000.0  # days; no item was heated before that


@dataclass(frozen=True, slots=True)
class Thermal:
    """How memories warm and cool: the temperature of a new one, the gain when told again, and the half-life."""

    initial: float = 75.0
    reheat_by: float = 5.0
    half_life_days: float = 30.0

    def cooled(self, item: Item, now: datetime) -> Item:
        """The item at its temperature at the time `now`. A clock that went backwards warms nothing."""
        warmth = self.warmth(item, now)
        return item if warmth == item.temperature else at_temperature(item, warmth)

    def warmth(self, item: Item, now: datetime) -> float:
        """The temperature of an item at the time `now`; that of a sacred item never changes."""
        if item.sacred:
            return item.temperature
        return self.cooled_from(item.temperature, item.heated_at, item.access_count, now)

    def cooled_from(self, temperature: float, heated_at: datetime, access_count: int, now: datetime) -> float:
        """The temperature that is left at the time `now` of one set at `heated_at`."""
        days = max(0.0, (now - heated_at).total_seconds()) / _SECONDS_A_DAY
        share: float = 0.5 ** (days / self.half_life(access_count))
        return round(temperature * share, 2)

    def bands(self, below: float, now: datetime) -> Iterator[tuple[float, float, datetime]]:
        """Bands of stored temperature, from `least` up to `most`, each with a latest time of heating.

        An item in the band can only be colder than `below` at the time `now` if it was heated by then. Items that are
        used often cool more slowly, so not every item heated by then is that cold.
        """
        least, most, days = 0.0, below, 0.0
        while below and least <= HOTTEST:
            yield least, most, now - timedelta(days=min(days, _LONG_AGO))
            days += self.half_life_days if least else 0.0
            least, most = most, 2 * most

    def half_life(self, access_count: int) -> float:
        """Days until half the heat is gone: each doubling of the number of uses adds `half_life_days`."""
        return self.half_life_days * (1.0 + math.log2(1.0 + access_count))

    def reheated(self, item: Item, now: datetime) -> Item:
        """The item after it was told or used once more; a `now` in the past never moves its times back."""
        latest = max(now, item.heated_at)
        warmer = min(HOTTEST, self.cooled(item, latest).temperature + self.reheat_by)
        used = latest if item.last_access is None else max(latest, item.last_access)
        return replace(item, temperature=warmer, heated_at=latest, access_count=item.access_count + 1, last_access=used)
