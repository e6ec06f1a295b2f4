"""How often someone may ask."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import emberkeep
from emberkeep.access.limits import RateLimiter
from emberkeep.testing import FixedClock


def test_a_burst_is_let_through_and_then_the_rate(clock: FixedClock) -> None:
    limiter = RateLimiter(clock, per_s=2, burst=5)
    assert [limiter.take("k") for _ in range(7)] == [0, 0, 0, 0, 0, 0.5, 0.5]
    clock.move(seconds=0.5)
    assert [limiter.take("k") for _ in range(2)] == [0, 0.5]
    clock.move(seconds=0.25)
    assert limiter.take("k") == 0.25
    clock.move(hours=1)
    assert sum(limiter.take("k") == 0 for _ in range(20)) == 5


def test_one_does_not_wait_for_another(clock: FixedClock) -> None:
    limiter = RateLimiter(clock, per_s=1, burst=1)
    assert [limiter.take(key) for key in ("a", "b", "a")] == [0, 0, 1]


def test_whoever_is_too_fast_is_told_how_long_to_wait(clock: FixedClock) -> None:
    limiter = RateLimiter(clock, per_s=0.1, burst=1)
    limiter.check("k")
    with pytest.raises(emberkeep.TooManyRequests, match=r"in 10\.0 s") as refused:
        limiter.check("k")
    assert refused.value.retry_after_s == 10
    clock.move(seconds=refused.value.retry_after_s)
    limiter.check("k")


@given(
    per_s=st.floats(0.01, 1_000),
    burst=st.integers(1, 20),
    pauses=st.lists(st.floats(0, 5), max_size=60),
)
def test_never_more_than_the_burst_and_the_rate_and_waiting_as_told_helps(
    per_s: float, burst: int, pauses: list[float]
) -> None:
    clock = FixedClock()
    limiter = RateLimiter(clock, per_s=per_s, burst=burst)
    began = clock.now()
    for allowed, pause in enumerate(pauses, 1):
        clock.move(seconds=pause)
        wait_s = limiter.take("k")
        if wait_s:
            clock.move(seconds=wait_s)
            assert limiter.take("k") == 0
        passed_s = (clock.now() - began).total_seconds()
        assert allowed <= burst + passed_s * per_s + 1e-3


def test_a_clock_that_is_set_back_fills_no_bucket_and_empties_none(clock: FixedClock) -> None:
    limiter = RateLimiter(clock, per_s=1, burst=2)
    limiter.take("k")
    clock.move(hours=-1)
    assert [limiter.take("k") for _ in range(2)] == [0, 1]
    clock.move(seconds=1)
    assert limiter.take("k") == 0


def test_the_number_of_buckets_is_bounded_and_those_in_use_stay(clock: FixedClock) -> None:
    limiter = RateLimiter(clock, per_s=0.001, burst=1, most=100)
    limiter.take("busy")
    for number in range(10_000):
        limiter.take(f"key {number}")
        if number % 50 == 0:
            assert limiter.take("busy") > 0
    assert len(limiter._buckets) == 100


def test_threads_share_a_bucket(clock: FixedClock) -> None:
    limiter = RateLimiter(clock, per_s=1, burst=50)
    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: limiter.take("k"), range(400)))
    assert waits.count(0.0) == 50


@pytest.mark.parametrize("wrong", [{"per_s": 0}, {"per_s": -1}, {"burst": 0}, {"burst": 0.5}, {"most": 0}])
def test_limits_that_make_no_sense_are_refused(clock: FixedClock, wrong: dict[str, float]) -> None:
    with pytest.raises(emberkeep.InvalidInput):
        RateLimiter(clock, **{"per_s": 1, "burst": 1, **wrong})  # type: ignore[arg-type]
