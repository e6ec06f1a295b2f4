"""Running the servers: HTTP on a socket that is bound first, and gRPC beside it, until a signal stops them."""

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
from emberkeep.flows.worker import Report, quiet
from emberkeep.memory import Memory
from emberkeep.service.door import Door

if TYPE_CHECKING:  # they come with the extra `server`
    import uvicorn
    from fastapi import FastAPI

    from emberkeep.entrypoints.http.wire import GuardedProtocol

# ruff: noqa: PLC0415 - uvicorn and FastAPI come with the extra `server`

GRACE_S = 10  # for requests under way to finish
MAX_PORT = 65_535
LOOPBACK = ("127.", "::1")  # how loopback addresses begin


@dataclass(frozen=True, slots=True)
class Address:
    """The addresses of a server: of HTTP, gRPC and MCP."""

    serving: str
    grpc: str | None = None
    mcp: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a server that are not settings; `port` is the requested one, which may be 0."""

    port: int = 0
    grpc_port: int | None = None  # 0 for no gRPC, None for the port after `port`
    allowed: Sequence[str] = ()
    worker: bool = True
    log_format: logs.Format | None = None


def require_extra() -> None:
    """Raise `ConfigError`, which says what to install, if the extra `server` is not installed."""
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "prometheus_client")):
        raise ConfigError("the server needs FastAPI, uvicorn and prometheus-client: pip install 'emberkeep[server]'")


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a listening socket; clients that connect early wait in its queue."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        raise EmberkeepError(
            f"cannot listen on {host}:{port} ({error.strerror}): pass another --host or --port"
        ) from None
    # Connections inherit it. asyncio only sets it on sockets that were created with a protocol number; without it, the
    # body of an answer waits some 40 ms for the client to acknowledge the headers.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listener:
        yield listener


def is_loopback(listener: socket.socket) -> bool:
    """Whether only this machine can reach a socket."""
    return str(listener.getsockname()[0]).startswith(LOOPBACK)


def door_of(memory: Memory, listener: socket.socket, config: Config) -> Door:
    """Return the door of a socket: on loopback, callers need no key until the first one is made; elsewhere they do.

    Raises `ConfigError` if other machines can reach the socket and there are no keys yet.
    """
    loopback = is_loopback(listener)
    if not loopback and not memory.keys.exist():
        raise ConfigError(
            f"other machines can reach {listener.getsockname()[0]}, and there are no API keys yet: make one with "
            "`emberkeep keys create NAME --role admin` and the same --db, or listen on 127.0.0.1"
        )
    limiter = None
    if config.requests_per_s:
        limiter = RateLimiter(SystemClock(), per_s=config.requests_per_s, burst=config.requests_burst)
    return Door(memory, keyless=loopback, limiter=limiter)


@contextmanager
def serving_grpc(door: Door, listener: socket.socket, config: Config, options: Options) -> Iterator[str | None]:
    """Serve gRPC during the block, unless the port is 0 or gRPC is not installed; yield its address, if served."""
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
    """Return the default port of gRPC: the one after that of HTTP, or 0, a free one, if that is 0."""
    return port + 1 if 0 < port < MAX_PORT else 0


@contextmanager
def learning(memory: Memory, report: Report = quiet) -> Iterator[None]:
    """Run a worker during the block, so that what was added with `learn="later"` is learned from without a command."""
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
        # After stopping, uvicorn raises the signal again for the handler from before; with its own, nothing happens.
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, server.handle_exit)
        url = url_of(listener)
        announce(Address(url, grpc, f"{url}/mcp" if hasattr(app.state, "mcp") else None))
        server.run(sockets=[listener])


def server_of(app: "FastAPI", *, protocol: "type[GuardedProtocol] | None" = None) -> "uvicorn.Server":
    """Return a server for an app; on shutdown it ends the open streams, so that they do not delay it."""
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
        proxy_headers=False,  # nothing here depends on the address of a client
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        timeout_graceful_shutdown=GRACE_S,
    )
    return Server(config)


def url_of(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
