"""Who calls from outside, and whose memory they reach: the same for every way in."""

from dataclasses import dataclass

from emberkeep.access.principal import Principal
from emberkeep.memory import Memory


@dataclass(frozen=True, slots=True)
class Admitted:
    """A caller that was let in: who it is, and the memory of its tenant."""

    principal: Principal
    memory: Memory


class Door:
    """Lets callers in by their key; `keyless`, whoever shows none may do everything, as on this machine's loopback."""

    def __init__(self, memory: Memory, *, keyless: bool) -> None:
        self._memory = memory
        self._tenant = memory.stats().tenant
        self._keyless = keyless

    def admit(self, presented: str | None) -> Admitted:
        """Who presents a key, and what they reach; raises `Unauthenticated` for one that is not valid."""
        if presented is None and self._keyless:
            return Admitted(Principal.local(self._tenant), self._memory)
        principal = self._memory.keys.verify(presented)
        own = principal.tenant == self._tenant
        return Admitted(principal, self._memory if own else self._memory.of_tenant(principal.tenant))


def bearer(authorization: str) -> str:
    """The key in an `authorization` header; what has another form is returned whole, to be refused."""
    scheme, _, key = authorization.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else authorization
