"""Many threads, memories and processes at work on the same records at once: nothing lost, nothing doubled."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import emberkeep
from emberkeep.clock import SystemClock

Open = Callable[..., emberkeep.Memory]
EACH, WORKERS = 8, 6

WORK = """
import sys
import emberkeep
from emberkeep.testing import WordEmbedder

target, name, each = sys.argv[1], sys.argv[2], int(sys.argv[3])
with emberkeep.open(target, embedder=WordEmbedder()) as memory:
    for n in range(each):
        memory.tasks.save("t", f"Water the plants, says {name} {n}", status="running", user_id="alex")
        memory.tasks.step("t", "tap", output=f"{name} {n}")
        memory.patterns.used("p", success=n % 2 == 0)
        memory.preferences.set("last", name, user_id="alex")
        memory.persona.set("last", name)
        memory.agents.save("aios", name)
"""


def together(work: Callable[[int], Any]) -> list[Any]:
    """What each worker's work came to: a result, or the name of an error."""

    def safely(n: int) -> Any:
        try:
            return work(n)
        except emberkeep.EmberkeepError as error:
            return type(error).__name__

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(safely, range(WORKERS)))


@pytest.fixture
def several(durable_target: str, opened: Open) -> list[emberkeep.Memory]:
    """Memories on one store, as processes would have them."""
    return [opened(durable_target) for _ in range(3)]


def test_one_task_saved_and_stepped_by_many(several: list[emberkeep.Memory]) -> None:
    several[0].tasks.start("Water the plants", id="t", user_id="alex")
    made = several[0].tasks.get("t").created_at

    def work(n: int) -> None:
        memory = several[n % 3]
        for turn in range(EACH):
            memory.tasks.save("t", f"Water the plants {n} {turn}", user_id="alex", agent_id=f"a{n % 2}")
            memory.tasks.step("t", "tap", output=f"{n} {turn}")

    assert together(work) == [None] * WORKERS
    steps = several[1].tasks.steps("t")
    assert [step.number for step in steps] == list(range(1, WORKERS * EACH + 1))
    assert {step.output for step in steps} == {f"{n} {turn}" for n in range(WORKERS) for turn in range(EACH)}
    task = several[2].tasks.get("t")
    assert task.created_at == made
    (item,) = several[2].get_all(user_id="alex")
    assert (item.text, item.agent_id) == (task.description, task.agent_id)
    assert [hit.text for hit in several[1].search("water", user_id="alex")] == [task.description]


def test_one_new_record_saved_by_many_is_one(several: list[emberkeep.Memory]) -> None:
    assert len(together(lambda n: several[n % 3].tasks.save("t", "Water", user_id="alex").id)) == WORKERS
    assert len(several[0].get_all(user_id="alex")) == 1
    logged = together(lambda n: several[n % 3].decisions.log("Use rain", id="d", user_id="alex").id)
    assert sorted(logged) == ["Conflict"] * (WORKERS - 1) + ["d"]
    assert len(several[0].get_all(user_id="alex", kinds=["decision"])) == 1


def test_an_id_that_many_users_want_goes_to_one(several: list[emberkeep.Memory]) -> None:
    for verb in ("tasks", "patterns"):
        save: Callable[[int], Any] = (
            (lambda n: several[n % 3].tasks.save("t", "Water", user_id=f"user {n}").id)
            if verb == "tasks"
            else (lambda n: several[n % 3].patterns.store("dry", "water", id="t", user_id=f"user {n}").id)
        )
        assert sorted(together(save)) == ["Conflict"] * (WORKERS - 1) + ["t"]
    assert several[0].stats().items == 2


def test_a_task_finishes_once(several: list[emberkeep.Memory]) -> None:
    several[0].tasks.start("Water", id="t")
    ended = together(lambda n: several[n % 3].tasks.finish("t", success=True, summary=f"by {n}").summary)
    assert ended.count("Conflict") == WORKERS - 1
    assert several[0].tasks.get("t").summary in ended


def test_values_by_name_have_one_value(several: list[emberkeep.Memory]) -> None:
    def work(n: int) -> None:
        for turn in range(EACH):
            several[n % 3].persona.set("mood", f"{n} {turn}")
            several[n % 3].preferences.set("mood", f"{n} {turn}", user_id="alex")
            several[n % 3].agents.save("aios", f"{n} {turn}")

    assert together(work) == [None] * WORKERS
    (item,) = several[0].get_all(user_id="alex")
    assert item.text == f"mood: {several[1].preferences.get('mood', user_id='alex')}"
    assert len(several[2].agents.list()) == 1


def test_uses_are_all_counted(several: list[emberkeep.Memory]) -> None:
    several[0].patterns.store("dry", "water", id="p")
    together(lambda n: [several[n % 3].patterns.used("p", success=n % 2 == 0) for _ in range(EACH)])
    pattern = several[0].patterns.get_cached("p")
    assert (pattern.successes, pattern.failures) == (WORKERS * EACH // 2, WORKERS * EACH // 2)


def test_deleting_while_others_write_leaves_nothing_of_it(several: list[emberkeep.Memory]) -> None:
    for turn in range(EACH):
        several[0].tasks.start("Water", id="t", user_id="alex")

        def work(n: int, turn: int = turn) -> Any:
            memory = several[n % 3]
            if n == 0:
                return memory.tasks.delete("t").rows["tasks"]
            if n % 2:
                return memory.tasks.update("t", summary=f"{n} {turn}").id
            return memory.tasks.step("t", "tap").task_id

        assert set(together(work)) <= {1, "t", "NotFound"}
        assert several[1].get_all(user_id="alex").items == ()
        assert several[1].tasks.list() == []
        assert len(several[2].search("water", user_id="alex", as_of="2026-06-01T12:00:00Z")) == 0


@pytest.mark.slow
def test_processes_work_on_the_same_records(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target, clock=SystemClock())
    memory.tasks.start("Water", id="t", user_id="alex")
    memory.patterns.store("dry", "water", id="p")
    command = [sys.executable, "-c", WORK, durable_target]
    processes = [subprocess.Popen([*command, str(n), str(EACH)], env=os.environ) for n in range(3)]
    assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]
    assert [step.number for step in memory.tasks.steps("t")] == list(range(1, 3 * EACH + 1))
    assert memory.patterns.get_cached("p").hits == 3 * EACH
    assert len(memory.get_all(user_id="alex", kinds=["execution", "preference"])) == 2


def test_a_task_that_many_save_as_ended_ends_once(several: list[emberkeep.Memory]) -> None:
    for turn in range(EACH):
        name = f"t{turn}"
        several[0].tasks.start("Water", id=name, user_id="alex")

        def work(n: int, name: str = name) -> str:
            return several[n % 3].tasks.save(name, "Water", status="succeeded", user_id="alex").status

        assert together(work) == ["succeeded"] * WORKERS
    assert sorted(one.task_id for one in several[0].experience.list()) == [f"t{turn}" for turn in range(EACH)]
