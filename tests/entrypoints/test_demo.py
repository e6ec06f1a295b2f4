"""The command that loads a month to look at."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import emberkeep

Run = Callable[..., Result]


def test_it_has_help_with_an_example(run: Run) -> None:
    said = run("demo", "--help").stdout
    assert "Example: emberkeep demo --serve" in said
    assert all(option in said for option in ("--again", "--serve", "--db", "--tenant", "--json"))


def test_it_does_not_go_to_a_server(run: Run) -> None:
    result = run("demo", "--db", "http://127.0.0.1:1")
    assert result.exit_code == 2
    assert "run it where that is" in result.stderr


def test_it_keeps_away_from_other_memories(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "agent.db"
    run("remember", "Mine", "--db", db)
    result = run("demo", "--again", "--db", db)
    assert result.exit_code == 1
    assert "pass --tenant demo, or another --db" in result.stderr
    assert json.loads(run("stats", "--db", db, "--json").stdout)["memories"] == 1


def test_a_port_that_is_taken_is_said_before_anything_is_loaded(run: Run, home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        result = run("demo", "--serve", "--port", other.getsockname()[1])
    assert result.exit_code == 1
    assert "pass another" in result.stderr
    assert not (home / "demo.db").exists()


@pytest.mark.slow
def test_it_is_loaded_once_and_served(run: Run, home: Path, copied_month: Path) -> None:
    home.mkdir()
    copied_month.rename(home / "demo.db")
    made = run("demo", "--json")
    assert made.exit_code == 0, made.output
    told = json.loads(made.stdout)
    assert (told["is_new"], told["database"]) == (False, str(home / "demo.db"))
    again = run("demo").stdout
    assert "is there already; --again replaces it" in again
    assert f"emberkeep serve --db {home / 'demo.db'}" in again
    assert not (home / "memory.db").exists()

    command = [sys.executable, "-m", "emberkeep", "demo", "--serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        try:
            address = json.loads(server.stdout.readline())["serving"]
            with emberkeep.open(address) as memory:
                assert memory.operational.get_system_snapshot().metrics["db.connections"].latest == 24
                assert memory.stats().items >= told["memories"]
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(30) == 0
