"""`AsyncMemory` is `Memory`, awaited."""

import asyncio
import inspect
import runpy
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.providers.base import Vectors
from emberkeep.testing import FixedClock, WordEmbedder

ROOT = Path(__file__).parents[2]
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def verbs(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(function)
        for name, function in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and not inspect.isgeneratorfunction(function)
    }


def namespaces(memory: object) -> dict[str, type]:
    return {name: type(value) for name, value in vars(memory).items() if not name.startswith("_")}


async def both() -> list[tuple[type, type]]:
    """`AsyncMemory` and `Memory`, and each namespace of the one with that of the other."""
    plain = emberkeep.open(":memory:", embedder=WordEmbedder())
    with plain:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as awaited:
            assert list(namespaces(awaited)) == list(namespaces(plain)) != []
            pairs = zip(namespaces(awaited).values(), namespaces(plain).values(), strict=True)
            return [(emberkeep.AsyncMemory, emberkeep.Memory), *pairs]


def test_both_have_the_same_verbs_with_the_same_signatures() -> None:
    for awaited, plain in asyncio.run(both()):
        assert verbs(awaited) == verbs(plain) != {}


def test_every_verb_is_awaited() -> None:
    for kind, _ in asyncio.run(both()):
        members = inspect.getmembers(kind, inspect.isfunction)
        assert all(inspect.iscoroutinefunction(function) for name, function in members if not name.startswith("_"))


def test_the_awaited_namespaces_are_up_to_date() -> None:
    written = (ROOT / "src" / "emberkeep" / "aio_namespaces.py").read_text(encoding="utf-8")
    assert written == runpy.run_path(str(ROOT / "scripts" / "write_async.py"))["module"](), "run `make reference`"


def test_the_journey_of_the_contract_awaited(durable_target: str) -> None:
    async def journey() -> None:
        async with emberkeep.open_async(durable_target) as memory:
            added = await memory.add(
                [{"role": "user", "content": "I moved to Lisbon in May.", "name": "Alex", "id": "m1"}], user_id="alex"
            )
            told = await memory.remember("Prefers a window seat", kind="preference", user_id="alex")
            hits = await memory.search("where does Alex live?", user_id="alex", limit=5)
            (fact,) = added.learned
            assert hits[0].id == fact.id
            context = await memory.context("Plan Alex's weekend", user_id="alex", max_tokens=1500)
            assert "Lisbon" in context.text
            assert context.id
            await memory.context_feedback(context.id, True, note="all there")
            assert (await memory.context_record(context.id)).helpful
            assert [one.note for one in await memory.contexts(user_id="alex")] == ["all there"]
            assert (await memory.replay_context(context.id)).chunks
            assert (await memory.get(told.id)).text == "Prefers a window seat"
            assert len(await memory.get_all(user_id="alex")) == 3
            assert (await memory.update(told.id, "Prefers an aisle seat")).text == "Prefers an aisle seat"
            assert [change.action for change in await memory.history(told.id)] == ["added", "updated"]
            assert (await memory.delete(told.id)).rows["items"] == 2
            await memory.add("The parcel came", user_id="alex", learn="later")
            assert [one.state for one in await memory.backlog()] == ["waiting"]
            assert (await memory.learn()).derived == 1
            assert (await memory.upkeep()).embedded == 0
            assert (await memory.audit(user_id="alex")).examined == 1
            assert (await memory.rebuild(dry_run=True)).embedded == 0
            assert (await memory.rebuild()).embedded == 3
            assert (await memory.stats()).items == 3
            assert await memory.spending() == []
            assert (await memory.delete_all(user_id="alex")).rows["items"] == 3

    asyncio.run(journey())


def test_the_log_the_backlog_and_the_worker_awaited(target: str) -> None:
    async def journey() -> None:
        async with emberkeep.open_async(target, embedder=WordEmbedder()) as memory:
            record = emberkeep.InteractionRecord(
                "s-1", NOON, "I moved to Lisbon.", [], [], "Noted!", user_id="alex", agent_id="voxa"
            )
            logged = await memory.capture.log(record)
            assert (await memory.capture.get(logged)).user_transcript == "I moved to Lisbon."
            assert [one.id for one in await memory.capture.recent(5, session_id="s-1")] == [logged]
            assert [(one.session_id, one.interactions) for one in await memory.capture.sessions()] == [("s-1", 1)]
            worker = await memory.worker(every_s=60)
            assert await asyncio.to_thread(worker.once)
            assert (await memory.backlog(), (await memory.stats()).failed) == ([], 0)
            seeded = await memory.seed("- 2026-01-02: Alex has a boat\n- Alex rows\n", user_id="alex")
            assert (seeded.read, seeded.new, seeded.known) == (2, 2, 0)
            assert (await memory.seed("Alex rows", user_id="alex")).known == 1
            with pytest.raises(emberkeep.InvalidInput, match="no rebuild to undo"):
                await memory.undo_rebuild()

    asyncio.run(journey())


