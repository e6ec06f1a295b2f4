"""Pure: choosing hits under a token budget."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import emberkeep
from emberkeep.context.render import FOOT, HEAD, render_hit
from emberkeep.context.selection import FEWEST_TOKENS, select_within_budget
from emberkeep.model.context import Chunk
from emberkeep.model.recall import Hit
from emberkeep.testing import WordEmbedder
from emberkeep.wiring import _count_tokens as count

MakeHit = Callable[..., Hit]
LABEL = 20  # more than what a line's date and kind cost

text = st.one_of(
    st.text(min_size=1, max_size=400),
    st.text("abc .!?\n<>&日本語。é\u0301🙂\u200b", min_size=1, max_size=400),
    st.lists(st.sampled_from(["Tea is served.", "x" * 150, "日本語" * 30, "<b>&amp;</b>", "so on\n"]), max_size=30).map(
        " ".join
    ),
)


def chosen(hits: Sequence[Hit], budget: int) -> tuple[tuple[Chunk, ...], int]:
    return select_within_budget(hits, budget, count=count, render=render_hit)


@given(texts=st.lists(text, max_size=8), budget=st.integers(1, 400))
def test_the_whole_never_costs_more_than_the_budget(hit: MakeHit, texts: list[str], budget: int) -> None:
    chunks, dropped = chosen([hit(one) for one in texts], budget)
    assert count("".join(chunk.text for chunk in chunks)) <= budget
    assert len(chunks) + dropped == len(texts)
    for chunk in chunks:
        assert chunk.tokens == count(chunk.text)
        assert chunk.trimmed or chunk.text == render_hit(chunk.hit, chunk.hit.text)


@given(texts=st.lists(text, min_size=1, max_size=8))
def test_with_room_for_all_nothing_is_dropped_or_trimmed(hit: MakeHit, texts: list[str]) -> None:
    hits = [hit(one) for one in texts]
    chunks, dropped = chosen(hits, sum(count(render_hit(one, one.text)) for one in hits))
    assert ([chunk.hit for chunk in chunks], dropped) == (hits, 0)
    assert not any(chunk.trimmed for chunk in chunks)


@given(best=text, budget=st.integers(LABEL + FEWEST_TOKENS, 200))
def test_the_best_hit_is_never_dropped_for_being_long(hit: MakeHit, best: str, budget: int) -> None:
    chunks, _ = chosen([hit(best * 20), hit("short")], budget)
    assert chunks[0].hit.text == best * 20


def test_a_long_text_is_cut_at_a_sentence(hit: MakeHit) -> None:
    (chunk,), _ = chosen([hit("Alex climbs rocks. Alex swims! Does Alex fly? " * 50)], 60)
    assert chunk.trimmed
    assert chunk.text.rstrip("\n").endswith((". …", "! …", "? …"))
    assert 60 - 12 < chunk.tokens <= 60


@pytest.mark.parametrize(
    "long",
    [
        "word " * 500,
        "日本語" * 500,
        "".join(f"{n}," for n in range(500)),
        "<" * 500,
        "a & b <c> " * 200,
        "https://example.org/" + "a/b-c" * 300,
        "0a" * 5_000,
    ],
    ids=["one sentence", "no spaces", "a list without spaces", "escaped", "escaped words", "an address", "one word"],
)
def test_a_text_without_sentences_still_fills_most_of_the_budget(hit: MakeHit, long: str) -> None:
    (chunk,), _ = chosen([hit(long)], 100)
    assert chunk.trimmed
    assert 80 <= chunk.tokens <= 100


def test_a_lower_hit_that_fits_is_taken_when_a_higher_one_does_not(hit: MakeHit) -> None:
    first, long, short = hit("Alex lives in Lisbon."), hit("tea " * 100), hit("Yes.")
    budget = sum(count(render_hit(one, one.text)) for one in (first, short))
    chunks, dropped = chosen([first, long, short], budget)
    assert ([chunk.hit for chunk in chunks], dropped) == ([first, short], 1)


@pytest.mark.parametrize("budget", [-5, 0, 1, 5])
def test_a_tiny_budget_holds_nothing(hit: MakeHit, budget: int) -> None:
    assert chosen([hit("Alex lives in Lisbon."), hit("tea")], budget) == ((), 2)


def test_context_never_exceeds_max_tokens_whatever_it_is() -> None:
    least = count(HEAD) + count(FOOT) + 1
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as memory:
        memory.add(["Alex lives in Lisbon. " * 40, "日本語" * 200, "Alex & <b>Sam</b> " * 50, "tea"])
        with pytest.raises(emberkeep.InvalidInput, match=f"at least {least} are needed"):
            memory.context("Alex", max_tokens=least - 1)
        for budget in range(least, least + 200, 3):
            context = memory.context("Alex", max_tokens=budget)
            assert context.total_tokens == count(context.text) <= budget
            assert bool(context.text) == bool(context.chunks)
            assert len(context.chunks) + context.dropped == 4
