"""Nothing leaves the machine, and nothing is written outside the data folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

NO_NETWORK = """
import socket, sys

def allowed(address):
    return not isinstance(address, tuple) or str(address[0]).startswith("127.") or address[0] in ("::1", "localhost")

def guarded(verb):
    def call(self, address, *rest):
        if not allowed(address):
            raise AssertionError(f"tried to reach {address}")
        return verb(self, address, *rest)
    return call

def guarded_lookup(verb):
    def call(host, *rest, **options):
        if not allowed((host,)):
            raise AssertionError(f"tried to look up {host}")
        return verb(host, *rest, **options)
    return call

class Guarded(socket.socket):
    connect = guarded(socket.socket.connect)
    connect_ex = guarded(socket.socket.connect_ex)
    sendto = guarded(socket.socket.sendto)

socket.socket = socket.SocketType = Guarded
socket.getaddrinfo = guarded_lookup(socket.getaddrinfo)
socket.gethostbyname = guarded_lookup(socket.gethostbyname)
"""
JOURNEY = """
import emberkeep
with emberkeep.open() as memory:
    added = memory.add(["I moved to Lisbon in May.", "Noted!"], user_id="alex")
    told = memory.remember("Prefers a window seat", kind="preference", user_id="alex")
    assert memory.search("where does Alex live?", user_id="alex")[0].id == added.learned[0].id
    assert "Lisbon" in memory.context("Plan Alex's weekend", user_id="alex").text
    memory.update(told.id, "Prefers an aisle seat")
    memory.delete(added.items[1].id)
    memory.upkeep()
    memory.rebuild(dry_run=True)
    memory.rebuild()
    memory.audit()

from emberkeep.entrypoints.cli import app
for command in (["search", "Lisbon", "--user", "alex"], ["doctor"], ["stats", "--json"]):
    try:
        app(command)
    except SystemExit as left:
        assert left.code == 0, command
"""
PROVE = """
for reach in (lambda: socket.create_connection(("192.0.2.1", 80), 1), lambda: socket.getaddrinfo("example.org", 80)):
    try:
        reach()
    except AssertionError:
        continue
    sys.exit("the network was not blocked")
"""


@pytest.fixture
def run_alone(tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    """The journey in a process without a network, whose home and working folder are empty."""
    for name in ("user", "work", "scratch"):
        (tmp_path / name).mkdir()
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("EMBERKEEP_", "XDG_"))}
    environ |= {"HOME": str(tmp_path / "user"), "TMPDIR": str(tmp_path / "scratch")}
    environ |= {"EMBERKEEP_HOME": str(tmp_path / "data"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", NO_NETWORK + PROVE + JOURNEY]
    return subprocess.run(
        command, cwd=tmp_path / "work", env=environ, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow
def test_everything_works_without_a_network(run_alone: "subprocess.CompletedProcess[str]", tmp_path: Path) -> None:
    assert run_alone.returncode == 0, run_alone.stderr
    assert "The user moved to Lisbon in May" in run_alone.stdout
    written = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {"data"}
    assert {path.name for path in (tmp_path / "data").iterdir()} == {"memory.db"}
