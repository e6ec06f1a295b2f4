"""AIRA's own tests, word for word but for the import; and the edges they leave out."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest

from emberkeep.adapters.aira import CHARS_PER_TOKEN, MAX_SUMMARY_TOKENS, MemoryStore
from emberkeep.errors import Closed, InvalidInput
from emberkeep.model.work import Step

T = TypeVar("T")

THEIR_TESTS = '''
"""Tests for the memory store."""

import pytest
import pytest_asyncio
from emberkeep.adapters.aira import MemoryStore


@pytest_asyncio.fixture
async def store(tmp_path):
    db = tmp_path / "test.db"
    s = MemoryStore(db)
    await s.init_db()
    yield s
    await s.close()


@pytest.mark.asyncio
async def test_save_and_get_task(store):
    await store.save_task("t1", {"description": "Test task", "status": "PLANNING"})
    task = await store.get_task("t1")
    assert task is not None
    assert task["description"] == "Test task"
    assert task["status"] == "PLANNING"


@pytest.mark.asyncio
async def test_get_missing_task(store):
    task = await store.get_task("nonexistent")
    assert task is None


@pytest.mark.asyncio
async def test_update_task_status(store):
    await store.save_task("t2", {"description": "Task 2"})
    await store.update_task_status("t2", "COMPLETED", "All done")
    task = await store.get_task("t2")
    assert task["status"] == "COMPLETED"
    assert task["summary"] == "All done"


@pytest.mark.asyncio
async def test_save_step(store):
    await store.save_task("t3", {"description": "Task 3"})
    await store.save_step("t3", {
        "iteration": 1,
        "tool_name": "file_read",
        "parameters": {"path": "test.txt"},
        "output": "file contents",
        "success": True,
        "duration_ms": 50,
    })
    # No error means success


@pytest.mark.asyncio
async def test_recent_summaries_limit(store):
    for i in range(5):
        await store.save_task(f"s{i}", {
            "description": f"Task {i}",
            "summary": f"Summary {i}",
        })
    summaries = await store.get_recent_summaries(limit=3)
    assert len(summaries) <= 3


@pytest.mark.asyncio
async def test_recent_summaries_token_cap(store):
    # Create a task with a very long summary
    long_summary = "x" * 10000
    await store.save_task("long", {"description": "Long", "summary": long_summary})
    summaries = await store.get_recent_summaries(limit=3)
    total_len = sum(len(s) for s in summaries)
    assert total_len <= 2000 * 4 + 100  # MAX_SUMMARY_TOKENS * CHARS_PER_TOKEN + buffer


@pytest.mark.asyncio
async def test_preferences(store):
    await store.save_preference("theme", "dark")
    val = await store.get_preference("theme")
    assert val == "dark"


@pytest.mark.asyncio
async def test_preference_missing(store):
    val = await store.get_preference("missing")
    assert val is None


@pytest.mark.asyncio
async def test_persona_state(store):
    await store.save_persona_state("mood", "happy")
    val = await store.get_persona_state("mood")
    assert val == "happy"
'''


@pytest.mark.slow
def test_their_tests_pass(tmp_path: Path) -> None:
    (tmp_path / "test_memory.py").write_text(THEIR_TESTS)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "test_memory.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert "9 passed" in ran.stdout, ran.stdout


def with_store(path: Path, work: Callable[[MemoryStore], Awaitable[T]]) -> T:
    async def run() -> T:
        store = MemoryStore(path / "folder" / "aira.db")
        await store.init_db()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def test_a_task_saved_again_keeps_its_steps_and_its_time(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> tuple[Any, Any, int]:
        await store.save_task("t", {"description": "First", "created_at": "2026-01-02T03:04:05"})
        await store.save_step("t", {"tool_name": "shell", "output": "ok", "success": True})
        first = await store.get_task("t")
        await store.save_task("t", {"description": "Second", "status": "EXECUTING", "metadata": {"a": [1]}})
        return first, await store.get_task("t"), len(store.memory.tasks.steps("t"))

    first, second, steps = with_store(tmp_path, work)
    assert first["created_at"] == "2026-01-02T03:04:05"
    assert second["created_at"] == first["created_at"]
    assert (second["description"], second["status"], second["metadata"]) == ("Second", "EXECUTING", {"a": [1]})
    assert steps == 1


def test_words_for_states_stay_and_mean_something(tmp_path: Path) -> None:
    labels = {
        "INIT": "pending",
        "PLANNING": "running",
        "COMPLETED": "succeeded",
        "FAILED": "failed",
        "Done": "succeeded",
    }

    async def work(store: MemoryStore) -> dict[str, tuple[str, str]]:
        for label in labels:
            await store.save_task(label, {"description": label})
            await store.update_task_status(label, label, f"{label} it is")
        rows = {label: await store.get_task(label) for label in labels}
        return {label: (row["status"], store.memory.tasks.get(label).status) for label, row in rows.items() if row}

    assert with_store(tmp_path, work) == {label: (label, status) for label, status in labels.items()}


def test_a_task_without_a_description_has_none(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> Any:
        await store.save_task("t", {})
        return await store.get_task("t")

    row = with_store(tmp_path, work)
    assert (row["description"], row["status"], row["summary"], row["metadata"]) == ("", "INIT", "", {})


def test_metadata_come_back_as_they_were(tmp_path: Path) -> None:
    async def run() -> None:
        store = MemoryStore(tmp_path / "a.db")
        await store.init_db()
        given = {"aira": {"version": 2}, "aios_status": "x", "n": 1}
        await store.save_task("t", {"description": "x", "status": "PLANNING", "metadata": given})
        await store.update_task_status("t", "COMPLETED", "x" * 9_000)
        task = await store.get_task("t")
        assert task is not None
        assert (task["metadata"], task["status"]) == (given, "COMPLETED")
        (cut,) = await store.get_recent_summaries()
        assert cut.endswith("x...")
        await store.close()

    asyncio.run(run())


def test_updating_what_is_not_there_does_nothing(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> Any:
        await store.update_task_status("nowhere", "COMPLETED", "done")
        return await store.get_task("nowhere")

    assert with_store(tmp_path, work) is None


def test_an_update_without_a_summary_empties_it_as_there(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> Any:
        await store.save_task("t", {"description": "x", "summary": "was"})
        await store.update_task_status("t", "EXECUTING")
        return await store.get_task("t")

    assert with_store(tmp_path, work)["summary"] == ""


def test_summaries_come_latest_first_and_within_the_cap(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> tuple[list[str], list[str], list[str]]:
        for number in range(4):
            await store.save_task(f"t{number}", {"description": "x", "summary": f"Summary {number}"})
        some = await store.get_recent_summaries(2)
        await store.save_task("long", {"description": "x", "summary": "One sentence. " * 2_000})
        capped = await store.get_recent_summaries()
        return some, capped, await store.get_recent_summaries(0)

    some, capped, none = with_store(tmp_path, work)
    assert some == ["Summary 3", "Summary 2"]
    assert len(capped) == 1
    assert len(capped[0]) <= MAX_SUMMARY_TOKENS * CHARS_PER_TOKEN + CHARS_PER_TOKEN
    assert capped[0] == f"{('One sentence. ' * 2_000)[:8_000]}..."
    assert none == []


@pytest.mark.parametrize(
    ("lengths", "shown"),
    [
        ([8_000], [8_000]),
        ([8_001], [8_003]),
        ([3_000, 3_000, 3_000], [3_000, 3_000, 2_003]),
        ([7_949, 100], [7_949, 54]),
        ([7_950, 100], [7_950]),
        ([7_950, 100, 10], [7_950]),
        ([8_000, 1], [8_000]),
    ],
)
def test_summaries_are_cut_where_the_characters_end(tmp_path: Path, lengths: list[int], shown: list[int]) -> None:
    async def work(store: MemoryStore) -> list[str]:
        for number, length in enumerate(reversed(lengths)):
            await store.save_task(f"t{number}", {"summary": "日" * length})
        return await store.get_recent_summaries(len(lengths))

    assert [len(one) for one in with_store(tmp_path, work)] == shown


def test_a_negative_limit_is_none_as_there(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> list[str]:
        for number in range(5):
            await store.save_task(f"t{number}", {"summary": f"Ends in … {number}"})
        return await store.get_recent_summaries(-1)

    assert with_store(tmp_path, work) == [f"Ends in … {number}" for number in (4, 3, 2, 1, 0)]


def test_what_was_given_comes_back(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> None:
        long = "word " * 14_000
        await store.save_task("long", {"description": long, "metadata": {"n": 1}})
        await store.update_task_status("long", "PLANNING")
        task = await store.get_task("long")
        assert task is not None
        assert (task["description"], task["metadata"]) == (long, {"n": 1})
        given = {"description": "  ", "status": "", "created_at": "2026-01-02T10:00:00+05:30"}
        await store.save_task("t", given)
        for _ in range(2):
            task = await store.get_task("t")
            assert task is not None
            assert {name: task[name] for name in given} == given
            assert store.memory.tasks.get("t").created_at == datetime(2026, 1, 2, 4, 30, tzinfo=UTC)
            await store.save_task("t", {"description": "  ", "status": ""})
        assert store.memory.tasks.get("t").status == "pending"

    with_store(tmp_path, work)


def test_values_are_texts(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> None:
        for save, get in (
            (store.save_preference, store.get_preference),
            (store.save_persona_state, store.get_persona_state),
        ):
            given: Any
            for given, kept in (("", ""), ("5", "5"), (5, "5"), (0.5, "0.5"), (True, "1")):
                await save("k", given)
                assert await get("k") == kept
            for given in (None, ["dark"], {"a": 1}, b"dark"):
                with pytest.raises(InvalidInput, match="value must be a string"):
                    await save("k", given)
            assert await get("k") == "1"
        store.memory.preferences.set("set elsewhere", {"a": [1]})
        assert await store.get_preference("set elsewhere") == '{"a": [1]}'

    with_store(tmp_path, work)


def test_steps_of_a_task_that_was_not_saved_are_kept(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> None:
        await store.save_step("t", {"tool_name": "shell", "output": "one"})
        await store.update_task_status("t", "COMPLETED", "done")
        assert await store.get_task("t") is None
        assert await store.get_recent_summaries() == []
        await store.save_step("t", {"tool_name": "shell", "output": "two"})
        await store.save_task("t", {"description": "Ship it", "status": "PLANNING"})
        task = await store.get_task("t")
        assert task is not None
        assert (task["description"], task["status"], task["metadata"]) == ("Ship it", "PLANNING", {})
        assert [step.output for step in store.memory.tasks.steps("t")] == ["one", "two"]

    with_store(tmp_path, work)


def test_steps_and_tasks_at_once_lose_nothing(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> None:
        for number in range(20):
            name = f"t{number}"
            steps = [store.save_step(name, {"output": str(one)}) for one in range(2)]
            await asyncio.gather(*steps, store.save_task(name, {"description": "Ship it"}))
            task = await store.get_task(name)
            assert task is not None
            assert (task["description"], len(store.memory.tasks.steps(name))) == ("Ship it", 2)

    with_store(tmp_path, work)


def test_two_stores_on_one_file_lose_nothing_to_each_other(tmp_path: Path) -> None:
    async def both() -> list[str]:
        one, other = MemoryStore(tmp_path / "t.db"), MemoryStore(tmp_path / "t.db")
        await one.init_db()
        await other.init_db()
        said = []
        for number in range(20):
            await one.save_task("t", {"description": "old"})
            saving, done = one.save_task("t", {"description": "new"}), f"{number} done"
            await asyncio.gather(saving, other.update_task_status("t", "COMPLETED", done))
            task = await other.get_task("t")
            assert task is not None
            said.append(task["description"])
        await one.close()
        await other.close()
        return said

    assert asyncio.run(both()) == ["new"] * 20


def test_nothing_has_no_name(tmp_path: Path) -> None:
    async def look(store: MemoryStore) -> list[object]:
        nothing: Any = None
        asked = (store.get_task, store.get_preference, store.get_persona_state)
        return [await ask(name) for ask in asked for name in ("", " ", nothing)]

    assert with_store(tmp_path, look) == [None] * 9


def test_a_summary_that_cannot_be_seen_is_none(tmp_path: Path) -> None:
    async def save(store: MemoryStore) -> list[str]:
        await store.save_task("t", {"description": "Rotate the logs", "summary": "\u200b"})
        await store.save_step("t", {"tool_name": "\u200b", "output": "done", "success": True})
        return await store.get_recent_summaries()

    assert with_store(tmp_path, save) == []


def test_long_outputs_are_cut_and_odd_ones_written_down(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> list[Step]:
        await store.save_task("t", {"description": "x"})
        await store.save_step("t", {"output": "y" * 30_000, "success": True})
        await store.save_step("t", {"output": {"rows": [1, 2]}, "success": None, "tool_name": None})
        return store.memory.tasks.steps("t")

    long, odd = with_store(tmp_path, work)
    assert (len(long.output), long.output_chars, long.is_cut) == (20_000, 30_000, True)
    assert (odd.output, odd.success, odd.tool) == ('{"rows": [1, 2]}', False, "")


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    async def time(store: MemoryStore) -> None:
        await store.save_task("t", {"description": "x", "created_at": "yesterday"})

    with pytest.raises(InvalidInput, match="ISO 8601"):
        with_store(tmp_path, time)
    with pytest.raises(Closed, match="init_db"):
        asyncio.run(MemoryStore(tmp_path / "a.db").get_preference("x"))


def test_it_is_an_emberkeep_memory_too(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> list[str]:
        await store.save_task("t", {"description": "Water the tomatoes", "summary": "Done before sunrise"})
        await store.save_preference("units", "metric")
        return [hit.text for hit in store.memory.search("what about the garden?")]

    assert with_store(tmp_path, work)[0] == "Water the tomatoes: Done before sunrise"


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    async def work(store: MemoryStore) -> Any:
        wrong: list[Any] = [
            None, [], "x", {"metadata": []}, {"metadata": {1: 2}}, {"status": 7}, {"description": ["x"]},
            {"summary": 7}, {"description": "\ud800"},
        ]  # fmt: skip
        for data in wrong:
            with pytest.raises(InvalidInput):
                await store.save_task("t", data)
        assert await store.get_task("t") is None
        await store.save_task("t", {"metadata": None, "status": None, "description": None, "summary": None})
        for status in (None, 7):
            for task_id in ("t", "nowhere"):
                with pytest.raises(InvalidInput, match="status is"):
                    await store.update_task_status(task_id, status)  # type: ignore[arg-type]
        for step in (None, {"tool_name": 7}):
            with pytest.raises(InvalidInput):
                await store.save_step("t", step)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="limit is None"):
            await store.get_recent_summaries(None)  # type: ignore[arg-type]
        return await store.get_task("t")

    row = with_store(tmp_path, work)
    assert (row["status"], row["metadata"]) == ("INIT", {})
