"""Holidays with a name, and their day in a given year; where countries differ, as in the United States."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta


def _on(month: int, day: int) -> Callable[[int], date]:
    """Return the same day of every year."""
    return lambda year: date(year, month, day)


def _nth(number: int, weekday: int, month: int) -> Callable[[int], date]:
    """Return the first, second and so on of a weekday in a month of each year."""
    return lambda year: date(year, month, 1 + (weekday - date(year, month, 1).weekday()) % 7 + 7 * (number - 1))


def _last_monday_of_may(year: int) -> date:
    return date(year, 5, 31) - timedelta(days=date(year, 5, 31).weekday())


def _from_easter(days: int) -> Callable[[int], date]:
    """Return the day so many days after Easter."""
    return lambda year: easter(year) + timedelta(days=days)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the rule of Meeus, Jones and Butcher."""
    century, in_century = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (in_century // 4) - moon - in_century % 4) % 7
    late = (year % 19 + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


_SUNDAY, _MONDAY, _THURSDAY = 6, 0, 3
FEASTS: Mapping[str, Callable[[int], date]] = {
    "christmas": _on(12, 25), "christmas day": _on(12, 25), "christmas eve": _on(12, 24), "boxing day": _on(12, 26),
    "new year's eve": _on(12, 31), "new year's day": _on(1, 1), "new year's": _on(1, 1), "halloween": _on(10, 31),
    "valentine's day": _on(2, 14), "valentine's": _on(2, 14), "st patrick's day": _on(3, 17),
    "independence day": _on(7, 4),
    "easter": easter, "easter sunday": easter, "good friday": _from_easter(-2), "easter monday": _from_easter(1),
    "thanksgiving": _nth(4, _THURSDAY, 11), "thanksgiving day": _nth(4, _THURSDAY, 11),
    "mother's day": _nth(2, _SUNDAY, 5), "father's day": _nth(3, _SUNDAY, 6), "labor day": _nth(1, _MONDAY, 9),
    "memorial day": _last_monday_of_may, "black friday": lambda year: _nth(4, _THURSDAY, 11)(year) + timedelta(days=1),
}  # fmt: skip
