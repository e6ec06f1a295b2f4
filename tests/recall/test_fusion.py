"""Pure: normalising, fusing and ranking scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.model.recall import Channel
from emberkeep.recall.fusion import Scores, fuse, normalise, ranks

NAN = float("nan")
NOTHING = np.zeros(1)  # counts against any of them
# As channels give them: rounded to six decimals.
score = st.integers(-30_000_000, 30_000_000).map(lambda millionths: millionths / 1_000_000)
scores = st.lists(score, min_size=1, max_size=60).map(np.array)
with_gaps = st.lists(score | st.just(NAN), min_size=1, max_size=60).map(np.array)


@given(with_gaps)
def test_normalised_scores_keep_their_order_around_zero(raw: Scores) -> None:
    known = np.isfinite(raw)
    made = normalise(raw)
    assert np.isfinite(made).all()
    assert (made[~known] == 0.0).all()
    if known.any():
        assert made[known].mean() == pytest.approx(0.0, abs=1e-6)
        assert made[known].std() == pytest.approx(1.0 if np.ptp(raw[known]) > 0 else 0.0, abs=1e-6)
        assert (np.diff(made[known][np.argsort(raw[known])]) >= 0).all()


@given(score, st.integers(1, 60), st.integers(0, 5))
def test_equal_scores_say_nothing(value: float, count: int, gaps: int) -> None:
    raw = np.array([value] * count + [NAN] * gaps)
    assert normalise(raw).tolist() == [0.0] * (count + gaps)


@given(scores, st.floats(0.01, 100.0), st.floats(-100.0, 100.0))
def test_the_scale_of_a_channel_does_not_matter(raw: Scores, factor: float, shift: float) -> None:
    if np.ptp(raw) > 0.001:
        assert normalise(raw * factor + shift) == pytest.approx(normalise(raw), abs=1e-4)


@given(scores)
def test_fused_scores_lie_between_0_and_1_and_keep_the_order_of_one_channel(raw: Scores) -> None:
    fused = fuse({"dense": normalise(raw)}, {"dense": 1.0}, NOTHING)
    assert ((fused >= 0.0) & (fused <= 1.0)).all()
    assert (np.diff(fused[np.argsort(raw)]) >= 0).all()


@given(st.lists(st.tuples(score, score), min_size=1, max_size=60), st.floats(0.0, 10.0), st.floats(0.0, 10.0))
def test_who_is_better_in_every_channel_ranks_higher(
    pairs: list[tuple[float, float]], dense: float, lexical: float
) -> None:
    weights: dict[Channel, float] = {"dense": dense, "lexical": lexical}
    by_channel: dict[Channel, Scores] = {
        "dense": normalise(np.array(pairs)[:, 0]),
        "lexical": normalise(np.array(pairs)[:, 1]),
    }
    fused = fuse(by_channel, weights, NOTHING)
    best = max(pairs)
    for pair, value in zip(pairs, fused.tolist(), strict=True):
        if pair[0] <= best[0] and pair[1] <= best[1]:
            assert value <= fused[pairs.index(best)]


def test_a_weight_of_zero_silences_a_channel() -> None:
    one, other = np.array([1.0, -1.0]), np.array([-1.0, 1.0])
    assert fuse({"dense": one, "lexical": other}, {"dense": 1.0, "lexical": 0.0}, NOTHING).argmax() == 0
    assert fuse({"dense": one, "lexical": other}, {"dense": 0.0, "lexical": 1.0}, NOTHING).argmax() == 1
    assert fuse({"dense": one, "lexical": other}, {}, NOTHING).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("candidates", [48, 400, 5_000])
def test_two_outliers_among_many_stay_apart(candidates: int) -> None:
    """The more candidates, the more deviations the few that match lie above them; they must not all come to 1."""
    lexical = np.zeros(candidates)
    lexical[:2] = [9.0, 8.9]
    dense = np.linspace(0.1, 0.2, candidates)
    dense[:2] = [0.6, 0.599]
    weights: dict[Channel, float] = {"dense": 1.0, "lexical": 1.0}
    fused = fuse({"dense": normalise(dense), "lexical": normalise(lexical)}, weights, NOTHING)
    assert fused[0] > fused[1] > fused[2:].max()


def test_heavy_weights_do_not_overflow() -> None:
    assert fuse({"dense": np.array([-5.0, 5.0])}, {"dense": 1e6}, NOTHING).tolist() == pytest.approx(
        [0.0, 1.0], abs=1e-5
    )


def test_what_counts_against_a_candidate_lowers_it_and_no_other() -> None:
    even = fuse({"dense": np.array([1.0, 1.0, -1.0])}, {}, NOTHING)
    less = fuse({"dense": np.array([1.0, 1.0, -1.0])}, {}, np.array([0.0, 1.0, 0.0]))
    assert less.tolist() == [even[0], 0.5, even[2]]


def test_noise_in_the_last_bits_does_not_decide() -> None:
    fused = fuse({"dense": np.array([1.0, 1.0 + 1e-12, 1.0 - 1e-12])}, {"dense": 1.0}, NOTHING)
    assert len(set(fused.tolist())) == 1


@given(with_gaps)
def test_ranks_count_from_one_best_first_and_gaps_come_last(raw: Scores) -> None:
    places = ranks(raw)
    assert sorted(places.tolist()) == list(range(1, len(raw) + 1))
    in_order = raw[np.argsort(places)]
    known = in_order[np.isfinite(in_order)]
    assert (np.diff(known) <= 0).all()
    assert np.isnan(in_order[len(known) :]).all()


def test_equal_scores_rank_in_the_order_they_came() -> None:
    assert ranks(np.array([2.0, 3.0, 2.0, 3.0])).tolist() == [3, 1, 4, 2]
