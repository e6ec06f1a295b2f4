"""Changing the embedder of a store that has memories."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.learning import embedding
from emberkeep.opening import open_to_rebuild
from emberkeep.providers.base import Vectors
from emberkeep.storage import schema
from emberkeep.storage.database import Database
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow

Open = Callable[..., emberkeep.Memory]
TEXTS = [f"topic{n} matter{n}" for n in range(30)]


class Failing(WordEmbedder):
    """Breaks down after so many texts."""

    def __init__(self, after: int) -> None:
        super().__init__("new", 32)
        self.after = after

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        self.down = len(self.embedded) + len(texts) > self.after
        return super().embed(texts, deadline=deadline)


class Meanwhile(WordEmbedder):
    """Lets something happen while it computes."""

    def __init__(self) -> None:
        super().__init__("old")
        self.happens: Callable[[], Any] = lambda: None

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        self.happens()
        return super().embed(texts, deadline=deadline)


def new() -> WordEmbedder:
    return WordEmbedder("new", 32)


def old() -> WordEmbedder:
    return WordEmbedder("old")


def rebuild(target: str, embedder: WordEmbedder) -> int:
    with open_to_rebuild(target, embedder=embedder) as memory:
        return memory.rebuild().embedded


@pytest.fixture
def filled(durable_target: str, opened: Open) -> str:
    """A store of two tenants, with the vectors of `old`."""
    for tenant in ("acme", "globex"):
        with opened(durable_target, embedder=old(), tenant=tenant) as memory:
            memory.add(TEXTS, user_id="alex")
            memory.remember(f"the secret of {tenant}", user_id="sam")
    return durable_target


def stored(database: Database) -> dict[str, list[int]]:
    """How long the vectors are, by embedder."""
    query = select(schema.spaces.c.embedder, schema.vectors.c.embedding).join(
        schema.vectors, schema.vectors.c.space == schema.spaces.c.id
    )
    lengths: dict[str, list[int]] = {}
    with database.read() as connection:
        for name, vector in connection.execute(query):
            lengths.setdefault(name, []).append(len(vector))
    return lengths


def test_another_embedder_is_refused_with_what_to_do(filled: str) -> None:
    with pytest.raises(emberkeep.EmbedderMismatch, match="emberkeep rebuild --embedder"):
        emberkeep.open(filled, embedder=new())


def test_rebuilding_replaces_everyones_vectors(
    filled: str, opened: Open, database: Callable[[str], Database], check_whole: Callable[[str], None]
) -> None:
    assert rebuild(filled, new()) == 62
    assert stored(database(filled)) == {"new": [32] * 62}
    check_whole(filled)
    for tenant in ("acme", "globex"):
        memory = opened(filled, embedder=new(), tenant=tenant)
        hit = memory.search("topic7 matter7", user_id="alex", limit=1)[0]
        assert hit.text == "topic7 matter7"
        assert hit.similarity == pytest.approx(1.0, abs=2e-3)
        assert memory.search("secret", user_id="sam")[0].text == f"the secret of {tenant}"
        assert memory.stats().waiting == 0
    with pytest.raises(emberkeep.EmbedderMismatch):
        emberkeep.open(filled, embedder=old())


def test_a_rebuild_that_breaks_off_leaves_the_store_as_it_was_and_goes_on_later(
    filled: str,
    opened: Open,
    database: Callable[[str], Database],
    check_whole: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedding, "BATCH", 10)
    with pytest.raises(emberkeep.ModelUnavailable):
        rebuild(filled, Failing(after=35))
    with opened(filled, embedder=old(), tenant="acme") as memory:
        assert memory.search("topic7 matter7", user_id="alex", limit=1)[0].similarity == pytest.approx(1.0, abs=2e-3)
        memory.update(memory.search("topic3 matter3", user_id="alex", limit=1)[0].id, "topic3 changed")
        memory.delete(memory.search("topic4 matter4", user_id="alex", limit=1)[0].id)
        memory.remember("said in between", user_id="alex")
    check_whole(filled)
    half = stored(database(filled))
    assert 0 < len(half["new"]) < 62
    second = new()
    assert rebuild(filled, second) == 63 - len(half["new"])
    assert set(stored(database(filled))) == {"new"}
    check_whole(filled)
    memory = opened(filled, embedder=new(), tenant="acme")
    for text in ("topic3 changed", "said in between", "topic7 matter7"):
        assert memory.search(text, user_id="alex", limit=1)[0].text == text


def test_a_memory_that_was_open_meanwhile_refuses_instead_of_answering_wrongly(
    filled: str, opened: Open, check_whole: Callable[[str], None]
) -> None:
    memory = opened(filled, embedder=old(), tenant="acme")
    assert memory.search("topic7", user_id="alex")
    rebuild(filled, new())
    for call in (
        lambda: memory.search("topic7", user_id="alex"),
        lambda: memory.remember("something new", user_id="alex"),
        lambda: memory.add("something else", user_id="alex"),
        memory.learn,
    ):
        with pytest.raises(emberkeep.EmbedderMismatch):
            call()
    check_whole(filled)
    later = opened(filled, embedder=new(), tenant="acme")
    later.learn()
    assert later.search("topic7 matter7", user_id="alex", limit=1)[0].text == "topic7 matter7"
    check_whole(filled)


@pytest.mark.parametrize("verb", ["add", "remember", "update"])
def test_a_vector_made_before_the_rebuild_does_not_end_up_among_the_new_ones(
    filled: str, opened: Open, check_whole: Callable[[str], None], verb: str
) -> None:
    embedder = Meanwhile()
    memory = opened(filled, embedder=embedder, tenant="acme")
    known = memory.search("topic7 matter7", user_id="alex", limit=1)[0].id
    embedder.happens = lambda: rebuild(filled, new())
    calls: dict[str, Callable[[], Any]] = {
        "add": lambda: memory.add("something else", user_id="alex"),
        "remember": lambda: memory.remember("something else", user_id="alex"),
        "update": lambda: memory.update(known, "something else"),
    }
    with pytest.raises(emberkeep.EmbedderMismatch):
        calls[verb]()
    check_whole(filled)
    later = opened(filled, embedder=new(), tenant="acme")
    later.learn()
    assert later.search("topic8 matter8", user_id="alex", limit=1)[0].text == "topic8 matter8"
    check_whole(filled)


def test_rebuilding_with_the_same_embedder_makes_all_vectors_anew(filled: str, opened: Open) -> None:
    embedder = old()
    assert rebuild(filled, embedder) == 62
    assert len(embedder.embedded) == 62
    assert opened(filled, embedder=old(), tenant="globex").search("secret", user_id="sam")[0].similarity is not None


def test_the_indexes_of_the_former_vectors_are_removed_for_all_tenants(tmp_path: Path, opened: Open) -> None:
    target = str(tmp_path / "agent.db")
    for tenant in ("acme", "globex"):
        with opened(target, embedder=old(), tenant=tenant, large_from=20) as memory:
            memory.add(TEXTS, user_id="alex")
            memory.upkeep()
    assert len(list(Path(target + "-vectors").glob("*.usearch"))) == 2
    rebuild(target, new())
    assert list(Path(target + "-vectors").iterdir()) == []
    memory = opened(target, embedder=new(), tenant="globex", large_from=20)
    assert memory.search("topic7 matter7", user_id="alex", limit=1)[0].text == "topic7 matter7"


def test_padded_vectors_are_longer_and_find_the_same(
    durable_target: str, opened: Open, database: Callable[[str], Database]
) -> None:
    plain = opened(":memory:", embedder=old())
    padded = opened(durable_target, embedder=old(), pad_vectors_to=1536)
    for memory in (plain, padded):
        memory.add(TEXTS, user_id="alex")
    assert stored(database(durable_target)) == {"old+pad1536": [1536] * 30}
    for query in ("topic7", "matter9 topic2"):
        one, other = (memory.search(query, user_id="alex") for memory in (plain, padded))
        assert [hit.text for hit in one] == [hit.text for hit in other]
        assert [hit.score for hit in one] == pytest.approx([hit.score for hit in other], abs=1e-5)
    with database(durable_target).read() as connection:
        for vector in connection.execute(select(schema.vectors.c.embedding)).scalars():
            assert not np.any(vector[64:])
