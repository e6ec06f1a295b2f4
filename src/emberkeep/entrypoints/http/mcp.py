"""MCP at a path of the service, for the same callers with the same keys.

Loading the MCP SDK takes as long as loading half of the server, so it is loaded only with the first MCP request.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from emberkeep.entrypoints.http.problems import refusal
from emberkeep.entrypoints.http.visits import Visit
from emberkeep.entrypoints.mcp.caller import Caller, CallerOf
from emberkeep.entrypoints.mcp.serving import PATH
from emberkeep.errors import EmberkeepError, StoreUnavailable
from emberkeep.service.door import Admitted

if TYPE_CHECKING:
    from emberkeep.entrypoints.mcp.app import McpApp

_ADMITTED = "emberkeep.admitted"


class McpRoute:
    """Checks the key before the MCP server does anything, so that a wrong key is an HTTP error."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._turn: _Turn | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests until the block ends; it can be entered again afterwards."""
        self._turn = turn = _Turn()
        serving = asyncio.create_task(turn.serve())
        try:
            yield
        finally:
            self._turn = None
            turn.end()
            await serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            visit = Visit(Request(scope), b"", self._app.state.door, self._app.state.threads)
            admitted = await visit.threads.run(visit.enter)
            if self._turn is None:
                raise StoreUnavailable("the MCP server is not running: try again later")
        except EmberkeepError as error:
            await refusal(error)(scope, receive, send)
            return
        served = await self._turn.served()
        await served({**scope, _ADMITTED: admitted}, receive, send)


class _Turn:
    """One run of the server, from start to end; the first MCP request starts the SDK."""

    def __init__(self) -> None:
        self._app: asyncio.Future[McpApp] = asyncio.get_running_loop().create_future()
        self._wanted, self._over = asyncio.Event(), asyncio.Event()

    async def served(self) -> "McpApp":
        """The app, once it runs."""
        if not self._app.done():
            await asyncio.to_thread(_load)  # a failure to load fails this request, not the task in `serve`
            self._wanted.set()
        return await asyncio.shield(self._app)

    async def serve(self) -> None:
        """Run the app from the first request to the end.

        This needs a task of its own, since the SDK has to be stopped by the task that started it.
        """
        await self._wanted.wait()
        if self._over.is_set():
            self._app.cancel()
            return
        app = _load()(_caller_of)  # the gate has checked host and origin
        async with app.running():
            self._app.set_result(app)
            await self._over.wait()

    def end(self) -> None:
        """Have the app stopped, or never started."""
        self._over.set()
        self._wanted.set()


def mount_mcp(app: FastAPI) -> McpRoute:
    """Serve MCP; the route that is returned answers only while it is `running()`."""
    route = McpRoute(app)
    app.router.routes.append(Route(PATH, route))
    return route


def _load() -> "Callable[[CallerOf], McpApp]":
    from emberkeep.entrypoints.mcp.app import mcp_app  # noqa: PLC0415 - takes long

    return mcp_app


def _caller_of(scope: Mapping[str, Any]) -> Caller:
    admitted: Admitted = scope[_ADMITTED]
    principal = admitted.principal
    bound = principal.user_id is not None
    return Caller(admitted.memory, principal.user_id, may_write=principal.may("write"), by_key=bound)
