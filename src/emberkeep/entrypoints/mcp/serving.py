"""Running the MCP server: over the standard streams of this process, or over HTTP on this machine."""

import signal
from collections.abc import Callable
from importlib.util import find_spec
from ipaddress import ip_address
from socket import socket

from emberkeep.entrypoints.mcp.caller import Caller
from emberkeep.entrypoints.serving import GRACE_S, Address
from emberkeep.errors import ConfigError, InvalidInput

# ruff: noqa: PLC0415 - the SDK comes with the extra `mcp`

PATH = "/mcp"
LARGEST_PORT = 65_535


def require_extra() -> None:
    """Raise `ConfigError`, which says what to install, if the MCP SDK is not installed."""
    if find_spec("mcp") is None:
        raise ConfigError("the MCP server needs the MCP SDK: pip install 'emberkeep[mcp]'")


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and port of a loopback address; raise `InvalidInput` for any other text."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isdecimal() or int(port) > LARGEST_PORT:
        raise InvalidInput(f"--http {text!r}: write HOST:PORT, such as 127.0.0.1:8788")
    try:
        is_loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise InvalidInput(
            f"--http {text!r}: this server asks for no key, so it listens on this machine only: "
            "write 127.0.0.1:PORT, or use `emberkeep serve`"
        )
    return host, int(port)


def run_stdio(caller: Caller) -> None:
    """Serve one client over stdin and stdout until stdin ends."""
    import anyio
    from mcp.server.stdio import stdio_server

    from emberkeep.entrypoints.mcp.server import create_server

    server = create_server(lambda _: caller)

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    # A thread that waits for stdin cannot be woken, so an interrupt ends the process; all answered writes are on disk.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(serve)


def run_http(caller: Caller, listener: socket, announce: Callable[[Address], None]) -> None:
    """Serve on a listening socket until SIGTERM or SIGINT; requests under way are finished first."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import Route

    from emberkeep.entrypoints.mcp.app import mcp_app

    host, port = listener.getsockname()[:2]
    url_host = f"[{host}]" if ":" in host else host
    app = mcp_app(lambda _: caller, hosts=[f"{name}:{port}" for name in dict.fromkeys((url_host, "localhost"))])
    alone = Starlette(routes=[Route(PATH, app)], lifespan=lambda _: app.running())
    server = uvicorn.Server(uvicorn.Config(alone, log_level="warning", timeout_graceful_shutdown=GRACE_S))
    # After stopping, uvicorn raises the signal again for the handler from before; with its own, nothing more happens.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, server.handle_exit)
    announce(Address(f"http://{url_host}:{port}{PATH}"))
    server.run(sockets=[listener])
