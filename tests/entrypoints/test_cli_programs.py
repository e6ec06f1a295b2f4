"""The command line as programs of their own: started, stopped, piped, and serving."""

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import Result

import emberkeep
from emberkeep.entrypoints import cli, start
from emberkeep.providers.base import Embedder

Run = Callable[..., Result]
UNKNOWN = "01980000-0000-7000-8000-000000000000"


def python(*args: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False, **options)


def test_a_command_collects_seldom_and_not_on_its_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def ends_with_an_error() -> None:
        done.append("ran")
        raise SystemExit(2)

    monkeypatch.setattr(gc, "set_threshold", lambda objects: done.append(f"threshold {objects}"))
    monkeypatch.setattr(gc, "freeze", lambda: done.append("frozen"))
    monkeypatch.setattr(cli, "main", ends_with_an_error)
    with pytest.raises(SystemExit):
        start.main()
    assert done == [f"threshold {start.BETWEEN_COLLECTIONS}", "ran", "frozen"]


@pytest.mark.slow
def test_python_m_emberkeep(tmp_path: Path) -> None:
    db = tmp_path / "agent.db"
    added = python("-m", "emberkeep", "add", "-", "--db", db, "--json", input="I like plums.")
    assert (added.returncode, added.stderr) == (0, "")
    assert [memory["kind"] for memory in json.loads(added.stdout)["memories"]] == ["episode", "preference"]
    wrong = python("-m", "emberkeep", "get", UNKNOWN, "--db", db)
    assert (wrong.returncode, wrong.stdout, wrong.stderr) == (1, "", f"error: no memory '{UNKNOWN}'\n")


def test_help_loads_nothing_heavy() -> None:
    script = """
import sys
from typer.testing import CliRunner
from emberkeep.entrypoints.cli import app
for args in (["--help"], ["--version"], ["search", "--help"]):
    assert CliRunner().invoke(app, args).exit_code == 0
print([name for name in ("sqlalchemy", "onnxruntime", "fastapi", "numpy", "usearch") if name in sys.modules])
"""
    assert python("-c", script).stdout == "[]\n"


@pytest.mark.slow
def test_a_closed_pipe_ends_it_quietly(tmp_path: Path, embedder: Embedder) -> None:
    db = tmp_path / "agent.db"
    with emberkeep.open(db, embedder=embedder) as memory:
        memory.add([f"message {number}" for number in range(10)])
    for options in ([], ["--json"]):
        reading, writing = os.pipe()
        os.close(reading)
        command = [sys.executable, "-m", "emberkeep", "list", "--db", str(db), *options]
        with os.fdopen(writing, "wb") as closed:
            ended = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, timeout=30, check=False)
        assert (ended.returncode, ended.stderr) == (1, b"")


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_serve_answers_until_it_is_told_to_stop(tmp_path: Path, stop: signal.Signals) -> None:
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--db", str(tmp_path / "agent.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stderr is not None
            url = server.stdout.readline().removeprefix("serving: ").strip()
            with httpx.Client(base_url=url, timeout=30) as client:
                assert client.get("/healthz").json() == {"status": "ok", "version": emberkeep.__version__}
                client.post("/api/v1/memories", json={"messages": "I moved to Lisbon."}).raise_for_status()
                found = client.post("/api/v1/memories/search", json={"query": "Lisbon"}).json()
                assert found["memories"][0]["text"] == "The user moved to Lisbon"
                server.send_signal(stop)  # while a connection is still open
                assert server.wait(timeout=30) == 0
            assert server.stdout.read().startswith("grpc: 127.0.0.1:")
            logged = [json.loads(line) for line in server.stderr]
            assert {one["message"] for one in logged} == {"request"}
        finally:
            server.kill()
    assert not list(tmp_path.glob("*-wal"))  # the memory was closed


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--no-worker"]])
def test_serve_learns_what_was_added_for_later(tmp_path: Path, options: list[str]) -> None:
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--db", str(tmp_path / "agent.db"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().removeprefix("serving: ").strip()
            with httpx.Client(base_url=url, timeout=30) as client:
                later = {"messages": "I moved to Lisbon.", "learn": "later"}
                client.post("/api/v1/memories", json=later).raise_for_status()
                if options:
                    assert client.get("/api/v1/stats").json()["waiting"] == 1
                else:
                    wait_until(lambda: client.get("/api/v1/stats").json()["waiting"] == 0)
                    found = client.post("/api/v1/memories/search", json={"query": "Lisbon"}).json()["memories"]
                    assert {memory["kind"] for memory in found} == {"fact"}
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=30) == 0
        finally:
            server.kill()
    assert not list(tmp_path.glob("*-wal"))


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_works_until_it_is_told_to_stop(tmp_path: Path, embedder: Embedder, stop: signal.Signals) -> None:
    db = tmp_path / "agent.db"
    command = [sys.executable, "-m", "emberkeep", "worker", "--every", "0.1", "--db", str(db), "--json"]
    with (
        emberkeep.open(db, embedder=embedder) as memory,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as worker,
    ):
        try:
            assert worker.stdout is not None
            assert worker.stderr is not None
            for text in ("I like plums.", "I like pears."):
                memory.add(text, learn="later")
                assert json.loads(worker.stdout.readline())["new"] == 1
            worker.send_signal(stop)
            assert worker.wait(timeout=30) == 0
            assert (worker.stdout.read(), worker.stderr.read()) == ("", "")
        finally:
            worker.kill()


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail("it did not come to hold in half a minute")
