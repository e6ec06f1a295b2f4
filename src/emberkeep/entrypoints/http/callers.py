"""Who sent a request, and whose memory it reaches."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

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
        self._memory = memory
        self._anyone = Principal(memory.stats().tenant, "admin")

    def admit(self, _request: Request) -> Admitted:
        """Who it is, and what they reach."""
        return Admitted(self._anyone, self._memory)


async def _caller(request: Request) -> Admitted:
    door: Door = request.app.state.door
    request.state.admitted = admitted = door.admit(request)  # for the log
    return admitted


Caller = Annotated[Admitted, Depends(_caller)]
