"""Sending requests: to an app without a network between, and to a real server on a real socket."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from fastapi import FastAPI

from emberkeep.entrypoints import serving
from emberkeep.entrypoints.http.wire import GuardedProtocol

API = "/api/v1"
MEMORIES = f"{API}/memories"


class Client:
    """Sends requests to an app, without a network between."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def __call__(self, method: str, path: str, **options: Any) -> httpx.Response:
        return asyncio.run(self._send(method, path, **options))

    async def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **options)


def error(response: httpx.Response, status: int) -> Any:
    """What an answer says went wrong; it has the one shape of errors."""
    assert response.status_code == status, response.text
    assert set(response.json()) == {"error"}
    assert set(response.json()["error"]) == {"code", "message"}
    return response.json()["error"]


@contextmanager
def served(app: FastAPI, protocol: type[GuardedProtocol] = GuardedProtocol) -> Iterator[tuple[str, int]]:
    """An app on a socket of this machine; where it is."""
    with serving.listening("127.0.0.1", 0) as listener:
        place = listener.getsockname()
        server = serving.server_of(app, protocol=protocol)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield place
        finally:
            server.should_exit = True
            thread.join(30)
    assert not thread.is_alive()


def talk(place: tuple[str, int], *sent: bytes) -> bytes:
    """Everything that a server says to some bytes, until it closes the connection."""
    with socket.create_connection(place, timeout=20) as connection:
        for part in sent:
            connection.sendall(part)
        said = b""
        while part := connection.recv(65_536):
            said += part
        return said
