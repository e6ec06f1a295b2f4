"""Other processes to share a store with, and a look at its tables for what must always be true of them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import emberkeep
from emberkeep.config import Config
from emberkeep.storage.database import Database
from emberkeep.testing import WordEmbedder
from emberkeep.wiring import open_database
from torture import consistency

from .replicas import Pair, new_pair

Open = Callable[..., emberkeep.Memory]
Start = Callable[..., "Process"]

OBEY = """
import sys
import emberkeep
from emberkeep.testing import WordEmbedder
settings = eval(sys.argv[2])
with emberkeep.open(sys.argv[1], embedder=WordEmbedder(), **settings) as memory:
    for line in sys.stdin:
        print(repr(eval(line)), flush=True)
"""


@pytest.fixture(autouse=True)
def _nobody_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Storage is tested with the items that a test makes, here and in the processes that it starts."""
    monkeypatch.setenv("EMBERKEEP_LEARNER", "none")


class Process:
    """A Python of its own, which reads lines and prints lines."""

    def __init__(self, script: str, *arguments: str) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )

    def tell(self, line: str) -> None:
        assert self.popen.stdin is not None
        self.popen.stdin.write(line + "\n")
        self.popen.stdin.flush()

    def hear(self) -> str:
        assert self.popen.stdout is not None
        return self.popen.stdout.readline().rstrip("\n")

    def ask(self, expression: str) -> str:
        self.tell(expression)
        return self.hear()

    def finish(self) -> str:
        """Let it come to its end, and give what it printed last."""
        said, _ = self.popen.communicate(timeout=60)
        assert self.popen.returncode == 0
        return said

    def kill(self) -> list[str]:
        """End it where it stands, and give the whole lines that nobody has heard yet."""
        self.popen.kill()
        assert self.popen.stdout is not None
        said = self.popen.stdout.read()  # what came after the lines that were heard
        self.popen.wait(timeout=10)
        return said.split("\n")[:-1]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts processes that end with the test at the latest."""
    started: list[Process] = []

    def one(script: str, *arguments: str) -> Process:
        started.append(Process(script, *arguments))
        return started[-1]

    yield one
    for process in started:
        if process.popen.poll() is None:
            process.popen.kill()
        process.popen.communicate(timeout=10)


@pytest.fixture
def another_process(start: Start) -> Callable[..., Process]:
    """A process that has the store open as `memory`, and evaluates the lines it is told."""

    def one(target: str, **settings: object) -> Process:
        return start(OBEY, target, repr(settings))

    return one


@pytest.fixture(scope="session")
def one_pair() -> Iterator[Pair]:
    pair = new_pair()
    yield pair
    pair.stop()


@pytest.fixture
def pair(one_pair: Pair) -> Iterator[Pair]:
    """A primary and its replica, in step when a test begins."""
    one_pair.catch_up()
    yield one_pair
    one_pair.resume()


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens memories with a cheap embedder, and closes them after the test."""
    memories: list[emberkeep.Memory] = []

    def one(target: str, **settings: Any) -> emberkeep.Memory:
        memories.append(emberkeep.open(target, **{"embedder": WordEmbedder(), **settings}))
        return memories[-1]

    yield one
    for memory in memories:
        memory.close()


@pytest.fixture
def database() -> Iterator[Callable[[str], Database]]:
    """The bare database under a store."""
    databases: list[Database] = []

    def one(target: str) -> Database:
        databases.append(open_database(Config(db=target)))
        return databases[-1]

    yield one
    for each in databases:
        each.close()


@pytest.fixture
def check_whole(database: Callable[[str], Database]) -> Callable[[str], None]:
    """Looks for anything half-written in a store."""

    def check(target: str) -> None:
        with database(target).read() as connection:
            assert consistency.wrongs(connection) == []

    return check
