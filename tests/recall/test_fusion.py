"""Pure: what each signal counts, sums, their parts, scores and ranks."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.model.recall import CHANNELS, PLANS, Channel, Signal
from emberkeep.recall.fusion import (
    BY_HAND,
    LONG,
    SHORT,
    WEIGHED,
    Scores,
    Table,
    by_channel,
    fitted,
    ranks,
    repeated,
    squeezed,
    totals,
    weights_of,
    wordiness,
)
from emberkeep.recall.signals import CHANNEL_OF, SIGNALS, Signals

TABLES: tuple[Table, ...] = get_args(Table)
BALANCED = PLANS["balanced"]
DEEP = PLANS["deep"]  # which has every channel
MATCHING: tuple[Signal, ...] = ("lexical", "covered", "window", "session", "speaker", "during")
BY_VECTOR = {"dense", "dense_before", "dense_after", "dense_around"}
BY_MEANING: set[Signal] = {"meaning", "meaning_around"}
number = st.integers(-30_000_000, 30_000_000).map(lambda millionths: millionths / 1_000_000)
scores = st.lists(number, min_size=1, max_size=60).map(np.array)
line = st.lists(number, min_size=len(SIGNALS), max_size=len(SIGNALS))
matrices = st.lists(line, min_size=1, max_size=8).map(np.array)
weightings = line.map(np.array)


# What was fitted.


@pytest.mark.parametrize("table", TABLES)
def test_the_fitted_tables_hold_known_signals(table: Table) -> None:
    weights = fitted(table)
    assert weights
    assert set(weights) <= set(SIGNALS)
    assert all(np.isfinite(both).all() and any(both) for both in weights.values())


def test_without_vectors_nothing_is_expected_of_them() -> None:
    assert set(fitted("meanings")) >= BY_VECTOR | BY_MEANING
    assert set(fitted("meanings")) - set(fitted("vectors")) == BY_MEANING
    assert set(fitted("vectors")) - set(fitted("words")) == BY_VECTOR


def test_what_cannot_be_fitted_is_set_by_hand_and_only_that() -> None:
    assert set(BY_HAND) <= set(SIGNALS)
    for table in TABLES:
        assert not set(BY_HAND) & set(fitted(table))
    left_out = {"covered"}  # which must not count against a message, and where meanings are compared adds nothing
    assert set(BY_HAND) | set(fitted("meanings")) | left_out == set(SIGNALS)


def test_what_matches_counts_for_a_candidate() -> None:
    for table in TABLES:
        # What is the same word is the same meaning too, so it may count through the others.
        assert min(fitted(table).get(name, (0, 0))[end] for name in MATCHING for end in (0, 1)) >= 0
        assert (
            min(fitted(table)[name][end] for name in ("lexical", "session", "speaker", "during") for end in (0, 1)) > 0
        )
    assert min(fitted("vectors")["dense"]) > 0
    assert min(weight for name in BY_MEANING for weight in fitted("meanings")[name]) > 0


@given(st.floats(0.0, 1e9), st.floats(0.0, 1e9))
def test_longer_texts_are_wordier(one: float, other: float) -> None:
    assert 0.0 <= wordiness(min(one, other)) <= wordiness(max(one, other)) <= 1.0


@pytest.mark.parametrize("table", TABLES)
def test_how_long_the_texts_are_decides_between_two_weights(table: Table) -> None:
    short, between, long = (weights_of(DEEP, table, mean) for mean in (SHORT, (SHORT * LONG) ** 0.5, LONG))
    assert between == pytest.approx((short + long) / 2)
    assert weights_of(DEEP, table, 1.0).tolist() == short.tolist()
    assert weights_of(DEEP, table, 10 * LONG).tolist() == long.tolist()
    at = SIGNALS.index("lexical")
    assert [short[at], long[at]] == list(fitted(table).get("lexical", (0, 0)))


def test_every_signal_has_a_channel_and_every_channel_but_links_a_signal() -> None:
    assert set(CHANNEL_OF) == set(SIGNALS)
    assert set(CHANNEL_OF.values()) == set(CHANNELS) - {"links"}


# What a plan makes of it.


@pytest.mark.parametrize("table", TABLES)
def test_a_plan_without_weights_of_its_own_takes_those_that_were_found(table: Table) -> None:
    weights = weights_of(DEEP, table)
    found = {name: weight for name, (weight, _) in fitted(table).items()} | {**BY_HAND}
    assert weights.tolist() == [found.get(name, 0.0) for name in SIGNALS]


@pytest.mark.parametrize("left_out", CHANNELS)
def test_a_channel_that_is_left_out_counts_nothing_and_the_others_the_same(left_out: Channel) -> None:
    plan = replace(DEEP, channels=tuple(name for name in CHANNELS if name != left_out))
    for name, all_of_it, now in zip(SIGNALS, weights_of(DEEP, "meanings"), weights_of(plan, "meanings"), strict=True):
        assert now == (0.0 if CHANNEL_OF[name] == left_out else all_of_it)


@given(st.dictionaries(st.sampled_from(CHANNELS), st.floats(0.01, 100.0)), st.sampled_from(TABLES))
def test_the_weights_of_a_plan_multiply(factors: dict[Channel, float], table: Table) -> None:
    plain = weights_of(DEEP, table)
    weighed = weights_of(replace(DEEP, weights=factors), table)
    assert weighed == pytest.approx(plain * [factors.get(CHANNEL_OF[name], 1.0) for name in SIGNALS])


# Sums.


@given(matrices, weightings)
def test_the_parts_of_the_channels_add_up_to_the_sums(signals: Signals, weights: Scores) -> None:
    parts = by_channel(signals, weights)
    sums = totals(signals, weights, np.zeros(len(signals)))
    assert parts.sum(axis=1) == pytest.approx(sums, abs=1e-5)
    for column, channel in enumerate(WEIGHED):
        alone = np.array(
            [weight * (CHANNEL_OF[name] == channel) for weight, name in zip(weights, SIGNALS, strict=True)]
        )
        assert parts[:, column] == pytest.approx(totals(signals, alone, np.zeros(len(signals))), abs=2e-6)


@given(scores, st.floats(0.001, 100.0))
def test_sums_keep_the_order_of_a_lone_signal_that_counts(raw: Scores, weight: float) -> None:
    signals, weights = np.zeros((len(raw), len(SIGNALS))), np.zeros(len(SIGNALS))
    signals[:, SIGNALS.index("dense")], weights[SIGNALS.index("dense")] = raw, weight
    sums = totals(signals, weights, np.zeros(len(raw)))
    assert (np.diff(sums[np.argsort(raw)]) >= 0).all()


@given(matrices, st.lists(st.floats(0.0, 10.0), min_size=len(SIGNALS), max_size=len(SIGNALS)))
def test_who_is_better_in_every_signal_has_the_higher_sum(signals: Signals, weights: list[float]) -> None:
    sums = totals(np.vstack([signals, signals.max(axis=0)]), np.array(weights), np.zeros(len(signals) + 1))
    assert sums.argmax() == len(signals) or sums.max() == sums[-1]


@given(matrices, weightings, st.integers(0, 7), st.floats(0.001, 5.0))
def test_what_counts_against_a_candidate_lowers_it_and_no_other(
    signals: Signals, weights: Scores, place: int, loss: float
) -> None:
    even = totals(signals, weights, np.zeros(len(signals)))
    against = np.zeros(len(signals))
    against[place % len(signals)] = loss
    assert totals(signals, weights, against) == pytest.approx(even - against, abs=2e-6)


def test_noise_in_the_last_bits_does_not_decide() -> None:
    signals, weights = np.zeros((3, len(SIGNALS))), np.ones(len(SIGNALS))
    signals[:, 0] = [1.0, 1.0 + 1e-12, 1.0 - 1e-12]
    assert len(set(totals(signals, weights, np.zeros(3)).tolist())) == 1


def test_nothing_has_no_sums() -> None:
    nothing, weights = np.zeros((0, len(SIGNALS))), np.ones(len(SIGNALS))
    assert totals(nothing, weights, np.zeros(0)).shape == (0,)
    assert by_channel(nothing, weights).shape == (0, len(WEIGHED))


# Scores.


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_a_score_lies_between_0_and_1(total: float, middle: float) -> None:
    assert 0.0 <= squeezed(total, middle) <= 1.0


@given(st.floats(-1e9, 1e9))
def test_the_middle_is_one_half(middle: float) -> None:
    assert squeezed(middle, middle) == 0.5


@given(number, number, number)
def test_a_higher_sum_never_has_a_lower_score(one: float, other: float, middle: float) -> None:
    low, high = sorted((one, other))
    assert squeezed(low, middle) <= squeezed(high, middle)


@given(number, st.floats(0.0, 1e6))
def test_above_and_below_the_middle_are_alike(middle: float, away: float) -> None:
    assert squeezed(middle + away, middle) + squeezed(middle - away, middle) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("far", [5.0, 50.0, 500.0])
def test_two_outliers_stay_apart(far: float) -> None:
    """However far above the others the best are, they must not all come to 1."""
    assert 1.0 > squeezed(far + 0.01, 0.0) > squeezed(far, 0.0) > squeezed(1.0, 0.0)


# Ranks.


@given(scores)
def test_ranks_count_from_one_best_first(raw: Scores) -> None:
    places = ranks(raw[:, np.newaxis], range(len(raw)))[:, 0]
    assert places.tolist() == [1 + sum(other > one for other in raw) for one in raw]


def test_equal_scores_share_a_rank() -> None:
    scores = np.array([[2.0, 1.0], [3.0, 1.0], [2.0, 2.0], [3.0, 0.0]])
    assert ranks(scores, [3, 0, 2]).tolist() == [[1, 4], [3, 2], [3, 1]]


def test_how_often_the_same_was_said_better() -> None:
    prints, sums = np.array([7, 7, 2, 7, 0]), np.array([3.0, 5.0, 4.0, 3.0, 1.0])
    assert repeated(prints, sums).tolist() == [1, 0, 0, 2, 0]
    assert repeated(np.zeros(0, np.int64), np.zeros(0)).tolist() == []
