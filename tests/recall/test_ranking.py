"""From candidates to hits: ties, evidence and plans."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import emberkeep
from emberkeep.model.item import Item
from emberkeep.model.recall import PLANS, Channel, Plan
from emberkeep.recall.channels import Candidates
from emberkeep.recall.pipeline import rank
from emberkeep.testing import FixedClock, WordEmbedder

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
NAN = float("nan")
BALANCED = PLANS["balanced"]


def item(item_id: str, *, temperature: float = 75.0, occurred_at: datetime = NOON) -> Item:
    return Item(
        id=item_id,
        text=f"text of {item_id}",
        kind="fact",
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
    )


def ranked(
    items: Sequence[Item],
    scores: Mapping[Channel, Sequence[float]],
    *,
    limit: int = 10,
    plan: Plan = BALANCED,
    stale: Sequence[str] = (),
) -> tuple[emberkeep.Hit, ...]:
    words = ("tea",)
    matched = np.array(scores.get("lexical", [0.0] * len(items)))[:, np.newaxis] > 0.0
    arrays = {name: np.array(values) for name, values in scores.items()}
    outdated = np.array([one.id in stale for one in items], np.bool_)
    candidates = Candidates([one.id for one in items], arrays, words, matched, outdated, np.zeros(len(items), np.bool_))
    by_id = {one.id: one for one in items}
    return rank(candidates, plan, limit, lambda ids: {one: by_id[one] for one in ids if one != "gone"})


def ids(hits: Sequence[emberkeep.Hit]) -> list[str]:
    return [hit.id for hit in hits]


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


def test_heat_never_beats_relevance() -> None:
    items = [item("hot", temperature=100.0), item("cold", temperature=0.0)]
    assert ids(ranked(items, {"dense": [0.5, 0.500001]})) == ["cold", "hot"]


def test_evidence_has_the_rank_score_and_deviation_of_each_channel() -> None:
    items = [item("a"), item("b"), item("c")]
    hits = ranked(items, {"dense": [0.2, 0.6, NAN], "lexical": [3.0, 0.0, 1.5]})
    evidence = {hit.id: {one.channel: (one.rank, one.score) for one in hit.why.evidence} for hit in hits}
    assert evidence == {
        "a": {"dense": (2, 0.2), "lexical": (1, 3.0)},
        "b": {"dense": (1, 0.6)},
        "c": {"lexical": (2, 1.5)},
    }
    assert {hit.id: hit.similarity for hit in hits} == {"a": 0.2, "b": 0.6, "c": None}
    assert {hit.id: hit.why.terms for hit in hits} == {"a": ("tea",), "b": (), "c": ("tea",)}
    (dense, lexical) = next(hit for hit in hits if hit.id == "a").why.evidence
    assert dense.normalised == pytest.approx(-1.0)
    assert lexical.normalised == pytest.approx(1.2247, abs=1e-4)


def test_what_was_deleted_meanwhile_is_left_out() -> None:
    assert ids(ranked([item("gone"), item("here")], {"dense": [0.9, 0.1]})) == ["here"]


def test_nothing_found_is_nothing() -> None:
    assert ranked([], {"dense": []}) == ()
    nothing = np.zeros(1, np.bool_)
    unscored = Candidates(["a"], {}, (), np.zeros((1, 0), np.bool_), nothing, nothing)
    assert rank(unscored, BALANCED, 5, lambda _: {"a": item("a")}) == ()


def test_what_is_stale_comes_after_what_is_as_relevant_and_says_so() -> None:
    items = [item("former"), item("current"), item("other")]
    dense: dict[Channel, Sequence[float]] = {"dense": [0.61, 0.6, 0.1]}
    assert ids(ranked(items, dense)) == ["former", "current", "other"]
    hits = ranked(items, dense, stale=["former"])
    assert [(hit.id, hit.why.stale) for hit in hits] == [("current", False), ("former", True), ("other", False)]
    indifferent = replace(BALANCED, stale_loss=0.0)
    assert ids(ranked(items, dense, stale=["former"], plan=indifferent)) == ["former", "current", "other"]


def test_weights_tip_the_balance() -> None:
    items = [item("near"), item("worded")]
    scores: dict[Channel, Sequence[float]] = {"dense": [0.9, 0.1], "lexical": [0.0, 5.0]}
    near = replace(BALANCED, weights={"dense": 2.0, "lexical": 1.0})
    worded = replace(BALANCED, weights={"dense": 1.0, "lexical": 2.0})
    assert ids(ranked(items, scores, plan=near))[0] == "near"
    assert ids(ranked(items, scores, plan=worded))[0] == "worded"


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


def test_plans(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder()) as memory:
        memory.add(["green tea in the morning", "black coffee at noon", "water"])
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
