"""Memories with a model that is none, and processes that can be killed."""

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

import emberkeep
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.testing import FixedClock, WordEmbedder

Opened = Callable[..., emberkeep.Memory]


@pytest.fixture
def memory(target: str, clock: FixedClock, embedder: LocalEmbedder) -> Iterator[emberkeep.Memory]:
    """A memory in this process, where who subscribed is told before a verb returns."""
    with emberkeep.open(target, clock=clock, embedder=embedder) as opened:
        yield opened


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
