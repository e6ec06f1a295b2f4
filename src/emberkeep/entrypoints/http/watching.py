"""Records every request and how it ended, for the metrics, the log and the traces.

The outermost layer, and plain ASGI, because every request pays for it.
"""

import logging
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from emberkeep.entrypoints.http.metrics import Metrics
from emberkeep.entrypoints.http.problems import refusal
from emberkeep.entrypoints.tracing import RequestTracer
from emberkeep.service.door import Admitted
from emberkeep.service.statuses import INTERNAL

_logger = logging.getLogger("emberkeep.requests")
_METHODS = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS".split())
_REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})  # asked every few seconds
GONE = 499  # the client went away before there was an answer


@dataclass(slots=True)
class Watched:
    """One request and its state so far."""

    scope: Scope
    id: str
    status: int = GONE
    started: bool = False

    @property
    def method(self) -> str:
        """The HTTP method; "other" if it is not a known one."""
        method: str = self.scope["method"]
        return method if method in _METHODS else "other"

    @property
    def route(self) -> str:
        """The route that answers the request, as it is declared: without the ids that are in a path."""
        return str(getattr(self.scope.get("route"), "path", "")) or "unknown"

    @property
    def verb(self) -> str:
        """The verb behind the route, "" if there is none."""
        return getattr(self.scope.get("route"), "operation_id", None) or ""

    def fields(self, seconds: float) -> dict[str, object]:
        """The fields of its line in the log."""
        admitted: Admitted | None = self.scope.get("state", {}).get("admitted")
        principal = admitted.principal if admitted else None
        return {
            "request_id": self.id,
            "method": self.method,
            "route": self.route,
            "verb": self.verb or None,
            "status": self.status,
            "ms": round(seconds * 1000, 2),
            "tenant": principal.tenant if principal else None,
            "key_id": principal.key_id if principal else None,
        }


class Watching:
    """Counts, times, traces and logs every request, and gives each an id, which its answer carries too."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, tracer: RequestTracer | None, log_paths: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._tracer = tracer
        self._log_paths = log_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and record it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        watched = Watched(scope, _request_id(headers.get("x-request-id")))
        traced = self._tracer.request(headers, watched) if self._tracer else None
        with self._counted(watched):
            if traced is None:
                await self._answer(watched, {}, receive, send)
            else:
                with traced as returned:
                    await self._answer(watched, returned, receive, send)

    async def _answer(self, watched: Watched, returned: Mapping[str, str], receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                watched.started, watched.status = True, message["status"]
                answered = MutableHeaders(scope=message)
                answered["x-request-id"] = watched.id
                for name, value in returned.items():
                    answered[name] = value
            await send(message)

        try:
            await self._app(watched.scope, receive, sending)
        except Exception as error:
            _logger.exception("a bug of ours", extra={"fields": {"request_id": watched.id, "route": watched.route}})
            if watched.started:
                raise
            await refusal(error)(watched.scope, receive, sending)

    @contextmanager
    def _counted(self, watched: Watched) -> Iterator[None]:
        began = time.perf_counter()
        self._metrics.in_flight.inc()
        try:
            yield
        finally:
            self._metrics.in_flight.dec()
            seconds = time.perf_counter() - began
            self._metrics.count(
                verb=watched.verb, method=watched.method, route=watched.route, status=watched.status, seconds=seconds
            )
            self._log(watched, seconds)

    def _log(self, watched: Watched, seconds: float) -> None:
        level = logging.DEBUG if watched.route in _QUIET and watched.status < INTERNAL.http else logging.INFO
        if not _logger.isEnabledFor(level):
            return
        fields = watched.fields(seconds)
        if self._log_paths:
            query = watched.scope["query_string"].decode("latin-1")
            fields["path"] = watched.scope["path"] + (f"?{query}" if query else "")
        _logger.log(level, "request", extra={"fields": fields})


def _request_id(given: str | None) -> str:
    """The caller's own id if it is safe to write to a log, else a new one."""
    return given if given is not None and _REQUEST_ID.fullmatch(given) else uuid4().hex
