"""Confidence comes from evidence; feedback moves it, within bounds."""

from hypothesis import given
from hypothesis import strategies as st

from emberkeep.patterns.standing import MOST_ADJUSTMENT, bounded, confidence, is_refuted
from emberkeep.patterns.statistics import wilson

counts = st.integers(0, 200)


def test_without_feedback_it_is_the_lower_bound() -> None:
    assert confidence(9, 10) == wilson(9, 10)[0]


def test_a_vote_counts_as_a_task() -> None:
    assert confidence(9, 10, helpful=1) == wilson(10, 11)[0]
    assert confidence(9, 10, unhelpful=1) == wilson(9, 11)[0]


@given(hits=counts, more=counts, helpful=counts, unhelpful=counts, moved=st.floats(-100, 100))
def test_it_stays_a_share(hits: int, more: int, helpful: int, unhelpful: int, moved: float) -> None:
    score = confidence(hits, hits + more, helpful=helpful, unhelpful=unhelpful, adjustment=moved)
    assert 0.0 <= score <= 1.0
    assert abs(bounded(moved)) <= MOST_ADJUSTMENT


def test_what_is_refuted() -> None:
    assert not is_refuted(1, 4, 0, 0)  # too few to say
    assert is_refuted(0, 20, 5, 20)
    assert is_refuted(10, 20, 12, 20)
    assert not is_refuted(18, 20, 5, 20)
