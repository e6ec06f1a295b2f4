"""Who is told of what, when, and what happens when they fail."""

import logging
import threading
from collections.abc import Callable
from typing import get_type_hints

import pytest
from sqlalchemy import Connection

import emberkeep
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.model.events import TYPES, Event, matcher
from emberkeep.storage import outbox
from emberkeep.testing import FixedClock, WordEmbedder

Opened = Callable[..., emberkeep.Memory]


def live_through_everything(memory: emberkeep.Memory) -> None:
    """Change whatever can be changed."""
    memory.add("I live in Lisbon.", user_id="alex")
    memory.add("I live in Porto now.", user_id="alex")
    memory.add("I do not live in Porto any more.", user_id="alex")
    memory.add("The parcel came.", user_id="alex", learn="later")
    memory.learn()
    told = memory.remember("Prefers a window seat", kind="preference", user_id="alex")
    memory.remember("Prefers a window seat", kind="preference", user_id="alex")
    memory.remember("Alex likes tea", user_id="alex")
    memory.remember("Alex likes green tea with honey", user_id="alex")
    memory.search("seat", user_id="alex", touch=True)
    memory.update(told.id, "Prefers an aisle seat")
    memory.delete(told.id)
    goal = memory.goals.save("Ship it")
    memory.goals.update(goal.id, description="Ship it well")
    memory.goals.delete(goal.id)
    memory.preferences.set("language", "pt")
    memory.persona.set("mood", "calm")
    memory.persona.delete("mood")
    for n in range(6):
        memory.experience.store(f"t{n}", f"Deploy the service, take {n}", success=n % 2 == 0, task_type="deploy")
    memory.experience.get_task_context("Deploy the service")
    (pattern, *_) = memory.patterns.extract("deploy", min_samples=3)
    memory.patterns.feedback(pattern.id, helpful=True)
    memory.rebuild()
    memory.events.publish("app.order.shipped", {"order": 7}, user_id="alex")
    memory.delete_all(user_id="alex")


def test_every_type_holds_what_the_table_says(memory: emberkeep.Memory) -> None:
    told: list[Event] = []
    memory.events.subscribe("*", told.append)
    live_through_everything(memory)
    for event in told:
        if not event.type.startswith("app."):
            assert set(event.payload) == set(get_type_hints(TYPES[event.type])), event
    rare = {"learning.failed", "restored", "refined", "rebuilt", "retracted", "migrated"}
    assert set(TYPES) - {event.type for event in told} <= {f"memory.{name}" for name in rare}
    assert len({event.id for event in told}) == len(told)
    assert {event.schema_version for event in told} == {1}
    assert {event.tenant for event in told} == {"default"}


def test_nothing_that_was_said_is_in_an_event(memory: emberkeep.Memory) -> None:
    told: list[Event] = []
    memory.events.subscribe("*", told.append)
    live_through_everything(memory)
    everything = "".join(event.to_json() for event in told)
    for word in ("Lisbon", "Porto", "window", "honey", "parcel", "service", "calm"):
        assert word not in everything


def test_what_is_restored_refined_retracted_rebuilt_or_fails_is_told(opened: Opened) -> None:
    class Broken:
        name = "broken"

        def learn(self, exchange: object, **_: object) -> object:
            raise ValueError("no")

    memory = opened(embedder_timeout_s=1)
    told: list[Event] = []
    memory.events.subscribe("memory.*", told.append)
    memory.add("I live in Lisbon.", user_id="alex")
    memory.add("I live in Porto now.", user_id="alex")
    fact = next(item for item in memory.get_all(user_id="alex", kinds=["fact"]) if "Porto" in item.text)
    memory.delete(fact.id)
    assert "memory.restored" in {event.type for event in told}
    failing = emberkeep.open(":memory:", embedder=WordEmbedder(), learner=Broken(), learn_attempts=1)  # type: ignore[arg-type]
    with failing:
        failing.events.subscribe("memory.learning.*", told.append)
        failing.add("I live in Lisbon.", user_id="alex")
    assert told[-1].type == "memory.learning.failed"
    assert told[-1].payload["attempts"] == 1


def test_wildcards_and_the_order_of_subscribers(opened: Opened) -> None:
    memory = opened()
    told: list[tuple[str, str]] = []
    memory.events.subscribe("memory.pattern.*", lambda event: told.append(("pattern", event.type)))
    memory.events.subscribe("*.added", lambda event: told.append(("added", event.type)))
    first = memory.events.subscribe("app.*", lambda event: told.append(("app", event.type)))
    memory.remember("Alex likes tea")
    memory.events.publish("app.a.b")
    memory.events.unsubscribe(first)
    memory.events.publish("app.a.b")
    assert told == [("added", "memory.added"), ("app", "app.a.b")]
    with pytest.raises(NotFound):
        memory.events.unsubscribe(first)
    with pytest.raises(InvalidInput, match="subscription must be a string"):
        memory.events.unsubscribe([])  # type: ignore[arg-type]


def test_a_callback_that_fails_harms_nobody(opened: Opened, caplog: pytest.LogCaptureFixture) -> None:
    memory = opened()
    told: list[Event] = []

    def fail(_event: Event) -> None:
        raise RuntimeError("callback broke")

    memory.events.subscribe("*", fail)
    memory.events.subscribe("*", told.append)
    with caplog.at_level(logging.ERROR):
        kept = memory.remember("Alex likes tea")
    assert memory.get(kept.id).text == "Alex likes tea"
    assert [event.type for event in told] == ["memory.added"]
    assert "callback broke" in caplog.text


