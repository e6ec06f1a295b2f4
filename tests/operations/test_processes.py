"""Several server processes on one socket."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

import emberkeep
from emberkeep.errors import NotFound, StoreUnavailable
from emberkeep.lifecycle.live_state import DistantOperational, DistantOperationals, Holder, new_place
from emberkeep.lifecycle.operational import Operational
from emberkeep.testing import FixedClock, WordEmbedder

MANY = 24


class Crew:
    """A server of several processes."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self.process = process
        self.url = url

    def children(self) -> list[int]:
        """The server processes, the first one first."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="utf-8")
        return sorted(map(int, listed.split()))

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Ask once, on a connection of its own, so that any of the processes may answer."""
        return httpx.request(method, f"{self.url}{path}", timeout=30, **options)


@contextmanager
def crew(db: str, *options: str, workers: int = 2) -> Iterator[Crew]:
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--workers", str(workers), "--db", db]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told = threading.Thread(target=process.stderr.read)  # or a full pipe would hold them up
        told.start()
        try:
            running = Crew(process, process.stdout.readline().removeprefix("serving: ").strip())
            wait_until(lambda: len(running.children()) == workers)
            yield running
            process.terminate()
            assert process.wait(timeout=60) in {0, -signal.SIGKILL}
        finally:
            process.kill()
            told.join()


def wait_until(true: Callable[[], bool]) -> None:
    for _ in range(1_200):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to that within a minute")


pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes as Linux lists them")


@pytest.mark.slow
def test_they_serve_one_memory_and_come_again(durable_target: str) -> None:
    with crew(durable_target) as running:
        before = running.children()
        with ThreadPoolExecutor(8) as pool:
            kept = list(pool.map(lambda n: _add(running, n), range(MANY)))
        assert len(set(kept)) == MANY
        for number in range(MANY):
            pushed = {"category": "test", "message": str(number)}
            assert running.ask("POST", "/api/v1/operational/events", json=pushed).status_code == 201
        seen = {_pushed(running) for _ in range(10)}
        assert seen == {MANY}, "each process holds its own events"
        wait_until(lambda: _requests(running, "add") == MANY)  # a request is counted after it was answered

        os.kill(before[1], signal.SIGKILL)
        wait_until(lambda: len(running.children()) == 2 and before[1] not in running.children())
        wait_until(lambda: all(_is_there(running, one) for one in kept))
        assert _requests(running, "add") == MANY  # what the dead one counted stays
        assert _pushed(running) == MANY

        os.kill(before[0], signal.SIGKILL)  # which held what is live
        wait_until(lambda: len(running.children()) == 2 and before[0] not in running.children())
        wait_until(lambda: _snapshot(running).get("degraded") == [])
        assert _pushed(running) == 0  # gone with it, and for all alike


def _add(running: Crew, number: int) -> str:
    said = {"messages": f"The number {number} is taken", "learn": False}
    answer = running.ask("POST", "/api/v1/memories", json=said)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["memories"][0]["id"])


def _is_there(running: Crew, memory_id: str) -> bool:
    try:
        return running.ask("GET", f"/api/v1/memories/{memory_id}").status_code == 200
    except httpx.TransportError:
        return False


def _snapshot(running: Crew) -> dict[str, Any]:
    snapshot: dict[str, Any] = running.ask("GET", "/api/v1/operational/snapshot").json()
    return snapshot


def _pushed(running: Crew) -> int:
    return int(_snapshot(running)["pushed"])


def _requests(running: Crew, verb: str) -> float:
    families = text_string_to_metric_families(running.ask("GET", "/metrics").text)
    samples = (one for family in families for one in family.samples if one.name == "emberkeep_http_requests_total")
    return sum(one.value for one in samples if one.labels["verb"] == verb)


@pytest.mark.slow
def test_they_end_with_whoever_started_them(tmp_path: Path) -> None:
    with crew(str(tmp_path / "agent.db"), "--no-worker") as running:
        children = [Path(f"/proc/{pid}") for pid in running.children()]
        running.process.kill()
        wait_until(lambda: not any(map(_runs, children)))


def _runs(process: Path) -> bool:
    try:
        return "(zombie)" not in (process / "status").read_text(encoding="utf-8")
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("db", "said"), [(":memory:", "belongs to one process"), ("nowhere://x", "cannot open nowhere:// databases")]
)
def test_what_cannot_be_served_is_said_once(db: str, said: str) -> None:
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--workers", "2", "--db", db]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert ended.stderr.count(said) == 1
    assert ended.stdout == ""


def test_what_is_live_is_found_in_the_process_that_holds_it(tmp_path: Path, clock: FixedClock) -> None:
    place = new_place(str(tmp_path))
    with emberkeep.open(":memory:", embedder=WordEmbedder(), clock=clock) as memory:
        holder = Holder(place, lambda tenant: memory.of_tenant(tenant).operational)
        near = memory.operational
        far = DistantOperationals(place, clock).of("default", lambda: near)
        far.push_event("disk", "full", severity="critical", data={"free": 0})
        far.update_metric("load", 0.5)
        far.set_active_task("t1", "running")
        assert near.get_recent() == far.get_recent()
        assert far.get_metric("load").latest == 0.5
        assert far.get_system_snapshot() == near.get_system_snapshot()
        with pytest.raises(NotFound, match="no metric"):
            far.get_metric("none")
        assert DistantOperationals(place, clock).of("acme", lambda: near).get_recent() == []
        holder.close()
        other = DistantOperationals(place, clock).of("default", lambda: near)
        with pytest.raises(StoreUnavailable, match="try again"):
            other.push_event("disk", "full")
        assert "left out" in other.get_system_snapshot().degraded[0]
        holder = Holder(place, lambda tenant: memory.of_tenant(tenant).operational)
        assert len(other.get_recent()) == 1
        holder.close()


def test_every_verb_of_what_is_live_is_asked_for_there() -> None:
    verbs = {name for name, value in vars(Operational).items() if callable(value) and not name.startswith("_")}
    assert verbs <= vars(DistantOperational).keys()
