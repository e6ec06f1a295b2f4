"""Ways to open a store again and again, and what is looked for in every text that it may keep."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import emberkeep
from emberkeep.testing import FixedClock, WordEmbedder

Open = Callable[..., emberkeep.Memory]


@pytest.fixture
def opened(clock: FixedClock) -> Iterator[Open]:
    """Opens memories with a cheap embedder, and closes them after the test."""
    memories: list[emberkeep.Memory] = []

    def one(target: str, **settings: Any) -> emberkeep.Memory:
        memories.append(emberkeep.open(target, **{"embedder": WordEmbedder(), "clock": clock, **settings}))
        return memories[-1]

    yield one
    for memory in memories:
        memory.close()


@pytest.fixture
def plain(anywhere: Open, clock: FixedClock) -> emberkeep.Memory:
    """A memory on each store and over a server, with an embedder that knows words only."""
    return anywhere(embedder=WordEmbedder(), clock=clock)


@pytest.fixture
def stored(target: str, opened: Open) -> emberkeep.Memory:
    """The same, but never over a server: for what looks inside, or is refused before it is sent."""
    return opened(target)
