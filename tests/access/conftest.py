"""Memories with an embedder that is none, which are closed after the test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import emberkeep
from emberkeep.testing import FixedClock, WordEmbedder

Open = Callable[..., emberkeep.Memory]


@pytest.fixture
def opened(clock: FixedClock) -> Iterator[Open]:
    """Opens memories, as often as wanted."""
    memories: list[emberkeep.Memory] = []

    def one(target: str = ":memory:", **settings: Any) -> emberkeep.Memory:
        memories.append(emberkeep.open(target, **{"embedder": WordEmbedder(), "clock": clock, **settings}))
        return memories[-1]

    yield one
    for memory in memories:
        memory.close()


@pytest.fixture
def plain(target: str, opened: Open) -> emberkeep.Memory:
    """A memory on each store."""
    return opened(target)
