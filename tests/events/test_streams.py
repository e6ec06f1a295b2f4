"""Streams in a real Valkey: nothing is lost when it, a writer or a relay is killed."""

import json
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import redis

import emberkeep
from emberkeep.clock import SystemClock
from emberkeep.config import Config
from emberkeep.errors import ConfigError, InvalidInput, StoreUnavailable
from emberkeep.events.redis_streams import StreamConsumer
from emberkeep.model.events import Event
from emberkeep.storage import outbox
from emberkeep.testing import FixedClock, WordEmbedder
from emberkeep.wiring import make_relay

pytestmark = pytest.mark.slow  # waits for Valkey
if TYPE_CHECKING:
    from tests.conftest import Valkey

Opened = Callable[..., emberkeep.Memory]
Start = Callable[..., "subprocess.Popen[str]"]


def ids(memory: emberkeep.Memory) -> list[str]:
    return [event.id for event in memory.events.recent(1_000)]


def test_events_arrive_in_order_with_all_they_hold(target: str, valkey: "Valkey", opened: Opened) -> None:
    memory = opened(target, events_url=valkey.url)
    memory.add("I live in Lisbon.", user_id="alex")
    assert memory.stats().events_waiting == len(ids(memory)) > 3
    delivered = memory.events.deliver()
    assert (delivered.sent, delivered.failed, delivered.reasons) == (len(ids(memory)), 0, ())
    assert valkey.entries() == ids(memory)
    assert memory.stats().events_waiting == 0
    assert memory.events.deliver().sent == 0
    consumer = StreamConsumer(valkey.url, "test", "one")
    received = consumer.read()
    assert [one.event for one in received] == memory.events.recent(1_000)
    consumer.close()


def test_while_the_server_is_down_work_goes_on_and_events_wait(target: str, valkey: "Valkey", opened: Opened) -> None:
    memory = opened(target, events_url=valkey.url)
    memory.remember("Alex likes tea")
    memory.events.deliver()
    valkey.kill()
    kept = memory.remember("Alex likes coffee")
    assert memory.get(kept.id).text == "Alex likes coffee"
    failed = memory.events.deliver()
    assert (failed.sent, failed.failed) == (0, 1)
    assert "ConnectionError" in failed.reasons[0]
    assert not memory._parts.relay.once() or memory.stats().events_waiting
    assert memory.stats().events_waiting == 1
    valkey.start()
    assert memory.events.deliver().sent == 1
    assert valkey.entries() == ids(memory)


def test_events_of_a_clock_that_was_years_ahead_do_not_wait_for_years(
    target: str, valkey: "Valkey", opened: Opened, clock: FixedClock
) -> None:
    memory = opened(target, events_url=valkey.url)
    clock.move(days=3_650)
    memory.remember("Alex likes tea")
    memory.remember("Alex likes coffee")
    soon = clock.now() + timedelta(seconds=30)
    memory._parts.database.write(
        lambda c: outbox.take(c, "default", outbox.STREAM, 1, holder="killed", now=clock.now(), until=soon)
    )
    clock.move(days=-3_650)
    assert memory.events.deliver().sent == 2
    assert valkey.entries() == ids(memory)


def test_a_server_that_is_down_is_left_alone_for_a_while(valkey: "Valkey", opened: Opened) -> None:
    valkey.kill()
    memory = opened(events_url=valkey.url)
    memory.remember("Alex likes tea")
    relay = memory._parts.relay
    assert not relay.once()
    assert relay.once()  # it is not asked again so soon
    assert memory.stats().events_waiting == 1


def test_two_relays_send_nothing_twice(durable_target: str, valkey: "Valkey") -> None:
    config = Config(db=durable_target, events_url=valkey.url)
    with emberkeep.open(config=config, embedder=WordEmbedder()) as memory:
        stop = threading.Event()
        relays = [make_relay(config, SystemClock(), memory._parts.database) for _ in range(2)]
        threads = [threading.Thread(target=relay.run, args=(stop, 0.005)) for relay in relays]
        for thread in threads:
            thread.start()
        for n in range(60):
            memory.events.publish("app.number", {"n": n})
        deadline = time.monotonic() + 60
        while memory.stats().events_waiting and time.monotonic() < deadline:
            time.sleep(0.02)
        stop.set()
        for thread in threads:
            thread.join()
        assert valkey.entries() == ids(memory)


