"""One memory, used by many threads at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

import emberkeep
from emberkeep.storage import shelves
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow

THREADS = 8
ROUNDS = 12
DENSE = emberkeep.Plan("by vectors alone", channels=("dense",))


def together(work: Callable[[int], None]) -> None:
    """Run the same work in all threads, which start at the same moment."""
    start = Barrier(THREADS)

    def run(number: int) -> None:
        start.wait(timeout=10)
        work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(run, range(THREADS)))


def test_all_verbs_at_once_lose_nothing(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder()) as memory:

        def live(number: int) -> None:
            for turn in range(ROUNDS):
                mark = f"thread{number}turn{turn}"
                added = memory.add([f"{mark} stays", f"{mark} goes"], user_id="alex")
                memory.update(added.items[0].id, f"{mark} was changed")
                memory.delete(added.items[1].id)
                found = memory.search(mark, user_id="alex", limit=3)
                assert [hit.text for hit in found if mark in hit.text] == [f"{mark} was changed"]

        together(live)
        expected = {f"thread{number}turn{turn} was changed" for number in range(THREADS) for turn in range(ROUNDS)}
        assert {item.text for item in memory.get_all(user_id="alex", limit=1000)} == expected
        stats = memory.stats()
        assert (stats.items, stats.waiting, stats.users) == (len(expected), 0, 1)


def test_the_same_told_by_all_threads_is_one_memory(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), reheat_by=0.1) as memory:

        def tell(_: int) -> None:
            for _turn in range(ROUNDS):
                memory.remember("The office is in Porto", user_id="alex")

        together(tell)
        (item,) = memory.get_all(user_id="alex")
        assert item.access_count == THREADS * ROUNDS - 1


def test_threads_with_users_of_their_own_do_not_meet(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder()) as memory:

        def live(number: int) -> None:
            for turn in range(ROUNDS):
                memory.add(f"turn {turn} of user {number}", user_id=f"user-{number}")
                hits = memory.search("turn", user_id=f"user-{number}", limit=100)
                assert len(hits) == turn + 1
                assert all(hit.text.endswith(f"of user {number}") for hit in hits)

        together(live)
        assert memory.stats().users == THREADS
        assert memory.stats().items == THREADS * ROUNDS


def test_learning_beside_those_who_add_change_and_delete(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder()) as memory:

        def live(number: int) -> None:
            for turn in range(ROUNDS):
                if number % 2:
                    memory.learn()
                    continue
                added = memory.add([f"{number} said {turn}", f"{number} erred {turn}"], user_id="alex")
                memory.update(added.items[0].id, f"{number} meant {turn}")
                memory.delete(added.items[1].id)

        together(live)
        memory.learn()
        assert memory.stats().items == THREADS // 2 * ROUNDS
        for number in range(0, THREADS, 2):
            (hit,) = memory.search(f"{number} meant 3", user_id="alex", limit=1, plan=DENSE)
            assert hit.text == f"{number} meant 3"
            assert hit.similarity == pytest.approx(1.0, abs=0.001)


def test_two_that_embed_the_same_item_at_once_write_one_vector(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_have_looked = Barrier(2)
    claim = shelves.claim

    def claim_late(*args: Any) -> shelves.Claim:
        both_have_looked.wait(timeout=10)
        return claim(*args)

    embedder = WordEmbedder()
    with emberkeep.open(postgres_url, embedder=embedder) as memory, ThreadPoolExecutor(2) as pool:
        embedder.down = True
        memory.add("The kettle boils", user_id="alex")
        embedder.down = False
        monkeypatch.setattr(shelves, "claim", claim_late)
        reports = [pool.submit(memory.learn) for _ in range(2)]
        assert sum(report.result().embedded for report in reports) == 1
        assert memory.stats().waiting == 0
