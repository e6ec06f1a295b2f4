"""One request, from its key to its answer."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Response

from emberkeep.access.idempotency import LEASE_S, Answer, fingerprint
from emberkeep.entrypoints.http.threads import Threads
from emberkeep.errors import StoreError
from emberkeep.service.door import SEEN, Admitted, Door, bearer

_logger = logging.getLogger(__name__)
NO_KEY = "none"
SPARE_S = 10.0  # for storing an answer, beyond the time that a request may take
Job = Callable[[Admitted], Response]


@dataclass(frozen=True, slots=True)
class Visit:
    """A request whose body has arrived."""

    request: Request
    body: bytes
    door: Door
    threads: Threads

    @property
    def presented(self) -> str | None:
        """The API key of the request, if any; `none` counts as no key, for programs that insist on sending one."""
        headers = self.request.headers
        key = bearer(headers["authorization"]) if "authorization" in headers else headers.get("x-api-key")
        return None if key == NO_KEY else key

    def enter(self, *, counted: bool = True) -> Admitted:
        """Admit the caller; raises if the key is not valid, or is used too often."""
        self.request.state.admitted = admitted = self.door.admit(self.presented, counted=counted)  # for the log
        admitted.expect(self.request.headers.get(SEEN))
        return admitted

    async def answer(self, job: Job, *, writes: bool = False, user_id: str | None = None) -> Response:
        """Admit the caller and run a job for it in a thread; return the job's answer.

        A job that `writes` is run once for all requests with its Idempotency-Key; `user_id` is the user whose data the
        answer holds.
        """
        return await self.threads.run(lambda: self._written(job, user_id) if writes else job(self.enter()))

    def _written(self, job: Job, user_id: str | None) -> Response:
        """The answer to a write, with a token by which other servers know that their answers must include it."""
        caller, key = self.enter(), self.request.headers.get("idempotency-key")
        response = job(caller) if key is None else self._once(job, caller, key, user_id)
        if (seen := caller.seen()) is not None:
            response.headers[SEEN] = seen
        return response

    def _once(self, job: Job, caller: Admitted, key: str, user_id: str | None) -> Response:
        once, scope = caller.memory.idempotency, self.request.scope
        asked = fingerprint(scope["method"], scope["path"], scope["query_string"], self.body)
        # With a shorter lease, a retry would begin the job again while its result is still awaited.
        lease_s = max(LEASE_S, self.threads.timeout_s + SPARE_S)
        begun = once.begin(caller.principal, key, asked, user_id=user_id, lease_s=lease_s)
        if isinstance(begun, Answer):
            headers = {"Idempotency-Replayed": "true"}
            return Response(begun.body, begun.status, headers, media_type="application/json")
        try:
            response = job(caller)
        except BaseException:
            once.abandon(begun)  # it failed: the same request may try again
            raise
        try:
            once.finish(begun, response.status_code, bytes(response.body).decode())
        except StoreError as error:  # the write is done all the same, and an error would have it done twice
            _logger.warning("an answer was not kept for its Idempotency-Key: %s", error)
        return response


async def _visit(request: Request) -> Visit:
    state = request.app.state
    return Visit(request, await request.body(), state.door, state.threads)


Visiting = Annotated[Visit, Depends(_visit)]
