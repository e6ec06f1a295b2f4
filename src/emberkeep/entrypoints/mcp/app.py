"""MCP over HTTP as an ASGI app, served alone or at a path of another app.

The app keeps no sessions, so several processes behind one address can serve the same client.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from emberkeep.entrypoints.mcp.caller import CallerOf
from emberkeep.entrypoints.mcp.server import create_server
from emberkeep.service.statuses import error_document


class McpApp:
    """The ASGI app. It answers requests only inside `running()`, which belongs in the lifespan of its server."""

    def __init__(self, caller_of: CallerOf, security: TransportSecuritySettings) -> None:
        self._caller_of = caller_of
        self._security = security
        self._sessions: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests until the block ends; it may be entered again after that."""
        sessions = StreamableHTTPSessionManager(
            create_server(self._caller_of), json_response=True, stateless=True, security_settings=self._security
        )
        async with sessions.run():
            self._sessions = sessions
            try:
                yield
            finally:
                self._sessions = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if self._sessions is None:
            refusal = _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "the MCP server is not running: try again later")
            await refusal(scope, receive, send)
        elif scope["method"] != "POST":  # GET and DELETE are for sessions, of which there are none
            await _refusal(HTTPStatus.METHOD_NOT_ALLOWED, "send MCP requests by POST")(scope, receive, send)
        else:
            await self._sessions.handle_request(scope, receive, send)


def mcp_app(caller_of: CallerOf, *, hosts: Sequence[str] | None = None) -> McpApp:
    """Return an ASGI app that finds the caller of each request by its scope.

    `hosts` are the accepted host names with ports, such as "127.0.0.1:8787"; a request to another name, or from a page
    of another origin, is refused. Without them every name is accepted, and `caller_of`, or what stands before it, has
    to ask for a key.
    """
    if hosts is None:
        return McpApp(caller_of, TransportSecuritySettings(enable_dns_rebinding_protection=False))
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return McpApp(caller_of, TransportSecuritySettings(allowed_hosts=[*hosts], allowed_origins=origins))


def _refusal(status: HTTPStatus, message: str) -> JSONResponse:
    """Return an error in the JSON shape of the service."""
    code = status.phrase.lower().replace(" ", "_")
    headers = {"Allow": "POST"} if status == HTTPStatus.METHOD_NOT_ALLOWED else None
    return JSONResponse(error_document(code, message), status, headers)
