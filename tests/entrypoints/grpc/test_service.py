"""A gRPC service and its clients, in processes of their own: who may, how long, how much, and what when it ends."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.struct_pb2 import Struct
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

import emberkeep
from emberkeep.entrypoints.grpc.generated import (
    events_pb2,
    events_pb2_grpc,
    goals_pb2,
    goals_pb2_grpc,
    memories_pb2,
    memories_pb2_grpc,
    tasks_pb2,
    tasks_pb2_grpc,
    values_pb2,
)
from emberkeep.entrypoints.grpc.handlers import services
from emberkeep.entrypoints.grpc.messages import given
from emberkeep.testing import FixedClock, WordEmbedder

from .conftest import Service, Start

pytestmark = pytest.mark.slow
Locked = Callable[[], AbstractContextManager[None]]
Remember = memories_pb2.MemoriesRememberRequest
Search = memories_pb2.MemoriesSearchRequest
Streamed = memories_pb2.MemoriesSearchStreamRequest
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def memories(service: Service) -> Any:
    return memories_pb2_grpc.MemoriesStub(service.channel)


def refusal(call: Callable[[], object]) -> tuple[str, str, str]:
    """The code of a call that fails, its short name, and what is said."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    error: Any = caught.value
    trailing = dict(error.trailing_metadata() or ())
    return error.code().name, trailing.get("emberkeep-error", ""), error.details()


def struct(**values: Any) -> Struct:
    made = Struct()
    made.update(values)
    return made


def told_texts(db: Path) -> set[str]:
    with emberkeep.open(db, embedder=WordEmbedder(), clock=FixedClock(), keep_events=True) as memory:
        return {item.text for item in memory.get_all(limit=1_000)}


def eventually(holds: Callable[[], bool]) -> None:
    for _ in range(1_500):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it never came to that")


# What is asked for and is wrong


@pytest.mark.parametrize(
    ("method", "request_", "expected"),
    [
        ("Get", memories_pb2.MemoriesGetRequest(id="nothing"), ("NOT_FOUND", "not_found", "nothing")),
        ("Get", memories_pb2.MemoriesGetRequest(), ("INVALID_ARGUMENT", "invalid_input", "get needs id")),
        ("Get", memories_pb2.MemoriesGetRequest(id="x\0"), ("INVALID_ARGUMENT", "invalid_input", "id")),
        ("Search", Search(), ("INVALID_ARGUMENT", "invalid_input", "search needs query")),
        ("Search", Search(query=""), ("INVALID_ARGUMENT", "invalid_input", "query")),
        ("Search", Search(query="x", limit=-1), ("INVALID_ARGUMENT", "invalid_input", "limit is -1")),
        ("Search", Search(query="x", limit=2**62), ("INVALID_ARGUMENT", "invalid_input", "limit")),
        ("Search", Search(query="x", plan="psychic"), ("INVALID_ARGUMENT", "invalid_input", "unknown plan")),
        ("Search", Search(query="x", kinds=["gossip"]), ("INVALID_ARGUMENT", "invalid_input", "gossip")),
        ("Search", Search(query="x", deadline_ms=float("nan")), ("INVALID_ARGUMENT", "invalid_input", "deadline_ms")),
        ("Search", Search(query="x", deadline_ms=0), ("INVALID_ARGUMENT", "invalid_input", "deadline_ms")),
        ("Remember", Remember(text="x", user_id="*"), ("INVALID_ARGUMENT", "invalid_input", "everyone")),
        ("Add", memories_pb2.MemoriesAddRequest(), ("INVALID_ARGUMENT", "invalid_input", "add needs messages")),
        ("DeleteAll", memories_pb2.MemoriesDeleteAllRequest(), ("INVALID_ARGUMENT", "invalid_input", "delete_all")),
        ("UndoRebuild", memories_pb2.MemoriesUndoRebuildRequest(), ("INVALID_ARGUMENT", "invalid_input", "rebuild")),
    ],
)
def test_what_is_wrong_is_said(service: Service, method: str, request_: Any, expected: tuple[str, str, str]) -> None:
    code, name, message = refusal(lambda: getattr(memories(service), method)(request_))
    assert (code, name) == expected[:2]
    assert expected[2] in message