def test_a_callback_sees_the_change_and_may_make_others(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder()) as memory:
        seen: list[str] = []

        def note(event: Event) -> None:
            text = memory.get(event.payload["id"]).text
            seen.append(text)
            if text == "Alex likes tea":
                memory.remember("Someone likes tea")

        memory.events.subscribe("memory.added", note)
        memory.remember("Alex likes tea")
        assert seen == ["Alex likes tea", "Someone likes tea"]


def test_a_slow_callback_holds_up_no_other_writer(durable_target: str) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder()) as memory:
        called, go_on = threading.Event(), threading.Event()

        def wait(event: Event) -> None:
            if event.user_id == "slow":
                called.set()
                assert go_on.wait(30)

        memory.events.subscribe("memory.added", wait)
        slow = threading.Thread(target=memory.remember, args=("Alex likes tea",), kwargs={"user_id": "slow"})
        slow.start()
        assert called.wait(30)
        memory.remember("Bo likes tea", user_id="quick")
        assert len(memory.get_all(user_id="*")) == 2
        go_on.set()
        slow.join()


def test_threads_that_share_a_transaction_hear_of_their_own_changes(durable_target: str) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), keep_events=True, learner="none") as memory:
        told: list[tuple[str, str | None]] = []
        memory.events.subscribe(
            "memory.added", lambda event: told.append((threading.current_thread().name, event.user_id))
        )

        def write(n: int) -> None:
            for m in range(10):
                memory.add(f"word{n} number{m}", user_id=f"user{n}")

        threads = [threading.Thread(target=write, args=(n,), name=f"user{n}") for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(told) == 80
        assert all(name == user for name, user in told)
        kept = memory.events.recent(1_000, type="memory.added")
        assert len(kept) == 80


def test_a_change_that_is_rolled_back_is_not_told(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), keep_events=True) as memory:
        told: list[Event] = []
        memory.events.subscribe("*", told.append)

        def job(connection: Connection) -> None:
            outbox.tell(connection, "default", None, "app.never", {})
            raise ValueError("changed my mind")

        with pytest.raises(ValueError, match="changed my mind"):
            memory._parts.database.write(job)
        assert told == []
        assert memory.events.recent() == []
        memory.remember("Alex likes tea")
        assert [event.type for event in told] == ["memory.added"]
        assert [event.id for event in memory.events.recent()] == [told[0].id]


def test_a_job_that_is_run_again_tells_once(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), keep_events=True) as memory:
        told: list[Event] = []
        memory.events.subscribe("app.*", told.append)
        database = memory._parts.database
        write = database._write

        def twice(job: Callable[[Connection], object]) -> object:
            def first(connection: Connection) -> None:
                job(connection)
                raise KeyError("serialization failure")

            with pytest.raises(KeyError):
                write(first)
            return write(job)

        database._write = twice  # type: ignore[method-assign, assignment]
        memory.events.publish("app.once")
        database._write = write  # type: ignore[method-assign]
        assert len(told) == len(memory.events.recent()) == 1


@pytest.mark.parametrize(
    "pattern", ["", "memory.storred", "memry.*", "Memory.*", 7, None, "a" * 300, "memory.[a]", "app"]
)
def test_a_type_that_does_not_exist_is_refused(pattern: object, opened: Opened) -> None:
    with pytest.raises(InvalidInput):
        opened().events.subscribe(pattern, print)  # type: ignore[arg-type]


def test_a_connection_that_is_lost_in_a_job_hides_no_error(postgres_url: str) -> None:
    with emberkeep.open(postgres_url, embedder=WordEmbedder(), keep_events=True) as memory:

        def job(connection: Connection) -> None:
            outbox.tell(connection, "default", None, "app.never", {})
            connection.invalidate()
            raise ValueError("what really happened")

        with pytest.raises(ValueError, match="what really happened"):
            memory._parts.database.write(job)
        memory.events.publish("app.after")
        assert [event.type for event in memory.events.recent()] == ["app.after"]


def test_a_slip_gets_a_hint(opened: Opened) -> None:
    with pytest.raises(InvalidInput, match=r"did you mean memory\.stored\?"):
        opened().events.subscribe("memory.storred", print)


@pytest.mark.parametrize(
    ("type_", "payload"),
    [("memory.stored", {}), ("order", {}), ("app.", {}), ("app.x", []), ("app.x", {"a": object()}), ("app.X", {})],
)
def test_what_cannot_be_published_is_refused(type_: str, payload: object, opened: Opened) -> None:
    with pytest.raises(InvalidInput):
        opened().events.publish(type_, payload)  # type: ignore[arg-type]


def test_a_callback_is_callable(opened: Opened) -> None:
    with pytest.raises(InvalidInput, match="callback"):
        opened().events.subscribe("*", "print")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pattern", "name", "means"),
    [
        ("*", "memory.stored", True),
        ("memory.*", "memory.pattern.learned", True),
        ("memory.*.learned", "memory.pattern.learned", True),
        ("memory.*.learned", "memory.learned", False),
        ("*memory*", "memory.added", True),
        ("app.*", "app.x.y", True),
        ("*.added", "memory.reheated", False),
        ("memory.added", "memory.added", True),
    ],
)
def test_what_a_pattern_means(pattern: str, name: str, means: bool) -> None:
    assert matcher(pattern)(name) is means


def test_events_survive_their_own_json() -> None:
    event = Event("1", "app.x", FixedClock().now(), "acme", None, {"ä": [1, None]})
    assert Event.from_json(event.to_json()) == event
    for text in ("", "[]", "{}", '{"id": 1}', "null", event.to_json()[:-9]):
        with pytest.raises(InvalidInput, match="not an event"):
            Event.from_json(text)
