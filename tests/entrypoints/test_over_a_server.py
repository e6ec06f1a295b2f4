"""Every command over a server prints what it prints on the store itself."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from typer.testing import Result

import emberkeep
from emberkeep.config import PREFIX
from emberkeep.entrypoints.cli import app

Run = Callable[..., Result]
ON_THE_STORE = {"serve", "worker", "migrate", "doctor"}  # which work on the database itself, and say so
MOVING = {"backup", "restore", "export", "import"}  # tests/transfer has them, over a server too where that goes
# which need no memory that is there
ELSEWHERE = {"bench compare", "bench recall", "demo", "mcp install", "models list", "models pull"}
MAKE_KEY = ("keys", "create", "the tests", "--role", "admin", "--json")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{16}\b")
# Also whatever is a time. What is deleted goes with the answers that a server keeps, so that it does not repeat itself.
_VARYING = {"at", "database", "secret", "embedding_caches", "who", "total"}
_KEPT_BY_A_SERVER = "idempotency"


class Served(NamedTuple):
    """Where it is, and a key that may do everything."""

    url: str
    key: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`emberkeep serve` as users start it."""
    folder = tmp_path_factory.mktemp("served")
    environ = {"EMBERKEEP_HOME": str(folder), "EMBERKEEP_KEEP_EVENTS": "1", "EMBERKEEP_WEBHOOK_PRIVATE": "1"}
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    options["env"] = {**_own(), **environ}
    program = [sys.executable, "-m", "emberkeep"]
    made = subprocess.run([*program, *MAKE_KEY, "--db", str(folder / "a.db")], check=True, **options)
    serve = ["serve", "--port", "0", "--db", str(folder / "a.db"), "--no-worker", "--json"]
    with subprocess.Popen([*program, *serve], **options) as process:
        assert process.stdout is not None
        yield Served(json.loads(process.stdout.readline())["serving"], json.loads(made.stdout)["secret"])
        process.terminate()


def _own() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


class Commands:
    """Runs commands against one place, and writes down what they print."""

    def __init__(self, run: Run, *where: str) -> None:
        self._run, self._where = run, where
        self.used: set[str] = set()
        self.printed: list[tuple[str, Any]] = []

    def __call__(self, command: str, *args: object, stdin: str | None = None) -> Any:
        self.used.add(command)
        result = self._run(*command.split(), *args, *self._where, "--json", stdin=stdin)
        assert result.exit_code == 0, f"{command}: {result.output}"
        found = json.loads(result.stdout) if result.stdout else None
        self.printed.append((command, found))
        return found

    def silently(self, command: str, *args: object) -> None:
        self.used.add(command)
        result = self._run(*command.split(), *args, *self._where)
        assert result.exit_code == 0, result.output
        self.printed.append((command, result.stdout))


def live_through(do: Commands, folder: Path) -> None:
    added = do(
        "add", "I moved to Lisbon in May.", "--user", "alex", "--session", "s", "--metadata", "n=1", "--tag", "x"
    )
    do("add", "The parcel came", "--user", "sam", "--later")
    told = do("remember", "Prefers a window seat", "--kind", "preference", "--user", "alex")["memories"][0]["id"]
    do("seed", "-", "--user", "alex", stdin="- Alex rows\n- Alex has a boat\n")
    do("search", "where does Alex live?", "--user", "alex", "--filter", "n=1", "--limit", 2)
    do("search", "Lisbon", "--user", "alex", "--by-session", "--since", "2020-01-01T00:00:00Z")
    do("get", told)
    page = do("list", "--user", "alex", "--limit", 2, "--kind", "fact", "--kind", "preference", "--kind", "episode")
    do("list", "--user", "alex", "--cursor", page["next"])
    do("list", "--user", "*", "--filter", "n=1", "--tag", "x")
    do("update", told, "Prefers an aisle seat", "--sacred")
    do("history", told)
    do("log", "--user", "alex")
    do("log", added["interaction_id"])
    do("log", "--sessions")
    context = do("context", "Plan Alex's weekend", "--user", "alex", "--max-tokens", 500)["id"]
    do("contexts", "--user", "alex")
    do("contexts", context)
    do("context-feedback", context, "--helpful", "--note", "good")
    do("context-replay", context)
    do("backlog")
    do("learn")
    do("audit", "--user", "alex")
    do("spend")
    look_after(do, folder)
    do("delete", told)
    do("erase", "--user", "alex", "--yes")