def test_what_a_dead_relay_held_is_sent_by_another_after_its_lease(
    target: str, valkey: "Valkey", opened: Opened, clock: FixedClock
) -> None:
    memory = opened(target, events_url=valkey.url)
    memory.events.publish("app.held")
    until = clock.now() + timedelta(seconds=30)
    memory._parts.database.write(
        lambda c: outbox.take(c, "default", outbox.STREAM, 10, holder="dead", now=clock.now(), until=until)
    )
    memory.events.publish("app.later")
    assert memory.events.deliver().sent == 0  # they stay in order
    clock.move(seconds=31)
    assert memory.events.deliver().sent == 2
    assert valkey.entries() == ids(memory)


WRITE = """
import sys
import emberkeep
from emberkeep.storage import outbox
from emberkeep.testing import WordEmbedder

with emberkeep.open(sys.argv[1], embedder=WordEmbedder(), events_url=sys.argv[2], learner="none") as memory:
    print("ready", flush=True)
    for n in range(100_000):
        kept = memory.remember(f"word{n} of {sys.argv[3]}")
        print(kept.id, flush=True)
"""


def test_a_writer_killed_between_commit_and_delivery_loses_no_event(
    durable_target: str, valkey: "Valkey", start: Start
) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), events_url=valkey.url) as memory:
        acknowledged: list[str] = []
        for cycle in range(2):
            writer = start(WRITE, durable_target, valkey.url, str(cycle))
            assert writer.stdout
            assert writer.stdout.readline() == "ready\n"
            acknowledged += [writer.stdout.readline().strip() for _ in range(15)]
            writer.kill()
            acknowledged += writer.communicate()[0].split()
        worker = memory.worker(every_s=0.05)
        worker.start()
        deadline = time.monotonic() + 60
        while memory.stats().events_waiting and time.monotonic() < deadline:
            time.sleep(0.05)
        worker.stop()
        told = {one.payload["id"] for one in memory.events.recent(1_000) if one.type == "memory.added"}
        kept = {item.id for item in memory.get_all(user_id=None, limit=1_000)}
        assert set(acknowledged) <= told == kept
        assert valkey.entries() == ids(memory)


@pytest.mark.parametrize(("durable_target", "seconds"), [("file", 6), ("postgres", 6)], indirect=["durable_target"])
def test_a_soak_with_the_server_killed_five_times(durable_target: str, seconds: int, valkey: "Valkey") -> None:
    """Every event arrives, and none twice at a consumer that goes by ids. benchmarks/soak_events.py takes longer."""
    seen: list[Event] = []
    stop = threading.Event()
    with emberkeep.open(durable_target, embedder=WordEmbedder(), events_url=valkey.url, learner="none") as memory:
        worker = memory.worker(every_s=0.05)
        worker.start()
        consumer = StreamConsumer(valkey.url, "soak", "one")
        reading = threading.Thread(target=lambda: seen.extend(consumer.events(stop)))
        reading.start()
        done = threading.Event()

        def disturb() -> None:
            for _ in range(5):
                done.wait(seconds / 6)
                valkey.kill()
                done.wait(0.1)
                valkey.start()

        disturbing = threading.Thread(target=disturb)
        disturbing.start()
        n = 0
        while disturbing.is_alive():
            memory.events.publish("app.number", {"n": n})
            n += 1
            time.sleep(0.01)
        deadline = time.monotonic() + 60
        while len(seen) < n and time.monotonic() < deadline:
            time.sleep(0.05)
        stop.set()
        reading.join()
        worker.stop()
        consumer.close()
        told = ids(memory) if n <= 1_000 else []
    assert Counter(one.payload["n"] for one in seen) == Counter(range(n))
    assert not told or sorted(told) == sorted(one.id for one in seen)