def test_a_piece_of_work_awaited(target: str) -> None:
    async def journey() -> None:
        async with emberkeep.open_async(target, embedder=WordEmbedder()) as memory:
            goal = await memory.goals.save("Keep the shop open", priority=2, user_id="alex")
            task = await memory.tasks.start("Free the full disk", goal_id=goal.id, user_id="alex")
            step = await memory.tasks.step(task.id, "df", parameters={"path": "/"}, output="99 %", duration_ms=3)
            assert await memory.tasks.steps(task.id) == [step]
            decision = await memory.decisions.log("Delete the old logs", who="aios", why="they are kept elsewhere")
            await memory.tasks.finish(task.id, success=True, summary="Deleted 4 GB of old logs")
            assert await memory.tasks.recent_summaries() == ["Deleted 4 GB of old logs"]
            found = await memory.tasks.relevant("the disk is full", user_id="alex")
            assert [one.record for one in found] == [await memory.tasks.get(task.id)]
            assert (await memory.decisions.similar("old logs"))[0].record == decision
            await memory.preferences.set("theme", "dark", user_id="alex")
            assert await memory.preferences.all(user_id="alex") == {"theme": "dark"}
            await memory.persona.set("mood", "calm")
            assert await memory.persona.get("mood") == "calm"
            await memory.agents.save("aios", "busy")
            assert [agent.status for agent in await memory.agents.list()] == ["busy"]
            pattern = await memory.patterns.store("disk full", "delete old logs")
            assert await memory.patterns.find("Disk full!") == pattern
            assert (await memory.goals.delete(goal.id)).rows["goals"] == 1

    asyncio.run(journey())


def test_many_calls_may_wait_at_once(target: str) -> None:
    async def flood() -> None:
        async with emberkeep.open_async(target, embedder=WordEmbedder(), learner="none") as memory:
            added = await asyncio.gather(*(memory.add(f"note {n} of the day", user_id="alex") for n in range(60)))
            found = await asyncio.gather(*(memory.search(f"note {n}", user_id="alex", limit=1) for n in range(60)))
            assert len({one.id for one in added}) == 60
            assert [hits[0].text for hits in found] == [f"note {n} of the day" for n in range(60)]
            assert (await memory.stats()).items == 60

    asyncio.run(flood())


def test_the_loop_goes_on_while_a_verb_works() -> None:
    embedder = SlowEmbedder()

    async def watch() -> None:
        async with emberkeep.open_async(":memory:", embedder=embedder) as memory:
            call = asyncio.create_task(memory.add("tea"))
            while not embedder.asked.is_set():
                await asyncio.sleep(0.001)
            assert not call.done()
            embedder.go_on.set()
            assert (await call).new == 1

    asyncio.run(watch())


def test_a_cancelled_call_leaves_the_memory_whole(target: str) -> None:
    embedder = SlowEmbedder()

    async def cancel() -> None:
        async with emberkeep.open_async(target, embedder=embedder) as memory:
            call = asyncio.create_task(memory.add("The kettle boils", user_id="alex"))
            while not embedder.asked.is_set():
                await asyncio.sleep(0.001)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            embedder.go_on.set()
            while not (kept := await memory.stats()).items or kept.waiting:  # what was called off is still at work
                await memory.learn()
            assert [hit.text for hit in await memory.search("kettle", user_id="alex")] == ["The kettle boils"]
            assert (await memory.add("The kettle boils", user_id="alex")).updated == 1
            assert (await memory.stats()).waiting == 0

    asyncio.run(cancel())


def test_after_the_block_it_is_closed() -> None:
    async def late() -> None:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as memory:
            await memory.add("tea")
        calls = (memory.search("tea"), memory.add("tea"), memory.delete_all(user_id="*"), memory.capture.recent())
        for call in calls:
            with pytest.raises(emberkeep.Closed):
                await call
        await memory.close()

    asyncio.run(late())


