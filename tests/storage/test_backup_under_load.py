"""A backup that is taken while several processes write shows one moment: of each writer a beginning, without holes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

import emberkeep
from emberkeep.storage import schema
from emberkeep.testing import WordEmbedder
from emberkeep.transfer.backup import back_up
from emberkeep.transfer.restore import restore

pytestmark = pytest.mark.slow

Open = Callable[..., emberkeep.Memory]
WRITERS = 3
MESSAGES = 3  # in each add
WRITE = """
import sys
import emberkeep
from emberkeep.testing import WordEmbedder

name = sys.argv[2]
with emberkeep.open(sys.argv[1], embedder=WordEmbedder(dimension=16), learner="rules", keep_events=True) as memory:
    for number in range(100_000):
        said = [f"{name} says number {number} part {part}" for part in range(3)]
        memory.add(said, user_id=name, metadata={"number": number}, learn="later" if number % 4 == 3 else True)
        if number % 5 == 0:
            memory.tasks.start(f"task {number}", id=f"{name}-{number}", user_id=name)
            memory.tasks.step(f"{name}-{number}", "broom", output="swept")
        print(number, flush=True)
"""


@pytest.fixture(params=["file", "postgres"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "new.db" if request.param == "file" else request.getfixturevalue("empty_postgres_url"))


@pytest.mark.parametrize(("durable_target", "elsewhere"), [("file", "postgres"), ("postgres", "file")], indirect=True)
def test_what_is_restored_is_a_beginning_of_what_each_writer_wrote(
    durable_target: str,
    elsewhere: str,
    opened: Open,
    start: Callable[..., Any],
    tmp_path: Path,
) -> None:
    opened(durable_target, learner="rules").close()
    names = [f"w{number}" for number in range(WRITERS)]
    writers = {name: start(WRITE, durable_target, name) for name in names}
    before = {name: [writer.hear() for _ in range(8)][-1] for name, writer in writers.items()}
    back_up(durable_target, tmp_path / "taken.backup")
    for writer in writers.values():
        assert writer.hear()  # it went on all the while
        writer.kill()
    restore(elsewhere, tmp_path / "taken.backup")
    memory = opened(elsewhere, learner="rules", embedder=WordEmbedder(dimension=16))
    for name in names:
        logged = memory.capture.recent(1000, user_id=name)
        numbers = sorted(one.metadata["number"] for one in logged)
        assert numbers == list(range(len(numbers)))
        assert numbers[-1] >= int(before[name])
        assert {len(one.messages) for one in logged} == {MESSAGES}
    assert {one.what for one in memory.repair(dry_run=True).found} <= {"vectors"}
    check_told(memory, names)
    memory.learn()
    for name in names:
        whole = len(memory.capture.recent(1000, user_id=name))
        assert len(memory.get_all(user_id=name, kinds=["episode"], limit=1000).items) == MESSAGES * whole
        best = memory.search(f"{name} says number 3 part 1", user_id=name, kinds=["episode"], limit=1)[0]
        assert best.text == f"{name} says number 3 part 1"
        assert best.similarity is not None


def check_told(memory: emberkeep.Memory, names: list[str]) -> None:
    """Each change was told of, and each event is of a change that is there."""
    told = [event.payload["interaction_id"] for event in memory.events.recent(1_000, type="memory.captured")]
    logged = [one.id for name in names for one in memory.capture.recent(1000, user_id=name)]
    assert sorted(told) == sorted(logged)
    with memory.database.read() as connection:
        steps = set(connection.execute(select(schema.steps.c.task_id)).scalars())
        tasks = set(connection.execute(select(schema.tasks.c.id)).scalars())
    assert steps <= tasks
    assert len(tasks - steps) <= len(names)  # one that was started and not gone on with
