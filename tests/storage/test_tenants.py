"""Two tenants in one database, with the same users: neither sees or touches the other."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

import emberkeep
from emberkeep.testing import WordEmbedder

Open = Callable[..., emberkeep.Memory]


class Two(NamedTuple):
    acme: emberkeep.Memory
    globex: emberkeep.Memory


@pytest.fixture(params=["opened", "views"])
def two(request: pytest.FixtureRequest, durable_target: str, opened: Open) -> Two:
    """Two memories of one database: each opened by itself, or both views of a third."""
    if request.param == "views":
        first = opened(durable_target)
        return Two(first.of_tenant("acme"), first.of_tenant("globex"))
    return Two(opened(durable_target, tenant="acme"), opened(durable_target, tenant="globex"))


def everything(memory: emberkeep.Memory) -> Any:
    return (
        replace(memory.stats(), embedding_caches={}),  # which are the process's
        [(item, memory.history(item.id)) for item in memory.get_all(user_id="*")],
        [(hit.id, hit.score, hit.similarity) for hit in memory.search("door code", user_id="*", limit=100)],
    )


def test_reads_see_only_their_own(two: Two) -> None:
    two.acme.add(["the door code is 1234"], user_id="alex", tags=["door"], metadata={"n": 1})
    two.globex.add(["the door code is 9876"], user_id="alex", tags=["door"], metadata={"n": 1})
    for memory, text in zip(two, ("the door code is 1234", "the door code is 9876"), strict=True):
        for user in ("alex", "*"):
            where: dict[str, Any] = {"user_id": user, "tags": ["door"], "filters": {"n": 1}}
            assert [hit.text for hit in memory.search("door code", **where)] == [text]
            assert [item.text for item in memory.get_all(**where)] == [text]
        assert text in memory.context("door code", user_id="alex").text
        stats = memory.stats()
        assert (stats.items, stats.interactions, stats.users) == (1, 1, 1)


def test_text_statistics_are_not_shared(two: Two) -> None:
    two.acme.add(["zebra runs", "lion sleeps"], user_id="alex")
    before = two.acme.search("zebra", user_id="*", plan="fast")[0].why.evidence
    two.globex.add([f"zebra {n}" for n in range(20)], user_id="alex")
    assert two.acme.search("zebra", user_id="*", plan="fast")[0].why.evidence == before


def test_ids_of_another_tenant_are_not_found(two: Two) -> None:
    item_id = two.acme.remember("the door code is 1234", user_id="alex").id
    before = everything(two.acme)
    calls: list[Callable[[str], Any]] = [
        two.globex.get,
        two.globex.history,
        two.globex.delete,
        lambda key: two.globex.update(key, "taken over"),
        lambda key: two.globex.update(key, tags=["mine"]),
    ]
    for call in calls:
        with pytest.raises(emberkeep.NotFound):
            call(item_id)
    assert everything(two.acme) == before


def test_what_one_does_leaves_the_other_as_it_was(two: Two, check_whole: Callable[[str], None]) -> None:
    for memory in two:
        memory.add(["the door code is 1234", "the gate code is 5"], user_id="alex", session_id="s")
        memory.remember("the lamp is red", user_id="alex")
    before = everything(two.acme)
    two.globex.add("the door code is 1234", user_id="alex", session_id="s")
    two.globex.remember("the lamp is red", user_id="alex", tags=["told again"])
    two.globex.search("door code", user_id="alex", touch=True)
    two.globex.update(two.globex.get_all(user_id="alex")[0].id, "changed")
    two.globex.delete(two.globex.get_all(user_id="alex")[0].id)
    two.globex.delete_all(user_id="alex", session_id="s")
    two.globex.upkeep()
    assert everything(two.acme) == before
    two.globex.delete_all(user_id="*")
    assert two.globex.stats().items == 0
    assert everything(two.acme) == before


def test_one_learns_only_its_own(durable_target: str, opened: Open) -> None:
    embedder = WordEmbedder()
    embedder.down = True
    acme, globex = (opened(durable_target, tenant=name, embedder=embedder) for name in ("acme", "globex"))
    for memory in (acme, globex):
        memory.add("said", user_id="alex")
        memory.add("said later", user_id="alex", learn="later")
    embedder.down = False
    report = globex.learn()
    assert (report.derived, report.embedded, report.waiting) == (1, 2, 0)
    assert acme.stats().waiting == 2
    assert [item.text for item in acme.get_all(user_id="alex")] == ["said"]
    assert embedder.embedded.count("said") == 1


def test_vectors_of_one_tenant_are_not_reused_for_another(durable_target: str, opened: Open) -> None:
    embedders = [WordEmbedder(), WordEmbedder()]
    for name, embedder in zip(("acme", "globex"), embedders, strict=True):
        opened(durable_target, tenant=name, embedder=embedder).add("said by both", user_id="alex")
    assert [embedder.embedded for embedder in embedders] == [["said by both"]] * 2


def test_odd_names_are_just_names(durable_target: str, opened: Open) -> None:
    opened(durable_target, tenant="acme").remember("the door code is 1234", user_id="alex")
    for name in ("acme' OR '1'='1", "%", "**", "ACME", "acme "):
        odd = opened(durable_target, tenant=name)
        assert odd.stats().items == 0
        assert len(odd.search("door code", user_id="*")) == 0
        assert odd.delete_all(user_id="*").total == 0
        odd.remember("mine", user_id="alex")
        assert [item.text for item in odd.get_all(user_id="*")] == ["mine"]


def test_nobody_is_called_what_stands_for_all(opened: Open) -> None:
    with pytest.raises(emberkeep.ConfigError, match="stands for all"):
        opened(":memory:", tenant="*")
    for name in ("*", "", " ", "a\0b", "x" * 300, None, 7):
        with pytest.raises(emberkeep.InvalidInput, match="name another"):
            opened(":memory:").of_tenant(name)  # type: ignore[arg-type]
