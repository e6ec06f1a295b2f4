"""Pure: choosing records under a token budget, for any tokenizer."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import emberkeep
from emberkeep.context.render import LAYOUTS
from emberkeep.context.selection import FEWEST_OF_THE_BEST, FEWEST_TOKENS, Selected, select_within_budget
from emberkeep.context.summaries import cap_summaries
from emberkeep.context.trimming import furthest_end
from emberkeep.model.context import FORMATS, TIERS, Candidate, Format, Shares, Tier
from emberkeep.testing import WordEmbedder
from emberkeep.wiring import _count_tokens as wordpiece

MakeCandidate = Callable[..., Candidate]
Count = Callable[[str], int]
LAYOUT = LAYOUTS["markdown"]
FRAME = wordpiece(LAYOUT.page(()))
LABEL = 20  # more than what a line's date, kind and trust cost
TOKENIZERS: dict[str, Count] = {
    "wordpiece": wordpiece,
    "characters": len,
    "thirds of bytes": lambda text: len(text.encode("utf-8", "replace")) // 3,
    "words": lambda text: len(text.split()),
    "words and a start token": lambda text: len(text.split()) + 1,
    "pairs cost more together": lambda text: len(text) // 4 + text.count("\n") ** 2,
    "all is one": lambda text: 1,
}

text = st.one_of(
    st.text(min_size=1, max_size=400),
    st.text("abc .!?\n<>&日本語。é\u0301🙂\u200b", min_size=1, max_size=400),
    st.lists(st.sampled_from(["Tea is served.", "x" * 150, "日本語" * 30, "<b>&amp;</b>", "so on\n"]), max_size=30).map(
        " ".join
    ),
)
described = st.tuples(text, st.sampled_from(TIERS), st.floats(0, 1))
shares = st.builds(
    lambda floors, record: Shares({tier: share / 4 for tier, share in floors.items()}, {}, record),
    st.dictionaries(st.sampled_from(TIERS), st.floats(0, 1)),
    st.floats(0.05, 1),
)


def chosen(some: Sequence[Candidate], budget: int, given: Shares | None = None, count: Count = wordpiece) -> Selected:
    return select_within_budget(some, budget, count=count, layout=LAYOUT, shares=given or Shares())


def cost(one: Candidate) -> int:
    return wordpiece(LAYOUT.record(one, one.text))


@settings(max_examples=30)
@given(some=st.lists(described, max_size=8), budget=st.integers(0, 400), divided=shares)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_the_whole_never_costs_more_than_the_budget(  # noqa: PLR0917 - what a budget may depend on
    candidate: MakeCandidate,
    form: Format,
    tokenizer: str,
    some: list[tuple[str, Tier, float]],
    budget: int,
    divided: Shares,
) -> None:
    count, layout = TOKENIZERS[tokenizer], LAYOUTS[form]
    budget += count(layout.page(()))
    made = [candidate(text, key=f"k{n}", tier=tier, value=value) for n, (text, tier, value) in enumerate(some)]
    found = select_within_budget(made, budget, count=count, layout=layout, shares=divided)
    assert found.total_tokens == (count(found.text) if found.text else 0) <= budget
    assert found.text == (layout.page([chunk.text for chunk in found.chunks]) if found.chunks or form == "json" else "")
    for chunk in found.chunks:
        assert chunk.tokens == count(chunk.text)
        assert chunk.candidate.text.startswith(chunk.content)
        assert chunk.trimmed == (chunk.content != chunk.candidate.text)
    assert sorted(entry.key for entry in found.entries) == sorted(one.key for one in made)
    fates = {entry.key: entry.fate for entry in found.entries}
    assert {chunk.key for chunk in found.chunks} == {key for key, fate in fates.items() if fate != "dropped"}
    assert all(bool(entry.why) == (entry.fate != "chosen") for entry in found.entries)


@given(texts=st.lists(text.filter(str.isprintable), min_size=1, max_size=8), divided=shares)
def test_with_room_for_all_nothing_is_dropped_or_trimmed(
    candidate: MakeCandidate, texts: list[str], divided: Shares
) -> None:
    some = [candidate(f"{n}no{n} {one}") for n, one in enumerate(texts)]  # none says what another does
    found = chosen(some, FRAME + sum(map(cost, some)), divided)
    assert [chunk.candidate for chunk in found.chunks] == some
    assert {entry.fate for entry in found.entries} == {"chosen"}


@given(best=text.filter(str.isprintable), budget=st.integers(LABEL + FEWEST_TOKENS, 200), divided=shares)
def test_the_best_record_is_never_dropped_for_being_long(
    candidate: MakeCandidate, best: str, budget: int, divided: Shares
) -> None:
    first = candidate(f"Best. {best * 20}", value=1.0)
    others = [candidate(f"short {tier}", tier=tier, value=0.99) for tier in TIERS]
    found = chosen([*others, first], FRAME + budget, divided)
    assert first in [chunk.candidate for chunk in found.chunks]


@given(some=st.lists(described, min_size=1, max_size=12), budget=st.integers(60, 400))
def test_a_tier_gets_what_it_is_sure_of_or_all_it_has(
    candidate: MakeCandidate, some: list[tuple[str, Tier, float]], budget: int
) -> None:
    plain = [
        candidate(f"{n}no{n} {'tea ' * (len(text) % 9)}", tier=tier, value=value)
        for n, (text, tier, value) in enumerate(some)
    ]
    sure = Shares(record=1.0)
    found = chosen(plain, FRAME + budget, sure)
    for tier in TIERS:
        has = [cost(one) for one in plain if one.tier == tier]
        used = sum(chunk.tokens for chunk in found.chunks if chunk.source == tier)
        # The last record that would fill the floor may be larger than what the others leave of the budget.
        assert used >= min(sure.floor(tier) * budget, sum(has)) - max(has, default=0) - FEWEST_TOKENS


def test_a_long_text_is_cut_at_a_sentence(candidate: MakeCandidate) -> None:
    (chunk,) = chosen([candidate("Alex climbs rocks. Alex swims! Does Alex fly? " * 50)], FRAME + 60).chunks
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
        "x" * 1_000_000,
    ],
    ids=["one sentence", "no spaces", "a list", "escaped", "escaped words", "an address", "one word", "a million"],
)
def test_a_text_without_sentences_still_fills_most_of_the_budget(candidate: MakeCandidate, long: str) -> None:
    (chunk,) = chosen([candidate(long)], FRAME + 100).chunks
    assert chunk.trimmed
    assert 80 <= chunk.tokens <= 100


@pytest.mark.parametrize(
    "long",
    [
        "Hi. " + "and then the tea was served, " * 1_500,
        "Dr. Smith " + "said to the others that " * 500,
        "Yes!\n" + "the-long-word-that-goes-on-" * 300,
        "a " + "x" * 20_000,
        "好。" + "日本語" * 500,
    ],
    ids=["a greeting", "a title", "a line", "a word", "ideographs"],
)
def test_a_cut_never_wastes_most_of_the_room(candidate: MakeCandidate, long: str) -> None:
    (chunk,) = chosen([candidate(long)], FRAME + 100).chunks
    assert 80 <= chunk.tokens <= 100
    (summary,) = cap_summaries([long], 100, wordpiece)
    assert 80 <= wordpiece(summary) <= 100


@given(text=text, most=st.integers(0, 400))
def test_a_cut_fits_and_says_something_if_it_can(text: str, most: int) -> None:
    end = furthest_end(text, lambda end: end <= most)
    assert 0 <= end <= min(most, len(text))
    assert not end or (text[:end].strip() and end >= min(most, len(text) - 1) // 2)


def test_of_long_texts_no_more_is_read_than_could_be_shown(candidate: MakeCandidate) -> None:
    read = 0

    def count(text: str) -> int:
        nonlocal read
        read += len(text)
        return wordpiece(text)

    some = [candidate(f"{n} tea is number {n}. " * 4_000, key=f"k{n}") for n in range(60)]
    found = chosen(some, FRAME + 2_000, count=count)
    assert found.total_tokens > 1_900
    assert len(found.entries) == 60
    assert read < 600_000  # of over four million


@pytest.mark.parametrize("blank", ["\n", "\u200b", " "])
def test_what_begins_with_nothing_to_read_is_read_on(candidate: MakeCandidate, blank: str) -> None:
    (chunk,) = chosen([candidate(blank * 5_000 + "the end")], 4_000).chunks
    assert "the end" in chunk.text


def test_small_talk_takes_no_room_though_it_would_fit(candidate: MakeCandidate) -> None:
    said = [candidate("Alex lives in Lisbon."), candidate("Thanks, that sounds great!", value=0.9), candidate("Ok.")]
    found = chosen(said, 4_000)
    assert [chunk.candidate for chunk in found.chunks] == said[:1]
    assert [entry.why for entry in found.entries] == ["", "small talk", "small talk"]
    # What was learned or told is no small talk, whatever its words.
    fact = candidate("Ok.", kind="fact")
    assert [chunk.candidate for chunk in chosen([fact], 4_000).chunks] == [fact]


def test_the_best_is_cut_shorter_than_others_before_one_of_those_is_taken(candidate: MakeCandidate) -> None:
    best, other = candidate("I am allergic to peanuts, shellfish, soy and celery."), candidate("Tea", value=0.1)
    label = wordpiece(LAYOUT.record(best, "…"))
    found = chosen([best, other], FRAME + label + FEWEST_OF_THE_BEST)
    assert [chunk.candidate for chunk in found.chunks] == [best]
    assert found.chunks[0].content == "I am allergic to peanuts,"
    assert chosen([best], FRAME + label + FEWEST_OF_THE_BEST - 1).chunks == ()


def test_a_lower_record_that_fits_is_taken_when_a_higher_one_does_not(candidate: MakeCandidate) -> None:
    first, long, short = (
        candidate("Alex lives in Lisbon."),
        candidate("tea " * 100, value=0.9),
        candidate("Tea.", value=0.8),
    )
    found = chosen([first, long, short], FRAME + cost(first) + cost(short))
    assert [chunk.candidate for chunk in found.chunks] == [first, short]
    assert [entry.fate for entry in found.entries] == ["chosen", "dropped", "chosen"]
    assert found.entries[1].why == "over budget"


def test_among_equals_more_short_ones_are_worth_more_than_one_long_one(candidate: MakeCandidate) -> None:
    best = candidate("The best one.", value=1.0)
    long = candidate("A long story about the tea. " * 4, value=0.5)
    short = [candidate(f"Number {n} is short.", value=0.5) for n in range(3)]
    found = chosen([best, long, *short], FRAME + cost(best) + sum(map(cost, short)))
    assert [chunk.candidate for chunk in found.chunks] == [best, *short]


def test_records_stand_in_the_order_of_tiers_and_then_of_relevance(candidate: MakeCandidate) -> None:
    some = [candidate(f"{tier} {n}", tier=tier, value=n / 10) for n in (1, 3, 2) for tier in reversed(TIERS)]
    found = chosen(some, 4_000)
    assert [chunk.content for chunk in found.chunks] == [f"{tier} {n}" for tier in TIERS for n in (3, 2, 1)]


@pytest.mark.parametrize("budget", [-5, 0, 1, 5])
def test_a_tiny_budget_holds_nothing(candidate: MakeCandidate, budget: int) -> None:
    found = chosen([candidate("Alex lives in Lisbon."), candidate("tea")], FRAME + budget)
    assert (found.text, found.chunks, found.total_tokens) == ("", (), 0)
    assert {entry.fate for entry in found.entries} == {"dropped"}


def test_one_tier_does_not_crowd_out_another(candidate: MakeCandidate) -> None:
    facts = [candidate(f"Fact {n} of many that are relevant.") for n in range(40)]
    manual = [candidate(f"Page {n} of the manual.", tier="knowledge", value=0.001) for n in range(40)]
    state = candidate("All is well.", tier="operational", kind="state", value=0.0001)
    found = chosen([*facts, *manual, state], FRAME + 400)
    used = {tier: sum(chunk.tokens for chunk in found.chunks if chunk.source == tier) for tier in TIERS}
    assert state in [chunk.candidate for chunk in found.chunks]
    assert 40 <= used["knowledge"] <= 80
    assert used["longterm"] <= 0.8 * 400
    assert sum(used.values()) > 360


def test_long_state_is_not_the_best_record_unless_it_is_alone(candidate: MakeCandidate) -> None:
    state = candidate("The load is high. " * 200, tier="operational", kind="state", value=1.0)
    best = candidate("The best memory is a long story. " * 40, value=1.0)
    others = [candidate(f"Number {n} is short.", value=0.1) for n in range(40)]
    found = chosen([state, best, *others], FRAME + 400)
    used = {chunk.candidate.tier: chunk.tokens for chunk in found.chunks if chunk.candidate in {state, best}}
    assert used["longterm"] > 150
    assert used["operational"] <= 45
    (alone,) = chosen([state], FRAME + 400).chunks
    assert alone.tokens > 380


def test_beyond_its_ceiling_a_tier_gets_what_no_other_wants(candidate: MakeCandidate) -> None:
    manual = [candidate(f"Page {n} of the manual.", tier="knowledge") for n in range(40)]
    alone = chosen(manual, FRAME + 400)
    assert sum(chunk.tokens for chunk in alone.chunks) > 360
    facts = [candidate(f"Fact {n} that is less relevant.", value=0.5) for n in range(40)]
    beside = chosen([*manual, *facts], FRAME + 400)
    assert 0.4 * 400 < sum(chunk.tokens for chunk in beside.chunks if chunk.source == "knowledge") <= 0.5 * 400
    assert "tier is full" in {entry.why for entry in beside.entries}


def test_one_record_leaves_room_for_others_and_takes_what_they_leave(candidate: MakeCandidate) -> None:
    long = candidate("A sentence of the long one. " * 100)
    some = [candidate(f"Number {n} is short.", value=0.1) for n in range(30)]
    first, *rest = chosen([long, *some], FRAME + 300).chunks
    assert first.candidate == long
    assert first.tokens <= 150
    assert len(rest) > 5
    first, last = chosen([long, some[0]], FRAME + 300).chunks
    assert last.candidate == some[0]
    assert first.tokens > 250


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Alex lives in Lisbon", "alex lives in Lisbon.", True),
        ("Alex lives in Lisbon", "Alex lives in Lisbon with Sam and two cats", True),
        ("Alex lives in Lisbon", "Alex lives in Porto", False),
        ("Sam owes Alex ten euros", "Alex owes Sam ten euros", False),
        ("Alex likes tea very much", "Sam does not think Alex likes tea very much", False),
        ("the train leaves at 5 from the first platform", "the train leaves at 6 from the first platform", False),
        ("I like C", "I like C++ and Rust", False),
        ("Yes", "Yes, let us go", False),
        ("Tea", "tea.", True),
        ("Is Alex coming?", "Is Alex coming? Sam asked", True),
        ("我住在柏林", "我住在柏林。", False),
    ],
)
def test_what_a_chosen_record_says_already_is_dropped(
    candidate: MakeCandidate, one: str, other: str, same: bool
) -> None:
    longer = candidate(other, key="item:1", value=1.0)
    found = chosen([longer, candidate(one, key="item:2", value=0.9)], 4_000)
    assert (found.entries[1].why == "duplicate of item:1") == same


def test_the_same_words_of_two_people_are_two_records(candidate: MakeCandidate) -> None:
    said = candidate("I live in Lisbon", key="item:1", speaker="Alex")
    others = [replace(said, key="item:2", speaker="Sam"), replace(said, key="item:3", speaker=None, trust="assistant")]
    assert len(chosen([said, *others], 4_000).chunks) == 3
    assert len(chosen([said, replace(said, key="item:4")], 4_000).chunks) == 1


def test_context_never_exceeds_max_tokens_whatever_it_is() -> None:
    least = FRAME + 1
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as memory:
        memory.add(["Alex lives in Lisbon. " * 40, "日本語" * 200, "Alex & <b>Sam</b> " * 50, "tea"])
        with pytest.raises(emberkeep.InvalidInput, match=f"at least {least} are needed"):
            memory.context("Alex", max_tokens=least - 1)
        for budget in range(least, least + 200, 3):
            context = memory.context("Alex", max_tokens=budget)
            assert context.total_tokens == (wordpiece(context.text) if context.text else 0) <= budget
            assert context.budget == budget
            assert bool(context.text) == bool(context.chunks)
            assert len(context.chunks) + context.dropped == 4


@pytest.mark.parametrize(
    "unit",
    ["🎉", "สวัสดีครับ", "e" + "\u0301" * 50, "\ue000", "ꦲꦏ", "\U000f0000"],
    ids=["emoji", "thai", "marks", "private", "javanese", "planes"],
)
def test_no_script_gets_past_the_budget(unit: str) -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as memory:
        memory.add([f"party {number} {unit * 2_000}"[:16_000] for number in range(5)])
        context = memory.context("party", max_tokens=300)
    assert context.chunks
    assert context.total_tokens <= 300
    assert len(context.text) < 300 * 6


def test_another_tokenizer_can_be_given() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none", count_tokens=len) as memory:
        memory.add(["Alex lives in Lisbon, near the river." * 9, "tea"])
        context = memory.context("Alex", max_tokens=300)
    assert 250 < context.total_tokens == len(context.text) <= 300


def test_a_tier_has_no_more_records_than_it_may(candidate: MakeCandidate) -> None:
    tea = [candidate(f"tea number {n} is served", key=f"l{n}", tier="longterm", value=n / 10) for n in range(1, 6)]
    cups = [candidate(f"cup number {n} is broken", key=f"w{n}", tier="working", value=n / 10) for n in range(1, 4)]
    found = chosen([*tea, *cups], 2_000, Shares(most={"longterm": 2, "working": 0}))
    assert [chunk.key for chunk in found.chunks] == ["l5", "l4"]
    assert {entry.why for entry in found.entries if entry.fate == "dropped"} == {"tier has as many as it may"}
