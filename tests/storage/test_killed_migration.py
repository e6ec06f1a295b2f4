"""Whoever moves work to long-term memory is killed at any moment, or is not alone: each summary is there once."""

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

import emberkeep
from emberkeep.testing import FixedClock

MOVE = """
import sys
import emberkeep
from emberkeep.testing import FixedClock, WordEmbedder

clock = FixedClock()
clock.move(days=31)
with emberkeep.open(sys.argv[1], embedder=WordEmbedder(), clock=clock) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    memory.operational.push_event("killed", severity="critical")
    telling = (lambda _: print("moved", flush=True)) if "telling" in sys.argv else (lambda _: None)
    print("archived", *memory.upkeep(progress=telling).archived.values(), flush=True)
"""
TASKS = 60


def prepare(memory: emberkeep.Memory) -> None:
    memory.goals.save("Clean up", id="g", status="succeeded", user_id="alex")
    for number in range(TASKS):
        task_id = f"t-{number:02}"
        memory.tasks.start(f"Clean room {number}", id=task_id, goal_id="g", user_id="alex")
        memory.tasks.step(task_id, "broom", output="swept")
        memory.decisions.log(f"start with room {number}", task_id=task_id, user_id="alex")
        memory.tasks.finish(task_id, success=True)
        memory.operational.push_event(f"room {number % 5}", "dusty", severity="critical")


def check_told_once(memory: emberkeep.Memory, *, whole: bool) -> int:
    found = [item.record for item in memory.get_all(user_id="*", kinds=["summary"], limit=1_000)]
    assert len(found) == len(set(found))
    archived = {f"task:{task.id}" for task in memory.tasks.list(archived=True, limit=1_000)}
    assert archived == {record for record in found if record and record.startswith("task:")}
    if whole:
        assert len(archived) == TASKS
        assert memory.goals.get("g").archived_at is not None
        assert {record for record in found if record and "room" in record} == {
            f"events:2026-06-01:room {n}" for n in range(5)
        }
        assert all(decision.archived_at for decision in memory.decisions.list(limit=1_000))
    return len(archived)


@pytest.mark.slow
def test_a_migration_that_is_killed_goes_on_where_it_was(
    durable_target: str,
    opened: Callable[..., emberkeep.Memory],
    start: Callable[..., Any],
    check_whole: Callable[[str], None],
) -> None:
    clock = FixedClock()
    with opened(durable_target, clock=clock) as memory:
        prepare(memory)
    chance = random.Random(3)
    for _ in range(3):
        mover = start(MOVE, durable_target, "telling")
        assert mover.hear() == "ready"
        mover.tell("go")
        moved = [
            mover.hear() for _ in range(chance.randint(1, TASKS // 6))
        ]  # not for a time: others may have the machine
        assert set(moved) == {"moved"}
        time.sleep(chance.uniform(0.0, 0.02))
        mover.kill()
        check_whole(durable_target)
        with opened(durable_target, clock=clock) as memory:
            assert check_told_once(memory, whole=False) >= len(moved)
    mover = start(MOVE, durable_target)
    assert mover.hear() == "ready"
    mover.tell("go")
    assert mover.hear().startswith("archived")
    mover.finish()
    check_whole(durable_target)
    with opened(durable_target, clock=clock) as memory:
        check_told_once(memory, whole=True)


@pytest.mark.slow
def test_processes_that_move_at_once_tell_each_thing_once(
    durable_target: str,
    opened: Callable[..., emberkeep.Memory],
    start: Callable[..., Any],
    check_whole: Callable[[str], None],
) -> None:
    with opened(durable_target, clock=FixedClock()) as memory:
        prepare(memory)
    movers = [start(MOVE, durable_target) for _ in range(3)]
    assert [mover.hear() for mover in movers] == ["ready"] * 3
    for mover in movers:
        mover.tell("go")
    moved = [[int(number) for number in mover.hear().split()[1:]] for mover in movers]
    for mover in movers:
        mover.finish()
    assert [sum(counts) for counts in zip(*moved, strict=True)] == [TASKS, 1, TASKS, TASKS]
    check_whole(durable_target)
    with opened(durable_target) as memory:
        check_told_once(memory, whole=True)
        assert len(memory.operational.kept(1_000, category="killed")) == 3
