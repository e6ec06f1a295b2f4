"""One request, from who sent it to what it is answered."""

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
SPARE_S = 10.0  # for an answer to be kept, after the time that a request may take
Job = Callable[[Admitted], Response]


@dataclass(frozen=True, slots=True)
class Visit:
    """A request, once it has arrived."""

    request: Request
    body: bytes
    door: Door
    threads: Threads

    @property
    def presented(self) -> str | None:
        """The API key that came with it, if any; `none` is no key, for programs that insist on sending one."""
        headers = self.request.headers
        key = bearer(headers["authorization"]) if "authorization" in headers else headers.get("x-api-key")
        return None if key == NO_KEY else key

    def enter(self, *, counted: bool = True) -> Admitted:
        """Who it is, and what they reach; raises if they may not come in."""
        self.request.state.admitted = admitted = self.door.admit(self.presented, counted=counted)  # for the log
        admitted.expect(self.request.headers.get(SEEN))
        return admitted

    async def answer(self, job: Job, *, writes: bool = False, user_id: str | None = None) -> Response:
        """What a job answers to whoever may come in, from a thread of its own.

        What `writes` is done once for all requests with its Idempotency-Key; `user_id` is whose data that answers with.
        """
        return await self.threads.run(lambda: self._written(job, user_id) if writes else job(self.enter()))

    def _written(self, job: Job, user_id: str | None) -> Response:
        """The answer to a write, with what shows other servers that it has to be seen."""
        caller, key = self.enter(), self.request.headers.get("idempotency-key")
        response = job(caller) if key is None else self._once(job, caller, key, user_id)
        if (seen := caller.seen()) is not None:
            response.headers[SEEN] = seen
        return response

    def _once(self, job: Job, caller: Admitted, key: str, user_id: str | None) -> Response:
        once, scope = caller.memory.idempotency, self.request.scope
        asked = fingerprint(scope["method"], scope["path"], scope["query_string"], self.body)
        lease_s = max(LEASE_S, self.threads.timeout_s + SPARE_S)  # or it would be begun again while it is waited for
        begun = once.begin(caller.principal, key, asked, user_id=user_id, lease_s=lease_s)
        if isinstance(begun, Answer):
            headers = {"Idempotency-Replayed": "true"}
            return Response(begun.body, begun.status, headers, media_type="application/json")
        try:
            response = job(caller)
        except BaseException:
            once.abandon(begun)  # nothing came of it: sent again, it is tried again
            raise
        try:
            once.finish(begun, response.status_code, bytes(response.body).decode())
        except StoreError as error:  # it is done all the same, and saying otherwise would have it done twice
            _logger.warning("an answer was not kept for its Idempotency-Key: %s", error)
        return response


async def _visit(request: Request) -> Visit:
    state = request.app.state
    return Visit(request, await request.body(), state.door, state.threads)


Visiting = Annotated[Visit, Depends(_visit)]
