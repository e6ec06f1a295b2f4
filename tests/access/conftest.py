"""A memory with an embedder that is none."""

from collections.abc import Callable

import pytest

import emberkeep

Open = Callable[..., emberkeep.Memory]


@pytest.fixture
def plain(target: str, opened: Open) -> emberkeep.Memory:
    """A memory on each store."""
    return opened(target)
