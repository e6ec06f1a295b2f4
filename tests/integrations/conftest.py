"""Memories for agents, in this process and on a server, awaited or not."""

from collections.abc import Callable, Iterator

import pytest

import emberkeep
from emberkeep.testing import WordEmbedder


@pytest.fixture(params=["memory", "postgres", "remote"])
def memory(request: pytest.FixtureRequest) -> Iterator[emberkeep.Memory]:
    """A memory here, in PostgreSQL and on a server."""
    if request.param == "remote":
        over_http: Callable[..., emberkeep.Memory] = request.getfixturevalue("over_http")
        yield over_http(embedder=WordEmbedder())
        return
    place = ":memory:" if request.param == "memory" else request.getfixturevalue("postgres_url")
    with emberkeep.open(place, embedder=WordEmbedder()) as memory:
        yield memory
