"""Values that were worked out by hand."""

import math

import pytest

from emberkeep.bench.measures import (
    DEPTHS,
    Estimate,
    all_found,
    any_found,
    fraction_found,
    means,
    ndcg,
    percentile,
    quality,
    reciprocal_rank,
)

RANKED = ["a", "b", "c", "d", "e", "f"]


@pytest.mark.parametrize(
    ("gold", "depth", "fraction", "some", "every"),
    [
        (["a"], 1, 1, 1, 1),
        (["b"], 1, 0, 0, 0),
        (["b", "x"], 5, 1 / 2, 1, 0),
        (["b", "f", "x"], 5, 1 / 3, 1, 0),
        (["b", "f", "x"], 25, 2 / 3, 1, 0),
        (["f", "a", "c"], 6, 1, 1, 1),
        (["x"], 25, 0, 0, 0),
    ],
)
def test_what_is_found_among_the_first(gold: list[str], depth: int, fraction: float, some: float, every: float) -> None:
    assert fraction_found(RANKED, gold, depth) == pytest.approx(fraction)
    assert any_found(RANKED, gold, depth) == some
    assert all_found(RANKED, gold, depth) == every


def test_more_gold_than_places_cannot_all_be_found() -> None:
    gold = [f"g{number}" for number in range(8)]
    assert fraction_found(gold, gold, 5) == 5 / 8
    assert all_found(gold, gold, 5) == 0
    assert ndcg(gold, gold, 5) == 1  # the ideal has five places too


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (["a"], 1.0),
        (["b"], 1 / math.log2(3)),
        (["a", "c"], (1 + 1 / 2) / (1 + 1 / math.log2(3))),
        (["c", "x"], (1 / 2) / (1 + 1 / math.log2(3))),
        (["x"], 0.0),
    ],
)
def test_ndcg(gold: list[str], expected: float) -> None:
    assert ndcg(RANKED, gold, 10) == pytest.approx(expected)


def test_ndcg_looks_no_further_than_its_depth() -> None:
    assert ndcg(["x", "y", "a"], ["a"], 2) == 0


@pytest.mark.parametrize(("gold", "expected"), [(["a"], 1), (["c", "e"], 1 / 3), (["x"], 0)])
def test_reciprocal_rank(gold: list[str], expected: float) -> None:
    assert reciprocal_rank(RANKED, gold) == pytest.approx(expected)


def test_an_empty_ranking_finds_nothing() -> None:
    assert set(quality([], ["a"]).values()) == {0.0}


def test_every_measure_has_its_name() -> None:
    measured = quality(RANKED, ["f", "x"])
    assert list(measured) == [
        *(f"{name}@{depth}" for name in ("frac", "any", "all") for depth in DEPTHS),
        "ndcg@10",
        "mrr",
    ]
    assert (measured["frac@5"], measured["frac@10"], measured["any@5"], measured["any@10"]) == (0, 0.5, 0, 1)
    assert measured["mrr"] == pytest.approx(1 / 6)


def test_means_with_their_intervals() -> None:
    found = means([{"always": 1.0, "half": float(number % 2)} for number in range(400)])
    assert found["always"] == Estimate(1.0, 1.0, 1.0)
    half = found["half"]
    assert half.mean == 0.5
    # The standard error of 400 tosses of a coin is 0.025, and 95 % lie within 1.96 of them.
    assert half.low == pytest.approx(0.451, abs=0.006)
    assert half.high == pytest.approx(0.549, abs=0.006)


def test_the_intervals_are_the_same_every_time() -> None:
    values = [{"it": number / 7} for number in range(20)]
    assert means(values) == means(values)


def test_of_nothing_there_is_no_mean() -> None:
    assert means([]) == {}


def test_percentiles() -> None:
    assert percentile([4, 1, 3, 2, 5], 50) == 3
    assert percentile([0, 10], 95) == pytest.approx(9.5)
