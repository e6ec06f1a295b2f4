"""Ids and moments: the numbers by which a store orders what it keeps."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from emberkeep.model.ids import new_id
from emberkeep.model.moment import from_micros, to_micros

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
zones = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=50))
def test_ids_sort_and_are_unique_whatever_the_clock_does(seconds: list[int]) -> None:
    ids = [new_id(NOW + timedelta(seconds=by)) for by in seconds]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert {uuid.UUID(one).version for one in ids} == {7}


def test_ids_of_many_threads_are_unique() -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = [one for many in pool.map(lambda _: [new_id(NOW) for _ in range(2_000)], range(8)) for one in many]
    assert len(set(ids)) == 16_000


@given(st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=zones))  # noqa: DTZ001
def test_a_moment_comes_back_to_the_microsecond(moment: datetime) -> None:
    back = from_micros(to_micros(moment))
    assert back == moment
    assert back.tzinfo is UTC


@given(st.datetimes(), st.datetimes())
def test_moments_sort_as_their_numbers(one: datetime, other: datetime) -> None:
    one, other = one.replace(tzinfo=UTC), other.replace(tzinfo=UTC)
    assert (to_micros(one) < to_micros(other)) == (one < other)
