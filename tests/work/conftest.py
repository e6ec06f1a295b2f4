"""Memories with an embedder that is none."""

from collections.abc import Callable

import pytest

import emberkeep
from emberkeep.testing import FixedClock, WordEmbedder

Open = Callable[..., emberkeep.Memory]


@pytest.fixture
def plain(anywhere: Open, clock: FixedClock) -> emberkeep.Memory:
    """A memory on each store and over a server, with an embedder that knows words only."""
    return anywhere(embedder=WordEmbedder(), clock=clock)


@pytest.fixture
def stored(target: str, opened: Open) -> emberkeep.Memory:
    """The same, but never over a server: for what looks inside, or is refused before it is sent."""
    return opened(target)
