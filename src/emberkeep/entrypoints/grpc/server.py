"""The gRPC server: an event loop in a thread of its own, with health and reflection."""

import asyncio
import socket
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from emberkeep.entrypoints.grpc.calls import Calls
from emberkeep.entrypoints.grpc.followers import Followers
from emberkeep.entrypoints.grpc.handlers import Desk, handlers, services
from emberkeep.entrypoints.grpc.limits import Limits
from emberkeep.errors import EmberkeepError
from emberkeep.service.door import Door

T = TypeVar("T")
KEEPALIVE_MS = 60_000
SENDING_S = 1.0  # for the last answers to be sent; without a limit, clients that watch the health would stay for ever


@contextmanager
def serving(door: Door, host: str, port: int, *, limits: Limits, grace_s: float) -> Iterator[str]:
    """Serve for the length of a block; yield the address. At its end, calls under way get a grace period."""
    with _loop() as run:
        server = run(Server.begun(door, host, port, limits))
        try:
            yield server.address
        finally:
            run(server.stop(grace_s))


class Server:
    """The gRPC server, with health and reflection."""

    def __init__(self, door: Door, limits: Limits) -> None:
        self.address = ""
        self._calls = Calls(limits)
        self._followers = Followers(limits.followers)
        self._health = health.aio.HealthServicer()  # type: ignore[attr-defined]
        self._server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", limits.message_bytes),
                ("grpc.so_reuseport", 0),  # or two servers could share a port unnoticed
                ("grpc.keepalive_time_ms", KEEPALIVE_MS),  # or a client that vanished would stay a follower for ever
            ],
            maximum_concurrent_rpcs=limits.rpcs,
        )
        self._server.add_generic_rpc_handlers(tuple(handlers(Desk(door, self._calls, self._followers))))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection((*services(), health.SERVICE_NAME, reflection.SERVICE_NAME), self._server)

    @classmethod
    async def begun(cls, door: Door, host: str, port: int, limits: Limits) -> "Server":
        """Start a server; raise `EmberkeepError` if it cannot listen."""
        named = f"[{host}]" if ":" in host else host
        try:  # gRPC itself reports the reason only in its log
            socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
        except OSError as error:
            raise EmberkeepError(
                f"cannot listen on {named}:{port} ({error.strerror}): pass another --grpc-port, or 0 for no gRPC"
            ) from None
        server = cls(door, limits)
        server.address = f"{named}:{server._server.add_insecure_port(f'{named}:{port}')}"
        await server._server.start()
        for name in ("", *services()):
            await server._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return server

    async def stop(self, grace_s: float) -> None:
        """Refuse new calls, finish those under way, and stop.

        Until then the health service still answers, so that a load balancer learns to send calls elsewhere.
        """
        await self._health.enter_graceful_shutdown()
        await asyncio.gather(self._calls.drain(grace_s), self._followers.end(grace_s))
        await self._server.stop(SENDING_S)
        self._calls.close()


class _Run:
    """Runs a coroutine in the loop of another thread, and waits for its result."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def __call__(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


@contextmanager
def _loop() -> Iterator[_Run]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="emberkeep-grpc-loop", daemon=True)
    thread.start()
    try:
        yield _Run(loop)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
