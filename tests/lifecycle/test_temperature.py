"""How memories warm and cool."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.lifecycle.temperature import HOTTEST, Thermal
from emberkeep.model.item import Item

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
days = st.floats(-1_000, 100_000)
degrees = st.floats(0, 100)
uses = st.integers(0, 10_000)


def item(temperature: float = 75.0, access_count: int = 0, *, sacred: bool = False) -> Item:
    return Item(
        id="1", text="tea", kind="fact", user_id=None, agent_id=None, session_id=None, speaker=None, tags=(),
        metadata={}, occurred_at=NOW, recorded_at=NOW, valid_from=NOW, valid_to=None, superseded_by=None,
        temperature=temperature, heated_at=NOW, access_count=access_count, last_access=None, sacred=sacred,
    )  # fmt: skip


def after(thermal: Thermal, one: Item, passed: float) -> float:
    return thermal.cooled(one, NOW + timedelta(days=passed)).temperature


@given(degrees, uses, days, days)
def test_it_only_cools_and_stays_within_bounds(temperature: float, used: int, one: float, other: float) -> None:
    sooner, later = sorted((one, other))
    at = [after(Thermal(), item(temperature, used), passed) for passed in (sooner, later)]
    assert 0.0 <= at[1] <= at[0] <= round(temperature, 2) <= HOTTEST


@given(degrees, uses, days)
def test_what_is_used_more_is_never_colder(temperature: float, used: int, passed: float) -> None:
    assert after(Thermal(), item(temperature, used + 1), passed) >= after(Thermal(), item(temperature, used), passed)


@given(st.floats(0.1, 1_000), uses)
def test_half_is_left_after_a_half_life(half_life: float, used: int) -> None:
    thermal = Thermal(half_life_days=half_life)
    assert after(thermal, item(80.0, used), thermal.half_life(used)) == pytest.approx(40.0, abs=0.01)


def test_each_doubling_of_uses_adds_a_half_life() -> None:
    assert [Thermal().half_life(used) for used in (0, 1, 3, 7)] == [30.0, 60.0, 90.0, 120.0]


@given(degrees, uses, days, st.floats(0, 100))
def test_warming_warms_by_so_much_and_never_over_the_top(
    temperature: float, used: int, passed: float, by: float
) -> None:
    thermal, now = Thermal(reheat_by=by), NOW + timedelta(days=passed)
    before = item(temperature, used)
    warmed = thermal.reheated(before, now)
    assert warmed.temperature == pytest.approx(min(HOTTEST, thermal.cooled(before, now).temperature + by))
    latest = max(now, before.heated_at)
    assert (warmed.heated_at, warmed.last_access, warmed.access_count) == (latest, latest, used + 1)


@given(degrees, days)
def test_sacred_never_changes(temperature: float, passed: float) -> None:
    one = item(temperature, sacred=True)
    assert Thermal().cooled(one, NOW + timedelta(days=passed)) == one


@given(days)
def test_cooling_changes_nothing_but_the_temperature(passed: float) -> None:
    cooled = Thermal().cooled(item(), NOW + timedelta(days=passed))
    assert replace(cooled, temperature=75.0) == item()
