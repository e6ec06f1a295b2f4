"""`of_tenant`: another tenant's memory over the same parts."""

import asyncio
import gc
import threading
from collections.abc import Iterator

import pytest

import emberkeep
from emberkeep.lifecycle import operationals
from emberkeep.model.events import Event
from emberkeep.testing import FixedClock, WordEmbedder


@pytest.fixture
def first(target: str, clock: FixedClock) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(target, clock=clock, embedder=WordEmbedder()) as opened:
        yield opened


def live_a_little(memory: emberkeep.Memory) -> None:
    memory.add("I live in Lisbon.", user_id="alex", session_id="s")
    memory.remember("Prefers a window seat", kind="preference", user_id="alex")
    goal = memory.goals.save("Ship it")
    memory.tasks.finish(memory.tasks.start("Pack", goal_id=goal.id).id, success=True)
    memory.decisions.log("to ship", who="me", why="it is time")
    memory.preferences.set("language", "pt")
    memory.persona.set("mood", "calm")
    memory.agents.save("packer", "busy")
    memory.procedures.save("Ship", steps=["pack", "send"])
    memory.incidents.report("It broke")
    memory.configs.record("pool", 1, 2)
    memory.knowledge.add("Boxes are in the cellar.", title="Boxes")
    memory.operational.push_event("disk", "full", severity="critical")
    memory.operational.update_metric("load", 1)
    memory.context("Plan the weekend", user_id="alex")
    memory.events.publish("app.done")
    memory.operational.flush()


def seen(memory: emberkeep.Memory) -> list[object]:
    """What each verb that reads shows of a tenant."""
    return [
        *memory.get_all(user_id="*"),
        *memory.search("Lisbon seat boxes ship", limit=50, user_id="*"),
        *memory.semantic_search("ship boxes broke", ["knowledge", "procedures", "incidents", "configs", "decisions"]),
        *memory.capture.recent(),
        *memory.capture.sessions(),
        *memory.goals.list(),
        *memory.tasks.list(),
        *memory.decisions.list(),
        *memory.preferences.all(),
        *memory.persona.all(),
        *memory.agents.list(),
        *memory.procedures.list(),
        *memory.incidents.list(),
        *memory.configs.list(),
        *memory.knowledge.list(),
        *memory.operational.get_recent(),
        *memory.operational.kept(),
        *memory.operational.get_system_snapshot().metrics,
        *memory.contexts(user_id="*"),
        *memory.events.recent(),
        *memory.backlog(),
        *memory.context("Plan the weekend", record=False, user_id="*").chunks,
    ]


def test_nothing_of_one_tenant_is_seen_by_another(first: emberkeep.Memory) -> None:
    acme, globex = first.of_tenant("acme"), first.of_tenant("globex")
    live_a_little(acme)
    assert seen(acme) != []
    assert seen(globex) == []
    assert seen(first) == []
    assert globex.delete_all(user_id="*").total == 0
    globex.upkeep()
    assert (globex.stats().items, globex.stats().tenant) == (0, "globex")
    assert acme.stats().items > 0
    assert acme.delete_all(user_id="*").total > 0
    assert acme.operational.get_recent() == []


def test_what_is_live_is_the_tenants(first: emberkeep.Memory) -> None:
    first.of_tenant("acme").operational.push_event("disk")
    assert len(first.of_tenant("acme").operational.get_recent()) == 1
    first.of_tenant("acme").of_tenant("globex").operational.push_event("disk")
    assert len(first.of_tenant("globex").operational.get_recent()) == 1
    assert first.operational.get_recent() == []
    first.operational.push_event("disk")
    assert len(first.of_tenant("acme").of_tenant("default").operational.get_recent()) == 1


