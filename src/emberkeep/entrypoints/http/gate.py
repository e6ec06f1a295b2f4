"""The gate that every request passes first: it limits their number, their size, and how long they take to arrive."""

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from emberkeep.entrypoints.http.hosts import Hosts
from emberkeep.entrypoints.http.limits import Limits
from emberkeep.entrypoints.http.paths import marked
from emberkeep.entrypoints.http.problems import Refused, refusal
from emberkeep.errors import EmberkeepError, Overloaded, TooLarge

PROBES = frozenset({"/healthz", "/readyz"})  # called by IP address, so their host is not checked; they reveal nothing
# Paths that are answered however busy the service is, and streams, which have a limit of their own.
UNCOUNTED = PROBES | {"/metrics", "/api/v1/events/stream"}
LITTLE = 10_000  # bytes, of a body that is sent to one of those paths; nothing reads it
MOST_ARRIVING = 8  # times the largest body: the limit on all incomplete bodies together
CLOSE = {"Connection": "close"}  # the rest of the request is not waited for


class Gate:
    """Lets requests through to an app, up to its limits; the others are refused here, at once.

    A request counts once all of it has arrived, so that slow senders keep nobody else out.
    """

    def __init__(self, app: ASGIApp, limits: Limits, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts
        self._limits = limits
        self._under_way = 0
        self._arriving = 0  # bytes, of incomplete bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            path = marked(scope.get("raw_path") or scope["path"].encode())
            headers = Headers(scope=scope)
            if path not in PROBES:
                self._hosts.check(headers)
            counted = path not in UNCOUNTED
            most = self._limits.body_bytes if counted else min(LITTLE, self._limits.body_bytes)
            _check_length(headers, most)
            self._check_room(counted=counted)
            body = await self._arrived(receive, most)
            self._check_room(counted=counted)
        except (EmberkeepError, HTTPException) as error:
            await refusal(error)(scope, receive, send)
            return
        if body is None:
            return
        self._under_way += counted
        try:
            scope["path"] = path  # not on a copy: `Watching`, around this, reads the route from the same scope
            await self._app(scope, _Body(body, receive), send)
        finally:
            self._under_way -= counted

    def _check_room(self, *, counted: bool) -> None:
        if counted and self._under_way >= self._limits.requests:
            raise Overloaded(f"{self._limits.requests} requests are under way: try again in a moment")

    async def _arrived(self, receive: Receive, most: int) -> bytes | None:
        """Read a whole body, within the limits of time and size; None if the client disconnects."""
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._limits.body_s):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        return None
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    self._arriving += len(parts[-1])
                    if size > most:
                        raise Refused(_too_large(most), CLOSE)
                    if self._arriving > MOST_ARRIVING * self._limits.body_bytes:
                        raise Refused(Overloaded("too much is being sent at once: try again in a moment"), CLOSE)
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            late = f"the body did not arrive within {self._limits.body_s:g} s: send it faster, or less of it"
            raise HTTPException(408, late, CLOSE) from None
        finally:
            self._arriving -= size


class _Body:
    """Receives a body that has arrived, once; the next message is the client's disconnect, whenever that comes."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def _check_length(headers: Headers, most: int) -> None:
    said = headers.get("content-length", "")
    if said and "transfer-encoding" in headers:  # a proxy in front of this may have used the other one
        why = "the request has a Content-Length and a Transfer-Encoding: send one of them"
        raise HTTPException(400, why, CLOSE)
    if said.isdecimal() and int(said[:20]) > most:
        raise Refused(_too_large(most), CLOSE)


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"the body is larger than {most / 1_000_000:g} MB: send it in parts, or raise max_body_mb")