def look_after(do: Commands, folder: Path) -> None:
    notes = folder / "notes.md"
    notes.write_text("# Disks\n\nA full disk stops the database.\n")
    document = do("knowledge import", notes, "--user", "alex")["imported"][0]["document"]["id"]
    do("knowledge list")
    do("knowledge show", document)
    do("knowledge delete", document)
    do("goals list")
    do("tasks list", "--status", "running")
    do("decisions list", "--user", "alex")
    do("decisions find", "the disk is full")
    do("events", "--limit", 5)
    hook = do("webhooks add", "http://127.0.0.1:9/hook", "--type", "app.*")["id"]
    do("webhooks list")
    do("webhooks failed")
    do.silently("webhooks remove", hook)
    do("deliver")
    do("rebuild", "--dry-run")
    do("rebuild")
    do("rebuild", "--undo")
    do("upkeep", "--dry-run")
    do("upkeep")
    do("stats")
    key = do("keys create", "a phone", "--role", "read")["key"]["id"]
    do("keys list")
    do("keys revoke", key)
    do("audit-log", "--limit", 2)


def _alike(value: Any, known: dict[str, str], name: str = "") -> Any:
    """What was printed, with ids by the order in which they came, and without what the clock says."""
    if name in _VARYING or name.endswith("_at") or (name in {"valid_from", "last_access", "next"} and value):
        return "varies"
    if isinstance(value, dict):
        return {key: _alike(one, known, key) for key, one in value.items() if key != _KEPT_BY_A_SERVER}
    if isinstance(value, list):
        return [_alike(one, known, name) for one in value]
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, str):
        return _ID.sub(lambda found: known.setdefault(found[0], f"id-{len(known)}"), value)
    return value


@pytest.mark.slow
def test_every_command_prints_the_same(
    run: Run, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBERKEEP_KEEP_EVENTS", "1")
    monkeypatch.setenv("EMBERKEEP_WEBHOOK_PRIVATE", "1")
    run(*MAKE_KEY, "--db", tmp_path / "a.db")
    here = Commands(run, "--db", str(tmp_path / "a.db"))
    there = Commands(run, "--server", served.url, "--key", served.key)
    for do in (here, there):
        live_through(do, tmp_path)
    known: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for (command, expected), (_, found) in zip(here.printed, there.printed, strict=True):
        assert _alike(found, known[1]) == _alike(expected, known[0]), command
    others = ON_THE_STORE | ELSEWHERE | MOVING | {"tasks show", "precompute"}  # the last two are below
    assert there.used | others == set(_names(typer.main.get_command(app)))


def _names(command: Any, before: tuple[str, ...] = ()) -> Iterator[str]:
    if not hasattr(command, "commands"):
        yield " ".join(before)
        return
    for name, inner in command.commands.items():
        yield from _names(inner, (*before, name))


@pytest.mark.slow
def test_what_is_wrong_is_said_the_same_way(run: Run, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with emberkeep.open(served.url, api_key=served.key) as memory:
        task = memory.tasks.start("Water the plants")
    monkeypatch.setenv("EMBERKEEP_SERVER", served.url)
    monkeypatch.setenv("EMBERKEEP_API_KEY", served.key)
    shown = json.loads(run("tasks", "show", task.id, "--json").stdout)
    assert shown["task"]["description"] == "Water the plants"
    for args, code, said in [
        (["stats", "--key", "ek_wrong"], 1, "key"),
        (["get", "nothing"], 1, "no memory 'nothing'"),
        (["search", " "], 2, "query is empty"),
        (["rebuild", "--learner", "none"], 2, "learner is for whoever runs the server"),
        (["stats", "--tenant", "acme"], 2, "the key decides whose memory"),
        (["precompute", "-"], 2, "embedding_cache_url"),
        (["stats", "--db", ":memory:", "--key", "ek_1"], 2, "--key is for a server"),
        *[([name], 2 if name != "doctor" else 1, "works on the database itself") for name in ON_THE_STORE],
    ]:
        result = run(*args, stdin="tea\n")
        assert (result.exit_code, said in result.output) == (code, True), (args, result.output)


@pytest.mark.slow
def test_events_are_followed_over_a_server(served: Served, tmp_path: Path) -> None:
    follow = [sys.executable, "-m", "emberkeep", "events", "--follow", "--type", "app.*", "--json"]
    follow += ["--server", served.url]
    environ = {**_own(), "EMBERKEEP_HOME": str(tmp_path), "EMBERKEEP_API_KEY": served.key}
    with (
        emberkeep.open(served.url, api_key=served.key) as memory,
        subprocess.Popen(follow, stdout=subprocess.PIPE, text=True, env=environ) as process,
    ):
        assert process.stdout is not None
        line: list[str] = []
        reading = _in_thread(lambda: line.append(process.stdout.readline() if process.stdout else ""))
        while reading.is_alive():  # it takes a moment until it follows
            memory.events.publish("app.greeted", {"n": 1})
            reading.join(0.2)
        process.terminate()
    assert json.loads(line[0])["payload"] == {"n": 1}


def _in_thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
