"""Large documents: written bit by bit, with others writing in between, broken off and taken up again."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import emberkeep
from emberkeep import Conflict, NotFound
from emberkeep.clock import SystemClock
from emberkeep.work import importing

Open = Callable[..., emberkeep.Memory]
PARTS = 40
KILLED = """
import os, signal, sys
import emberkeep
from emberkeep.testing import WordEmbedder
from emberkeep.work import importing

importing.AT_ONCE = 5
with emberkeep.open(sys.argv[1], embedder=WordEmbedder()) as memory:
    write, done = memory._parts.database.write, []

    def counted(job):
        done.append(job)
        if len(done) > int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return write(job)

    memory._parts.database.write = counted
    memory.knowledge.add(sys.stdin.read(), origin="book", user_id="alex")
"""


def book(said: str = "says", parts: int = PARTS) -> str:
    return "# The book\n\n" + "\n\n".join(f"## Part {n}\n\nThis part {said} {n} things." for n in range(parts))


def numbers(memory: emberkeep.Memory) -> list[int]:
    return sorted(item.metadata["chunk"] for item in memory.get_all(kinds=["knowledge"], user_id="alex", limit=1_000))


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "AT_ONCE", 5)


def between(memory: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch, what: Callable[[int], None]) -> None:
    """Do something after each transaction of a memory, which is told how many there were."""
    write, done = memory._parts.database.write, 0

    def watched(job: Any) -> Any:
        nonlocal done
        result = write(job)
        done += 1
        what(done)
        return result

    monkeypatch.setattr(memory._parts.database, "write", watched)


@pytest.mark.usefixtures("small_parts")
def test_what_is_written_in_parts_is_what_would_be_written_at_once(plain: emberkeep.Memory) -> None:
    first = plain.knowledge.add(book(), origin="book", user_id="alex")
    assert (first.change, first.new, first.gone, first.kept) == ("added", PARTS, 0, 0)
    assert plain.knowledge.get(first.id) == first.document
    assert first.document.is_complete
    assert plain.knowledge.text(first.id) == book()
    before = {item.id for item in plain.get_all(kinds=["knowledge"], user_id="alex", limit=1_000)}
    longer = (
        book().replace("## Part 7\n", "## A new part\n\nWith something else.\n\n## Part 7\n").replace("9 things", "9")
    )
    again = plain.knowledge.add(longer, origin="book", user_id="alex")
    assert (again.id, again.change, again.new, again.gone, again.kept) == (first.id, "replaced", 5, 4, PARTS - 4)
    assert plain.knowledge.text(first.id) == longer
    assert numbers(plain) == list(range(PARTS + 1))
    after = {item.id for item in plain.get_all(kinds=["knowledge"], user_id="alex", limit=1_000)}
    assert len(before & after) == PARTS - 4
    assert plain.knowledge.add(longer, origin="book", user_id="alex").change == "unchanged"
    assert plain.knowledge.search("something else", user_id="alex")[0].record.heading == "The book › A new part"


@pytest.mark.usefixtures("small_parts")
def test_others_write_and_read_in_between(durable_target: str, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    importer, other = opened(durable_target), opened(durable_target)
    seen: list[bool] = []

    def meanwhile(done: int) -> None:
        other.remember(f"Alex has {done} keys", user_id="alex")  # on the same shelf: it would wait for a transaction
        for document in other.knowledge.list():
            seen.append(document.is_complete)
            if not document.is_complete:
                with pytest.raises(Conflict, match="is not all here: wait for its import, or import it again"):
                    other.knowledge.text(document.id)

    between(importer, monkeypatch, meanwhile)
    added = importer.knowledge.add(book(), origin="book", user_id="alex")
    assert seen[:9] == [False] * 9
    assert seen[-1]
    assert other.knowledge.text(added.id) == book()
    assert other.search("how many keys has Alex?", user_id="alex", kinds=["fact"])


@pytest.mark.parametrize("parts", [0, 1, 4, 9, 10])
def test_killed_in_the_middle_the_next_import_completes_it(durable_target: str, opened: Open, parts: int) -> None:
    code = [sys.executable, "-c", KILLED, durable_target, str(parts)]
    run = subprocess.run(code, input=book(), text=True, check=False, capture_output=True)
    assert run.returncode == -9, run.stderr
    memory = opened(durable_target)
    found = memory.knowledge.list()
    there = len(numbers(memory))
    assert [one.is_complete for one in found] == ([] if parts == 0 else [parts > 9])
    done = memory.knowledge.add(book(), origin="book", user_id="alex")
    assert done.new == PARTS - there
    assert memory.knowledge.get(done.id).is_complete
    assert memory.knowledge.text(done.id) == book()
    assert numbers(memory) == list(range(PARTS))


@pytest.mark.usefixtures("small_parts")
def test_the_same_text_from_several_at_once_is_one_document(durable_target: str, opened: Open) -> None:
    memories = [opened(durable_target, clock=SystemClock()) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda memory: memory.knowledge.add(book(), origin="book", user_id="alex"), memories))
    assert len({one.id for one in done}) == 1
    assert memories[0].knowledge.text(done[0].id) == book()
    assert numbers(memories[0]) == list(range(PARTS))
    assert [one.is_complete for one in memories[0].knowledge.list()] == [True]


@pytest.mark.usefixtures("small_parts")
def test_another_text_of_the_same_document_takes_its_place(
    durable_target: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    importer, other = opened(durable_target), opened(durable_target)

    def meanwhile(done: int) -> None:
        if done == 3:
            other.knowledge.add(book("tells"), origin="book", user_id="alex")

    between(importer, monkeypatch, meanwhile)
    with pytest.raises(Conflict, match="was imported with another text meanwhile"):
        importer.knowledge.add(book(), origin="book", user_id="alex")
    (document,) = other.knowledge.list()
    assert other.knowledge.text(document.id) == book("tells")
    assert numbers(other) == list(range(PARTS))


@pytest.mark.usefixtures("small_parts")
def test_a_document_that_is_deleted_meanwhile_leaves_nothing(
    durable_target: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    importer, other = opened(durable_target), opened(durable_target)

    def meanwhile(done: int) -> None:
        if done == 3:
            other.knowledge.delete(other.knowledge.list()[0].id)

    between(importer, monkeypatch, meanwhile)
    with pytest.raises(Conflict, match="was deleted while it was imported"):
        importer.knowledge.add(book(), origin="book", id="b", user_id="alex")
    with pytest.raises(NotFound):
        other.knowledge.get("b")
    assert numbers(other) == []
