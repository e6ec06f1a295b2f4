"""A closer look at the best: by what words mean, on both databases; and what happens where there is nothing to look at.

The embedder here knows a few words that mean the same, and nothing of texts: what it finds, it finds by words.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import pytest
from sqlalchemy import func, select

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.errors import EmbedderMismatch
from emberkeep.language.terms import term_in
from emberkeep.model.recall import PLANS, Plan
from emberkeep.providers.base import Vectors, WordVectors
from emberkeep.recall.fusion import fitted
from emberkeep.storage.schema import vectors
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
    add_all(memory, *(f"My daughter says hello, {number}" for number in range(40)), "My kid starts school")
    plan = replace(PLANS["balanced"], closer=1)
    few = memory.search(ASKED, kinds=["episode"], limit=3, plan=plan)
    assert len(few) == 3  # those that are wanted are looked at in any case
    assert all(worth(hit, "meanings") > 0 for hit in few)
    assert len(found(memory, limit=50)) == 41


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
    assert not any(worth(hit, "meanings") for hit in memory.search(ASKED, kinds=["episode"]))
    assert memory.upkeep().embedded == 3  # a fact was learned too
    assert memory.upkeep().embedded == 0
    assert found(memory)[0] == "My kid starts school"


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
    assert max(hits.values()) < 0.8 * fitted("meanings")["meaning"]


def test_questions_that_say_nothing_and_stores_without_anything(opened: Opened) -> None:
    memory = opened(embedder=Thesaurus())
    assert found(memory) == []
    add_all(memory, *SAID)
    assert len(found(memory, "what is it, and when?")) == len(SAID)
    assert found(memory, "???") == found(memory, "???")


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
