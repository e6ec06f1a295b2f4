"""Pure: a few summaries under a cap of tokens."""

from hypothesis import given
from hypothesis import strategies as st

from emberkeep.context.summaries import cap_summaries
from emberkeep.wiring import _count_tokens as count


def test_summaries_that_fit_are_left_as_they_are() -> None:
    assert cap_summaries(["One.", "Two.", "Three."], 2_000, count) == ["One.", "Two.", "Three."]


def test_the_one_that_crosses_the_line_is_cut_at_a_sentence_and_the_rest_left_out() -> None:
    first, second = cap_summaries(["Short.", "Deployed the service. " * 200, "Never seen."], 100, count)
    assert first == "Short."
    assert second.endswith("service. …")
    assert count(first) + count(second) <= 100


def test_a_rest_too_small_to_say_something_stays_empty() -> None:
    assert cap_summaries(["word " * 95, "word " * 50], 100, count) == ["word " * 95]


def test_ten_thousand_letters_are_capped_as_the_seed_wants() -> None:
    (shown,) = cap_summaries(["x" * 10_000], 2_000, lambda text: len(text) // 4)
    assert 7_900 < len(shown) <= 2_000 * 4 + 100


@given(texts=st.lists(st.text(min_size=1, max_size=300), max_size=6), budget=st.integers(0, 200))
def test_they_never_cost_more_than_the_cap(texts: list[str], budget: int) -> None:
    shown = cap_summaries(texts, budget, count)
    assert sum(map(count, shown)) <= budget
    assert len(shown) <= len(texts)
