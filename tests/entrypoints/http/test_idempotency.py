"""Requests that are sent twice, and done once."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import emberkeep
from emberkeep.access.idempotency import Idempotency
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.http.limits import Limits
from emberkeep.errors import StoreBusy
from emberkeep.memory import Memory
from emberkeep.model.report import UpkeepReport
from emberkeep.testing import FixedClock, WordEmbedder

from .client import API, MEMORIES, Client, error, served

ONCE = {"Idempotency-Key": "order-7"}
TOLD = {"messages": "I like tea.", "user_id": "alex"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder(), learner="none") as memory:
        yield memory


def test_a_request_that_is_sent_again_gets_its_first_answer(client: Client, memory: Memory) -> None:
    first = client("POST", MEMORIES, json=TOLD, headers=ONCE)
    again = client("POST", MEMORIES, json=TOLD, headers=ONCE)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert memory.stats().interactions == 1
    other = client("POST", MEMORIES, json={**TOLD, "messages": "I like plums."}, headers=ONCE)
    assert "choose a new one" in error(other, 422)["message"]
    error(client("POST", f"{MEMORIES}/remember", json={"text": "x"}, headers=ONCE), 422)


def test_what_failed_is_tried_again(client: Client, memory: Memory) -> None:
    error(client("PATCH", f"{API}/tasks/t", json={"summary": "Done"}, headers=ONCE), 404)
    memory.tasks.start("Water the plants", id="t")
    done = client("PATCH", f"{API}/tasks/t", json={"summary": "Done"}, headers=ONCE)
    assert done.status_code == 200
    assert "idempotency-replayed" not in done.headers


def test_keys_are_their_senders(client: Client, memory: Memory) -> None:
    one, other = ({"X-API-Key": memory.keys.create(name).secret} for name in ("one", "other"))
    for sender in (one, other):
        assert client("POST", MEMORIES, json=TOLD, headers={**ONCE, **sender}).status_code == 201
    assert memory.stats().interactions == 2


def test_a_read_takes_no_notice(client: Client, memory: Memory) -> None:
    for _ in range(2):
        assert "idempotency-replayed" not in client("GET", f"{API}/stats", headers=ONCE).headers


def test_a_batch_is_done_once(client: Client, memory: Memory) -> None:
    calls = {"calls": [{"verb": "tasks.start", "arguments": {"description": "Water the plants"}}]}
    first, again = (client("POST", f"{API}/batch", json=calls, headers=ONCE) for _ in range(2))
    assert first.json() == again.json()
    assert len(memory.tasks.list()) == 1


@pytest.mark.parametrize("value", ["", " ", "x" * 300])
def test_a_wrong_key_is_refused(client: Client, value: str) -> None:
    error(client("POST", MEMORIES, json=TOLD, headers={"Idempotency-Key": value}), 422)


def test_a_secret_is_not_kept_to_be_told_again(client: Client, memory: Memory) -> None:
    made = client("POST", f"{API}/keys", json={"name": "x"}, headers=ONCE)
    assert "leave out Idempotency-Key" in error(made, 422)["message"]
    calls = {"calls": [{"verb": "keys.create", "arguments": {"name": "x"}}]}
    error(client("POST", f"{API}/batch", json=calls, headers=ONCE), 422)
    assert memory.keys.list() == []


def test_of_many_at_once_one_is_done(memory: Memory) -> None:
    answers: list[httpx.Response] = []
    with served(create_app(memory)) as (host, port):

        def send(**options: Any) -> None:
            answers.append(httpx.post(f"http://{host}:{port}{MEMORIES}", json=TOLD, headers=ONCE, timeout=60))

        threads = [threading.Thread(target=send) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.content for answer in answers if answer.status_code == 201}) == 1
    assert memory.stats().interactions == 1


def test_what_is_allowed_to_take_long_is_not_begun_again_meanwhile(
    tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = threading.Semaphore(0), threading.Event()
    with emberkeep.open(tmp_path / "slow.db", embedder=WordEmbedder(), clock=clock) as memory:

        def slow(**_: Any) -> UpkeepReport:
            begun.release()
            go.wait(30)
            return Memory.upkeep(memory)

        monkeypatch.setattr(memory, "upkeep", slow)
        answers: list[int] = []
        with served(create_app(memory, limits=Limits(timeout_s=3_600.0))) as (host, port):

            def send() -> int:
                url = f"http://{host}:{port}{API}/upkeep"
                return httpx.post(url, json={}, headers=ONCE, timeout=60).status_code

            first = threading.Thread(target=lambda: answers.append(send()))
            first.start()
            assert begun.acquire(timeout=30)
            clock.move(seconds=3_000)
            assert send() == 409
            go.set()
            first.join(60)
    assert answers == [200]


def test_what_was_done_is_answered_though_its_answer_cannot_be_kept(
    client: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> bool:
        raise StoreBusy("busy, nothing was written. Try again")

    monkeypatch.setattr(Idempotency, "finish", busy)
    assert client("POST", MEMORIES, json=TOLD, headers=ONCE).status_code == 201
    assert memory.stats().interactions == 1
