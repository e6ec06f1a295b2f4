"""Running the HTTP server: on a socket that is bound before anything else, until a signal says stop."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec

from emberkeep.entrypoints import logs
from emberkeep.entrypoints.printing import warn
from emberkeep.entrypoints.tracing import traces
from emberkeep.errors import ConfigError, EmberkeepError
from emberkeep.memory import Memory
from emberkeep.worker import Report

# ruff: noqa: PLC0415 - uvicorn and FastAPI come with the extra `server`

GRACE_S = 10
_LOOPBACK = ("127.", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is reached."""

    serving: str


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
    with listener:
        if not str(listener.getsockname()[0]).startswith(_LOOPBACK):
            warn([f"anyone who can reach {host} can read and change this memory"])
        yield listener


@contextmanager
def learning(memory: Memory, report: Report) -> Iterator[None]:
    """A worker beside the server, so that what was added for later becomes findable by itself."""
    worker = memory.worker(report=report)
    worker.start()
    try:
        yield
    finally:
        worker.stop(GRACE_S)


def run(
    memory: Memory,
    listener: socket.socket,
    announce: Callable[[Address], None],
    *,
    worker: bool = True,
    log_format: logs.Format | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are finished first."""
    import uvicorn

    from emberkeep.entrypoints.http.app import create_app

    logs.set_up(log_format, texts=memory.config.log_texts)
    with traces(memory.config) as tracer, ExitStack() as beside:
        app = create_app(memory, tracer=tracer)
        if worker:
            beside.enter_context(learning(memory, app.state.metrics.worked))
        config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=GRACE_S)
        server = uvicorn.Server(config)
        # uvicorn raises the signal again when it has stopped, for whoever handled it before; stopping is all we want.
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, server.handle_exit)
        announce(address_of(listener))
        server.run(sockets=[listener])


def address_of(listener: socket.socket) -> Address:
    """Where a socket is reached."""
    host, port = listener.getsockname()[:2]
    return Address(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
