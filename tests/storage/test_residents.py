"""The indexes a process holds: they give way, are read anew, and always answer for the store as it is."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import emberkeep
from emberkeep import care
from emberkeep.storage import resident
from emberkeep.testing import FixedClock, WordEmbedder

Open = Callable[..., emberkeep.Memory]


def held(memory: emberkeep.Memory) -> list[str]:
    return [user_id for _, user_id in memory._parts.residents._shelves]


def test_the_least_recently_used_give_way_and_answers_stay_right(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target, index_memory_mb=1, embedder=WordEmbedder(dimension=512))
    users = [f"user {n}" for n in range(6)]
    for user in users:
        memory.add([f"{user} line {n}" for n in range(150)], user_id=user)
    for _ in range(2):
        for user in users:
            hit = memory.search("line 42", user_id=user, limit=1)[0]
            assert hit.text == f"{user} line 42"
    assert 1 <= len(held(memory)) < 6
    assert held(memory)[-1] == "user 5"
    memory.search("line", user_id=held(memory)[0])
    memory.search("line", user_id="user 0")
    assert len(memory.search("line 42", user_id="*", limit=6)) == 6


def test_one_index_stays_however_little_room_there_is(opened: Open) -> None:
    memory = opened(":memory:")
    memory._parts.residents._max_bytes = 1
    memory.add("one", user_id="a")
    memory.add("two", user_id="b")
    assert memory.search("one", user_id="a")[0].text == "one"
    assert memory.search("two", user_id="b")[0].text == "two"
    assert held(memory) == ["b"]


def test_traces_of_deletions_are_dropped_and_other_memories_stay_right(
    durable_target: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(care, "MAX_TOMBSTONES", 5)
    here, there = opened(durable_target), opened(durable_target)
    here.add([f"line {n}" for n in range(20)], user_id="alex")
    here.add([f"line {n}" for n in range(20)], user_id="sam")
    assert len(there.search("line", user_id="alex", limit=30)) == 20
    for hit in here.search("line", user_id="alex", limit=8):
        here.delete(hit.id)
    here.delete(here.search("line", user_id="sam")[0].id)
    left = {item.text for item in here.get_all(user_id="alex")}
    assert here.upkeep().traces_dropped == 8
    for memory in (there, here):
        assert {hit.text for hit in memory.search("line", user_id="alex", limit=30)} == left
        assert len(memory.search("line", user_id="sam", limit=30)) == 19
    assert here.upkeep().traces_dropped == 0


def test_an_index_is_read_in_parts_and_once(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resident, "CHUNK", 7)
    memory = opened(":memory:")
    memory.add([f"line number {n}" for n in range(50)], user_id="alex")
    assert {hit.text for hit in memory.search("line", user_id="alex", limit=50)} == {
        f"line number {n}" for n in range(50)
    }
    index = memory._parts.residents._shelves["default", "alex"].index
    memory.search("line", user_id="alex")
    assert memory._parts.residents._shelves["default", "alex"].index is index
    assert len(index.ids) == 50


def test_searches_during_writes_see_whole_items(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target)
    memory.add("blue one", user_id="alex", tags=["blue"])
    done = threading.Event()

    def write() -> None:
        for n in range(16):
            item = memory.remember(f"blue thing {n}", user_id="alex", tags=["blue"])
            memory.update(item.id, f"red thing {n}", tags=["red"])
            if n % 2:
                memory.delete(item.id)
        done.set()

    def read(_: int) -> None:
        while not done.is_set():
            for colour in ("blue", "red"):
                assert all(colour in hit.text for hit in memory.search("thing", user_id="alex", tags=[colour]))

    with ThreadPoolExecutor(4) as pool:
        reading = pool.map(read, range(3))
        pool.submit(write).result()
        list(reading)
    assert len(memory.search("thing", user_id="alex", tags=["red"], limit=50)) == 8


def test_what_ends_later_is_gone_when_the_time_comes(target: str, opened: Open, clock: FixedClock) -> None:
    memory = opened(target, clock=clock)
    item_id = memory.remember("office in Porto", user_id="alex").id
    clock.move(days=-1)
    memory.update(item_id, "office in Lisbon")  # the former text held from a time that is still to come
    for _ in range(2):
        listed = {item.text for item in memory.get_all(user_id="alex")}
        assert {hit.text for hit in memory.search("office", user_id="alex")} == listed
        clock.move(days=2)
    assert listed == {"office in Lisbon"}


def test_a_cosine_is_the_same_to_the_last_bit_whoever_else_is_there(opened: Open) -> None:
    """As it is not by a product of matrices, whose threads wait for each other on a busy machine."""
    memory = opened(":memory:", embedder=WordEmbedder(dimension=384))
    memory.add([f"the number {n} of the house at the river is green" for n in range(200)], user_id="alex", learn=False)
    question = WordEmbedder(dimension=384).embed_query("which house at the river has the number 42?")
    memory.search("anything", user_id="alex")
    index = memory._parts.residents._shelves["default", "alex"].index
    rows = np.arange(len(index.ids))
    together = index.similarity(question, rows)
    alone = np.concatenate([index.similarity(question, rows[at : at + 1]) for at in rows])
    np.testing.assert_array_equal(together, alone)