def test_whether_a_task_went_well_has_to_be_said(service: Service) -> None:
    """A false that nobody said would be a failure on record."""
    stub: Any = tasks_pb2_grpc.TasksStub(service.channel)
    task = stub.Start(tasks_pb2.TasksStartRequest(description="Row"))
    assert "needs success" in refusal(lambda: stub.Finish(tasks_pb2.TasksFinishRequest(id=task.id)))[2]


def test_a_long_message_does_not_hide_the_error(service: Service) -> None:
    code, _, message = refusal(lambda: memories(service).Get(memories_pb2.MemoriesGetRequest(id="é" * 200_000)))
    assert code in {"NOT_FOUND", "INVALID_ARGUMENT"}
    assert len(message) <= 1_001


def test_bytes_that_are_no_message_and_rpcs_that_are_none(service: Service) -> None:
    channel: Any = service.channel
    raw = channel.unary_unary("/emberkeep.v1.Memories/Get")
    assert refusal(lambda: raw(b"\xff\xff\xff"))[:2] == ("INVALID_ARGUMENT", "invalid_input")
    for path in ("/emberkeep.v1.Memories/Gossip", "/emberkeep.v2.Memories/Get", "/nothing"):
        assert refusal(partial(channel.unary_unary(path), b""))[0] == "UNIMPLEMENTED"


@pytest.mark.parametrize("text", ["日本語のメモ 🌋", "e\u0301", "\u202eright to left", "a \t\n b", "x" * 50_000])
def test_any_text_comes_back(service: Service, text: str) -> None:
    stub = memories(service)
    added = stub.Remember(Remember(text=text, user_id="ünï", metadata=struct(k=text, n=5)))
    again = stub.Get(memories_pb2.MemoriesGetRequest(id=added.memories[0].id))
    assert (again.text, again.user_id, again.metadata["k"], again.metadata["n"]) == (text, "ünï", text, 5)


def test_a_message_over_the_limit_is_refused(start: Start) -> None:
    stub = memories(start(message_bytes=10_000))
    assert stub.Remember(Remember(text="x" * 9_000)).new == 1
    assert refusal(lambda: stub.Remember(Remember(text="x" * 20_000)))[0] == "RESOURCE_EXHAUSTED"
    assert stub.Remember(Remember(text="y" * 9_000)).new == 1


# Who may


def test_a_key_opens_what_it_is_for(start: Start, tmp_path: Path) -> None:
    with emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder(), clock=FixedClock()) as memory:
        writer = memory.keys.create("writer").secret
        reader = memory.keys.create("reader", role="read").secret
        alex = memory.keys.create("alex", user_id="alex").secret
        other = memory.of_tenant("other").keys.create("other", role="admin").secret
    service = start(keyless=False)
    stub = memories(service)

    def as_(key: str) -> Any:
        return (("authorization", f"Bearer {key}"),)

    assert stub.Remember(Remember(text="for all"), metadata=as_(writer)).new == 1
    assert stub.Remember(Remember(text="for alex"), metadata=as_(alex)).memories[0].user_id == "alex"
    assert stub.Remember(Remember(text="elsewhere"), metadata=(("x-api-key", other),)).new == 1
    everything = memories_pb2.MemoriesGetAllRequest(user_id="*")
    assert {one.text for one in stub.GetAll(everything, metadata=as_(reader)).memories} == {"for all", "for alex"}
    assert [one.text for one in stub.GetAll(everything, metadata=as_(other)).memories] == ["elsewhere"]
    own = memories_pb2.MemoriesGetAllRequest()
    assert [one.text for one in stub.GetAll(own, metadata=as_(alex)).memories] == ["for alex"]

    denied = ("PERMISSION_DENIED", "forbidden")
    assert refusal(lambda: stub.Remember(Remember(text="x"), metadata=as_(reader)))[:2] == denied
    assert refusal(lambda: stub.Upkeep(memories_pb2.MemoriesUpkeepRequest(), metadata=as_(writer)))[:2] == denied
    assert refusal(lambda: stub.GetAll(everything, metadata=as_(alex)))[:2] == denied
    follow: Any = events_pb2_grpc.EventsStub(service.channel).Follow
    following = follow(events_pb2.EventsFollowRequest(), metadata=as_(alex))
    following.initial_metadata()
    stub.Remember(Remember(text="not for alex"), metadata=as_(writer))
    stub.Remember(Remember(text="for alex too"), metadata=as_(alex))
    assert next(following).user_id == "alex"
    following.cancel()


