"""`emberkeep events`, `webhooks`, `deliver` and `precompute`."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import Result

import emberkeep
from emberkeep.storage import outbox
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from tests.conftest import Valkey

Run = Callable[..., Result]


def test_events_that_were_kept_are_listed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "agent.db"
    monkeypatch.setenv("EMBERKEEP_KEEP_EVENTS", "true")
    assert run("remember", "Alex likes tea", "--user", "alex", "--db", db).exit_code == 0
    listed = run("events", "--db", db)
    assert "memory.added" in listed.stdout
    assert "alex" in listed.stdout
    assert "tea" not in listed.stdout
    (event,) = json.loads(run("events", "--db", db, "--json").stdout)["events"]
    assert (event["type"], event["user_id"], event["schema_version"]) == ("memory.added", "alex", 1)
    none = run("events", "--db", db, "--type", "memory.pattern.*")
    assert "no events" in none.stdout
    assert "keep_events" in none.stderr
    assert run("events", "--db", db, "--type", "memory.nonsense").exit_code == 2


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_following_prints_a_line_an_event_until_it_is_stopped(stop: signal.Signals, tmp_path: Path) -> None:
    db = tmp_path / "agent.db"
    with emberkeep.open(db, embedder=WordEmbedder()) as memory:
        command = [
            sys.executable,
            "-m",
            "emberkeep",
            "events",
            "--follow",
            "--json",
            "--type",
            "app.*",
            "--db",
            str(db),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as follower:
            assert follower.stdout
            while not watched(memory):
                assert follower.poll() is None
            memory._parts.announcer.look_again()
            memory.events.publish("app.first", {"n": 1})
            memory.remember("Alex likes tea")
            memory.events.publish("app.second", {"n": 2})
            lines = [json.loads(follower.stdout.readline()) for _ in range(2)]
            follower.send_signal(stop)
            assert follower.wait(20) == 0
        assert [(line["type"], line["payload"]) for line in lines] == [
            ("app.first", {"n": 1}),
            ("app.second", {"n": 2}),
        ]
        assert not watched(memory)


def watched(memory: emberkeep.Memory) -> bool:
    with memory._parts.database.read() as connection:
        return bool(outbox.audiences(connection, memory._parts.clock.now()))


def test_webhooks_are_added_listed_and_removed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "agent.db"
    added = json.loads(
        run("webhooks", "add", "https://hook.example/x", "--type", "memory.*", "--db", db, "--json").stdout
    )
    assert added["secret"].startswith("whsec_")
    monkeypatch.setenv("HOOK_SECRET", "a secret of sixteen")
    given = run("webhooks", "add", "https://hook.example/y", "--secret-from", "HOOK_SECRET", "--db", db, "--json")
    assert json.loads(given.stdout)["secret"] == os.environ["HOOK_SECRET"]
    listed = run("webhooks", "list", "--db", db)
    assert "https://hook.example/x" in listed.stdout
    assert "a secret" not in listed.stdout
    assert "whsec_" not in listed.stdout
    for one in json.loads(run("webhooks", "list", "--db", db, "--json").stdout)["webhooks"]:
        assert run("webhooks", "remove", one["id"], "--db", db).exit_code == 0
    assert "no webhooks" in run("webhooks", "list", "--db", db).stdout
    assert run("webhooks", "remove", "nothing", "--db", db).exit_code == 1
    assert run("webhooks", "add", "http://127.0.0.1/", "--db", db).exit_code == 2
    assert run("webhooks", "add", "https://a.example/", "--secret-from", "UNSET", "--db", db).exit_code == 2


def test_what_cannot_be_delivered_ends_with_one(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "agent.db"
    assert json.loads(run("deliver", "--db", db, "--json").stdout)["sent"] == 0
    monkeypatch.setenv("EMBERKEEP_WEBHOOK_PRIVATE", "true")
    monkeypatch.setenv("EMBERKEEP_WEBHOOK_ATTEMPTS", "1")
    run("webhooks", "add", "http://127.0.0.1:1/", "--db", db)
    run("remember", "Alex likes tea", "--db", db)
    assert "nothing was given up" in run("webhooks", "failed", "--db", db).stdout
    failed = run("deliver", "--db", db)
    assert failed.exit_code == 1
    assert "ConnectError" in failed.stderr
    assert "memory.added" in run("webhooks", "failed", "--db", db).stdout


def test_doctor_asks_redis_and_counts_what_waits(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, valkey: "Valkey"
) -> None:
    db = tmp_path / "agent.db"

    def states() -> dict[str, str]:
        return {one["name"]: one["state"] for one in json.loads(run("doctor", "--db", db, "--json").stdout)["checks"]}

    monkeypatch.setenv("EMBERKEEP_EVENTS_URL", valkey.url)
    monkeypatch.setenv("EMBERKEEP_EMBEDDING_CACHE_URL", valkey.url)
    run("remember", "Alex likes tea", "--db", db)
    assert {states()[name] for name in ("events", "events_url", "embedding_cache_url")} == {"ok"}
    valkey.kill()
    assert (states()["events_url"], states()["embedding_cache_url"]) == ("warn", "warn")
    assert "events wait for it" in run("doctor", "--db", db).stdout
    monkeypatch.setenv("EMBERKEEP_EVENTS_URL", "nonsense")
    assert states()["events_url"] == "fail"


def test_making_vectors_ahead_needs_a_shared_cache(run: Run, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("tea\n\ncoffee\n", encoding="utf-8")
    assert run("precompute", texts, "--db", tmp_path / "agent.db").exit_code == 2
    assert run("precompute", tmp_path / "none.txt").exit_code == 2
