"""One request, from who sent it to what it is answered."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.datastructures import Headers

from emberkeep.entrypoints.http.callers import Admitted, Door
from emberkeep.entrypoints.http.threads import Threads


@dataclass(frozen=True, slots=True)
class Visit:
    """A request, once it has arrived."""

    headers: Headers
    door: Door
    threads: Threads

    @property
    def presented(self) -> str | None:
        """The API key that came with it, if any."""
        scheme, _, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() if scheme.lower() == "bearer" else self.headers.get("x-api-key")

    def enter(self) -> Admitted:
        """Who it is, and what they reach; raises if they may not come in."""
        return self.door.admit(self.presented)

    async def answer(self, job: Callable[[Admitted], Response]) -> Response:
        """What a job answers to whoever may come in, from a thread of its own."""
        return await self.threads.run(lambda: job(self.enter()))


async def _visit(request: Request) -> Visit:
    state = request.app.state
    return Visit(request.headers, state.door, state.threads)


Visiting = Annotated[Visit, Depends(_visit)]