def test_it_can_be_awaited_and_closed_by_hand() -> None:
    async def by_hand() -> list[str]:
        unopened = emberkeep.open_async(":memory:", embedder=WordEmbedder())
        with pytest.raises(emberkeep.Closed, match="or `await` it first"):
            await unopened.stats()
        memory = await unopened
        await memory.add("The kettle boils", user_id="alex")
        found = [hit.text for hit in await memory.search("kettle", user_id="alex")]
        await memory.close()
        return found

    assert asyncio.run(by_hand()) == ["The kettle boils"]


def test_it_closes_when_the_block_fails() -> None:
    async def fail() -> emberkeep.AsyncMemory:
        with pytest.raises(ZeroDivisionError):
            async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as memory:
                raise ZeroDivisionError
        return memory

    memory = asyncio.run(fail())
    with pytest.raises(emberkeep.Closed):
        asyncio.run(memory.stats())


def test_what_cannot_be_opened_says_so() -> None:
    async def refused() -> None:
        with pytest.raises(emberkeep.ConfigError):
            async with emberkeep.open_async("mysql://host/name"):
                pass

    asyncio.run(refused())


def test_errors_reach_who_awaits() -> None:
    async def wrong() -> None:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder(), clock=FixedClock()) as memory:
            with pytest.raises(emberkeep.NotFound):
                await memory.get("no-such-id")
            with pytest.raises(emberkeep.InvalidInput):
                await memory.search("")

    asyncio.run(wrong())


class SlowEmbedder(WordEmbedder):
    """Waits to be let go on."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()
        self.go_on = threading.Event()

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        self.asked.set()
        assert self.go_on.wait(timeout=10)
        return super().embed(texts, deadline=deadline)


def test_a_memory_whose_opening_is_cancelled_is_closed_again() -> None:
    opened: list[emberkeep.Memory] = []
    begun, go_on = threading.Event(), threading.Event()

    def slowly() -> emberkeep.Memory:
        begun.set()
        go_on.wait(10)
        opened.append(emberkeep.open(":memory:", embedder=WordEmbedder()))
        return opened[0]

    async def cancel() -> None:
        entering = asyncio.create_task(emberkeep.AsyncMemory(slowly).__aenter__())
        await asyncio.to_thread(begun.wait, 10)
        entering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await entering
        go_on.set()
        for _ in range(500):
            if opened and opened[0]._parts.database._closed.is_set():
                return
            await asyncio.sleep(0.01)

    asyncio.run(cancel())
    with pytest.raises(emberkeep.Closed):
        opened[0].stats()


def test_what_nobody_waits_for_any_more_is_finished_before_closing(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(WordEmbedder):
        def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
            begun.set()
            go_on.wait(10)
            return super().embed(texts, deadline=deadline)

    async def given_up() -> None:
        async with emberkeep.open_async(tmp_path / "agent.db", embedder=Slow(), learner="rules") as memory:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(memory.add("I live in Oslo now", user_id="c"), 0.2)
            assert begun.is_set()
            threading.Timer(0.1, go_on.set).start()

    asyncio.run(given_up())
    with emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder()) as memory:
        assert memory.backlog() == []
        assert [item.text for item in memory.get_all(user_id="c", kinds=["fact"])] == ["The user lives in Oslo now"]


def test_a_memory_is_closed_though_nobody_waits_for_that(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(WordEmbedder):
        def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
            begun.set()
            go_on.wait(10)
            return super().embed(texts, deadline=deadline)

    async def given_up() -> emberkeep.Memory | None:
        memory = emberkeep.AsyncMemory(lambda: emberkeep.open(tmp_path / "agent.db", embedder=Slow()))
        async with memory:
            inner = memory._memory
            call = asyncio.ensure_future(memory.remember("slowly", user_id="c"))
            while not begun.is_set():
                await asyncio.sleep(0.01)
            closing = asyncio.ensure_future(memory.close())
            await asyncio.sleep(0.05)
            closing.cancel()
            go_on.set()
            await asyncio.gather(call, closing, return_exceptions=True)
        return inner

    inner = asyncio.run(given_up())
    assert inner is not None
    with pytest.raises(emberkeep.Closed):
        inner.stats()
