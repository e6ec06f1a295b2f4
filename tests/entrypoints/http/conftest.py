"""A memory in a file, and a client of the app that serves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import emberkeep
from emberkeep.config import Config
from emberkeep.entrypoints.http.app import create_app
from emberkeep.memory import Memory
from emberkeep.providers.base import Embedder

from .client import Client


@pytest.fixture
def memory(tmp_path: Path, embedder: Embedder) -> Iterator[Memory]:
    with emberkeep.open(tmp_path / "agent.db", embedder=embedder) as memory:
        yield memory


@pytest.fixture
def client(memory: Memory) -> Client:
    return Client(create_app(memory))


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Client]:
    """A client for requests that change nothing, over a store that they share."""
    config = Config(db=str(tmp_path_factory.mktemp("unchanged") / "agent.db"))
    with emberkeep.open(config=config, embedder=embedder) as memory:
        yield Client(create_app(memory))
        assert memory.stats().interactions == memory.stats().items == 0
