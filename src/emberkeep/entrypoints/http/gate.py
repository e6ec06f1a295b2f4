"""The gate that every request passes first: how many there are, how large each is, and how fast it arrives."""

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from emberkeep.entrypoints.http.hosts import Hosts
from emberkeep.entrypoints.http.limits import Limits
from emberkeep.entrypoints.http.paths import marked
from emberkeep.entrypoints.http.problems import Refused, refusal
from emberkeep.errors import EmberkeepError, Overloaded, TooLarge

PROBES = frozenset({"/healthz", "/readyz"})  # which are asked for by address, and say nothing
# What has to be answered however busy the service is, and streams, which have a limit of their own.
UNCOUNTED = PROBES | {"/metrics", "/api/v1/events/stream"}
LITTLE = 10_000  # bytes, of a body that is sent to those, and not read by anyone
MOST_ARRIVING = 8  # times the largest body, of all bodies together that are not all here
CLOSE = {"Connection": "close"}  # what is left of the request is not waited for


class Gate:
    """Lets requests through to an app, up to its limits; the others are answered here, at once.

    A request counts once all of it has arrived, so that those who send slowly keep nobody else out.
    """

    def __init__(self, app: ASGIApp, limits: Limits, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts
        self._limits = limits
        self._under_way = 0
        self._arriving = 0  # bytes, of bodies that are not all here

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
            scope["path"] = path  # no copy of it: whoever watches from outside finds the route there
            await self._app(scope, _Body(body, receive), send)
        finally:
            self._under_way -= counted

    def _check_room(self, *, counted: bool) -> None:
        if counted and self._under_way >= self._limits.requests:
            raise Overloaded(f"{self._limits.requests} requests are under way: try again in a moment")

    async def _arrived(self, receive: Receive, most: int) -> bytes | None:
        """A body, as far as there is time and room for it; nothing if the client goes away instead."""
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
    """A body that is here, to be read once; what comes then is that the client has gone, whenever that is."""

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
    if said and "transfer-encoding" in headers:  # whoever stands before us may have gone by the other one
        why = "the request has a Content-Length and a Transfer-Encoding: send one of them"
        raise HTTPException(400, why, CLOSE)
    if said.isdecimal() and int(said[:20]) > most:
        raise Refused(_too_large(most), CLOSE)


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"the body is larger than {most / 1_000_000:g} MB: send it in parts, or raise max_body_mb")
