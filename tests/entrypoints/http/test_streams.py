"""Events as they happen."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import emberkeep
from emberkeep.entrypoints.http import streams
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.http.limits import Limits
from emberkeep.memory import Memory
from emberkeep.testing import WordEmbedder

from .client import API, error, served

pytestmark = pytest.mark.slow  # waits for a server
STREAM = f"{API}/events/stream"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder(), learner="none") as memory:
        yield memory


@pytest.fixture
def base(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(streams, "EVERY_S", 0.02)
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.1)
    with served(create_app(memory, limits=Limits(streams=2))) as (host, port):
        yield f"http://{host}:{port}"


@contextmanager
def streamed(base: str, params: Any = None, headers: Any = None) -> Iterator[Iterator[str]]:
    """The lines of a stream, once it has begun."""
    with httpx.stream("GET", base + STREAM, params=params, headers=headers, timeout=30) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        lines = response.iter_lines()
        assert next(lines).startswith("retry:")
        yield lines


def events(lines: Iterator[str], count: int) -> list[dict[str, Any]]:
    """The next events of a stream, checked for their form."""
    found: list[dict[str, Any]] = []
    told: dict[str, str] = {}
    for line in lines:
        if line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            told[name] = value
        elif told:
            event = json.loads(told["data"])
            assert (told["id"], told["event"]) == (event["id"], event["type"])
            found.append(event)
            told = {}
        if len(found) == count:
            return found
    raise AssertionError(f"the stream ended after {found}")


def test_events_come_as_they_happen(base: str, memory: Memory) -> None:
    memory.remember("Before anyone looked")
    with streamed(base) as lines:
        added = memory.remember("Likes tea", user_id="alex")
        (event,) = events(lines, 1)
        assert (event["type"], event["user_id"], event["payload"]["id"]) == ("memory.added", "alex", added.id)
        memory.tasks.start("Water the plants")
        assert [one["type"] for one in events(lines, 2)] == ["work.added", "memory.added"]


def test_only_the_types_that_are_asked_for(base: str, memory: Memory) -> None:
    with streamed(base, {"type": "app.*"}) as lines:
        memory.remember("Likes tea")
        memory.events.publish("app.seen", {"n": 1})
        assert events(lines, 1)[0]["payload"] == {"n": 1}


def test_a_stream_goes_on_where_it_was_left(base: str, memory: Memory) -> None:
    with streamed(base) as lines:
        for number in range(3):
            memory.events.publish(f"app.n{number}")
        first, second, _ = events(lines, 3)
    memory.events.publish("app.n3")  # while nobody looks
    with streamed(base, headers={"Last-Event-ID": second["id"]}) as lines:
        assert [one["type"] for one in events(lines, 2)] == ["app.n2", "app.n3"]
    with streamed(base, headers={"Last-Event-ID": first["id"]}) as lines:
        assert [one["type"] for one in events(lines, 3)] == ["app.n1", "app.n2", "app.n3"]


def test_a_key_of_one_user_sees_that_users_alone_until_it_is_revoked(base: str, memory: Memory) -> None:
    made = memory.keys.create("phone", role="read", user_id="alex")
    with streamed(base, headers={"X-API-Key": made.secret}) as lines:
        memory.remember("Likes plums", user_id="bo")
        memory.remember("Likes rain")
        memory.remember("Likes tea", user_id="alex")
        assert [one["user_id"] for one in events(lines, 1)] == ["alex"]
        memory.keys.revoke(made.key.id)
        memory.remember("Likes rum", user_id="alex")
        assert not [line for line in lines if line.startswith("data")]  # and it ends
    error(httpx.get(base + STREAM, headers={"X-API-Key": made.secret}), 401)


def test_hearts_beat(base: str) -> None:
    with streamed(base) as lines:
        assert ": still here" in (next(lines) for _ in range(10))


def test_what_is_wrong_is_refused(base: str) -> None:
    error(httpx.get(base + STREAM, params={"type": "MEMORY!"}), 422)
    error(httpx.get(base + STREAM, headers={"Last-Event-ID": "yesterday"}), 422)


def test_streams_have_a_number(base: str, memory: Memory) -> None:
    with streamed(base), streamed(base):
        refused = httpx.get(base + STREAM)
        assert error(refused, 503)["code"] == "overloaded"
        assert "retry-after" in refused.headers
        assert httpx.get(f"{base}{API}/stats").status_code == 200
    while httpx.get(base + STREAM, params={"type": "!"}).status_code == 503:  # until their end is noticed
        pass


def test_streams_end_when_the_server_stops(memory: Memory) -> None:
    with served(create_app(memory)) as (host, port):
        response = httpx.stream("GET", f"http://{host}:{port}{STREAM}", timeout=30)
        lines = response.__enter__().iter_lines()
        assert next(lines).startswith("retry:")
    assert not [line for line in lines if line]
    response.__exit__(None, None, None)