def test_threads_get_the_same_live_state(first: emberkeep.Memory) -> None:
    barrier = threading.Barrier(8)

    def push() -> None:
        barrier.wait()
        for _ in range(50):
            first.of_tenant("acme").operational.push_event("disk")

    threads = [threading.Thread(target=push) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(first.of_tenant("acme").operational.get_recent(1_000)) == 400


def test_live_state_of_many_tenants_gives_way_and_loses_nothing_critical(
    first: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operationals, "MOST_HELD", 2)
    held = first.of_tenant("held")
    held.operational.push_event("disk")
    first.of_tenant("acme").operational.push_event("disk", severity="critical")
    first.of_tenant("left").operational.push_event("disk")
    for n in range(3):
        first.of_tenant(f"t{n}")
    gc.collect()
    assert len(first.of_tenant("held").operational.get_recent()) == 1  # someone has it at hand
    assert first.of_tenant("left").operational.get_recent() == []
    assert len(first.of_tenant("acme").operational.get_recent()) == 1  # it is still to be written
    assert first._parts.operationals.flush() == 1
    assert len(first.of_tenant("acme").operational.kept()) == 1


def test_closing_a_view_ends_only_that(first: emberkeep.Memory) -> None:
    one, other = first.of_tenant("acme"), first.of_tenant("acme")
    one.operational.push_event("disk", severity="critical")
    with one:
        one.remember("the lamp is red")
    for call in (one.stats, lambda: one.search("lamp"), lambda: one.of_tenant("globex")):
        with pytest.raises(emberkeep.Closed):
            call()
    one.close()
    assert other.stats().items == 1
    assert len(other.operational.kept()) == 1
    assert first.stats().items == 0
    assert first.of_tenant("acme").search("lamp")[0].text == "the lamp is red"


def test_closing_the_first_ends_all(durable_target: str) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder()) as first:
        view = first.of_tenant("acme")
        view.operational.push_event("disk", severity="critical")
    for call in (view.stats, lambda: first.of_tenant("acme"), lambda: view.operational.push_event("disk")):
        with pytest.raises(emberkeep.Closed):
            call()
    view.close()
    with emberkeep.open(durable_target, tenant="acme", embedder=WordEmbedder()) as again:
        assert [event.category for event in again.operational.kept()] == ["disk"]


def test_subscribers_hear_their_own_tenant(first: emberkeep.Memory) -> None:
    heard: dict[str, list[Event]] = {"default": [], "acme": [], "globex": []}
    names = {tenant: first.of_tenant(tenant).events.subscribe("*", told.append) for tenant, told in heard.items()}
    for tenant in heard:
        first.of_tenant(tenant).remember(f"of {tenant}")
    assert {tenant: {event.tenant for event in told} for tenant, told in heard.items()} == {
        tenant: {tenant} for tenant in heard
    }
    with pytest.raises(emberkeep.NotFound):
        first.of_tenant("globex").events.unsubscribe(names["acme"])
    first.of_tenant("acme").events.unsubscribe(names["acme"])


def test_webhooks_are_told_of_their_own_tenant(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), webhook_private=True) as first:
        acme, globex = first.of_tenant("acme"), first.of_tenant("globex")
        globex.remember("before anyone listens")
        webhook = acme.events.add_webhook("http://127.0.0.1:9/")
        acme.events.publish("app.mine")
        globex.events.publish("app.theirs")
        assert (acme.stats().events_waiting, globex.stats().events_waiting) == (1, 0)
        assert [event.type for event in acme.events.recent()] == ["app.mine"]
        assert globex.events.webhooks() == []
        with pytest.raises(emberkeep.NotFound):
            globex.events.remove_webhook(webhook.id)


def test_one_worker_learns_for_all(first: emberkeep.Memory) -> None:
    heard: list[Event] = []
    first.of_tenant("acme").events.subscribe("memory.learned", heard.append)
    for tenant in ("acme", "globex"):
        first.of_tenant(tenant).add("I live in Lisbon.", user_id="alex", learn="later")
        first.of_tenant(tenant).operational.push_event("disk", severity="critical")
    worker = first.of_tenant("initech").worker()
    assert worker.once()
    for tenant in ("acme", "globex"):
        view = first.of_tenant(tenant)
        assert len(view.get_all(user_id="alex", kinds=["fact"])) == 1
        assert len(view.operational.kept()) == 1
    assert [event.tenant for event in heard] == ["acme"]


def test_a_view_awaited(durable_target: str) -> None:
    async def journey() -> None:
        async with emberkeep.open_async(durable_target, embedder=WordEmbedder()) as first:
            acme = await first.of_tenant("acme")
            await acme.remember("the lamp is red", user_id="alex")
            await acme.goals.save("Ship it")
            assert (await first.stats()).items == 0
            assert await first.goals.list() == []
            async with await first.of_tenant("acme") as again:
                assert (await again.search("lamp", user_id="alex"))[0].text == "the lamp is red"
            with pytest.raises(emberkeep.Closed):
                await again.stats()
            assert len(await acme.goals.list()) == 1
        with pytest.raises(emberkeep.Closed):
            await acme.stats()
        await acme.close()

    asyncio.run(journey())
