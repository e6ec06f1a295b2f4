"""MCP at a path of the service: the same callers with the same keys, for agents that speak it."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from emberkeep.entrypoints.http.problems import refusal
from emberkeep.entrypoints.http.visits import Visit
from emberkeep.entrypoints.mcp.app import McpApp, mcp_app
from emberkeep.entrypoints.mcp.caller import Caller
from emberkeep.entrypoints.mcp.serving import PATH
from emberkeep.errors import EmberkeepError
from emberkeep.service.door import Admitted

_ADMITTED = "emberkeep.admitted"


class McpRoute:
    """Asks who calls before the MCP server does anything, so that a wrong key is an error of HTTP."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self.served: McpApp = mcp_app(_caller_of)  # the gate has looked at hosts and origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            visit = Visit(Request(scope), b"", self._app.state.door, self._app.state.threads)
            admitted = await visit.threads.run(visit.enter)
        except EmberkeepError as error:
            await refusal(error)(scope, receive, send)
            return
        await self.served({**scope, _ADMITTED: admitted}, receive, send)


def mount_mcp(app: FastAPI) -> McpApp:
    """Serve MCP; what is returned has to be running meanwhile."""
    route = McpRoute(app)
    app.router.routes.append(Route(PATH, route))
    return route.served


def _caller_of(scope: Mapping[str, Any]) -> Caller:
    admitted: Admitted = scope[_ADMITTED]
    principal = admitted.principal
    bound = principal.user_id is not None
    return Caller(admitted.memory, principal.user_id, may_write=principal.may("write"), by_key=bound)
