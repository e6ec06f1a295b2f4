"""A closer look at the best: by what words mean, on both databases; and what happens where there is nothing to look at.

The embedder here knows a few words that mean the same, and nothing of texts: what it finds, it finds by words.
"""

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np
import pytest
from sqlalchemy import func, select, update

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.errors import EmbedderMismatch, ModelUnavailable
from emberkeep.language.terms import term_in
from emberkeep.model.recall import PLANS, Plan
from emberkeep.providers.base import Vectors, WordVectors
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import fitted, totals
from emberkeep.recall.meanings import best_first
from emberkeep.recall.pipeline import losses
from emberkeep.recall.signals import SIGNALS
from emberkeep.storage import vectors as kept_vectors
from emberkeep.storage.schema import items, vectors
from emberkeep.testing import FixedClock, WordEmbedder

SAME = {"kid": "child", "daughter": "child", "car": "vehicle", "van": "vehicle"}


class Opened(Protocol):
    def __call__(self, target: str = ..., **settings: Any) -> emberkeep.Memory: ...


class Thesaurus(WordEmbedder):
    """All texts are the same to it; words are the same that mean the same."""

    def __init__(self, *, has_words: bool = True) -> None:
        super().__init__("thesaurus", 8)
        self.has_words = has_words

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        super().embed(texts, deadline=deadline)
        return np.tile(np.eye(1, 8, dtype=np.float32), (len(texts), 1))

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        return self.embed(texts, deadline=deadline), [self.words(text) for text in texts]

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> tuple[Vectors, WordVectors | None]:
        return self.embed_query(text, deadline=deadline), self.words(text)

    def words(self, text: str) -> WordVectors | None:
        if not self.has_words:
            return None
        said = [word.strip(".,!?:").casefold() for word in text.split()]
        terms = [(word, term) for word in said if (term := term_in(word)) is not None]
        made = np.array([_direction(SAME.get(word, word)) for word, _ in terms], np.float32).reshape(len(terms), 32)
        return WordVectors(tuple(term for _, term in terms), made)


