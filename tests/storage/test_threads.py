"""Conversations as chains: against plain lists, and as the index and the store keep them."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import emberkeep
from emberkeep.language.terms import pack
from emberkeep.storage.shelf_columns import Document
from emberkeep.storage.shelf_index import IN_ONE_GO, ShelfIndex
from emberkeep.storage.threads import NONE, Threads
from emberkeep.testing import FixedClock

Open = Callable[..., emberkeep.Memory]
Pairs = dict[str, tuple[str | None, str | None]]  # what stands before and after each
THREADS = [(0, 1), (0, 2), (1, 1)]
MINUTE = 60 * 1_000_000

# Steps: an id and its thread to add, late or not, or one of those that are there to remove.
steps = st.lists(
    st.tuples(st.just("add"), st.integers(0, 300), st.sampled_from(THREADS))
    | st.tuples(st.just("remove"), st.integers(0, 300), st.just((0, 0))),
    max_size=60,
)


@given(steps)
def test_threads_are_lists_that_are_sorted(taken: list[tuple[str, int, tuple[int, int]]]) -> None:
    threads, ids = Threads(), list[str]()
    naive: dict[tuple[int, int], list[tuple[str, int]]] = {thread: [] for thread in THREADS}
    where: dict[str, tuple[int, tuple[int, int]]] = {}
    for what, number, wanted in taken:
        name = f"{number:03}"
        if what == "add" and name not in where:
            row = len(ids)
            ids.append(name)
            threads.reserve(len(ids))
            threads.add(row, wanted, ids)
            naive[wanted] = sorted([*naive[wanted], (name, row)])
            where[name] = row, wanted
        elif what == "remove" and where:
            name = sorted(where)[number % len(where)]  # which may be added again later
            row, thread = where.pop(name)
            threads.remove(row, thread)
            naive[thread].remove((name, row))
    check(threads, naive, len(ids))


def check(threads: Threads, naive: dict[tuple[int, int], list[tuple[str, int]]], rows: int) -> None:
    before, after = [NONE] * rows, [NONE] * rows
    for members in naive.values():
        chain = [row for _, row in members]
        for one, other in pairwise(chain):
            before[other], after[one] = one, other
    every = np.arange(rows)
    assert threads.before(every).tolist() == before
    assert threads.after(every).tolist() == after


@pytest.mark.parametrize("changed", [0, 1, 2])
def test_a_row_takes_the_place_of_another(changed: int) -> None:
    threads, ids = Threads(), ["a", "b", "c", "abc"[changed], "d"]
    for row in range(3):
        threads.add(row, (0, 0), ids)
    threads.replace(changed, 3, (0, 0))
    threads.add(4, (0, 0), ids)
    chain = [3 if row == changed else row for row in range(3)] + [4]
    assert threads.after(np.array(chain)).tolist() == [*chain[1:], NONE]
    assert threads.before(np.array(chain)).tolist() == [NONE, *chain[:-1]]
    assert threads.before(np.array([changed])) == threads.after(np.array([changed])) == [NONE]


def test_room_is_made_without_losing_anyone() -> None:
    threads, ids = Threads(), [f"{row:04}" for row in range(1_000)]
    for row in range(1_000):
        threads.reserve(row + 1)
        threads.add(row, (0, 0), ids)
    assert threads.before(np.arange(1_000)).tolist() == list(range(-1, 999))
    assert threads.after(np.arange(1_000)).tolist() == [*range(1, 1_000), NONE]


# In an index.


def message(item_id: str, text: str = "words", **changes: Any) -> Document:
    values: dict[str, Any] = dict.fromkeys(Document._fields) | {
        "kind": "episode",
        "agent_id": "",
        "session_id": "",
        "occurred_at": 0,
    }
    values |= {"valid_from": 0, "item_id": item_id, "terms": pack(text).tobytes()} | changes
    return Document(**values)


def beside(index: ShelfIndex) -> Pairs:
    """The live messages, each with the ids before and after it."""
    rows = np.array(sorted(index.row_of.values()), np.int64)
    names = [*index.ids, None]  # -1 is nobody
    pairs = zip(index.before(rows).tolist(), index.after(rows).tolist(), strict=True)
    return {index.ids[row]: (names[one], names[other]) for row, (one, other) in zip(rows.tolist(), pairs, strict=True)}


def chained(*chains: str) -> Pairs:
    """What neighbours a letter has in words whose letters are messages."""
    return {
        letter: (chain[at - 1] if at else None, chain[at + 1] if at + 1 < len(chain) else None)
        for chain in chains
        for at, letter in enumerate(chain)
    }


def test_a_conversation_is_a_session_with_one_agent() -> None:
    index = ShelfIndex(4)
    index.put([message(one, session_id="s") for one in "ac"])
    index.put([message(one, session_id="t") for one in "bd"])
    index.put([message(one, session_id="s", agent_id="voxa") for one in "ef"])
    assert beside(index) == chained("ac", "bd", "ef")


def test_what_was_not_said_stands_nowhere() -> None:
    index = ShelfIndex(4)
    index.put([message("a", session_id="s"), message("f", session_id="s", kind="fact"), message("b", session_id="s")])
    assert beside(index) == chained("ab", "f")


def test_without_a_session_what_is_half_an_hour_apart_does_not_belong_together() -> None:
    index = ShelfIndex(4)
    times = [0, 10 * MINUTE, 10 * MINUTE + IN_ONE_GO, 11 * MINUTE + 2 * IN_ONE_GO, 12 * MINUTE + 2 * IN_ONE_GO]
    index.put([message(one, occurred_at=time) for one, time in zip("abcde", times, strict=True)])
    assert beside(index) == chained("abc", "de")


def test_in_a_session_it_does_however_long_ago() -> None:
    index = ShelfIndex(4)
    index.put([message("a", session_id="s"), message("b", session_id="s", occurred_at=1_000 * IN_ONE_GO)])
    assert beside(index) == chained("ab")


orders = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True)


@given(orders, st.lists(st.sampled_from("abcdefgh"), max_size=8))
def test_however_messages_come_go_and_change_they_stand_in_the_order_of_their_ids(
    order: list[str], done: list[str]
) -> None:
    index, texts = ShelfIndex(4), dict.fromkeys(order, "words")
    index.put([message(one, session_id="s") for one in order])
    for number, one in enumerate(done):
        if one in texts and number % 2:
            index.remove(one)
            del texts[one]
        else:
            texts[one] = f"other words {number}"
            index.put([message(one, texts[one], session_id="s")])
    assert beside(index) == chained("".join(sorted(texts)))
    fresh = ShelfIndex(4)
    fresh.put([message(one, text, session_id="s") for one, text in texts.items()])
    assert beside(fresh) == beside(index)


def test_without_a_session_a_changed_message_keeps_its_place() -> None:
    index = ShelfIndex(4)
    index.put([message(one) for one in "abc"])
    index.put([message(one, occurred_at=10 * IN_ONE_GO) for one in "de"])
    index.put([message("b", "changed")])
    assert beside(index) == chained("abc", "de")


def test_a_message_that_becomes_a_fact_leaves_the_conversation_and_comes_back() -> None:
    index = ShelfIndex(4)
    index.put([message(one, session_id="s") for one in "abc"])
    index.put([message("b", session_id="s", kind="fact")])
    assert beside(index) == chained("ac", "b")
    index.put([message("b", session_id="s")])
    assert beside(index) == chained("abc")


# In a store.


def index_of(memory: emberkeep.Memory, user_id: str = "alex") -> ShelfIndex:
    memory.search("anything", user_id=user_id)  # which brings it up to date
    return memory._parts.residents._shelves["default", user_id].index


def talk(memory: emberkeep.Memory) -> list[str]:
    """The texts of the messages that hold, in the order in which each stands after the other."""
    index = index_of(memory)
    pairs = beside(index)
    (at,) = [one for one, (former, later) in pairs.items() if former is None]
    order: list[str] = []
    following: str | None = at
    while following is not None:
        order.append(memory.get(following).text)
        following = pairs[following][1]
    assert len(order) == len(pairs)
    return order


def test_two_memories_on_one_store_see_the_same_neighbours(durable_target: str, opened: Open) -> None:
    here, there = opened(durable_target), opened(durable_target)
    here.add("one", user_id="alex", session_id="s")
    assert talk(there) == ["one"]
    there.add(["two", "three"], user_id="alex", session_id="s")
    here.add("four", user_id="alex", session_id="s")
    assert talk(here) == talk(there) == ["one", "two", "three", "four"]
    assert beside(index_of(here)) == beside(index_of(there)) == beside(index_of(opened(durable_target)))


def test_a_deleted_message_leaves_no_gap(durable_target: str, opened: Open) -> None:
    here, there = opened(durable_target), opened(durable_target)
    added = here.add(["one", "two", "three", "four"], user_id="alex", session_id="s")
    assert talk(there) == ["one", "two", "three", "four"]
    here.delete(added.items[1].id)
    here.delete(added.items[3].id)
    assert talk(here) == talk(there) == talk(opened(durable_target)) == ["one", "three"]


def test_a_changed_message_keeps_its_neighbours(durable_target: str, opened: Open) -> None:
    here, there = opened(durable_target), opened(durable_target)
    first, second, third = [one.id for one in here.add(["one", "two", "three"], user_id="alex", session_id="s").items]
    talk(there)
    here.update(second, "something else")
    for memory in (here, there, opened(durable_target)):
        pairs = beside(index_of(memory))
        assert pairs[second] == (first, third)
        assert pairs[first] == (None, second)


def test_what_a_message_said_before_it_was_changed_stands_nowhere(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target)
    ids = [one.id for one in memory.add(["one", "two", "three"], user_id="alex", session_id="s").items]
    memory.update(ids[1], "something else")
    assert beside(index_of(memory))[ids[2]] == (ids[1], None)


def test_users_do_not_stand_beside_one_another(durable_target: str, opened: Open, clock: FixedClock) -> None:
    memory = opened(durable_target, clock=clock)
    for text, user_id in (("one", "alex"), ("two", "sam"), ("three", "alex")):
        memory.add(text, user_id=user_id, session_id="s")
        clock.move(seconds=timedelta(minutes=1).total_seconds())
    assert talk(memory) == ["one", "three"]
