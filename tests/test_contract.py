"""The shipped contract, on every store."""

from collections.abc import Iterator

import pytest

import emberkeep
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.testing import FixedClock
from emberkeep.testing.contract import MemoryContract


class TestMemory(MemoryContract):
    @pytest.fixture
    def memory(self, target: str, clock: FixedClock, embedder: LocalEmbedder) -> Iterator[emberkeep.Memory]:
        with emberkeep.open(target, clock=clock, embedder=embedder, learner="none") as opened:
            yield opened
