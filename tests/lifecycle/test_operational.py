"""The operational memory: what it holds, what it refuses, and that nothing critical is lost."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from enum import Enum, StrEnum
from typing import Any

import pytest

import emberkeep
from emberkeep.errors import Closed, InvalidInput, NotFound, StoreBusy, StoreFull
from emberkeep.lifecycle import operational
from emberkeep.model.operational import SEVERITIES, LiveEvent
from emberkeep.testing import FixedClock, WordEmbedder

Opened = Callable[..., emberkeep.Memory]
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def opened(target: str, clock: FixedClock) -> Iterator[Opened]:
    memories = []

    def opener(**settings: Any) -> emberkeep.Memory:
        memories.append(emberkeep.open(target, **{"embedder": WordEmbedder(), "clock": clock, **settings}))
        return memories[-1]

    yield opener
    for memory in memories:
        memory.close()


@pytest.fixture
def quiet_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that writes by itself looks so rarely that a test sees only what it asks for."""
    monkeypatch.setattr(operational, "LOOK_EVERY_S", 3_600.0)


@pytest.fixture
def memory(opened: Opened, quiet_writer: None) -> emberkeep.Memory:
    return opened(operational_events=5)


@pytest.fixture
def in_memory(clock: FixedClock, quiet_writer: None) -> Iterator[emberkeep.Memory]:
    """For what has nothing to do with the store."""
    with emberkeep.open(":memory:", embedder=WordEmbedder(), clock=clock, operational_events=5) as opened:
        yield opened


def messages(events: list[LiveEvent]) -> list[str]:
    return [event.message for event in events]


def until(done: Callable[[], bool]) -> None:
    for _ in range(500):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to that")


# Events, metrics, tasks.


def test_recent_events_come_latest_first_of_all_sorts_or_of_one(in_memory: emberkeep.Memory) -> None:
    live = in_memory.operational
    for number, category in enumerate(["disk", "net", "disk", "net"]):
        live.push_event(category, str(number), severity="warning" if number > 1 else "info")
    assert messages(live.get_recent(3)) == ["3", "2", "1"]
    assert messages(live.get_recent(2, "disk")) == ["2", "0"]
    assert messages(live.get_recent(severity="warning")) == ["3", "2"]
    assert messages(live.get_recent(category="net", severity="info")) == ["1"]
    assert live.get_recent(5, "unheard of") == []


def test_an_event_says_all_that_it_was_told(in_memory: emberkeep.Memory) -> None:
    data = {"free": 3}
    event = in_memory.operational.push_event("disk", "almost full", severity="error", source="df", data=data, at=NOON)
    data["free"] = 0
    assert event == LiveEvent(NOON, "disk", "error", "almost full", "df", {"free": 3})
    assert (event.is_critical, event.id) == (False, None)
    assert in_memory.operational.push_event("disk").at == NOON
    assert in_memory.operational.push_event("disk", at="2026-05-20T10:00:00+02:00").at.hour == 8


def test_the_oldest_events_are_pushed_out(in_memory: emberkeep.Memory) -> None:
    for number in range(12):
        in_memory.operational.push_event("tick", str(number))
    assert messages(in_memory.operational.get_recent(100)) == ["11", "10", "9", "8", "7"]
    snapshot = in_memory.operational.get_system_snapshot()
    assert (snapshot.pushed, snapshot.held) == (12, 5)


def test_a_metric_has_its_latest_value_and_a_short_history(in_memory: emberkeep.Memory, clock: FixedClock) -> None:
    for number in range(150):
        in_memory.operational.update_metric("load", number)
    clock.move(seconds=5)
    in_memory.operational.update_metric("load", 7.5)
    load = in_memory.operational.get_metric("load")
    assert (load.latest, load.at, len(load.history)) == (7.5, NOON + timedelta(seconds=5), 100)
    assert (load.minimum, load.maximum) == (7.5, 149.0)
    assert load.mean == pytest.approx((sum(range(51, 150)) + 7.5) / 100)


