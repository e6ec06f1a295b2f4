"""What is built on a memory works with one that is on a server: events, asyncio, many threads, agents, adapters."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import emberkeep
from emberkeep.adapters.aios import (
    Incident,
    LongTermMemory,
    OperationalMemory,
    TaskRecord,
    WorkingMemory,
    assemble_context,
)
from emberkeep.agent import AsyncSession, Session
from emberkeep.model.events import Event
from emberkeep.testing import WordEmbedder

if TYPE_CHECKING:
    from tests.conftest import Server

PATIENCE_S = 20


@pytest.fixture
def memory(over_http: Callable[..., emberkeep.Memory]) -> emberkeep.Memory:
    return over_http(embedder=WordEmbedder())


@pytest.fixture
def url(memory: emberkeep.Memory, server: "Server") -> str:
    return server.url


def test_events_are_followed_until_one_stops(memory: emberkeep.Memory) -> None:
    stop = threading.Event()
    followed: list[Event] = []
    following = memory.events.follow(type="app.*", every_s=0.05, stop=stop)
    begun = threading.Event()

    def read() -> None:
        for event in following:
            followed.append(event)
            begun.set()
            if event.type == "app.last":
                return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    while not begun.wait(0.1):  # the stream begins when the server has been asked, some time after the thread
        memory.events.publish("app.first")
    memory.remember("This is told too, but not asked for")
    memory.events.publish("app.last", {"n": 1}, user_id="alex")
    reader.join(PATIENCE_S)
    assert not reader.is_alive()
    last = followed[-1]
    assert (last.type, last.payload, last.user_id) == ("app.last", {"n": 1}, "alex")
    assert {event.type for event in followed} == {"app.first", "app.last"}
    stop.set()
    assert list(memory.events.follow(stop=stop)) == []


def test_callbacks_are_called_until_nobody_wants_them(memory: emberkeep.Memory, caplog: Any) -> None:
    called = threading.Semaphore(0)
    seen: list[Event] = []

    def note(event: Event) -> None:
        seen.append(event)
        called.release()
        raise ZeroDivisionError  # which is the callback's own affair

    subscription = memory.events.subscribe("memory.added", note)
    first = memory.remember("Alex rows")
    assert called.acquire(timeout=PATIENCE_S)
    memory.remember("Alex has a boat")
    assert called.acquire(timeout=PATIENCE_S)
    assert seen[0].payload["id"] == first.id
    assert "ZeroDivisionError" in caplog.text
    memory.events.unsubscribe(subscription)
    with pytest.raises(emberkeep.NotFound):
        memory.events.unsubscribe(subscription)
    with pytest.raises(emberkeep.InvalidInput):
        memory.events.subscribe("*", "no function")  # type: ignore[arg-type]
    with pytest.raises(emberkeep.InvalidInput):
        memory.events.subscribe("not a type", note)


def test_awaited(url: str) -> None:
    async def journey() -> None:
        async with emberkeep.open_async(url) as memory:
            added = await memory.add("I moved to Lisbon in May.", user_id="alex")
            assert (await memory.search("Lisbon", user_id="alex"))[0].id in {item.id for item in added.items}
            sessions = await memory.search("Lisbon", user_id="alex", group="session")
            assert isinstance(sessions, emberkeep.Sessions)
            await memory.preferences.set("theme", "dark", user_id="alex")
            assert await memory.preferences.get("theme", user_id="alex") == "dark"
            with pytest.raises(emberkeep.InvalidInput, match="emberkeep worker"):
                await memory.worker()
            with pytest.raises(emberkeep.NotFound):
                await memory.get("nothing")
            await asyncio.gather(*(memory.remember(f"note {n}", user_id="sam") for n in range(20)))
            assert len(await memory.get_all(user_id="sam")) == 20
            async with AsyncSession(memory, "Water the plants", user_id="alex") as session:
                await session.step("can", output="watered")
            assert (await memory.tasks.get(session.task.id)).status == "succeeded"
        with pytest.raises(emberkeep.Closed):
            await memory.stats()

    asyncio.run(journey())


def test_many_threads_share_one(memory: emberkeep.Memory) -> None:
    with ThreadPoolExecutor(16) as threads:
        ids = list(threads.map(lambda n: memory.remember(f"thing number {n}", user_id="alex").id, range(64)))
        assert len(set(ids)) == 64
        assert [item.id for item in threads.map(memory.get, ids)] == ids


def test_an_agent_works_with_it(memory: emberkeep.Memory) -> None:
    memory.procedures.save("Renew a certificate", steps=["certbot renew"], user_id="alex")
    with Session(memory, "Renew the certificate", goal="Keep the site up", agent_id="ops", user_id="alex") as session:
        said = session.ask(lambda messages: messages[0]["role"], "How was it done before?")
        with session.tool("shell", {"command": "certbot renew"}) as call:
            call.output = "renewed"
        session.decide("Restart nginx", why=said)
    assert memory.tasks.get(session.task.id).status == "succeeded"
    assert [step.tool for step in memory.tasks.steps(session.task.id)] == ["model", "shell"]
    assert memory.decisions.list(task_id=session.task.id)[0].who == "ops"


def test_an_adapter_works_with_it(memory: emberkeep.Memory) -> None:
    async def run() -> None:
        working, longterm = WorkingMemory(memory), LongTermMemory(memory)
        OperationalMemory(memory).update_metric("disk_used", 0.97)
        await working.store_task(TaskRecord("t", "Free space on /var", status="done", summary="Rotated the logs"))
        await longterm.store_incident(Incident("i", "Disk full", "/var at 100 %"))
        await longterm.store_knowledge("Handbook", "A full disk is freed by rotating logs.")
        context = await assemble_context("The disk is full", 500, memory=memory)
        assert {chunk.source for chunk in context.chunks} == {"operational", "working", "longterm", "knowledge"}

    asyncio.run(run())


@pytest.mark.slow
def test_opening_one_loads_no_server_and_no_database(url: str) -> None:
    code = f"""
import sys, emberkeep
with emberkeep.open({url!r}) as memory:
    memory.remember("tea")
    assert len(memory.get_all()) == 1
print(*sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(run.stdout.split()) & {"fastapi", "uvicorn", "psycopg", "typer", "usearch", "onnxruntime"}


def test_what_only_the_server_has_is_said_to_be_its_own(url: str) -> None:
    with emberkeep.open(url) as memory:
        for asked in (lambda: memory.config, lambda: memory.embedding, lambda: memory.database):
            with pytest.raises(emberkeep.InvalidInput, match="are the server's"):
                asked()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a platform that does not fork")
def test_a_fork_has_connections_of_its_own(url: str) -> None:
    """Two processes on one connection would read each other's answers."""
    code = f"""
import os, emberkeep
memory = emberkeep.open({url!r})
memory.remember("before", user_id="alex")
children = []
for who in range(3):
    pid = os.fork()
    if not pid:
        children = []
        break
    children.append(pid)
else:
    who = "parent"
for number in range(10):
    text = f"{{who}} says {{number}}"
    assert memory.get(memory.remember(text, user_id="alex").id).text == text
assert all(os.waitpid(pid, 0)[1] == 0 for pid in children)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    with emberkeep.open(url) as memory:
        assert len(memory.get_all(user_id="alex", limit=100)) == 41
