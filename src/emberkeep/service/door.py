"""Who calls from outside, and whose memory they reach: the same for every way in."""

import time
from dataclasses import dataclass

from emberkeep.access.limits import RateLimiter
from emberkeep.access.principal import Principal
from emberkeep.errors import StoreError
from emberkeep.memory import Memory

SEEN = "X-Emberkeep-Seen"  # what a write is answered with, and what comes after it is sent with
LOOK_EVERY_S = 5.0  # how long it takes a process to notice the first key that another one made


@dataclass(frozen=True, slots=True)
class Admitted:
    """A caller that was let in: who it is, and the memory of its tenant."""

    principal: Principal
    memory: Memory

    def expect(self, seen: str | None) -> None:
        """Show them nothing older than what they have seen at another server, if they say so."""
        if seen is not None:
            self.memory.database.expect(seen)

    def seen(self) -> str | None:
        """What shows other servers how much they have to show; nothing where it makes no difference."""
        try:
            return self.memory.database.seen()
        except StoreError:
            return None  # what was written is, and has to be answered


class Door:
    """Lets callers in by their key.

    `keyless`, whoever shows none may do everything, as on this machine's loopback; but only until someone makes a key.
    """

    def __init__(self, memory: Memory, *, keyless: bool, limiter: RateLimiter | None = None) -> None:
        self._memory = memory
        self._tenant = memory.config.tenant
        self._keyless = keyless
        self._limiter = limiter
        self._look_at = 0.0

    def admit(self, presented: str | None, *, counted: bool = True) -> Admitted:
        """Who presents a key, and what they reach; raises `Unauthenticated` for one that is not valid.

        Raises `TooManyRequests` if they come too often; one who is in already, and looked at again, is not `counted`.
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
        """Whether nobody needs a key: asked again every few seconds until there is one, and then never again."""
        if self._keyless and time.monotonic() >= self._look_at:
            self._keyless = not self._memory.keys.exist()
            self._look_at = time.monotonic() + LOOK_EVERY_S
        return self._keyless


def bearer(authorization: str) -> str:
    """The key in an `authorization` header; what has another form is returned whole, to be refused."""
    scheme, _, key = authorization.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else authorization
