"""Running the servers: HTTP on a socket that is bound before anything else, gRPC beside it, until a signal comes."""

import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from emberkeep.access.limits import RateLimiter
from emberkeep.clock import SystemClock
from emberkeep.config import Config
from emberkeep.errors import ConfigError, EmberkeepError
from emberkeep.memory import Memory
from emberkeep.service.door import Door

if TYPE_CHECKING:  # they come with the extra `server`
    import uvicorn
    from fastapi import FastAPI

    from emberkeep.entrypoints.http.wire import GuardedProtocol

# ruff: noqa: PLC0415 - uvicorn and FastAPI come with the extra `server`

GRACE_S = 10
MAX_PORT = 65_535
_LOOPBACK = ("127.", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is reached, also by gRPC."""

    serving: str
    grpc: str | None = None


def require_extra() -> None:
    """Say how to install what the server needs, if it is not there."""
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise ConfigError("the server needs FastAPI and uvicorn: pip install 'emberkeep[server]'")


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens; clients that come early wait in its queue."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        raise EmberkeepError(
            f"cannot listen on {host}:{port} ({error.strerror}): pass another --host or --port"
        ) from None
    # Or an answer would wait for the client to acknowledge its headers: asyncio only sees to that for its own sockets.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listener:
        yield listener


def is_loopback(listener: socket.socket) -> bool:
    """Whether only this machine reaches it."""
    return str(listener.getsockname()[0]).startswith(_LOOPBACK)


def door_of(memory: Memory, listener: socket.socket, config: Config) -> Door:
    """Who is let in at a socket: on loopback anyone until there are keys, elsewhere those with keys, if there are any.

    Raises `ConfigError` if others could reach it, and there is no key to tell them apart by.
    """
    loopback = is_loopback(listener)
    if not loopback and not memory.keys.exist():
        raise ConfigError(
            f"others can reach {listener.getsockname()[0]}, and there are no API keys yet: make one with "
            "`emberkeep keys create NAME --role admin` and the same --db, or listen on 127.0.0.1"
        )
    limiter = None
    if config.requests_per_s:
        limiter = RateLimiter(SystemClock(), per_s=config.requests_per_s, burst=config.requests_burst)
    return Door(memory, keyless=loopback, limiter=limiter)


@contextmanager
def serving_grpc(
    door: Door, listener: socket.socket, config: Config, *, port: int | None, beside: int
) -> Iterator[str | None]:
    """Serve gRPC beside HTTP meanwhile, unless the port is 0; gives the address, if it is served."""
    installed = all(map(find_spec, ("grpc", "grpc_health", "grpc_reflection")))
    if port and not installed:
        raise ConfigError("gRPC needs a package of its own: pip install 'emberkeep[grpc]', or pass --grpc-port 0")
    if port == 0 or not installed:
        yield None
        return
    from emberkeep.entrypoints.grpc.limits import Limits
    from emberkeep.entrypoints.grpc.server import serving

    host = str(listener.getsockname()[0])
    with serving(door, host, port or port_beside(beside), limits=Limits.of(config), grace_s=GRACE_S) as address:
        yield address


def port_beside(port: int) -> int:
    """The port of gRPC where none is named: the one after that of HTTP, or any (0) if that is any."""
    return port + 1 if 0 < port < MAX_PORT else 0


@contextmanager
def learning(memory: Memory) -> Iterator[None]:
    """A worker beside the server, so that what was added for later becomes findable by itself."""
    worker = memory.worker()
    worker.start()
    try:
        yield
    finally:
        worker.stop(GRACE_S)


def run(
    memory: Memory,
    door: Door,
    listener: socket.socket,
    config: Config,
    *,
    announce: Callable[[Address], None],
    allowed: Sequence[str] = (),
) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are finished first."""
    from emberkeep.entrypoints.http.app import create_app
    from emberkeep.entrypoints.http.hosts import LOOPBACK, Hosts
    from emberkeep.entrypoints.http.limits import Limits

    hosts = Hosts([*(LOOPBACK if is_loopback(listener) else ()), *allowed])
    server = server_of(create_app(memory, door=door, limits=Limits.of(config), hosts=hosts))
    # uvicorn raises the signal again when it has stopped, for whoever handled it before; stopping is all we want.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, server.handle_exit)
    announce(Address(_url_of(listener)))
    server.run(sockets=[listener])


def server_of(app: "FastAPI", *, protocol: "type[GuardedProtocol] | None" = None) -> "uvicorn.Server":
    """A server of an app, which ends its streams when it is told to stop, so that nobody waits for them."""
    import uvicorn

    from emberkeep.entrypoints.http.wire import MAX_HEAD_BYTES, GuardedProtocol

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.streams.stop()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        http=protocol or GuardedProtocol,
        ws="none",
        log_level="warning",
        server_header=False,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        timeout_graceful_shutdown=GRACE_S,
    )
    return Server(config)


def _url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
