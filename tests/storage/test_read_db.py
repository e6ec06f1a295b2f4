"""Several servers over a primary and its replica: whoever wrote sees it, wherever the next request goes."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import httpx
import pytest

import emberkeep
from emberkeep.entrypoints.grpc.generated import memories_pb2, memories_pb2_grpc
from emberkeep.entrypoints.grpc.limits import Limits
from emberkeep.entrypoints.grpc.server import serving
from emberkeep.remote.seen import Seen
from emberkeep.service.door import SEEN, Door
from emberkeep.testing import WordEmbedder

from .replicas import Pair

pytestmark = pytest.mark.slow


@contextmanager
def server(pair: Pair, *options: str) -> Iterator[str]:
    """A server process; gives its address."""
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--grpc-port", "0", "--no-worker"]
    places = ["--db", pair.url(5432, "served"), "--read-db", pair.url(5433, "served")]
    with subprocess.Popen(
        [*command, *places, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told = threading.Thread(target=process.stderr.read)  # or a full pipe would hold it up
        told.start()
        try:
            yield process.stdout.readline().removeprefix("serving: ").strip()
            process.terminate()
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
            told.join()


def texts(server: str, **headers: str) -> list[str]:
    asked = {"query": "lamp", "user_id": "alex"}
    reply = httpx.post(f"{server}/api/v1/memories/search", json=asked, headers=headers, timeout=30)
    assert reply.status_code == 200, reply.text
    assert SEEN not in reply.headers
    return [hit["text"] for hit in reply.json()["memories"]]


def remembered(server: str, text: str) -> httpx.Response:
    reply = httpx.post(f"{server}/api/v1/memories/remember", json={"text": text, "user_id": "alex"}, timeout=30)
    assert reply.status_code == 201, reply.text
    return reply


def test_two_servers_and_a_replica_that_is_behind(pair: Pair) -> None:
    pair.ask(pair.primary, "CREATE DATABASE served")  # for another embedder than those of the other tests
    pair.catch_up()
    with server(pair) as first, server(pair, "--workers", "2") as second:
        pair.pause()
        seen = remembered(first, "The lamp is red").headers[SEEN]
        assert texts(first) == ["The lamp is red"]
        assert texts(second) == []
        assert texts(second, **{SEEN: seen}) == ["The lamp is red"]
        wrong = httpx.get(f"{second}/api/v1/memories", params={"user_id": "alex"}, headers={SEEN: "yesterday"})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (422, "invalid_input")
        with emberkeep.open(first) as memory:
            memory.remember("The lamp is tall", user_id="alex")
            connection: Any = memory._connection  # type: ignore[attr-defined]
            connection.server = second  # as a balancer would have it
            assert len(memory.search("lamp", user_id="alex")) == 2
        pair.resume()
        assert len(texts(second)) == 2


@contextmanager
def grpc_stub(pair: Pair) -> Iterator[memories_pb2_grpc.MemoriesStub]:
    """A way to a server of its own over the two, in this process."""
    opened = emberkeep.open(pair.primary, read_db=pair.replica, tenant="grpc", embedder=WordEmbedder())
    with (
        opened as memory,
        serving(Door(memory, keyless=True), "127.0.0.1", 0, limits=Limits.of(memory.config), grace_s=1) as address,
        grpc.insecure_channel(address) as channel,
    ):
        yield memories_pb2_grpc.MemoriesStub(channel)


def test_grpc_carries_it_too(pair: Pair) -> None:
    query = memories_pb2.MemoriesSearchRequest(query="lamp", user_id="alex")
    with grpc_stub(pair) as first, grpc_stub(pair) as second:
        pair.pause()
        request = memories_pb2.MemoriesRememberRequest(text="The lamp is red", user_id="alex")
        _, call = first.Remember.with_call(request, timeout=30)
        seen = dict(call.trailing_metadata())[SEEN.lower()]
        assert len(second.Search(query, timeout=30).memories) == 0
        assert len(second.Search(query, timeout=30, metadata=((SEEN.lower(), seen),)).memories) == 1


def test_the_client_keeps_the_furthest_it_has_seen() -> None:
    seen = Seen()
    assert seen.headers() == {}
    for token in ("1/F", "2/0", "1/A0", None, "nonsense"):
        seen.note(token)
    assert seen.headers() == {SEEN: "2/0"}
