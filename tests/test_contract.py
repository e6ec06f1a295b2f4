"""The shipped contract, on every store and over a server."""

from collections.abc import Callable

import pytest

import emberkeep
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.testing import FixedClock
from emberkeep.testing.contract import MemoryContract


class TestMemory(MemoryContract):
    @pytest.fixture
    def memory(
        self, anywhere: Callable[..., emberkeep.Memory], clock: FixedClock, embedder: LocalEmbedder
    ) -> emberkeep.Memory:
        return anywhere(clock=clock, embedder=embedder, learner="none")