def test_tasks_at_hand_are_those_set_here_and_those_that_run(memory: emberkeep.Memory, clock: FixedClock) -> None:
    stored = memory.tasks.start("Fix the login page", id="t-1")
    clock.move(seconds=1)
    memory.operational.set_active_task("t-1", {"phase": "reading"})
    memory.operational.set_active_task("t-2", "waiting")
    clock.move(seconds=1)
    memory.operational.set_active_task("t-2", "working")
    memory.tasks.start("Long done", id="t-3")
    memory.tasks.finish("t-3", success=True)
    first, second = memory.operational.active_tasks()
    assert (first.id, first.state, first.description, first.status) == (
        "t-1",
        {"phase": "reading"},
        stored.description,
        "running",
    )
    assert (second.id, second.state, second.status) == ("t-2", "working", None)
    assert second.updated_at - second.since == timedelta(seconds=1)
    assert memory.operational.end_active_task("t-2")
    assert not memory.operational.end_active_task("t-2")
    memory.operational.end_active_task("t-1")
    assert [(task.id, task.state) for task in memory.operational.active_tasks()] == [("t-1", "running")]


def test_the_snapshot_shows_all_at_a_glance(memory: emberkeep.Memory, clock: FixedClock) -> None:
    live = memory.operational
    memory.goals.save("Ship it", id="g-1")
    live.push_event("disk", "full", severity="critical")
    live.push_event("disk", "read")
    live.push_event("net", "slow", severity="warning")
    live.update_metric("load", 1.5)
    live.set_active_task("t-1", "running")
    clock.move(hours=1)
    snapshot = live.get_system_snapshot()
    assert (snapshot.since, snapshot.at) == (NOON, NOON + timedelta(hours=1))
    assert (snapshot.by_category, snapshot.by_severity) == (
        {"disk": 2, "net": 1},
        {"critical": 1, "info": 1, "warning": 1},
    )
    assert snapshot.metrics["load"].latest == 1.5
    assert [task.id for task in snapshot.active_tasks] == ["t-1"]
    assert [goal.id for goal in snapshot.active_goals] == ["g-1"]
    assert messages(list(snapshot.critical)) == ["full"]
    assert (snapshot.unkept, snapshot.degraded) == (1, ())


def test_a_snapshot_without_the_store_says_so(memory: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.operational.push_event("disk")

    def busy(*_: object) -> None:
        raise StoreBusy("the store is busy")

    monkeypatch.setattr(memory._parts.database, "read", busy)
    snapshot = memory.operational.get_system_snapshot()
    assert snapshot.by_category == {"disk": 1}
    assert "the store is busy" in snapshot.degraded[0]
    assert memory.operational.get_system_snapshot(stored=False).degraded == ()


def test_a_snapshot_counts_what_is_there_and_not_what_was(in_memory: emberkeep.Memory) -> None:
    live = in_memory.operational
    live.push_event("disk", severity="critical")
    assert live.get_system_snapshot().by_category == {"disk": 1}
    for _ in range(7):
        live.push_event("tick")
    snapshot = live.get_system_snapshot()
    assert (snapshot.by_category, snapshot.by_severity, snapshot.critical) == ({"tick": 5}, {"info": 5}, ())
    live.clear()
    live.push_event("net")
    assert live.get_system_snapshot().by_category == {"net": 1}


def test_a_snapshot_of_the_buffer_alone(memory: emberkeep.Memory) -> None:
    memory.tasks.start("Fix the login page", id="t-1")
    memory.operational.set_active_task("t-2", "waiting")
    snapshot = memory.operational.get_system_snapshot(stored=False)
    assert ([task.id for task in snapshot.active_tasks], snapshot.active_goals) == (["t-2"], ())


# What is critical.


def test_critical_events_that_are_pushed_out_go_to_the_store(memory: emberkeep.Memory) -> None:
    memory.operational.push_event("disk", "full", severity="critical", source="df", data={"free": 0})
    for number in range(5):
        memory.operational.push_event("tick", str(number))
    assert memory.operational._is_due()
    assert memory.operational.flush() == 1
    (kept,) = memory.operational.kept()
    assert (kept.category, kept.message, kept.source, kept.data, kept.at) == ("disk", "full", "df", {"free": 0}, NOON)
    assert kept.is_critical


def test_what_is_due_is_written_without_being_asked(
    opened: Opened, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operational, "LOOK_EVERY_S", 0.01)
    memory = opened(operational_max_age_s=60, operational_events=3)
    memory.operational.push_event("disk", "old", severity="critical")
    time.sleep(0.05)
    assert memory.operational.kept() == []
    clock.move(seconds=61)
    until(lambda: messages(memory.operational.kept()) == ["old"])
    memory.operational.push_event("disk", "pushed out", severity="critical")
    for _ in range(3):
        memory.operational.push_event("tick")
    until(lambda: messages(memory.operational.kept()) == ["pushed out", "old"])
    until(lambda: memory.operational._writer is None)  # nothing to wait for, so nobody waits
    memory.operational.push_event("disk", "of the future", severity="critical")
    clock.move(days=-1)  # by the clock it has not happened yet
    until(lambda: len(memory.operational.kept()) == 3)


def test_many_critical_events_are_written_at_once(opened: Opened, quiet_writer: None) -> None:
    memory = opened()
    for number in range(operational.BATCH):
        memory.operational.push_event("disk", str(number), severity="critical")
    until(lambda: memory.operational.count_unkept() == 0)
    assert len(memory.operational.kept(1_000)) == operational.BATCH


def test_flushing_twice_writes_once_and_events_stay_in_the_buffer(memory: emberkeep.Memory) -> None:
    event = memory.operational.push_event("disk", "full", severity="critical")
    assert (memory.operational.flush(), memory.operational.flush()) == (1, 0)
    assert memory.operational.get_recent() == [event]
    assert memory.operational.kept() == [event]


def test_kept_events_are_narrowed_by_category_and_time(memory: emberkeep.Memory, clock: FixedClock) -> None:
    for category in ("disk", "net", "disk"):
        memory.operational.push_event(category, category, severity="critical")
        clock.move(hours=1)
    memory.operational.flush()
    assert messages(memory.operational.kept()) == ["disk", "net", "disk"]
    assert len(memory.operational.kept(1)) == 1
    assert len(memory.operational.kept(category="disk")) == 2
    assert messages(memory.operational.kept(since=NOON + timedelta(minutes=30))) == ["disk", "net"]


def test_all_critical_events_survive_a_clean_stop(durable_target: str, clock: FixedClock, quiet_writer: None) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), clock=clock, operational_events=3) as memory:
        for number in range(1_234):
            memory.operational.push_event("disk", str(number), severity="critical")
    with emberkeep.open(durable_target, embedder=WordEmbedder()) as memory:
        kept = memory.operational.kept(10_000)
        assert sorted(int(event.message) for event in kept) == list(range(1_234))


