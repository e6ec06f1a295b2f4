"""Running the servers: HTTP on a socket that is bound before anything else, gRPC beside it, until a signal comes."""

import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from emberkeep.access.limits import RateLimiter
from emberkeep.clock import SystemClock
from emberkeep.config import Config
from emberkeep.entrypoints import logs
from emberkeep.entrypoints.tracing import traces
from emberkeep.errors import ConfigError, EmberkeepError
from emberkeep.memory import Memory
from emberkeep.service.door import Door
from emberkeep.worker import Report, quiet

if TYPE_CHECKING:  # they come with the extra `server`
    import uvicorn
    from fastapi import FastAPI

    from emberkeep.entrypoints.http.wire import GuardedProtocol

# ruff: noqa: PLC0415 - uvicorn and FastAPI come with the extra `server`

GRACE_S = 10
MAX_PORT = 65_535
LOOPBACK = ("127.", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is reached, also by gRPC and MCP."""

    serving: str
    grpc: str | None = None
    mcp: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """How to serve, beside what the settings say; `port` is the one that was asked for."""

    port: int = 0
    grpc_port: int | None = None  # 0 for none; without one it is the one after `port`
    allowed: Sequence[str] = ()
    worker: bool = True
    log_format: logs.Format | None = None


def require_extra() -> None:
    """Say how to install what the server needs, if it is not there."""
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "prometheus_client")):
        raise ConfigError("the server needs FastAPI, uvicorn and prometheus-client: pip install 'emberkeep[server]'")


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
    # Connections inherit it. asyncio sets it only for sockets that were made with the protocol's number; without it
    # an answer waits some 40 ms for the client to acknowledge its headers.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listener:
        yield listener


def is_loopback(listener: socket.socket) -> bool:
    """Whether only this machine reaches it."""
    return str(listener.getsockname()[0]).startswith(LOOPBACK)


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
def serving_grpc(door: Door, listener: socket.socket, config: Config, options: Options) -> Iterator[str | None]:
    """Serve gRPC beside HTTP meanwhile, unless the port is 0; gives the address, if it is served."""
    port = options.grpc_port
    installed = all(map(find_spec, ("grpc", "grpc_health", "grpc_reflection")))
    if port and not installed:
        raise ConfigError("gRPC needs a package of its own: pip install 'emberkeep[grpc]', or pass --grpc-port 0")
    if port == 0 or not installed:
        yield None
        return
    from emberkeep.entrypoints.grpc.limits import Limits
    from emberkeep.entrypoints.grpc.server import serving

    host = str(listener.getsockname()[0])
    with serving(door, host, port or port_beside(options.port), limits=Limits.of(config), grace_s=GRACE_S) as address:
        yield address


def port_beside(port: int) -> int:
    """The port of gRPC where none is named: the one after that of HTTP, or any (0) if that is any."""
    return port + 1 if 0 < port < MAX_PORT else 0


@contextmanager
def learning(memory: Memory, report: Report = quiet) -> Iterator[None]:
    """A worker beside the server, so that what was added for later becomes findable by itself."""
    worker = memory.worker(report=report)
    worker.start()
    try:
        yield
    finally:
        worker.stop(GRACE_S)


def run(
    memory: Memory, listener: socket.socket, config: Config, announce: Callable[[Address], None], options: Options
) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are finished first."""
    from emberkeep.entrypoints.http.app import create_app
    from emberkeep.entrypoints.http.hosts import LOOPBACK, Hosts
    from emberkeep.entrypoints.http.limits import Limits

    door = door_of(memory, listener, config)
    hosts = Hosts([*(LOOPBACK if is_loopback(listener) else ()), *options.allowed])
    logs.set_up(options.log_format, texts=config.log_texts)
    with traces(config) as tracer, ExitStack() as beside:
        app = create_app(memory, door=door, limits=Limits.of(config), hosts=hosts, tracer=tracer)
        if options.worker:
            beside.enter_context(learning(memory, app.state.metrics.worked))
        grpc = beside.enter_context(serving_grpc(door, listener, config, options))
        server = server_of(app)
        # uvicorn raises the signal again when it has stopped, for whoever handled it before; stopping is all we want.
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, server.handle_exit)
        url = url_of(listener)
        announce(Address(url, grpc, f"{url}/mcp" if hasattr(app.state, "mcp") else None))
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
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nothing here goes by where a request came from
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        timeout_graceful_shutdown=GRACE_S,
    )
    return Server(config)


def url_of(listener: socket.socket) -> str:
    """Where a socket is reached."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