@pytest.mark.parametrize("key", [None, "", "Bearer", "Bearer ek_x", "Basic abc", f"Bearer ek_{'0' * 16}_{'0' * 64}"])
def test_without_a_valid_key_nobody_comes_in(keyed: Service, key: str | None) -> None:
    options: Any = {"metadata": () if key is None else (("authorization", key),)}
    stub = memories(keyed)
    follow: Any = events_pb2_grpc.EventsStub(keyed.channel).Follow
    refused = ("UNAUTHENTICATED", "unauthenticated")
    assert refusal(lambda: stub.Stats(memories_pb2.MemoriesStatsRequest(), **options))[:2] == refused
    assert refusal(lambda: next(stub.SearchStream(Streamed(query="x"), **options)))[:2] == refused
    assert refusal(lambda: next(follow(events_pb2.EventsFollowRequest(), **options)))[:2] == refused


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    service = Service(tmp_path_factory.mktemp("keyed") / "agent.db", keyless=False)
    yield service
    service.close()


def test_a_wrong_key_is_refused_also_where_none_is_needed(service: Service) -> None:
    metadata = (("authorization", "Bearer ek_nonsense"),)
    call = lambda: memories(service).Stats(memories_pb2.MemoriesStatsRequest(), metadata=metadata)  # noqa: E731
    assert refusal(call)[:2] == ("UNAUTHENTICATED", "unauthenticated")


# One by one


def test_what_is_found_is_sent_one_by_one(service: Service) -> None:
    stub = memories(service)
    for number in range(5):
        stub.Remember(Remember(text=f"fruit number {number}", user_id="stream"))
    whole = stub.Search(Search(query="fruit number 3", user_id="stream", limit=4)).memories
    call = stub.SearchStream(Streamed(query="fruit number 3", user_id="stream", limit=4))
    assert [hit.id for hit in call] == [hit.id for hit in whole]
    assert len(whole) == 4
    assert list(stub.SearchStream(Streamed(query="x", user_id="nobody"))) == []


def test_a_stream_says_what_was_left_out(service: Service) -> None:
    request = Streamed(query="fruit", user_id="stream", deadline_ms=0.000001)
    call = memories(service).SearchStream(request)
    list(call)
    left_out = [value for key, value in call.trailing_metadata() if key == "emberkeep-degraded"]
    assert any("deadline" in one for one in left_out)


def test_events_are_followed_as_they_happen(service: Service) -> None:
    stub: Any = events_pb2_grpc.EventsStub(service.channel)
    every = stub.Follow(events_pb2.EventsFollowRequest(), timeout=60)
    own = stub.Follow(events_pb2.EventsFollowRequest(type="app.*"), timeout=60)
    every.initial_metadata()  # which come when nothing is missed any more
    own.initial_metadata()
    memories(service).Remember(Remember(text="Is told of", user_id="follow"))
    stub.Publish(events_pb2.EventsPublishRequest(type="app.done", payload=struct(n=1)))
    first = next(every)
    assert (first.type, first.user_id) == ("memory.added", "follow")
    assert next(every).type == "app.done"
    assert given(next(own))["payload"] == {"n": 1}
    every.cancel()
    stub.Publish(events_pb2.EventsPublishRequest(type="app.again"))
    assert next(own).type == "app.again"
    own.cancel()
    again = stub.Follow(events_pb2.EventsFollowRequest(type="app.*", after=first.id), timeout=60)
    assert [next(again).type, next(again).type] == ["app.done", "app.again"]  # from where it was left
    stub.Publish(events_pb2.EventsPublishRequest(type="app.last"))
    assert next(again).type == "app.last"  # and each once
    again.cancel()
    assert refusal(lambda: next(stub.Follow(events_pb2.EventsFollowRequest(after="x"))))[0] == "INVALID_ARGUMENT"
    assert refusal(lambda: next(stub.Follow(events_pb2.EventsFollowRequest(type="a b"))))[0] == "INVALID_ARGUMENT"
    assert refusal(lambda: next(stub.Follow(events_pb2.EventsFollowRequest(), timeout=0.5)))[0] == "DEADLINE_EXCEEDED"


