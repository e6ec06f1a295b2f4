"""Admission of callers from outside: who they are and whose memory they reach, the same over HTTP, gRPC and MCP."""

import time
from dataclasses import dataclass

from emberkeep.access.limits import RateLimiter
from emberkeep.access.principal import Principal
from emberkeep.errors import StoreError
from emberkeep.memory import Memory

SEEN = "X-Emberkeep-Seen"  # the header that a write is answered with, and that later requests send back
LOOK_EVERY_S = 5.0  # how long it takes a process to notice the first key that another one made


@dataclass(frozen=True, slots=True)
class Admitted:
    """A caller that was admitted: who it is, and the memory of its tenant."""

    principal: Principal
    memory: Memory

    def expect(self, seen: str | None) -> None:
        """Read nothing older than what the caller has seen at another server, according to the token `seen`."""
        if seen is not None:
            self.memory.database.expect(seen)

    def seen(self) -> str | None:
        """Return a token that tells other servers how recent their answers must be; None where that does not matter."""
        try:
            return self.memory.database.seen()
        except StoreError:
            return None  # the write is done all the same, and has to be answered


class Door:
    """Admits callers by their key.

    With `keyless`, as on loopback, callers without a key may do everything until the first key is made.
    """

    def __init__(self, memory: Memory, *, keyless: bool, limiter: RateLimiter | None = None) -> None:
        self._memory = memory
        self._tenant = memory.config.tenant
        self._keyless = keyless
        self._limiter = limiter
        self._look_at = 0.0

    def admit(self, presented: str | None, *, counted: bool = True) -> Admitted:
        """Return the caller who presents a key; raise `Unauthenticated` if the key is not valid.

        Raises `TooManyRequests` for too many calls of a key. A check of a caller admitted before is not `counted`.
        """
        if presented is None and self._is_open():
            return Admitted(Principal.local(self._tenant), self._memory)
        principal = self._memory.keys.verify(presented)
        if counted:
            self.count(principal)
        own = principal.tenant == self._tenant
        return Admitted(principal, self._memory if own else self._memory.of_tenant(principal.tenant))

    def count(self, principal: Principal) -> None:
        """Count one call of a key; raises `TooManyRequests` if there were too many."""
        if self._limiter is not None and principal.key_id is not None:
            self._limiter.check(principal.key_id)

    def _is_open(self) -> bool:
        """Whether callers need no key: looked up every few seconds until there is a key, and never again after that."""
        if self._keyless and time.monotonic() >= self._look_at:
            self._keyless = not self._memory.keys.exist()
            self._look_at = time.monotonic() + LOOK_EVERY_S
        return self._keyless


def bearer(authorization: str) -> str:
    """Return the key in an `authorization` header; one in another form is returned whole, and refused as a key."""
    scheme, _, key = authorization.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else authorization
