"""`AsyncMemory` is `Memory`, awaited."""

import asyncio
import inspect
import threading
from collections.abc import Sequence

import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.providers.base import Vectors
from emberkeep.testing import FixedClock, WordEmbedder


def verbs(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(function)
        for name, function in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def test_both_have_the_same_verbs_with_the_same_signatures() -> None:
    assert verbs(emberkeep.AsyncMemory) == verbs(emberkeep.Memory)


def test_every_verb_is_awaited() -> None:
    members = inspect.getmembers(emberkeep.AsyncMemory, inspect.isfunction)
    assert all(inspect.iscoroutinefunction(function) for name, function in members if not name.startswith("_"))


def test_the_journey_of_the_contract_awaited(durable_target: str) -> None:
    async def journey() -> None:
        async with emberkeep.open_async(durable_target) as memory:
            added = await memory.add(
                [{"role": "user", "content": "I moved to Lisbon in May.", "name": "Alex", "id": "m1"}], user_id="alex"
            )
            told = await memory.remember("Prefers a window seat", kind="preference", user_id="alex")
            hits = await memory.search("where does Alex live?", user_id="alex", limit=5)
            assert hits[0].id == added.id
            context = await memory.context("Plan Alex's weekend", user_id="alex", max_tokens=1500)
            assert "Lisbon" in context.text
            assert (await memory.get(told.id)).text == "Prefers a window seat"
            assert len(await memory.get_all(user_id="alex")) == 2
            assert (await memory.update(told.id, "Prefers an aisle seat")).text == "Prefers an aisle seat"
            assert [change.action for change in await memory.history(told.id)] == ["added", "updated"]
            assert (await memory.delete(told.id)).rows["items"] == 2
            await memory.add("The parcel came", user_id="alex", learn="later")
            assert (await memory.learn()).derived == 1
            assert (await memory.upkeep()).embedded == 0
            assert (await memory.rebuild()).embedded == 2
            assert (await memory.stats()).items == 2
            assert (await memory.delete_all(user_id="alex")).rows["items"] == 2

    asyncio.run(journey())


def test_many_calls_may_wait_at_once(target: str) -> None:
    async def flood() -> None:
        async with emberkeep.open_async(target, embedder=WordEmbedder()) as memory:
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
            await memory.learn()
            assert [hit.text for hit in await memory.search("kettle", user_id="alex")] == ["The kettle boils"]
            assert (await memory.add("The kettle boils", user_id="alex")).updated == 1
            assert (await memory.stats()).waiting == 0

    asyncio.run(cancel())


def test_after_the_block_it_is_closed() -> None:
    async def late() -> None:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as memory:
            await memory.add("tea")
        for call in (memory.search("tea"), memory.add("tea"), memory.stats(), memory.delete_all(user_id="*")):
            with pytest.raises(emberkeep.Closed):
                await call
        await memory.close()

    asyncio.run(late())


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
            if opened and opened[0]._parts.database._closed:
                return
            await asyncio.sleep(0.01)

    asyncio.run(cancel())
    with pytest.raises(emberkeep.Closed):
        opened[0].stats()
