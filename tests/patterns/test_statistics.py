"""Bounds and tests against figures that are known."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.patterns.statistics import fisher, significant, wilson

counts = st.integers(0, 60)


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [(0, 0, 0.0, 1.0), (9, 10, 0.596, 0.982), (5, 10, 0.237, 0.763), (0, 10, 0.0, 0.278), (90, 100, 0.826, 0.945)],
)
def test_the_interval_of_a_share(hits: int, total: int, low: float, high: float) -> None:
    assert wilson(hits, total) == pytest.approx((low, high), abs=0.001)


@given(hits=counts, more=counts)
def test_the_share_lies_inside_and_more_evidence_narrows(hits: int, more: int) -> None:
    total = hits + more
    low, high = wilson(hits, total)
    assert 0.0 <= low <= (hits / total if total else 0.5) <= high <= 1.0
    wider = wilson(10 * hits, 10 * total)
    assert wider[1] - wider[0] <= high - low


def test_the_lady_tasting_tea() -> None:
    # Fisher's own example: all four cups of eight right by chance once in seventy.
    assert fisher(4, 4, 0, 4) == pytest.approx(1 / 70)


def test_it_is_the_sum_of_the_hypergeometric_tail() -> None:
    for hits, total, other_hits, other_total in product(range(4), range(4, 7), range(4), range(4, 7)):
        everyone, all_hits = total + other_total, hits + other_hits
        tail = sum(
            math.comb(all_hits, count) * math.comb(everyone - all_hits, total - count)
            for count in range(hits, min(all_hits, total) + 1)
        ) / math.comb(everyone, total)  # fmt: skip
        if hits / total >= other_hits / other_total and 0 < all_hits < everyone:
            assert fisher(hits, total, other_hits, other_total) == pytest.approx(min(1.0, tail))


@given(hits=counts, total=counts, other=counts, rest=counts)
def test_a_chance_is_one(hits: int, total: int, other: int, rest: int) -> None:
    hits, other = min(hits, total), min(other, rest)
    assert 0.0 <= fisher(hits, total, other, rest) <= 1.0


def test_of_many_tests_few_are_believed() -> None:
    assert significant([0.001, 0.02, 0.04, 0.5], 0.05) == [True, True, False, False]
    assert significant([0.001, 0.02, 0.03, 0.04], 0.05) == [True] * 4
    assert significant([0.2, 0.6], 0.05) == [False, False]
    assert significant([], 0.05) == []
