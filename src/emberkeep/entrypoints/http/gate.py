"""The gate that every request passes first: how many there are, how large each is, and how fast it arrives."""

import asyncio
from collections.abc import MutableMapping

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
CLOSE = {"Connection": "close"}  # what is left of the request is not waited for


class Gate:
    """Lets requests through to an app, up to its limits; the others are answered here, at once."""

    def __init__(self, app: ASGIApp, limits: Limits, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts
        self._limits = limits
        self._under_way = 0

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
            _check_size(headers, most)
            if counted and self._under_way >= self._limits.requests:
                raise Overloaded(f"{self._limits.requests} requests are under way: try again in a moment")
        except (EmberkeepError, HTTPException) as error:
            await refusal(error)(scope, receive, send)
            return
        self._under_way += counted
        try:
            scope["path"] = path  # no copy of it: whoever watches from outside finds the route there
            await self._app(scope, _Arriving(receive, most, self._limits.body_s), send)
        finally:
            self._under_way -= counted


class _Arriving:
    """What arrives of a request, as far as there is time and room for it."""

    def __init__(self, receive: Receive, most: int, within_s: float) -> None:
        self._receive = receive
        self._most = most
        self._within_s = within_s
        self._until = asyncio.get_running_loop().time() + within_s
        self._size = 0
        self._whole = False

    async def __call__(self) -> Message:
        if self._whole:  # what comes now is that the client has gone, whenever that is
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            late = f"the body did not arrive within {self._within_s:g} s: send it faster, or less of it"
            raise HTTPException(408, late, CLOSE) from None
        self._count(message)
        return message

    def _count(self, message: MutableMapping[str, object]) -> None:
        body = message.get("body", b"")
        self._size += len(body) if isinstance(body, bytes) else 0
        self._whole = not message.get("more_body", False)
        if self._size > self._most:
            raise Refused(_too_large(self._most), CLOSE)


def _check_size(headers: Headers, most: int) -> None:
    said = headers.get("content-length", "")
    if said.isdecimal() and int(said[:20]) > most:
        raise Refused(_too_large(most), CLOSE)


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"the body is larger than {most / 1_000_000:g} MB: send it in parts, or raise max_body_mb")
