"""The shipped contract, on every store."""

from emberkeep.testing.contract import MemoryContract


class TestMemory(MemoryContract):
    pass