def test_a_store_that_cannot_be_written_to_loses_nothing(
    opened: Opened, quiet_writer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = opened()
    memory.operational.push_event("disk", "first", severity="critical")
    write = memory._parts.database.write

    def full(*_: object) -> None:
        raise StoreFull("the disk is full")

    monkeypatch.setattr(memory._parts.database, "write", full)
    for call in (memory.operational.flush, memory.upkeep, memory.close):
        with pytest.raises(StoreFull, match="the disk is full"):
            call()
    with pytest.raises(StoreFull, match="1 critical events are not kept yet"):
        memory.close()
    memory.operational.push_event("disk", "second", severity="critical")  # it is still open
    monkeypatch.setattr(memory._parts.database, "write", write)
    assert memory.operational.flush() == 2
    assert messages(memory.operational.kept()) == ["second", "first"]


def test_the_end_of_a_with_block_closes_in_any_case(
    target: str, quiet_writer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreFull("the disk is full")

    def use() -> None:
        with emberkeep.open(target, embedder=WordEmbedder()) as memory:
            memory.operational.push_event("disk", severity="critical")
            monkeypatch.setattr(memory._parts.database, "write", full)
            used.append(memory)

    used: list[emberkeep.Memory] = []
    with pytest.raises(StoreFull, match="1 critical events"):
        use()
    with pytest.raises(Closed):
        used[0].stats()


def test_a_write_that_went_through_without_an_answer_is_not_doubled(
    memory: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = memory._parts.database.write

    def cut_off(job: Callable[..., Any]) -> None:
        write(job)
        raise StoreBusy("no answer")

    memory.operational.push_event("disk", severity="critical")
    monkeypatch.setattr(memory._parts.database, "write", cut_off)
    with pytest.raises(StoreBusy):
        memory.operational.flush()
    monkeypatch.setattr(memory._parts.database, "write", write)
    assert memory.operational.flush() == 1
    assert len(memory.operational.kept()) == 1


def test_many_threads_lose_and_double_nothing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operational, "LOOK_EVERY_S", 0.001)
    memory = opened(operational_events=50)
    going = threading.Event()

    def push(thread: int) -> None:
        for number in range(400):
            severity = SEVERITIES[number % 5]
            memory.operational.push_event("work", f"{thread}-{number}", severity=severity)
            memory.operational.update_metric(f"metric {thread}", number)

    def look() -> None:
        while not going.is_set():
            memory.operational.flush()
            memory.operational.get_recent(10, "work")
            memory.operational.get_system_snapshot()
            memory.upkeep()

    with ThreadPoolExecutor(6) as pool:
        watching = [pool.submit(look) for _ in range(2)]
        pushing = [pool.submit(push, thread) for thread in range(4)]
        for one in pushing:
            one.result(60)
        going.set()
        for one in watching:
            one.result(60)
    memory.operational.flush()
    wanted = sorted(f"{thread}-{number}" for thread in range(4) for number in range(4, 400, 5))
    assert sorted(messages(memory.operational.kept(10_000))) == wanted
    assert memory.operational.get_system_snapshot().pushed == 1_600


def test_events_pushed_while_it_closes_are_kept_or_refused(
    durable_target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = emberkeep.open(durable_target, embedder=WordEmbedder())
    pushed: list[str] = []

    def push(thread: int) -> None:
        for number in range(1_000_000):
            memory.operational.push_event("work", f"{thread}-{number}", severity="critical")
            pushed.append(f"{thread}-{number}")
            time.sleep(0.0002)

    with ThreadPoolExecutor(4) as pool:
        pushing = [pool.submit(push, thread) for thread in range(4)]
        until(lambda: len(pushed) > 50)
        memory.close()
        assert [type(one.exception(30)) for one in pushing] == [Closed] * 4
    with emberkeep.open(durable_target, embedder=WordEmbedder()) as again:
        assert sorted(messages(again.operational.kept(10_000))) == sorted(pushed)


def test_secrets_are_cut_out_where_that_is_wanted(opened: Opened, quiet_writer: None) -> None:
    memory = opened(redact=True)
    key = "sk-proj-" + "a1B2c3D4" * 6
    memory.operational.push_event("login", f"failed with {key}", severity="critical", data={"key": key})
    memory.operational.flush()
    (kept,) = memory.operational.kept()
    assert key not in f"{kept.message} {kept.data}"


def test_erasing_everyone_removes_kept_events_and_erasing_one_user_does_not(memory: emberkeep.Memory) -> None:
    memory.operational.push_event("disk", severity="critical")
    memory.operational.flush()
    memory.remember("tea", user_id="alex")
    memory.delete_all(user_id="alex")
    assert len(memory.operational.kept()) == 1
    assert memory.delete_all(user_id="*").rows["events"] == 1
    assert memory.operational.kept() == []


def test_tenants_see_their_own_events(durable_target: str) -> None:
    for tenant in ("acme", "globex"):
        with emberkeep.open(durable_target, embedder=WordEmbedder(), tenant=tenant) as memory:
            memory.operational.push_event("disk", tenant, severity="critical")
    with emberkeep.open(durable_target, embedder=WordEmbedder(), tenant="acme") as memory:
        assert messages(memory.operational.kept()) == ["acme"]


# What a caller may get wrong.


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"category": "disk", "severity": "fatal"}, "unknown severity 'fatal': use one of debug, info"),
        ({"category": "disk", "severity": ["info"]}, "unknown severity"),
        ({"category": " "}, "category is blank"),
        ({"category": None}, "category is missing"),
        ({"category": ["disk"]}, "category must be a string, not list"),
        ({"category": 5}, "category must be a string, not int"),
        ({"category": "d" * 201}, "category has 201 characters, the limit is 200"),
        ({"category": "a\x00b"}, "NUL"),
        ({"category": "disk", "message": 7}, "message must be a string, not int"),
        ({"category": "disk", "message": "m" * 20_001}, "message has 20,001 characters"),
        ({"category": "disk", "source": None}, "source must be a string"),
        ({"category": "disk", "source": "s" * 1_001}, "source has 1,001 characters"),
        ({"category": "disk", "data": "d" * 70_000}, "data is larger than 65,536 characters"),
        ({"category": "disk", "data": {"deep": [{"text": "d" * 70_000}]}}, "data is larger"),
        ({"category": "disk", "data": {n: n for n in range(10_000)}}, "data is larger"),
        ({"category": "disk", "at": "yesterday"}, "pass ISO 8601"),
        ({"category": "disk", "at": datetime(2026, 1, 1)}, "has no time zone"),  # noqa: DTZ001 - that is the point
    ],
)
def test_an_event_that_makes_no_sense_is_refused(
    in_memory: emberkeep.Memory, arguments: dict[str, Any], reason: str
) -> None:
    in_memory.operational.push_event("disk")
    with pytest.raises(InvalidInput, match=reason):
        in_memory.operational.push_event(**arguments)
    assert in_memory.operational.get_system_snapshot().pushed == 1


