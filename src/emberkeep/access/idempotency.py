"""`memory.idempotency`: a request that is sent again gets its first answer, and is not executed again.

The client gives each request an idempotency key of its own choosing. `begin` says whether to go on; then `finish` keeps
the answer, or `abandon` lets the same request be tried again.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection

from emberkeep.access.principal import Principal
from emberkeep.clock import Clock
from emberkeep.errors import Conflict, InvalidInput, UnderWay
from emberkeep.model import checks
from emberkeep.model.scope import EVERYONE
from emberkeep.storage import idempotency
from emberkeep.storage.database import Database
from emberkeep.storage.idempotency import Record, Request

KEPT = timedelta(hours=24)
LEASE_S = 120.0


@dataclass(frozen=True, slots=True)
class Ticket:
    """Permission to execute a request, until the lease runs out or the request is finished."""

    request: Request
    holder: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The stored answer to a request."""

    status: int
    body: str


class Idempotency:
    """Requests that are executed once, however often they are sent."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def begin(
        self,
        principal: Principal,
        key: str,
        fingerprint: bytes,
        *,
        user_id: str | None = None,
        lease_s: float = LEASE_S,
    ) -> Ticket | Answer:
        """Begin a request: returns a ticket to execute it, or the answer that it was given before.

        Raises `UnderWay` while the same request is under way elsewhere, and `InvalidInput` if the key was used for
        another request. If the lease ran out because its holder died, the request may be taken over. `user_id` is the
        user whose data the answer will hold, so that it is erased with that user. Keys are known for 24 hours.
        """
        named = checks.scope_id(key, name="the idempotency key")
        if named is None:
            raise InvalidInput("the idempotency key is missing: pass one, such as a UUID")
        lease = timedelta(seconds=checks.positive(lease_s, name="lease_s"))
        request = Request(principal.tenant, principal.who, named)
        whose = checks.scope_id(principal.user(user_id), name="user_id")
        owner = None if whose == EVERYONE else whose
        holder = secrets.token_hex(16)
        now = self._clock.now()

        def job(connection: Connection) -> Record | None:
            """Return the record that is in the way, if any; raising here would make other threads' jobs run again."""
            known = idempotency.find(connection, request)
            if known is not None and now - known.created_at < KEPT:
                same = known.fingerprint == fingerprint
                # A lease that ends implausibly late was given by a clock that was ahead, and does not count.
                held = now < known.lease_until <= now + 2 * lease
                if not same or known.state == "done" or held:
                    return known
            idempotency.begin(
                connection,
                request,
                known=known is not None,
                user_id=owner,
                fingerprint=fingerprint,
                holder=holder,
                lease_until=now + lease,
                created_at=now,
            )
            return None

        known = self._database.write(job)
        return Ticket(request, holder) if known is None else _answer(known, fingerprint, named)

    def finish(self, ticket: Ticket, status: int, body: str) -> bool:
        """Keep the answer for 24 hours; returns whether the ticket was still valid.

        It is not if the lease ran out and another process took over, or if the user was erased meanwhile.
        """
        text = checks.storable(body, name="body")
        return self._database.write(
            lambda connection: idempotency.finish(connection, ticket.request, ticket.holder, status, text)
        )

    def abandon(self, ticket: Ticket) -> None:
        """Give up a request that failed, such as when the store was busy; sent again, it is tried again."""
        self._database.write(lambda connection: idempotency.abandon(connection, ticket.request, ticket.holder))


def fingerprint(*parts: str | bytes) -> bytes:
    """A hash that tells one request from another, for instance of its verb, path and body."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)  # with lengths, or "ab", "c" would equal "a", "bc"
    return digest.digest()


def _answer(known: Record, given: bytes, key: str) -> Answer:
    if known.fingerprint != given:
        raise InvalidInput(f"the idempotency key {key!r} was used for another request: choose a new one for each")
    if known.state == "pending":
        raise UnderWay("the same request is under way: wait for its answer, or send it again in a while")
    if known.status is None or known.body is None:
        raise Conflict("this request was done before, and what it was answered has been erased: it is not done again")
    return Answer(known.status, known.body)