def test_too_many_followers_are_refused_until_others_leave(start: Start) -> None:
    service = start(followers=2)
    stub: Any = events_pb2_grpc.EventsStub(service.channel)
    following = [stub.Follow(events_pb2.EventsFollowRequest()) for _ in range(2)]
    for one in following:
        one.initial_metadata()
    refused = refusal(lambda: next(stub.Follow(events_pb2.EventsFollowRequest())))
    assert refused[:2] == ("RESOURCE_EXHAUSTED", "too_many_requests")
    following.pop().cancel()

    def is_let_in() -> bool:
        once_more = stub.Follow(events_pb2.EventsFollowRequest())
        following.append(once_more)
        return dict(once_more.initial_metadata()) == {} and not once_more.done()

    eventually(is_let_in)


# How long, and how many at once


def test_a_search_makes_do_with_the_time_that_is_left(service: Service) -> None:
    found = memories(service).Search(Search(query="x", user_id="late", deadline_ms=0.000001), timeout=30)
    assert found.degraded
    assert not memories(service).Search(Search(query="x", user_id="late"), timeout=30).degraded


def test_what_nobody_waits_for_any_more_is_not_begun(start: Start, locked: Locked, tmp_path: Path) -> None:
    stub = memories(start(calls=1))
    stub.Remember(Remember(text="before"))
    with locked():
        first = stub.Remember.future(Remember(text="first"))  # has the one thread, and waits for the store
        late = refusal(lambda: stub.Remember(Remember(text="late"), timeout=0.3))
        cancelled = stub.Remember.future(Remember(text="cancelled"))
        last = stub.Remember.future(Remember(text="last"))
        cancelled.cancel()
        assert refusal(lambda: stub.Remember(Remember(text="later still"), timeout=0.3))[0] == "DEADLINE_EXCEEDED"
    assert late[0] == "DEADLINE_EXCEEDED"
    assert first.result(timeout=60).new == last.result(timeout=60).new == 1
    assert told_texts(tmp_path / "agent.db") == {"before", "first", "last"}


def test_more_calls_than_can_wait_are_told_to_come_again(start: Start, locked: Locked) -> None:
    service = start(calls=1, waiting=1)
    stub = memories(service)
    stub.Remember(Remember(text="before"))
    with locked():
        waiting = [stub.Remember.future(Remember(text=f"number {number}")) for number in range(2)]
        code, name, _ = refusal(lambda: stub.Remember(Remember(text="one too many")))
        assert (code, name) == ("UNAVAILABLE", "overloaded")
        check = health_pb2_grpc.HealthStub(service.channel).Check(health_pb2.HealthCheckRequest(), timeout=30)
        assert check.status == SERVING  # however busy it is
    assert [one.result(timeout=60).new for one in waiting] == [1, 1]


def test_two_hundred_calls_at_once(start: Start, tmp_path: Path) -> None:
    stub = memories(start())
    with ThreadPoolExecutor(50) as threads:
        told = list(threads.map(lambda number: stub.Remember(Remember(text=f"thing {number}")).new, range(200)))
        found = list(threads.map(lambda number: len(stub.Search(Search(query=f"thing {number}")).memories), range(200)))
    assert told == [1] * 200
    assert min(found) > 0
    assert len(told_texts(tmp_path / "agent.db")) == 200


def test_more_than_fits_into_memory_is_told_to_come_again(start: Start, locked: Locked) -> None:
    stub = memories(start(message_bytes=10_000, calls=1))
    stub.Remember(Remember(text="before"))
    with locked():
        waiting = [stub.Remember.future(Remember(text=f"{number} {'x' * 9_000}")) for number in range(8)]
        code, name, _ = refusal(lambda: stub.Remember(Remember(text="y" * 9_000)))
        assert (code, name) == ("UNAVAILABLE", "overloaded")
    assert [one.result(timeout=60).new for one in waiting] == [1] * 8


# How it ends, and begins again


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_serve_ends_those_who_follow_when_it_is_told_to_stop(tmp_path: Path, stop: signal.Signals) -> None:
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--db", str(tmp_path / "agent.db"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            with grpc.insecure_channel(json.loads(process.stdout.readline())["grpc"]) as channel:
                following: Any = events_pb2_grpc.EventsStub(channel).Follow(events_pb2.EventsFollowRequest())
                following.initial_metadata()
                process.send_signal(stop)
                assert refusal(lambda: next(following))[:2] == ("UNAVAILABLE", "overloaded")
                assert process.wait(timeout=60) == 0
            assert process.stderr.read() == ""
        finally:
            process.kill()


