"""Several processes on one store."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import emberkeep
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow

DENSE = emberkeep.Plan("dense", channels=("dense",))
FAST = "fast"

ADD_IN_THREADS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any
import emberkeep
from emberkeep.testing import WordEmbedder

process, threads, each = map(int, sys.argv[2:])
with emberkeep.open(sys.argv[1], embedder=WordEmbedder()) as memory:
    print("ready", flush=True)
    sys.stdin.readline()

    def work(thread):
        for n in range(each):
            memory.add(f"note p{process} t{thread} n{n}", user_id=f"user {thread % 2}", tags=["note"])
            memory.remember("what everyone says", user_id="all")

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
"""

LEARN = """
import sys
import emberkeep
from emberkeep.testing import WordEmbedder

with emberkeep.open(sys.argv[1], embedder=WordEmbedder()) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    print(memory.learn().derived, flush=True)
"""


def test_what_another_process_does_is_found_at_once(
    durable_target: str, opened: Callable[..., emberkeep.Memory], another_process: Callable[..., Any]
) -> None:
    here = opened(durable_target)
    here.remember("the kettle is blue", user_id="alex")
    assert len(here.search("kettle", user_id="alex")) == 1
    there = another_process(durable_target)

    def found(query: str) -> tuple[list[str], list[str]]:
        return (
            [hit.text for hit in here.search(query, user_id="alex", plan=FAST)],
            [hit.text for hit in here.search(query, user_id="alex", plan=DENSE, limit=1)],
        )

    item_id = json.loads(there.ask("memory.remember('a tortoise sleeps', user_id='alex').id").replace("'", '"'))
    assert found("a tortoise sleeps") == (["a tortoise sleeps"], ["a tortoise sleeps"])
    there.ask(f"memory.update({item_id!r}, 'a hedgehog wakes')")
    assert found("tortoise")[0] == []
    assert found("a hedgehog wakes") == (["a hedgehog wakes"], ["a hedgehog wakes"])
    there.ask(f"memory.delete({item_id!r})")
    assert found("a hedgehog wakes") == ([], ["the kettle is blue"])
    there.ask("memory.delete_all(user_id='alex')")
    assert found("kettle") == ([], [])
    there.ask("memory.add('the kettle is red', user_id='alex')")
    assert found("the kettle is red") == (["the kettle is red"], ["the kettle is red"])


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_when_many_processes_and_threads_write(
    durable_target: str,
    opened: Callable[..., emberkeep.Memory],
    start: Callable[..., Any],
    check_whole: Callable[[str], None],
) -> None:
    here = opened(durable_target)
    processes = [start(ADD_IN_THREADS, durable_target, str(n), "4", "10") for n in range(4)]
    assert [process.hear() for process in processes] == ["ready"] * 4
    for process in processes:
        process.tell("go")
    for process in processes:
        process.finish()
    noted = [item.text for user in range(2) for item in here.get_all(user_id=f"user {user}", limit=1_000)]
    assert sorted(noted) == sorted(f"note p{p} t{t} n{n}" for p in range(4) for t in range(4) for n in range(10))
    (said,) = here.get_all(user_id="all")
    assert said.access_count == 4 * 4 * 10 - 1
    assert here.stats().waiting == 0
    assert [hit.text for hit in here.search("note p3 t1 n9", user_id="user 1", limit=1)] == ["note p3 t1 n9"]
    check_whole(durable_target)


def test_two_processes_that_learn_share_the_work(
    durable_target: str,
    opened: Callable[..., emberkeep.Memory],
    start: Callable[..., Any],
    check_whole: Callable[[str], None],
) -> None:
    here = opened(durable_target)
    for n in range(250):
        here.add(f"line {n}", user_id=f"user {n % 5}", learn="later")
    workers = [start(LEARN, durable_target) for _ in range(2)]
    assert [worker.hear() for worker in workers] == ["ready"] * 2
    for worker in workers:
        worker.tell("go")
    assert sum(int(worker.finish()) for worker in workers) == 250
    assert here.learn().waiting == 0
    assert here.stats().items == 250
    check_whole(durable_target)


def test_many_who_open_an_empty_store_at_once_all_succeed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    targets = [str(tmp_path_factory.mktemp("new") / "agent.db"), request.getfixturevalue("empty_postgres_url")]
    for target in targets:

        def open_and_add(n: int, target: str = target) -> None:
            with emberkeep.open(target, embedder=WordEmbedder()) as memory:
                memory.add(f"from {n}")

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(open_and_add, range(8)))
        with emberkeep.open(target, embedder=WordEmbedder()) as memory:
            assert {item.text for item in memory.get_all()} == {f"from {n}" for n in range(8)}


OPEN_AND_ADD = """
import sys
import emberkeep
from emberkeep.testing import WordEmbedder

print("ready", flush=True)
sys.stdin.readline()
with emberkeep.open(sys.argv[1], embedder=WordEmbedder()) as memory:
    memory.add(sys.argv[2])
"""


@pytest.mark.slow
def test_processes_that_open_an_empty_store_at_once_all_succeed(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    start: Callable[..., Any],
    opened: Callable[..., emberkeep.Memory],
) -> None:
    targets = [str(tmp_path_factory.mktemp("new") / "agent.db"), request.getfixturevalue("empty_postgres_url")]
    for target in targets:
        processes = [start(OPEN_AND_ADD, target, f"from {n}") for n in range(4)]
        assert [process.hear() for process in processes] == ["ready"] * 4
        for process in processes:
            process.tell("go")
        for process in processes:
            process.finish()
        assert {item.text for item in opened(target).get_all()} == {f"from {n}" for n in range(4)}