def _direction(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    made: Vectors = np.random.default_rng(seed).normal(size=32).astype(np.float32)
    return made / np.linalg.norm(made)


SAID = ["The garden is dry", "My kid starts school", "We sold the boat", "Rain tomorrow", "The oven is broken"]
ASKED = "daughter"


def add_all(memory: emberkeep.Memory, *texts: str, **scope: Any) -> None:
    for number, text in enumerate(texts):
        memory.add([{"role": "user", "content": text}], **{"session_id": f"s{number}", **scope})


def found(memory: emberkeep.Memory, question: str = ASKED, **options: Any) -> list[str]:
    return [hit.text for hit in memory.search(question, kinds=["episode"], **options)]


def worth(hit: emberkeep.Hit, channel: str) -> float:
    return sum(one.worth for one in hit.why.evidence if one.channel == channel)


def test_a_word_that_means_the_same_is_found_and_the_reason_is_told(target: str, opened: Opened) -> None:
    memory = opened(target, embedder=Thesaurus())
    add_all(memory, *SAID)
    best, *others = memory.search(ASKED, kinds=["episode"])
    assert best.text == "My kid starts school"
    assert best.why.terms == ()
    assert worth(best, "meanings") > max(worth(hit, "meanings") for hit in others)


@pytest.mark.parametrize("plan", ["fast", "none"])
def test_plans_without_the_channel_do_without(opened: Opened, plan: str) -> None:
    channels = tuple(name for name in PLANS["balanced"].channels if name != "meanings")
    memory = opened(embedder=Thesaurus())
    add_all(memory, *SAID)
    hits = memory.search(ASKED, kinds=["episode"], plan=plan if plan in PLANS else Plan("none", channels=channels))
    assert not any(worth(hit, "meanings") for hit in hits)


def test_it_speaks_for_the_messages_beside_it(opened: Opened) -> None:
    memory = opened(embedder=Thesaurus())
    add_all(memory, *SAID[:1], "She is seven", *SAID[2:])
    memory.add([{"role": "user", "content": text} for text in ("My kid called", "At noon")], session_id="s1")
    hits = {hit.text: worth(hit, "meanings") for hit in memory.search(ASKED, kinds=["episode"])}
    assert hits["My kid called"] > hits["At noon"] > hits["Rain tomorrow"]
    assert hits["She is seven"] > hits["Rain tomorrow"]


def test_rare_words_count_more(opened: Opened) -> None:
    memory = opened(embedder=Thesaurus())
    add_all(memory, *(f"Trip number {number} by boat" for number in range(9)), "My kid by the sea", "A lake")
    assert found(memory, "daughter trip")[0] == "My kid by the sea"


def test_only_the_best_by_all_else_are_looked_at(opened: Opened) -> None:
    memory = opened(embedder=Thesaurus())
    others_alike = [f"A kid on {'distant ' * number}beaches" for number in range(9)]
    add_all(memory, *others_alike, "A daughter on beaches")
    plan = replace(PLANS["balanced"], closer=1)
    first, *others = memory.search(ASKED, kinds=["episode"], plan=plan)
    assert worth(first, "meanings") > 0
    assert not any(worth(hit, "meanings") for hit in others)
    assert first.score > others[0].score
    assert len(found(memory, limit=50)) == len(others_alike) + 1


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_those_that_were_looked_at_go_before_the_others_whatever_their_sums(scale: float) -> None:
    signals = np.zeros((4, len(SIGNALS)))
    signals[:, 0] = [3.0, 9.0, 2.0, 8.0]
    no = np.zeros(4, np.bool_)
    candidates = Candidates(["a", "b", "c", "d"], signals, (), np.zeros((4, 0), np.bool_), no, no, np.arange(4))
    for_best, for_others = scale * np.ones(len(SIGNALS)), np.ones(len(SIGNALS))
    put, weights = best_first(candidates, [2, 0], (for_best, for_others), losses(candidates, PLANS["balanced"]))
    sums = totals(signals, weights, losses(put, PLANS["balanced"]))
    assert np.argsort(-sums).tolist() == [0, 2, 1, 3]
    assert sums[0] - sums[2] == pytest.approx(scale)  # within each group they are as far apart as they were
    assert sums[1] - sums[3] == pytest.approx(1.0)


@pytest.mark.parametrize("limit", [1, 5, 20])
def test_fewer_hits_are_the_first_of_more(opened: Opened, limit: int) -> None:
    memory = opened(embedder=Thesaurus())
    add_all(memory, *(f"{one} and {two}" for one in SAME for two in ("a tree", "tea", "rain", "a kid")), *SAID)
    plan = replace(PLANS["balanced"], closer=8)
    more = memory.search("the car of my daughter", kinds=["episode"], plan=plan, limit=21)
    few = memory.search("the car of my daughter", kinds=["episode"], plan=plan, limit=limit)
    assert [(hit.id, hit.score) for hit in few] == [(hit.id, hit.score) for hit in more[:limit]]


def test_equals_are_looked_at_together_and_the_warmest_comes_first(opened: Opened, clock: FixedClock) -> None:
    memory = opened(embedder=Thesaurus())
    add_all(memory, *["A kid on a beach"] * 30)
    clock.move(days=30)
    (warm,) = memory.search(ASKED, kinds=["episode"], session_id="s20", limit=1, touch=True)
    (first,) = memory.search(ASKED, kinds=["episode"], limit=1, plan=replace(PLANS["balanced"], closer=1))
    assert first.id == warm.id


def test_what_was_embedded_without_words_is_ranked_with_the_others_by_the_rest(opened: Opened, target: str) -> None:
    embedder = Thesaurus(has_words=False)
    memory = opened(target, embedder=embedder)
    add_all(memory, *SAID[:2])
    embedder.has_words = True
    add_all(memory, *SAID[2:])
    hits = memory.search(ASKED, kinds=["episode"])
    assert not any(worth(hit, "meanings") for hit in hits)
    assert "a worker or upkeep does" in hits.degraded[0]
    assert memory.upkeep(dry_run=True).waiting == 3
    assert memory.upkeep().embedded == 3  # a fact was learned too
    assert memory.upkeep().embedded == 0
    assert found(memory)[0] == "My kid starts school"


def wordless(opened: Opened, target: str, *tenants: str) -> tuple[Thesaurus, emberkeep.Memory, list[emberkeep.Memory]]:
    """A store that an older version wrote, which three things were told of each tenant."""
    embedder = Thesaurus(has_words=False)
    memory = opened(target, embedder=embedder)
    views = [memory.of_tenant(tenant) for tenant in tenants]
    for view in views:
        view.add(SAID[:3], learn=False)
    assert memory.worker().once()  # nothing to do for an embedder without words
    embedder.has_words = True
    return embedder, memory, views


def lacking(views: Sequence[emberkeep.Memory]) -> list[int]:
    return [view.upkeep(dry_run=True).waiting for view in views]


def test_a_worker_makes_the_words_of_all_tenants(opened: Opened, target: str) -> None:
    _, memory, views = wordless(opened, target, "acme", "initech")
    assert lacking(views) == [3, 3]
    assert memory.worker().once()
    assert lacking(views) == [0, 0]
    assert not any(view.search(ASKED, kinds=["episode"]).degraded for view in views)


def test_a_worker_makes_words_a_few_at_a_time(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    _, memory, views = wordless(opened, ":memory:", "acme", "initech")
    monkeypatch.setattr("emberkeep.flows.worker.WORDS_AT_ONCE", 2)
    ticks = itertools.count(0.0, 0.6)  # so that each look has time for one
    monkeypatch.setattr("emberkeep.flows.worker.time", SimpleNamespace(monotonic=lambda: next(ticks)))
    worker, left = memory.worker(), []
    for _ in range(8):
        assert worker.once()
        left.append(lacking(views))
    assert [one for one, _ in itertools.groupby(left)] == [[1, 3], [0, 3], [0, 1], [0, 0]]


def test_words_that_another_worker_made_meanwhile_are_left_as_they_are(opened: Opened, target: str) -> None:
    _, memory, (view,) = wordless(opened, target, "acme")
    database, space = view._parts.database, view._parts.embedding.space()
    with database.read() as connection:
        found = kept_vectors.wordless(connection, space, "acme", after="", limit=9)
    made = view._parts.embedding.anew([one.text for one in found])
    for written in (3, 0):
        assert written == database.write(lambda c: kept_vectors.add_words(c, "acme", space, found, made))
    assert memory.worker().once()


def test_a_worker_that_is_told_to_stop_makes_no_words(opened: Opened) -> None:
    _, memory, views = wordless(opened, ":memory:", "acme")
    worker = memory.worker()
    worker.stop()
    assert worker.once()
    assert lacking(views) == [3]


def test_what_is_in_the_way_of_one_tenant_holds_up_nobody_else(
    opened: Opened, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder, memory, views = wordless(opened, ":memory:", "acme", "initech")
    embedder.has_words = False
    views[0].add("a bad text", learn=False)
    embedder.has_words = True
    make = embedder.words
    monkeypatch.setattr(embedder, "words", lambda text: make(text) if "bad" not in text else 1 / 0)
    assert memory.worker().once()
    assert lacking(views) == [4, 0]
    assert "vectors of words of tenant acme are made later" in caplog.text


def test_a_worker_goes_on_with_words_when_the_model_is_back(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    embedder, memory, views = wordless(opened, ":memory:", "acme")
    monkeypatch.setattr("emberkeep.flows.worker.LONGEST_PAUSE_S", 0.0)
    worker = memory.worker()

    def down(*_: object, **__: object) -> None:
        raise ModelUnavailable("the model is down")

    with monkeypatch.context() as patched:
        patched.setattr(embedder, "embed_words", down)
        patched.setattr("emberkeep.flows.worker.WORDS_FOR_S", 0.01)
        assert worker.once()
    assert "vectors of words are made later: the model is down" in caplog.text
    assert lacking(views) == [3]
    assert worker.once()
    assert lacking(views) == [0]


def test_what_an_older_version_embedded_is_no_model_for_new_texts(opened: Opened) -> None:
    embedder = Thesaurus(has_words=False)
    memory = opened(embedder=embedder)
    add_all(memory, "A kid on a beach", user_id="alex")
    embedder.has_words = True
    add_all(memory, "A kid on a beach", user_id="sam")
    assert worth(memory.search(ASKED, user_id="sam", kinds=["episode"])[0], "meanings") > 0


def test_a_text_that_an_embedder_has_no_words_of_is_not_asked_about_again(opened: Opened) -> None:
    class Sparing(Thesaurus):
        def words(self, text: str) -> WordVectors | None:
            return None if "tomorrow" in text else super().words(text)

    memory = opened(embedder=Sparing())
    add_all(memory, *SAID)
    assert memory.upkeep().embedded == 0
    assert found(memory)[0] == "My kid starts school"


def test_a_thorough_repair_sees_words_that_cannot_be_those_of_the_text(opened: Opened, target: str) -> None:
    memory = opened(target, embedder=Thesaurus())
    add_all(memory, "A kid on a beach", "Rain tomorrow")
    with memory._parts.database.read() as connection:
        ids = {row.text: row.id for row in connection.execute(select(items.c.id, items.c.text))}
    damaged = update(vectors).where(vectors.c.item_id == ids["Rain tomorrow"]).values(words=b"x" * 16)
    memory._parts.database.write(lambda connection: connection.execute(damaged))
    (found_so,) = memory.repair(thorough=True).found
    assert (found_so.what, found_so.count) == ("vectors", 1)
    assert memory.repair(thorough=True).found == ()


def test_a_rebuild_makes_the_vectors_of_words_too(opened: Opened) -> None:
    embedder = Thesaurus(has_words=False)
    memory = opened(embedder=embedder)
    add_all(memory, *SAID)
    embedder.has_words = True
    memory.rebuild()
    assert found(memory)[0] == "My kid starts school"


def test_an_embedder_without_words_is_not_asked_for_them(opened: Opened) -> None:
    embedder = Thesaurus(has_words=False)
    memory = opened(embedder=embedder)
    add_all(memory, *SAID)
    embedder.embedded.clear()
    assert memory.upkeep().embedded == 0
    assert embedder.embedded == []


def test_what_has_no_vector_yet_counts_by_the_words_that_are_the_same(opened: Opened) -> None:
    embedder = Thesaurus()
    memory = opened(embedder=embedder)
    add_all(memory, *SAID)
    embedder.down = True
    add_all(memory, "The daughter of a friend")
    embedder.down = False
    hits = {hit.text: worth(hit, "meanings") for hit in memory.search(ASKED, kinds=["episode"])}
    assert hits.pop("The daughter of a friend") == pytest.approx(hits.pop("My kid starts school"), rel=0.05)
    assert max(hits.values()) < 0.8 * fitted("meanings")["meaning"][0]


def test_questions_that_say_nothing_and_stores_without_anything(opened: Opened) -> None:
    memory = opened(embedder=Thesaurus())
    assert found(memory) == []
    add_all(memory, *SAID)
    assert len(found(memory, "what is it, and when?")) == len(SAID)
    for hit in memory.search("what is it, and when?", kinds=["episode"]):
        assert worth(hit, "meanings") == 0


def test_several_users_are_looked_at_together(opened: Opened) -> None:
    memory = opened(embedder=Thesaurus())
    add_all(memory, *SAID[:3], user_id="alex")
    add_all(memory, *SAID[3:], user_id="sam")
    assert found(memory, user_id="*")[0] == found(memory, user_id="alex", shared=["sam"])[0] == "My kid starts school"
    assert sorted(found(memory, user_id="*")) == sorted(SAID)


def test_a_statement_is_looked_at_too(opened: Opened) -> None:
    memory = opened(embedder=Thesaurus())
    for text in ("Drives a van", "Likes tea", "Lives in Rome"):
        memory.remember(text, kind="fact")
    best, *others = memory.search("car")
    assert best.text == "Drives a van"
    assert worth(best, "meanings") > max(worth(hit, "meanings") for hit in others)


def test_deleting_and_correcting_take_the_words_along(opened: Opened, target: str) -> None:
    memory = opened(target, embedder=Thesaurus())
    (kept,) = memory.remember("Drives a van", kind="fact").items
    memory.update(kept.id, text="Rides a bicycle")
    assert worth(memory.search("car")[0], "meanings") < worth(memory.search("bicycle")[0], "meanings")
    memory.delete(kept.id)
    with memory._parts.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(vectors)).scalar() == 0


def test_the_same_text_is_not_embedded_twice_and_has_its_words(opened: Opened) -> None:
    embedder = Thesaurus()
    memory = opened(embedder=embedder)
    add_all(memory, "My kid starts school", user_id="alex")
    asked = len(embedder.embedded)
    add_all(memory, "My kid starts school", user_id="sam")
    assert len(embedder.embedded) == asked
    assert worth(memory.search(ASKED, user_id="sam", kinds=["episode"])[0], "meanings") > 0


def test_a_script_that_the_model_does_not_know_goes_by_words(memory: emberkeep.Memory) -> None:
    said = ["妈妈昨天买了葡萄，在周末的时候", "爸爸正在修理汽车，因为天气很冷", "弟弟弄丢了雨伞，就在公园旁边"]
    add_all(memory, *said, user_id="wei")
    hits = memory.search("爸爸什么时候修理汽车？", user_id="wei", kinds=["episode"])
    assert hits[0].text == said[1]
    assert "was not made for texts like the question" in hits.degraded[0]
    assert not any(one.channel in {"dense", "meanings"} for hit in hits for one in hit.why.evidence)
    assert memory.search("Who mends the car?", user_id="wei").degraded == ()


@pytest.mark.parametrize("wrong", ["shape", "numbers"])
def test_an_embedder_with_the_wrong_words_is_found_out(opened: Opened, wrong: str) -> None:
    class Wrong(Thesaurus):
        def words(self, text: str) -> WordVectors | None:
            words = super().words(text)
            assert words is not None
            if wrong == "shape":
                return WordVectors(words.terms, words.vectors[:-1])
            return WordVectors(words.terms, np.full_like(words.vectors, np.nan))

    memory = opened(embedder=Wrong())
    if wrong == "shape":
        with pytest.raises(EmbedderMismatch, match="for 2 words: correct the embedder"):
            memory.remember("Likes tea")
    else:
        memory.remember("Likes tea")  # as with a model that is down
        assert "not numbers" in memory.search("Likes tea").degraded[0]