def test_members_of_a_group_share_and_what_is_not_acknowledged_comes_again(valkey: "Valkey", opened: Opened) -> None:
    memory = opened(events_url=valkey.url)
    for n in range(4):
        memory.events.publish("app.number", {"n": n})
    memory.events.deliver()
    one, two = (StreamConsumer(valkey.url, "group", name, idle_s=1.0) for name in ("one", "two"))
    first = one.read(2)
    second = two.read(2)
    assert [item.event.payload["n"] for item in (*first, *second)] == [0, 1, 2, 3]
    one.ack(first)
    again = StreamConsumer(valkey.url, "group", "two", idle_s=60)
    assert [item.event.payload["n"] for item in again.read()] == [2, 3]  # two was restarted
    time.sleep(1.05)
    taken = one.read(block_s=0.01)  # and then died, so another member has them
    assert [item.event.payload["n"] for item in taken] == [2, 3]
    one.ack(taken)
    assert one.read(block_s=0.01) == two.read(block_s=0.01) == []
    for consumer in (one, two, again):
        consumer.close()


def test_an_event_that_is_in_the_stream_twice_is_given_once(valkey: "Valkey", opened: Opened) -> None:
    memory = opened(events_url=valkey.url)
    memory.events.publish("app.x")
    (event,) = memory.events.recent()
    stream: Any = memory._parts.relay._stream
    stream.send([event, event])
    consumer = StreamConsumer(valkey.url, "group", "one")
    (received,) = consumer.read()
    consumer.ack([received])
    stream.send([event])
    assert consumer.read(block_s=0.01) == []
    assert len(valkey.entries()) == 3
    consumer.close()


def test_what_is_no_event_is_passed_over(valkey: "Valkey", opened: Opened) -> None:
    with redis.Redis.from_url(valkey.url) as client:
        client.xadd("emberkeep:events", {"event": "nonsense"})
        client.xadd("emberkeep:events", {"other": json.dumps({})})
    consumer = StreamConsumer(valkey.url, "group", "one")
    assert consumer.read(block_s=0.01) == []
    valkey.kill()
    with pytest.raises(StoreUnavailable, match="cannot be read"):
        consumer.read()
    consumer.close()


@pytest.mark.parametrize("count", [0, -1, 10**9, 1.5, "10", None, True])
def test_how_many_to_read_is_a_sensible_number(count: Any) -> None:
    consumer = StreamConsumer("redis://127.0.0.1:1/0", "group", "one")  # nobody is asked
    with pytest.raises(InvalidInput, match="count"):
        consumer.read(count)
    for block_s in (-1, float("nan"), "1", None):
        with pytest.raises(InvalidInput, match="block_s"):
            consumer.read(block_s=block_s)  # type: ignore[arg-type]
    consumer.close()


@pytest.mark.parametrize(
    "wrong", [{"group": None}, {"consumer": 7}, {"stream": None}, {"remember_s": 0}, {"idle_s": float("inf")}]
)
def test_a_consumer_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        StreamConsumer(**{"url": "redis://127.0.0.1:1/0", "group": "group", "consumer": "one", **wrong})


def test_a_stream_keeps_about_as_many_as_it_may(valkey: "Valkey", opened: Opened) -> None:
    memory = opened(events_url=valkey.url, events_stream="short", events_stream_max=100)
    for _ in range(3):
        memory._parts.database.write(
            lambda c: [outbox.tell(c, "default", None, "app.number", {"n": n}) for n in range(200)]  # type: ignore[func-returns-value]
        )
    memory.events.deliver()
    assert 100 <= len(valkey.entries("short")) < 300


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1", "127.0.0.1:6379", "redis://127.0.0.1:port/0", "redis://u:secret@h:x"]
)
def test_a_url_that_is_none_is_refused_without_its_password(url: str, opened: Opened) -> None:
    with pytest.raises(ConfigError, match="events_url") as refused:
        opened(events_url=url)
    assert "secret" not in str(refused.value)


def test_without_redis_py_the_setting_says_what_to_install(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emberkeep.wiring.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"emberkeep\[redis\]"):
        opened(events_url="redis://127.0.0.1:1/0")
