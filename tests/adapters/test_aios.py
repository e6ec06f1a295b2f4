"""AIOS's methods, in Python, with what they promise: the checkboxes of its design, one after the other."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

import emberkeep
from emberkeep.adapters import aios, aios_context
from emberkeep.adapters.aios import (
    AssembledContext,
    ContextChunk,
    Decision,
    Event,
    Goal,
    Incident,
    LongTermMemory,
    OperationalMemory,
    Pattern,
    Procedure,
    SearchResult,
    TaskRecord,
    TaskState,
    WorkingMemory,
    assemble_context,
)
from emberkeep.errors import Closed, InvalidInput, NotFound

T = TypeVar("T")


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    """What a test before this one left open is not taken from."""
    for what_is_open in (aios_context._open_tiers, aios_context._live, aios_context._chosen):
        what_is_open.clear()


def with_working(target: str, work: Callable[[WorkingMemory], Awaitable[T]]) -> T:
    async def run() -> T:
        working = await WorkingMemory.init(target)
        try:
            return await work(working)
        finally:
            await working.close()

    return asyncio.run(run())


def test_operational_memory_is_a_ring_with_push_and_query(tmp_path: Path) -> None:
    with emberkeep.open(tmp_path / "a.db", operational_events=10) as memory:
        operational = OperationalMemory(memory)
        operational.push_event(Event("disk", "full", severity="critical", source="node1"))
        for number in range(20):
            operational.push_event({"category": "net" if number % 2 else "cpu", "message": str(number)})
        operational.update_metric("load", 0.5)
        operational.update_metric("load", 0.9)
        operational.set_active_task(TaskState("t1", "running", "half way"))
        assert [event.message for event in operational.get_recent(3)] == ["19", "18", "17"]
        assert [event.message for event in operational.get_recent(2, "cpu")] == ["18", "16"]
        assert operational.get_recent(0) == []
        assert len(operational.get_recent(20_000)) == 10
        snapshot = asyncio.run(operational.get_system_snapshot())
        assert (snapshot.held, snapshot.metrics["load"].latest) == (10, 0.9)
        assert [task.id for task in snapshot.active_tasks] == ["t1"]
    with emberkeep.open(tmp_path / "a.db") as memory:  # what was critical was flushed to working memory
        assert [event.message for event in memory.operational.kept()] == ["full"]


def test_goals_and_tasks(durable_target: str) -> None:
    async def work(working: WorkingMemory) -> None:
        await working.store_goal(Goal("g1", "Keep the servers healthy", priority=5))
        await working.store_goal(Goal("g2", "Write the report", status="completed"))
        await working.store_task(TaskRecord("t1", "Free space on /var", "g1", status="in_progress"))
        await working.store_task(TaskRecord("t2", "Restart nginx", "g1", status="done", summary="It answers again"))
        assert [(goal.id, goal.status, goal.priority) for goal in await working.get_active_goals()] == [
            ("g1", "active", 5)
        ]
        tasks = await working.get_tasks_for_goal("g1")
        assert [(task.id, task.status, task.summary) for task in tasks] == [
            ("t1", "in_progress", ""),
            ("t2", "done", "It answers again"),
        ]
        await working.update_goal("g1", "completed")
        assert await working.get_active_goals() == []
        assert working.memory.goals.get("g1").status == "succeeded"
        with pytest.raises(NotFound, match="no goal"):
            await working.update_goal("nowhere", "active")

    with_working(durable_target, work)


def test_decisions_say_who_what_and_why_and_are_found_by_meaning(durable_target: str) -> None:
    async def work(working: WorkingMemory) -> None:
        await working.log_decision(
            Decision("planner", "Use nginx", "it needs less memory", alternatives=["Apache"], confidence=0.8)
        )
        await working.log_decision(Decision("cook", "Bake bread", "it is Sunday"))
        (found, *_) = await working.find_similar_decisions("which web server should serve the site?")
        assert (found.agent, found.decision, found.reasoning) == ("planner", "Use nginx", "it needs less memory")
        assert (found.alternatives, found.confidence) == (["Apache"], 0.8)
        assert found.relevance is not None
        assert 0.2 < found.relevance < 0.9
        assert found.summary == "Use nginx because it needs less memory"

    with_working(durable_target, work)


def test_patterns_are_cached_and_counted(durable_target: str) -> None:
    async def work(working: WorkingMemory) -> None:
        await working.store_pattern(Pattern("p1", "the disk is full", "rotate the logs"))
        assert await working.find_pattern("a cat sits on the mat") is None
        await working.update_pattern_stats("p1", True)
        await working.update_pattern_stats("p1", False)
        found = await working.find_pattern("no space left on the disk")
        assert found == Pattern("p1", "the disk is full", "rotate the logs", hits=2, success_rate=0.5)

    with_working(durable_target, work)


def test_patterns_keep_the_uses_that_they_come_with(durable_target: str) -> None:
    async def work(working: WorkingMemory) -> None:
        async def kept(pattern: Pattern) -> tuple[int, float | None]:
            await working.store_pattern(pattern)
            return await found()

        async def found() -> tuple[int, float | None]:
            pattern = await working.find_pattern("the disk is full")
            assert pattern is not None
            return pattern.hits, pattern.success_rate

        given = Pattern("p1", "the disk is full", "rotate the logs", hits=4, success_rate=0.75)
        assert await kept(given) == (4, 0.75)
        await working.update_pattern_stats("p1", True)
        assert await found() == (5, 0.8)
        assert await kept(replace(given, hits=5, success_rate=0.8)) == (5, 0.8)
        assert await kept(Pattern("p1", "the disk is full", "add a disk")) == (5, 0.8)
        await working.update_pattern_stats("p1", False)
        assert await found() == (6, 4 / 6)
        assert await kept(replace(given, success_rate=None)) == (4, None)
        await working.update_pattern_stats("p1", False)
        assert await found() == (5, 0.0)

    with_working(durable_target, work)


def test_what_is_not_finished_is_told_by_its_description(durable_target: str) -> None:
    async def work(working: WorkingMemory) -> None:
        await working.store_task(TaskRecord("t1", "Renew the certificate of the shop"))
        await working.store_task(TaskRecord("t2", "Renew the certificate", status="done", summary="Valid till March"))
        found = await working.find_relevant("the certificate has expired")
        assert {one.summary for one in found} == {"Renew the certificate of the shop", "Valid till March"}

    with_working(durable_target, work)


def test_what_is_relevant_is_tasks_and_decisions(durable_target: str) -> None:
    async def work(working: WorkingMemory) -> None:
        await working.store_task(TaskRecord("t1", "Renew the certificate of the shop"))
        await working.log_decision(Decision("ops", "Renew certificates by a timer", "people forget"))
        await working.store_task(TaskRecord("t2", "Water the tomatoes"))
        found = await working.find_relevant("the certificate has expired", limit=2)
        assert {type(one) for one in found} == {TaskRecord, Decision}
        assert all(one.relevance is not None and "ertificate" in str(one) for one in found)

    with_working(durable_target, work)


def test_old_entries_are_migrated_and_stay_reachable(durable_target: str) -> None:
    async def work(working: WorkingMemory) -> None:
        await working.store_task(TaskRecord("t1", "Renew the certificate", status="done", summary="Valid till March"))
        assert await working.migrate_old_entries(datetime.now(UTC) - timedelta(days=30)) == 0
        assert await working.migrate_old_entries(datetime(2020, 1, 1)) == 0  # noqa: DTZ001 - UTC is meant
        assert await working.migrate_old_entries(datetime.now(UTC) + timedelta(days=1)) == 1
        assert await working.migrate_old_entries(datetime.now(UTC) + timedelta(days=1)) == 0
        assert working.memory.tasks.get("t1").archived_at is not None
        hits = working.memory.search("certificate", kinds=["summary"])
        assert "Valid till March" in hits[0].text
        await working.vacuum()

    with_working(durable_target, work)


def test_long_term_memory_is_one_ranking_over_collections(durable_target: str) -> None:
    async def run() -> None:
        longterm = LongTermMemory(durable_target, "chroma is not needed")
        await longterm.store_procedure(Procedure("p", "Free a disk", "When a disk is full", ["look", "rotate logs"]))
        await longterm.store_incident(
            Incident("i", "Disk full", "/var at 100 %", "high", resolution="Rotated the logs")
        )
        await longterm.store_knowledge("Handbook", "Logs of a full disk are in /var/log.", "handbook.md")
        found = await longterm.semantic_search("the disk is full", n_results=3)
        assert {one.collection for one in found} == {"procedures", "incidents"}
        assert found[0].relevance >= found[1].relevance
        only = await longterm.semantic_search("the disk is full", ["knowledge"])
        assert [one.collection for one in only] == ["knowledge"]
        with pytest.raises(InvalidInput, match="procedures"):
            await longterm.semantic_search("x", ["cellar"])
        await longterm.close()

    asyncio.run(run())


def test_context_comes_from_all_tiers_within_the_budget(durable_target: str) -> None:
    async def run() -> None:
        with emberkeep.open(durable_target) as memory:
            working, longterm = WorkingMemory(memory), LongTermMemory(memory)
            OperationalMemory(memory).update_metric("disk_used", 0.97)
            await working.store_task(TaskRecord("t", "Free space on /var", status="done", summary="Rotated the logs"))
            await longterm.store_incident(Incident("i", "Disk full", "/var at 100 %"))
            await longterm.store_knowledge("Handbook", "A full disk is freed by rotating logs.")
            context = await assemble_context("The disk is full", max_tokens=500)
            assert {chunk.source for chunk in context.chunks} == {"operational", "working", "longterm", "knowledge"}
            assert context.total_tokens <= 500
            assert all(0 <= chunk.relevance <= 1 and chunk.content for chunk in context.chunks)
            some = await assemble_context("The disk is full", 500, ["knowledge"], memory=memory)
            assert {chunk.source for chunk in some.chunks} == {"knowledge"}
            await working.close()
            assert (await assemble_context("The disk is full", 500)).chunks  # of the tier that is still open
            await longterm.close()
            assert {chunk.source for chunk in (await assemble_context("x", tiers=["operational"])).chunks}
        with pytest.raises(Closed, match="use"):
            await assemble_context("x")

    asyncio.run(run())


def test_values_are_made_as_in_the_design() -> None:
    chunk = ContextChunk(source="operational", content="x", relevance=1.0)
    context = AssembledContext(chunks=[chunk], total_tokens=5)
    assert (context.chunks[0].source, context.total_tokens) == ("operational", 5)
    result = SearchResult(content="a", metadata={}, relevance=0.5, collection="decisions")
    assert (result.relevance, result.collection) == (0.5, "decisions")


def test_relevance_is_likeness_whatever_else_there_is(tmp_path: Path) -> None:
    async def run() -> None:
        longterm = LongTermMemory(tmp_path / "long.db", "chroma")
        for name, does in (("Restart nginx", "restart the nginx web server"), ("Bake", "bake bread with rye flour")):
            await longterm.store_procedure(Procedure(name, name, f"How to {does}", ["first", "then"]))
        apart = await longterm.semantic_search("quantum chromodynamics of gluons")
        assert all(one.relevance < 0.3 for one in apart)
        near, far = await longterm.semantic_search("restart the apache web server")
        assert near.relevance > 0.5 > far.relevance
        assert (near.content, near.metadata) == (
            "Restart nginx: How to restart the nginx web server",
            {"id": "Restart nginx", "name": "Restart nginx"},
        )
        await longterm.close()

    asyncio.run(run())


def test_a_context_has_the_state_always_and_a_few_of_each_tier(tmp_path: Path) -> None:
    async def run() -> None:
        with emberkeep.open(tmp_path / "all.db") as memory, emberkeep.open(tmp_path / "now.db") as now:
            working, longterm = WorkingMemory(memory), LongTermMemory(memory)
            for number in range(8):
                await working.store_task(TaskRecord(f"t{number}", f"Free the full disk {number}", status="done"))
                await longterm.store_incident(Incident(f"i{number}", f"Disk {number} full", f"disk {number} was full"))
                await longterm.store_knowledge(f"Note {number}", f"Note {number}: a full disk is freed by hand.")
            idle = await assemble_context("The disk is full")
            sources = [chunk.source for chunk in idle.chunks]
            assert {tier: sources.count(tier) for tier in sources} == {
                "operational": 1,
                "working": 5,
                "longterm": 3,
                "knowledge": 2,
            }
            assert (idle.chunks[0].source, idle.chunks[0].relevance) == ("operational", 1.0)
            assert isinstance(idle.chunks, list)
            assert idle.total_tokens <= 4_000
            OperationalMemory(now).update_metric("disk_used", 0.97)
            busy = await assemble_context("The disk is full", tiers=["operational"])
            assert "disk_used" in " ".join(chunk.content for chunk in busy.chunks)

    asyncio.run(run())


@pytest.mark.parametrize("most", [50, 60, 80, 100, 400, 4_000])
def test_what_is_going_on_comes_before_all_else_as_one_piece(most: int) -> None:
    async def run() -> None:
        with emberkeep.open(":memory:") as memory:
            working, operational = WorkingMemory(memory), OperationalMemory(memory)
            for number in range(4):
                await working.store_task(TaskRecord(f"t{number}", f"Clean the disk {number}", summary="Rotated logs"))
            for number in range(6):
                operational.push_event(Event("disk", f"/var is full on node{number}", severity="critical"))
            context = await assemble_context("The disk is full", most, memory=memory)
            assert [chunk.source for chunk in context.chunks].count("operational") == 1
            assert "/var is full" in context.chunks[0].content
            assert context.total_tokens <= most
            assert ("node0" in context.chunks[0].content) == (most >= 400)
            none = await assemble_context("The disk is full", 40, memory=memory)
            assert none.chunks == []  # not that nothing was going on
            assert "budget" in none.degraded[0]

    asyncio.run(run())


@pytest.mark.slow
def test_tiers_in_several_files_are_all_taken_from(tmp_path: Path) -> None:
    async def run() -> None:
        working = await WorkingMemory.init(tmp_path / "working.db")
        longterm = LongTermMemory(tmp_path / "long.db")
        again = LongTermMemory(str(tmp_path / "sub" / ".." / "long.db"))
        await working.store_task(TaskRecord("t", "Free space on the full disk", summary="Half way"))
        await longterm.store_incident(Incident("i", "Disk full", "the disk of the database was full"))
        for number in range(20):
            await longterm.store_knowledge(f"Note {number}", f"Note {number}: a full disk is freed by rotating logs.")
        for most in (150, 400, 4_000):
            context = await assemble_context("The disk is full", most)
            assert {"working", "longterm"} <= {chunk.source for chunk in context.chunks}
            assert context.total_tokens <= context.budget == most
            assert working.memory._parts.count_tokens(context.text) <= most
            assert context.text.count("Disk full: the disk of the database was full") <= 1
            assert all(chunk.text in context.text for chunk in context.chunks)
        with pytest.raises(InvalidInput, match=r"working\.db, .*long\.db"):
            await assemble_context("The disk is full", 60)
        aios.use(longterm.memory)
        assert "working" not in {chunk.source for chunk in (await assemble_context("The disk is full")).chunks}
        await longterm.close()
        await working.close()
        assert {chunk.source for chunk in (await assemble_context("The disk is full")).chunks} >= {"longterm"}
        await again.close()
        with pytest.raises(Closed, match="open a tier"):
            await assemble_context("The disk is full")

    asyncio.run(run())


def test_a_memory_that_its_owner_closed_is_passed_over(tmp_path: Path) -> None:
    async def run() -> None:
        longterm = LongTermMemory(tmp_path / "long.db")
        with emberkeep.open(tmp_path / "working.db") as memory:
            WorkingMemory(memory)
        await longterm.store_incident(Incident("i", "Disk full", "the disk was full"))
        assert (await assemble_context("The disk is full")).chunks
        await longterm.close()

    asyncio.run(run())


def test_vacuum_moves_and_forgets_nothing(durable_target: str) -> None:
    async def work(working: WorkingMemory) -> None:
        working.memory.tasks.save("t", "Old", status="succeeded", created_at="2020-01-01T00:00:00Z")
        working.memory.add("I moved to Kyoto", user_id="alex", learn="later")
        before = working.memory.stats()
        await working.vacuum()
        assert working.memory.stats() == before
        assert before.waiting > 0

    with_working(durable_target, work)


def test_what_makes_no_sense_is_refused() -> None:
    async def work(working: WorkingMemory) -> None:
        operational = OperationalMemory(working.memory)
        for event in ({"category": "disk", "colour": "red"}, {"message": "x"}, None, "disk", ["disk"], {1: 2}):
            with pytest.raises(InvalidInput):
                operational.push_event(event)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput):
            operational.get_recent(None)  # type: ignore[arg-type]
        assert operational.get_recent(-1) == []
        for wrong in (None, 1):
            with pytest.raises(InvalidInput, match="status is"):
                await working.store_task(TaskRecord("t", "x", status=wrong))  # type: ignore[arg-type]
            with pytest.raises(InvalidInput, match="status is"):
                await working.store_goal(Goal("g", "x", status=wrong))  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="metadata"):
            await working.store_task(TaskRecord("t", "x", metadata=[1]))  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="pass the memory"):
            aios.use(None)  # type: ignore[arg-type]

    with_working(":memory:", work)
