"""MCP over HTTP as an ASGI app, to be served alone or at a path of another app.

Nothing is kept between requests, so several processes behind one address can serve one client.
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
    """The app. It answers while it is `running()`, which belongs into the lifespan of whoever serves it."""

    def __init__(self, caller_of: CallerOf, security: TransportSecuritySettings) -> None:
        self._caller_of = caller_of
        self._security = security
        self._sessions: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests until the block ends; again, if it is entered again."""
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
        elif scope["method"] != "POST":  # without sessions there is no stream to follow and nothing to end
            await _refusal(HTTPStatus.METHOD_NOT_ALLOWED, "MCP is spoken by POST here")(scope, receive, send)
        else:
            await self._sessions.handle_request(scope, receive, send)


def mcp_app(caller_of: CallerOf, *, hosts: Sequence[str] | None = None) -> McpApp:
    """An ASGI app that asks of each request, by its scope, who calls.

    `hosts` are the names with ports, such as "127.0.0.1:8787", under which it may be reached: a page that was led here
    under another name, or that comes from elsewhere, is refused. Without them anyone may come who gets past
    `caller_of` and what stands before it, which then has to ask for a key.
    """
    if hosts is None:
        return McpApp(caller_of, TransportSecuritySettings(enable_dns_rebinding_protection=False))
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return McpApp(caller_of, TransportSecuritySettings(allowed_hosts=[*hosts], allowed_origins=origins))


def _refusal(status: HTTPStatus, message: str) -> JSONResponse:
    code = status.phrase.lower().replace(" ", "_")
    headers = {"Allow": "POST"} if status == HTTPStatus.METHOD_NOT_ALLOWED else None
    return JSONResponse(error_document(code, message), status, headers)
