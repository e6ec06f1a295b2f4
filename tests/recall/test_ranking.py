"""From candidates to hits: ties, evidence, what counts against a hit, and plans."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import emberkeep
from emberkeep.model.item import Item, Source
from emberkeep.model.kinds import Kind
from emberkeep.model.recall import PLANS, Plan, Signal
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import fitted, unsqueezed, weights_of
from emberkeep.recall.pipeline import follow, rank
from emberkeep.recall.signals import SIGNALS
from emberkeep.testing import FixedClock, WordEmbedder

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
BALANCED = PLANS["balanced"]
UNLINKED = replace(BALANCED, channels=tuple(name for name in BALANCED.channels if name != "links"))
DENSE = fitted("vectors")["dense"][0]
Measured = Mapping[Signal, Sequence[float]]


def item(  # noqa: PLR0917 - what tests tell apart
    item_id: str,
    text: str = "",
    kind: Kind = "episode",
    temperature: float = 75.0,
    occurred_at: datetime = NOON,
    sources: Sequence[int] = (),
) -> Item:
    return Item(
        id=item_id,
        text=text or f"text of {item_id}",
        kind=kind,
        user_id=None,
        agent_id=None,
        session_id=None,
        speaker=None,
        tags=(),
        metadata={},
        occurred_at=occurred_at,
        recorded_at=NOON,
        valid_from=NOON,
        valid_to=None,
        superseded_by=None,
        temperature=temperature,
        heated_at=NOON,
        access_count=0,
        last_access=None,
        sacred=False,
        sources=tuple(Source("talk", position, f"talk:{position}", "user", None, NOON) for position in sources),
    )


def ranked(
    items: Sequence[Item],
    measured: Measured,
    *,
    limit: int = 10,
    plan: Plan = BALANCED,
    stale: Sequence[str] = (),
    whole: bool = False,
) -> tuple[emberkeep.Hit, ...]:
    signals = np.zeros((len(items), len(SIGNALS)))
    for name, values in measured.items():
        signals[:, SIGNALS.index(name)] = values
    candidates = Candidates(
        ids=[one.id for one in items],
        signals=signals,
        words=("tea",),
        matched=signals[:, [SIGNALS.index("lexical")]] > 0.0,
        stale=np.array([one.id in stale for one in items], np.bool_),
        stated=np.array([one.kind != "episode" for one in items], np.bool_),
        prints=np.array([zlib.crc32(one.text.encode()) for one in items]),
    )
    by_id = {one.id: one for one in items}
    weights = weights_of(plan, "vectors")
    fetch = {one: by_id[one] for one in by_id if one != "gone"}
    return rank(
        candidates, plan, weights, limit, lambda ids: {one: fetch[one] for one in ids if one in fetch}, whole=whole
    )


def ids(hits: Sequence[emberkeep.Hit]) -> list[str]:
    return [hit.id for hit in hits]


# Which comes first.


def test_temperature_then_recency_then_id_decide_between_equals() -> None:
    later = NOON + timedelta(microseconds=1)
    items = [
        item("d"),
        item("c"),
        item("b", occurred_at=later),
        item("a", temperature=74.0, occurred_at=later),
        item("e", temperature=76.0),
    ]
    assert ids(ranked(items, {"dense": [0.5] * 5})) == ["e", "b", "c", "d", "a"]
    assert ids(ranked(items, {"dense": [0.5] * 5}, limit=2)) == ["e", "b"]


def test_equals_are_all_looked_at_however_many_there_are() -> None:
    items = [item(f"{number:03}", temperature=float(number % 100)) for number in range(300)]
    assert ids(ranked(items, {"dense": [0.5] * 300}, limit=1)) == ["099"]


def test_warmth_counts_no_more_than_the_plan_says() -> None:
    items = [item("hot", temperature=100.0), item("cold", temperature=0.0)]
    enough = BALANCED.warm / DENSE
    assert ids(ranked(items, {"dense": [0.5, 0.5 + 1.01 * enough]})) == ["cold", "hot"]
    assert ids(ranked(items, {"dense": [0.5, 0.5 + 0.99 * enough]})) == ["hot", "cold"]
    indifferent = replace(BALANCED, warm=0.0)
    assert ids(ranked(items, {"dense": [0.5, 0.500001]}, plan=indifferent)) == ["cold", "hot"]


def test_weights_tip_the_balance() -> None:
    items = [item("near"), item("worded")]
    measured: Measured = {"dense": [0.9, 0.1], "lexical": [0.0, 0.9], "covered": [0.0, 1.0]}
    near = replace(BALANCED, weights={"dense": 2.0, "lexical": 0.5})
    worded = replace(BALANCED, weights={"dense": 0.2, "lexical": 2.0})
    assert ids(ranked(items, measured, plan=near))[0] == "near"
    assert ids(ranked(items, measured, plan=worded))[0] == "worded"


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30), st.integers(1, 40))
def test_scores_fall_and_no_hit_comes_twice(cosines: list[float], limit: int) -> None:
    hits = ranked([item(f"{number:02}") for number in range(len(cosines))], {"dense": cosines}, limit=limit)
    assert len(hits) == min(limit, len(cosines)) == len(set(ids(hits)))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0.0 <= hit.score <= 1.0 for hit in hits)


# What counts against a hit.


def test_what_is_stale_comes_after_what_is_as_relevant_and_says_so() -> None:
    items = [item("former"), item("current"), item("other")]
    dense: Measured = {"dense": [0.61, 0.6, 0.1]}
    assert ids(ranked(items, dense)) == ["former", "current", "other"]
    hits = ranked(items, dense, stale=["former"])
    assert [(hit.id, hit.why.stale) for hit in hits] == [("current", False), ("former", True), ("other", False)]
    assert [str(hit.why).count("no longer so") for hit in hits] == [0, 1, 0]
    indifferent = replace(BALANCED, stale_loss=0.0)
    assert ids(ranked(items, dense, stale=["former"], plan=indifferent)) == ["former", "current", "other"]


def test_the_same_words_said_again_come_after_something_else() -> None:
    items = [item("one", "Tea, please"), item("two", "tea, PLEASE"), item("other", "Coffee"), item("far", "Water")]
    dense: Measured = {"dense": [0.62, 0.61, 0.6, 0.1]}
    hits = ranked(items, dense)
    assert [(hit.id, hit.why.echo) for hit in hits] == [
        ("one", False),
        ("other", False),
        ("two", True),
        ("far", False),
    ]
    assert [str(hit.why).count("said before") for hit in hits] == [0, 0, 1, 0]
    indifferent = replace(BALANCED, echo_loss=0.0)
    assert ids(ranked(items, dense, plan=indifferent)) == ["one", "two", "other", "far"]


def test_a_statement_has_to_be_more_relevant_than_a_message_by_what_the_plan_says() -> None:
    items = [item("stated", kind="fact"), item("said")]
    enough = BALANCED.statement_loss / DENSE
    assert ids(ranked(items, {"dense": [0.5 + 0.99 * enough, 0.5]})) == ["said", "stated"]
    assert ids(ranked(items, {"dense": [0.5 + 1.01 * enough, 0.5]})) == ["stated", "said"]
    indifferent = replace(BALANCED, statement_loss=0.0)
    assert ids(ranked(items, {"dense": [0.500001, 0.5]}, plan=indifferent)) == ["stated", "said"]


# A message and what was learned from it.


def test_of_a_message_and_what_was_learned_from_it_the_better_one_is_there() -> None:
    said = item("said", "a long message that says a lot more than that", sources=[0])
    stated = item("stated", "short", kind="fact", sources=[0])
    assert ids(ranked([said, stated], {"dense": [0.9, 0.8]})) == ["said"]
    assert ids(ranked([said, stated], {"dense": [0.2, 0.9]})) == ["stated"]
    # Whoever wants all that was said gets what more the message says, but nothing twice.
    assert ids(ranked([said, stated], {"dense": [0.2, 0.9]}, whole=True)) == ["stated", "said"]
    assert ids(ranked([said, stated], {"dense": [0.9, 0.8]}, whole=True)) == ["said"]
    same = item("same", "a long message that says a lot more than that, said the user", kind="fact", sources=[0])
    assert ids(ranked([said, same], {"dense": [0.2, 0.9]}, whole=True)) == ["same"]


def test_a_statement_that_says_all_of_a_short_message_stands_in_its_place() -> None:
    said, stated = item("said", "I live in Porto", sources=[0]), item("stated", "Lives in Porto", "fact", sources=[0])
    (hit,) = ranked([said, stated], {"dense": [0.9, 0.8]})
    assert (hit.id, hit.similarity) == ("stated", 0.9)


def test_what_else_was_learned_from_a_message_that_a_statement_stands_for_is_there_too() -> None:
    said = item("said", "I moved to Porto and I love tea", sources=[0])
    moved, tea = (
        item(name, text, "fact", sources=[0])
        for name, text in [("moved", "The user moved to Porto"), ("tea", "The user loves tea")]
    )
    assert ids(ranked([said, moved, tea], {"dense": [0.9, 0.8, 0.7]})) == ["moved", "tea"]
    assert ids(ranked([said, moved, tea], {"dense": [0.9, 0.7, 0.8]})) == ["tea", "moved"]
    assert ids(ranked([said, moved], {"dense": [0.9, 0.8]})) == ["said"]  # that does not say all that it says


@pytest.mark.parametrize(
    ("said", "learned"),
    [
        ("Password is hunter2. I work as a nurse at the hospital.", "The user works as a nurse at the hospital"),
        ("My knee hurts. I started swimming at the local pool.", "The user started swimming at the local pool"),
        ("No car. I live in a small town near Lisbon.", "The user lives in a small town near Lisbon"),
    ],
)
def test_what_a_message_says_beside_what_was_learned_is_not_lost(said: str, learned: str) -> None:
    message, fact = item("said", said, sources=[0]), item("fact", learned, "fact", sources=[0])
    assert ids(ranked([message, fact], {"dense": [0.9, 0.8]})) == ["said"]


def test_a_statement_may_give_a_date_in_its_own_way() -> None:
    message = item("said", "I am flying to Fiji tomorrow", sources=[0])
    fact = item("fact", "The user is flying to Fiji on 2 June 2026", "fact", sources=[0])
    assert ids(ranked([message, fact], {"dense": [0.9, 0.8]})) == ["fact"]
    planned = item("said", "I am flying to Fiji on 20 July", sources=[0])
    plan = item("fact", "The user is flying to Fiji on 20 July 2026", "fact", sources=[0])
    assert ids(ranked([planned, plan], {"dense": [0.9, 0.8]})) == ["fact"]
    undated = item("undated", "The user is flying to Fiji", "fact", sources=[0])
    assert ids(ranked([message, undated], {"dense": [0.9, 0.8]})) == ["said"]


@pytest.mark.parametrize("said", ["I like jazz. Not.", "I like jazz. I don't."])
def test_a_statement_does_not_stand_for_a_message_that_says_no_to_it(said: str) -> None:
    message, fact = item("said", said, sources=[0]), item("fact", "The user likes jazz", "fact", sources=[0])
    assert ids(ranked([message, fact], {"dense": [0.9, 0.8]})) == ["said"]
    denied = item("fact", "The user does not like jazz", "fact", sources=[0])
    assert ids(ranked([message, denied], {"dense": [0.9, 0.8]})) == ["fact"]


def test_what_came_from_another_message_is_something_else() -> None:
    said, stated = item("said", "I live in Porto", sources=[0]), item("stated", "Likes tea", "fact", sources=[1])
    assert ids(ranked([said, stated], {"dense": [0.9, 0.8]})) == ["said", "stated"]
    both = item("both", "Lives in Porto", "fact", sources=[0, 1])
    assert ids(ranked([said, both], {"dense": [0.9, 0.8]})) == ["said", "both"]


# What is said of a hit.


def test_evidence_has_what_each_channel_measured_its_rank_and_its_worth() -> None:
    items = [item("a"), item("b"), item("c")]
    hits = ranked(items, {"dense": [0.2, 0.6, 0.0], "lexical": [0.25, 0.0, 0.5], "covered": [0.5, 0.0, 1.0]})
    lexical, covered = fitted("vectors")["lexical"][0], fitted("vectors")["covered"][0]
    evidence = {hit.id: [(one.channel, one.score, one.rank) for one in hit.why.evidence] for hit in hits}
    assert evidence == {
        "a": [("dense", 0.2, 2), ("lexical", 0.25, 2)],
        "b": [("dense", 0.6, 1)],
        "c": [("lexical", 0.5, 1)],
    }
    worth = {hit.id: [one.worth for one in hit.why.evidence] for hit in hits}
    assert worth["a"] == pytest.approx([0.2 * DENSE, 0.25 * lexical + 0.5 * covered])
    assert worth["b"] == pytest.approx([0.6 * DENSE])
    assert worth["c"] == pytest.approx([0.5 * lexical + covered])
    assert {hit.id: hit.similarity for hit in hits} == {"a": 0.2, "b": 0.6, "c": None}
    assert {hit.id: hit.why.terms for hit in hits} == {"a": ("tea",), "b": (), "c": ("tea",)}
    assert f"dense {round(0.6 * DENSE, 6):+.2f} (rank 1)" in str(next(hit for hit in hits if hit.id == "b").why)


def test_the_evidence_less_the_losses_is_the_score(embedder: LocalEmbedder) -> None:
    with emberkeep.open(":memory:", embedder=embedder) as memory:
        memory.add("I live in Berlin.", occurred_at="2024-05-20T10:00:00Z")
        memory.add("I live in Lisbon.", occurred_at="2026-05-20T10:00:00Z")
        for number in range(60):
            memory.add(f"We counted {number} boats from the window", session_id="s")
        memory.add("Where I live there is a harbour", session_id="a")
        memory.add("Where I live there is a harbour", session_id="b")
        memory.remember("The harbour is the oldest one of the country")
        hits = memory.search("Where do I live, and was there a harbour?", limit=70, plan=UNLINKED)
    explained = [
        sum(one.worth for one in hit.why.evidence)
        - sum(hit.why.losses.values())
        + BALANCED.warm * hit.why.temperature / 100
        for hit in hits
    ]
    scored = [unsqueezed(hit.score) for hit in hits]
    assert [one - explained[0] for one in explained] == pytest.approx([one - scored[0] for one in scored], abs=1e-4)
    reasons = {reason for hit in hits for reason in hit.why.losses}
    assert reasons == {"stale", "statement", "compared", "echo"}
    former = next(hit for hit in hits if hit.text == "I live in Berlin.")
    assert former.why.losses["stale"] == BALANCED.stale_loss
    assert "stale -1.00" in str(former.why)


def test_a_channel_that_a_plan_leaves_out_is_no_evidence() -> None:
    plan = replace(BALANCED, channels=("dense",))
    (hit,) = ranked([item("a")], {"dense": [0.5], "lexical": [0.5], "speaker": [1.0]}, plan=plan)
    assert [one.channel for one in hit.why.evidence] == ["dense"]


def test_what_was_deleted_meanwhile_is_left_out() -> None:
    assert ids(ranked([item("gone"), item("here")], {"dense": [0.9, 0.1]})) == ["here"]


def test_nothing_found_is_nothing() -> None:
    assert ranked([], {}) == ()


def test_what_no_channel_speaks_for_is_there_without_evidence() -> None:
    (hit,) = ranked([item("a")], {})
    assert (hit.why.evidence, hit.similarity) == ((), None)


# In a memory.


def test_in_a_search_the_warmer_of_two_equals_comes_first(target: str, clock: FixedClock) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), clock=clock) as memory:
        for user in ("one", "two", "three"):
            memory.remember("The office is in Porto", user_id=user)
            clock.move(days=1)
        order = [hit.item.user_id for hit in memory.search("office", user_id="*")]
        assert order == ["three", "two", "one"]
        memory.remember("The office is in Porto", user_id="one")
        first = memory.search("office", user_id="*")[0]
        assert (first.item.user_id, first.why.temperature) == ("one", first.temperature)


def test_plans(target: str, clock: FixedClock) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), clock=clock) as memory:
        for text in ("green tea in the morning", "black coffee at noon", "water"):
            memory.add(text)
            clock.move(hours=1)  # so that none is beside another
        fast = memory.search("tea", plan="fast")
        assert [(hit.text, hit.similarity, hit.why.plan) for hit in fast] == [
            ("green tea in the morning", None, "fast")
        ]
        balanced, deep = memory.search("tea", plan="balanced"), memory.search("tea", plan="deep")
        assert len(balanced) == len(deep) == 3
        assert [(hit.id, hit.score) for hit in balanced] == [(hit.id, hit.score) for hit in deep]
        own = memory.search("tea", plan=Plan("mine", channels=("dense",), candidates=1), limit=1)
        assert [(hit.text, hit.why.plan, len(hit.why.evidence)) for hit in own] == [
            ("green tea in the morning", "mine", 1)
        ]


def test_a_deep_search_compares_with_every_vector(durable_target: str) -> None:
    words = [f"word{n}" for n in range(40)]
    random = np.random.default_rng(7)
    texts = [f"{' '.join(random.choice(words, 6))} n{n}" for n in range(600)]
    embedder = WordEmbedder()
    with emberkeep.open(durable_target, embedder=embedder, large_from=100) as memory:
        memory.add(texts, user_id="alex")
        assert memory.upkeep().indexes_built == 1
        plan = replace(PLANS["deep"], channels=("dense",))
        for query in ("word1 word2 word3", "word39", "word5 word5 n17"):
            found = {hit.text: hit.similarity for hit in memory.search(query, user_id="alex", limit=50, plan=plan)}
            cosines = dict(zip(texts, (embedder.embed(texts) @ embedder.embed_query(query)).tolist(), strict=True))
            best = sorted(cosines.values(), reverse=True)[49]
            assert len(found) == 50
            for text, similarity in found.items():
                assert similarity == pytest.approx(cosines[text], abs=0.002)
                assert cosines[text] >= best - 0.002


# What hits lead to.


@pytest.mark.parametrize(
    ("weight", "limit", "expected"), [(1.0, 2, ["a", "linked"]), (1.0, 1, ["a"]), (0.1, 2, ["a", "b"])]
)
def test_what_hits_are_linked_to_is_read_where_it_can_be_among_them(
    weight: float, limit: int, expected: list[str]
) -> None:
    hits = ranked([item("a"), item("b"), item("c")], {"dense": [0.9, 0.1, 0.0]}, limit=limit)
    asked: list[str] = []

    def fetch(wanted: Sequence[str]) -> dict[str, Item]:
        asked.extend(wanted)
        return {one: item(one) for one in wanted}

    assert ids(follow(hits, [("a", "linked", weight)], limit, fetch)) == expected
    assert asked == [one for one in expected if one == "linked"]


def test_what_hits_are_linked_to_fills_up_what_is_wanted() -> None:
    hits = ranked([item("a")], {"dense": [0.9]})
    assert ids(follow(hits, [("a", "far", 0.01)], 10, lambda wanted: {one: item(one) for one in wanted})) == [
        "a",
        "far",
    ]


def test_what_is_said_often_does_not_crowd_out_the_rest() -> None:
    greetings = [item(f"hello{n}", "Good morning, what is new?", sources=[n]) for n in range(40)]
    others = [item(f"other{n}", f"Each morning brings number {n}", sources=[100 + n]) for n in range(3)]
    dense = [0.9 - 0.001 * n for n in range(40)] + [0.65, 0.64, 0.63]
    found = ids(ranked([*greetings, *others], {"dense": dense}, limit=10))
    assert found[0] == "hello0"
    assert {"other0", "other1", "other2"} < set(found[:6])
    assert len(found) == 10