class Odd:
    def __repr__(self) -> str:
        return "an odd thing\x00"


@pytest.mark.parametrize("data", [{"when": NOON, "odd": Odd()}, Odd(), float("nan"), {1: {2}}, b"\xff"])
def test_data_that_json_cannot_hold_is_kept_as_text(memory: emberkeep.Memory, data: object) -> None:
    memory.operational.push_event("disk", "a\x00b\ud800", severity="critical", data=data)
    assert memory.operational.flush() == 1
    assert memory.operational.kept()[0].data is not None


def test_a_value_that_holds_itself_is_no_trouble(in_memory: emberkeep.Memory) -> None:
    loop: list[Any] = []
    loop.append(loop)
    in_memory.operational.push_event("disk", severity="critical", data=loop)
    wide: list[Any] = []
    wide += [wide, wide]
    with pytest.raises(InvalidInput, match="larger"):
        in_memory.operational.push_event("disk", severity="critical", data=wide)


@pytest.mark.parametrize("value", ["much", None, True, float("nan"), float("inf"), 10**400, [1]])
def test_a_metric_that_is_no_number_is_refused(in_memory: emberkeep.Memory, value: Any) -> None:
    with pytest.raises(InvalidInput, match="pass a finite number"):
        in_memory.operational.update_metric("load", value)
    with pytest.raises(NotFound, match="no metric 'load'"):
        in_memory.operational.get_metric("load")


