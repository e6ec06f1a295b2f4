"""Who sent a request, and whose memory it reaches."""

from dataclasses import dataclass

from emberkeep.access.principal import Principal
from emberkeep.memory import Memory


@dataclass(frozen=True, slots=True)
class Admitted:
    """A caller that was let in: who it is, and the memory of its tenant."""

    principal: Principal
    memory: Memory


class Door:
    """Lets callers in. Without keys, whoever can reach this machine's loopback may do everything."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._anyone = Principal(memory.stats().tenant, "admin")

    def admit(self, _presented: str | None) -> Admitted:
        """Who presents a key, and what they reach."""
        return Admitted(self._anyone, self.memory)