def test_what_is_under_way_is_finished_and_health_says_so(start: Start, locked: Locked, tmp_path: Path) -> None:
    service = start()
    stub = memories(service)
    stub.Remember(Remember(text="before"))
    following: Any = events_pb2_grpc.EventsStub(service.channel).Follow(events_pb2.EventsFollowRequest())
    following.initial_metadata()
    health = health_pb2_grpc.HealthStub(service.channel)
    watch = health.Watch(health_pb2.HealthCheckRequest(service="emberkeep.v1.Memories"))
    assert next(watch).status == SERVING
    with locked():
        under_way = stub.Remember.future(Remember(text="under way"))
        begun = refusal(lambda: stub.Remember(Remember(text="begun, and not waited for"), timeout=1))
        service.tell_to_stop()
        assert next(watch).status == NOT_SERVING
        assert health.Check(health_pb2.HealthCheckRequest(service="")).status == NOT_SERVING
        assert refusal(lambda: stub.Stats(memories_pb2.MemoriesStatsRequest()))[:2] == ("UNAVAILABLE", "overloaded")
        assert refusal(lambda: next(following))[:2] == ("UNAVAILABLE", "overloaded")
    assert under_way.result(timeout=60).new == 1
    assert service.process.wait(timeout=60) == 0
    assert begun[0] == "DEADLINE_EXCEEDED"
    assert told_texts(tmp_path / "agent.db") == {"before", "under way", "begun, and not waited for"}


def test_a_client_goes_on_after_the_service_was_killed(start: Start) -> None:
    service = start()
    stub = memories(service)
    stub.Remember(Remember(text="is durable", user_id="alex"))
    service.process.kill()
    service.process.wait()
    search = Search(query="durable", user_id="alex")
    assert refusal(lambda: stub.Search(search))[0] == "UNAVAILABLE"
    start(port=service.port)
    assert stub.Search(search, wait_for_ready=True, timeout=60).memories[0].text == "is durable"


def test_a_port_that_is_taken_is_said(start: Start, tmp_path: Path) -> None:
    taken = start()
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--grpc-port", str(taken.port)]
    ended = subprocess.run(
        [*command, "--db", str(tmp_path / "other.db")], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    assert "pass another --grpc-port, or 0 for no gRPC" in ended.stderr


# How it is found


def test_health_of_each_service(service: Service) -> None:
    health = health_pb2_grpc.HealthStub(service.channel)
    for name in ("", *services()):
        assert health.Check(health_pb2.HealthCheckRequest(service=name)).status == SERVING
    assert refusal(lambda: health.Check(health_pb2.HealthCheckRequest(service="nothing")))[0] == "NOT_FOUND"


def test_reflection_lists_and_describes_the_services(service: Service) -> None:
    reflection = ProtoReflectionDescriptorDatabase(service.channel)
    assert set(services()) <= set(reflection.get_services())
    found = reflection.FindFileContainingSymbol("emberkeep.v1.Goals")
    assert found.name == "emberkeep/v1/goals.proto"


def test_nothing_is_left_of_those_who_went(start: Start, tmp_path: Path) -> None:
    """One thread follows for all, and none when nobody does."""
    service = start()
    stub: Any = events_pb2_grpc.EventsStub(service.channel)
    before = threads_of(service)
    following = [stub.Follow(events_pb2.EventsFollowRequest()) for _ in range(50)]
    for one in following:
        one.initial_metadata()
    assert threads_of(service) <= before + 20  # those of the pool, and one that follows
    for one in following:
        one.cancel()
    eventually(lambda: threads_of(service, "emberkeep-follo") == 0)


def threads_of(service: Service, name: str = "") -> int:
    tasks = Path(f"/proc/{service.process.pid}/task")
    if not tasks.exists():
        pytest.skip("threads are counted in /proc")
    return len([one for one in tasks.iterdir() if name in (one / "comm").read_text()])


def test_the_stubs_are_there_for_other_services(service: Service) -> None:
    goals: Any = goals_pb2_grpc.GoalsStub(service.channel)
    goal = goals.Save(goals_pb2.GoalsSaveRequest(description="Learn to sail", priority=2))
    assert isinstance(goal, values_pb2.Goal)
    assert goals.List(goals_pb2.GoalsListRequest()).goals[0].id == goal.id