def test_names_and_numbers_that_make_no_sense_are_refused(
    in_memory: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = in_memory.operational
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: live.update_metric(" ", 1), "key is blank"),
        (lambda: live.update_metric(["load"], 1), "key must be a string"),  # type: ignore[arg-type]
        (lambda: live.set_active_task("", "x"), "id is blank"),
        (lambda: live.set_active_task("t", "x" * 70_000), "state is larger"),
        (lambda: live.get_recent(0), "count is 0"),
        (lambda: live.get_recent(5, severity="loud"), "unknown severity"),  # type: ignore[arg-type]
        (lambda: live.kept(0), "limit is 0"),
        (lambda: live.kept(since="soon"), "ISO 8601"),
    ]
    monkeypatch.setattr(operational, "MAX_NAMES", 1)
    live.update_metric("first", 1)
    live.set_active_task("first", 1)
    live.update_metric("first", 2)
    live.set_active_task("first", 2)
    calls += [(lambda: live.update_metric("second", 1), "metrics already")]
    calls += [(lambda: live.set_active_task("second", 1), "active tasks already")]
    for call, reason in calls:
        with pytest.raises(InvalidInput, match=reason):
            call()


def test_a_closed_memory_takes_no_events(opened: Opened) -> None:
    memory = opened()
    memory.close()
    for severity in SEVERITIES:
        with pytest.raises(Closed):
            memory.operational.push_event("disk", severity=severity)
    with pytest.raises(Closed):
        memory.operational.kept()


def test_a_metric_may_be_named_by_a_member_of_an_enumeration(opened: Opened) -> None:
    class Name(StrEnum):
        LOAD = "load"

    class Old(str, Enum):  # noqa: UP042 - as they were written before StrEnum
        LOAD = "load"

    now = opened().operational
    for key, value in ((Name.LOAD, 1.0), (Old.LOAD, 2.0), ("load", 3.0)):
        now.update_metric(key, value)
    assert list(now.get_metric("load").history) == [1.0, 2.0, 3.0]
    assert [type(key) for key in now.get_system_snapshot().metrics] == [str]


def test_one_value_that_cannot_be_sent_does_not_spoil_the_rest(server: Any) -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as here, emberkeep.open(server.url) as there:
        server.serve(here)
        here.operational.push_event("disk", "half a letter \ud800", data={"odd": "\ud800", "none": float("nan")})
        here.operational.set_active_task("t", {"odd": "\ud800", "thing": here})
        here.operational.push_event("disk", "full")
        assert [event.message for event in there.operational.get_recent()] == ["full", "half a letter ?"]
        assert there.operational.get_recent()[1].data == {"odd": "?", "none": "nan"}
        assert there.operational.get_system_snapshot().active_tasks[0].state["odd"] == "?"
