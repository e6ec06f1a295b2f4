"""Events that are kept: when, for whom, for how long."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

import emberkeep
from emberkeep.model.experience import SimilarTask, TaskContext
from emberkeep.storage import outbox
from emberkeep.storage.schema import deliveries
from emberkeep.storage.schema import outbox as rows
from emberkeep.testing import FixedClock, WordEmbedder
from emberkeep.work import announcing

Opened = Callable[..., emberkeep.Memory]


def count(memory: emberkeep.Memory) -> tuple[int, int]:
    with memory._parts.database.read() as connection:
        kept = connection.execute(select(func.count()).select_from(rows)).scalar()
        owed = connection.execute(select(func.count()).select_from(deliveries)).scalar()
    return kept or 0, owed or 0


def test_by_default_nothing_is_written(memory: emberkeep.Memory) -> None:
    told: list[object] = []
    memory.events.subscribe("*", told.append)
    memory.add("I live in Lisbon.", user_id="alex")
    assert told
    assert count(memory) == (0, 0)
    assert memory.events.recent() == []


def test_recent_events_can_be_asked_for_by_type(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), keep_events=True) as memory:
        for n in range(5):
            memory.events.publish(f"app.number{n}", {"n": n})
        memory.remember("Alex likes tea")
        assert [one.payload["n"] for one in memory.events.recent(2, type="app.*")] == [3, 4]
        assert [one.type for one in memory.events.recent(1)] == ["memory.added"]
        assert count(memory) == (6, 0)


def test_a_tenant_sees_its_own(durable_target: str) -> None:
    settings: dict[str, Any] = {"embedder": WordEmbedder(), "keep_events": True}
    with (
        emberkeep.open(durable_target, tenant="acme", **settings) as acme,
        emberkeep.open(durable_target, tenant="other", **settings) as other,
    ):
        acme.remember("Alex likes tea")
        assert len(acme.events.recent()) == 1
        assert other.events.recent() == []


def test_erasing_a_user_erases_what_was_told_of_them(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), keep_events=True) as memory:
        memory.remember("Alex likes tea", user_id="alex")
        memory.remember("Bo likes tea", user_id="bo")
        receipt = memory.delete_all(user_id="alex")
        assert receipt.rows["outbox"] == 1
        assert [(one.type, one.user_id) for one in memory.events.recent()] == [
            ("memory.added", "bo"),
            ("memory.erased", "alex"),
        ]


def test_advice_is_told_as_of_the_user_for_whom_it_was_asked(target: str) -> None:
    context = TaskContext((SimilarTask("task-of-alex", "1", "Deployed", True, 0.9, 0),), (), ())
    with emberkeep.open(target, embedder=WordEmbedder(), keep_events=True) as memory:
        memory.remember("Alex likes tea", user_id="alex")
        for asked in ("alex", "bo", "*", None):
            memory._parts.database.write(
                lambda c, asked=asked: announcing.suggested(  # type: ignore[misc]
                    c, tenant="default", task_id=None, context=context, user_id=asked
                )
            )
        told = memory.events.recent(type="memory.context.suggested")
        assert [one.user_id for one in told] == ["alex", "bo", None, None]
        memory.delete_all(user_id="alex")
        left = memory.events.recent(type="memory.context.suggested")
        assert [one.user_id for one in left] == ["bo", None, None]


def test_who_follows_sees_what_another_process_does(durable_target: str) -> None:
    with (
        emberkeep.open(durable_target, embedder=WordEmbedder()) as follower,
        emberkeep.open(durable_target, embedder=WordEmbedder()) as writer,
    ):
        writer.remember("Before anyone looked")
        stop, seen, ready = threading.Event(), [], threading.Event()

        def follow() -> None:
            following = follower.events.follow(type="memory.*", every_s=0.02, stop=stop)
            ready.set()
            for event in following:
                seen.append(event.payload["id"])
                if len(seen) == 20:
                    stop.set()

        thread = threading.Thread(target=follow)
        thread.start()
        assert ready.wait(10)
        while not outbox_watched(follower):
            stop.wait(0.02)
        writer._parts.announcer.look_again()  # as it does by itself every few seconds
        kept = [writer.remember(f"word{n} told").id for n in range(20)]
        thread.join(30)
        assert seen == kept
        assert not outbox_watched(follower)


def outbox_watched(memory: emberkeep.Memory) -> bool:
    with memory._parts.database.read() as connection:
        found = outbox.audiences(connection, datetime.now(UTC))
    return bool(found) and found["default"].watched


def test_who_begins_to_follow_misses_nothing_that_is_kept_for_them(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = opened(keep_events=True)
    memory.events.publish("app.before")
    announcer = memory._parts.announcer

    def look_again(tenant: str) -> None:  # as soon as it is known that somebody follows
        monkeypatch.undo()
        announcer.look_again(tenant)
        memory.events.publish("app.first")

    monkeypatch.setattr(announcer, "look_again", look_again)
    watch = memory.events.watch()
    memory.events.publish("app.second")
    assert [one.type for one in watch.look()] == ["app.first", "app.second"]
    watch.close()


def test_a_follower_who_vanished_is_forgotten(opened: Opened, clock: FixedClock) -> None:
    memory = opened()
    now = clock.now()
    memory._parts.database.write(lambda c: outbox.watch(c, "default", "gone", now, now + timedelta(seconds=30)))
    memory._parts.announcer.look_again()
    memory.events.publish("app.seen")
    clock.move(seconds=31)
    memory._parts.announcer.look_again()
    memory.events.publish("app.unseen")
    assert [one.type for one in memory.events.recent()] == ["app.seen"]


def test_old_events_go_but_not_those_that_the_stream_is_owed(target: str) -> None:
    clock = FixedClock(datetime.now(UTC))
    settings: dict[str, Any] = {"embedder": WordEmbedder(), "clock": clock, "events_keep_days": 7.0}
    with emberkeep.open(target, keep_events=True, **settings) as memory:
        memory.events.publish("app.old")
        memory._parts.announcer._streamed = True
        memory.events.publish("app.owed")
        clock.move(days=8)
        memory.events.publish("app.new")
        assert memory._parts.relay.once()
        assert [one.type for one in memory.events.recent()] == ["app.owed", "app.new"]
        assert memory.stats().events_waiting == 2


@pytest.mark.parametrize("limit", [0, -1, 10**9, "ten"])
def test_a_limit_is_a_sensible_number(limit: object, opened: Opened) -> None:
    with pytest.raises(emberkeep.InvalidInput):
        opened().events.recent(limit)  # type: ignore[arg-type]
