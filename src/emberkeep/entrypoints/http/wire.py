"""Connections: uvicorn's protocol with a time limit and a maximum number, and with errors in our shape.

uvicorn lets a client take any time to send the headers of a request, on any number of connections. Here an idle
connection has `HEAD_S` seconds to bring a request, and there are at most `MAX_CONNECTIONS`.
"""

import asyncio
import json
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from emberkeep.entrypoints.http.limits import HEAD_S
from emberkeep.errors import Overloaded
from emberkeep.service.statuses import STATUSES, error_document

MAX_HEAD_BYTES = 32_768
MAX_CONNECTIONS = 1_000


class GuardedProtocol(H11Protocol):
    """One connection."""

    head_s = HEAD_S
    most = MAX_CONNECTIONS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; refuse the connection if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            status = STATUSES[Overloaded]
            document = error_document(status.code, "the service has too many connections: try again in a moment")
            self._say_and_close(status.http, document, [(b"retry-after", b"1")])
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take the data; until it is a whole request, the time limit goes on running."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting for a request."""
        self._rest()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - ours says more
        """Answer that this is not valid HTTP, or that its headers are too large."""
        why = f"this is not HTTP/1.1, or its headers take over {MAX_HEAD_BYTES:,} bytes: send a shorter, valid request"
        self._say_and_close(400, error_document("bad_request", why))

    def _look(self) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            self._rest()
        elif self._waiting is None and not self.transport.is_closing():
            self._wait()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.head_s, self._give_up)

    def _rest(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if not self.transport.is_closing():
            why = f"no request arrived within {self.head_s:g} s: send it in one go"
            self._say_and_close(408, error_document("request_timeout", why))

    def _say_and_close(self, status: int, document: Any, headers: list[tuple[bytes, bytes]] | None = None) -> None:
        body = json.dumps(document).encode()
        length = str(len(body)).encode()
        fixed = [(b"content-type", b"application/json"), (b"content-length", length), (b"connection", b"close")]
        response = h11.Response(status_code=status, headers=[*fixed, *(headers or [])])
        try:
            for event in (response, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # an answer is under way, or was given: no other can follow
            pass
        finally:
            self.transport.close()
