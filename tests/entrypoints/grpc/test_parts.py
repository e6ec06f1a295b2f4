"""The parts of the service, in this process: who follows, and what is a bug of ours."""

import asyncio
import logging
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import grpc
import pytest

import emberkeep
from emberkeep.access.principal import Principal
from emberkeep.entrypoints import serving as starting
from emberkeep.entrypoints.grpc import handlers
from emberkeep.entrypoints.grpc.followers import Followers
from emberkeep.entrypoints.grpc.generated import events_pb2, events_pb2_grpc, memories_pb2, memories_pb2_grpc
from emberkeep.entrypoints.grpc.limits import MAX_BEHIND, Limits
from emberkeep.entrypoints.grpc.server import serving
from emberkeep.errors import Closed, ConfigError, TooManyRequests
from emberkeep.service.door import Admitted, Door, bearer
from emberkeep.testing import WordEmbedder


@pytest.fixture
def memory() -> Iterator[emberkeep.Memory]:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), keep_events=True) as opened:
        yield opened


def test_whoever_reads_too_slowly_is_sent_away(memory: emberkeep.Memory) -> None:
    async def follow() -> None:
        async with Followers(1).joined(Admitted(Principal.local("default"), memory), "app.*") as follower:
            for number in range(MAX_BEHIND + 1):
                memory.events.publish("app.counted", {"n": number})
            while follower.waiting.qsize() <= MAX_BEHIND:
                await asyncio.sleep(0.02)
            for _ in range(MAX_BEHIND):
                await follower.next()
            with pytest.raises(TooManyRequests, match="read faster"):
                await follower.next()

    asyncio.run(follow())


def test_those_who_follow_are_told_when_the_memory_is_closed() -> None:
    memory = emberkeep.open(":memory:", embedder=WordEmbedder())

    async def follow() -> None:
        async with Followers(1).joined(Admitted(Principal.local("default"), memory), "*") as follower:
            memory.close()
            with pytest.raises(Closed):
                await follower.next()

    asyncio.run(follow())


def test_a_bug_of_ours_shows_nothing_of_itself(
    memory: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret is 1234")

    monkeypatch.setattr(memory, "spending", broken)
    door = Door(memory, keyless=True)
    with (
        serving(door, "127.0.0.1", 0, limits=Limits(), grace_s=5) as address,
        grpc.insecure_channel(address) as channel,
        caplog.at_level(logging.ERROR),
        pytest.raises(grpc.RpcError) as caught,
    ):
        memories_pb2_grpc.MemoriesStub(channel).Spending(memories_pb2.MemoriesSpendingRequest())
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.INTERNAL
    assert "1234" not in (error.details() or "")
    assert dict(error.trailing_metadata() or ())["emberkeep-error"] == "internal"
    assert "the secret is 1234" in caplog.text


def test_an_address_of_the_other_sort(memory: emberkeep.Memory) -> None:
    with (
        serving(Door(memory, keyless=True), "::1", 0, limits=Limits(), grace_s=5) as address,
        grpc.insecure_channel(address) as channel,
    ):
        assert address.startswith("[::1]:")
        memories_pb2_grpc.MemoriesStub(channel).Stats(memories_pb2.MemoriesStatsRequest())


@pytest.mark.parametrize(
    ("authorization", "key"), [("Bearer ek_1", "ek_1"), ("bearer  ek_1 ", "ek_1"), ("Basic x", "Basic x"), ("", "")]
)
def test_the_key_in_a_header(authorization: str, key: str) -> None:
    assert bearer(authorization) == key


def test_without_the_package_it_is_left_out_unless_it_is_asked_for(
    memory: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "find_spec", lambda name: None if name == "grpc" else find_spec(name))
    with starting.listening("127.0.0.1", 0) as listener:
        door = Door(memory, keyless=True)
        with starting.serving_grpc(door, listener, emberkeep.Config(), starting.Options()) as address:
            assert address is None
        with (
            pytest.raises(ConfigError, match=r"emberkeep\[grpc\]"),
            starting.serving_grpc(door, listener, emberkeep.Config(), starting.Options(grpc_port=8788)),
        ):
            raise AssertionError


def test_it_is_on_the_port_after_that_of_http(memory: emberkeep.Memory) -> None:
    assert [starting.port_beside(port) for port in (8787, 0, 65_535)] == [8788, 0, 0]
    none, door = starting.Options(port=8787, grpc_port=0), Door(memory, keyless=True)
    with (
        starting.listening("127.0.0.1", 0) as listener,
        starting.serving_grpc(door, listener, emberkeep.Config(), none) as address,
    ):
        assert address is None  # 0 is for none


def test_outside_of_loopback_a_key_is_needed(memory: emberkeep.Memory) -> None:
    secret = memory.keys.create("robot").secret
    config = emberkeep.Config()
    with (
        starting.listening("0.0.0.0", 0) as listener,  # noqa: S104 - to see what it says then
        starting.serving_grpc(
            starting.door_of(memory, listener, config), listener, config, starting.Options()
        ) as address,
        grpc.insecure_channel(f"127.0.0.1:{str(address).rpartition(':')[2]}") as channel,
    ):
        stub = memories_pb2_grpc.MemoriesStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            stub.Stats(memories_pb2.MemoriesStatsRequest())
        stub.Stats(memories_pb2.MemoriesStatsRequest(), metadata=(("authorization", f"Bearer {secret}"),))
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.UNAUTHENTICATED


def test_who_follows_is_sent_away_when_their_key_is_revoked(
    memory: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "LOOK_AGAIN_S", 0.1)
    made = memory.keys.create("robot", role="read")
    with (
        serving(Door(memory, keyless=True), "127.0.0.1", 0, limits=Limits(), grace_s=5) as address,
        grpc.insecure_channel(address) as channel,
    ):
        metadata = (("authorization", f"Bearer {made.secret}"),)
        stub: Any = events_pb2_grpc.EventsStub(channel)
        following = stub.Follow(events_pb2.EventsFollowRequest(), metadata=metadata)
        following.initial_metadata()
        memory.keys.revoke(made.key.id)
        with pytest.raises(grpc.RpcError) as caught:
            next(following)
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.UNAUTHENTICATED
