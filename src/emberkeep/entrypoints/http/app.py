"""The app that serves an open memory."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from importlib.util import find_spec

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse

from emberkeep import __version__
from emberkeep.entrypoints.http import batches, executions, streams
from emberkeep.entrypoints.http.embeddings import embeddings
from emberkeep.entrypoints.http.gate import Gate
from emberkeep.entrypoints.http.hosts import Hosts
from emberkeep.entrypoints.http.inspector import inspector
from emberkeep.entrypoints.http.limits import Limits
from emberkeep.entrypoints.http.metrics import Metrics, metrics_route
from emberkeep.entrypoints.http.openapi import describe
from emberkeep.entrypoints.http.problems import answer_errors
from emberkeep.entrypoints.http.routes import PREFIX, routes
from emberkeep.entrypoints.http.streams import Streams
from emberkeep.entrypoints.http.threads import Threads
from emberkeep.entrypoints.http.watching import Watching
from emberkeep.entrypoints.tracing import RequestTracer
from emberkeep.errors import StoreError, StoreUnavailable
from emberkeep.memory import Memory
from emberkeep.service.door import Door
from emberkeep.storage.spaces import active_space

_logger = logging.getLogger(__name__)
health = APIRouter(tags=["health"])


@health.get("/healthz")
@health.head("/healthz", include_in_schema=False)
async def healthz() -> JSONResponse:
    """Say that the server runs."""
    return JSONResponse({"status": "ok", "version": __version__})


@health.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Say whether the database answers."""
    memory: Memory = request.app.state.memory
    try:
        await asyncio.to_thread(_read, memory)
    except StoreError as error:  # its message says where the database is, and anyone may call this
        _logger.warning("not ready: %s", error)
        raise StoreUnavailable("the database does not answer: the server's log says why") from None
    return JSONResponse({"status": "ok"})


def _read(memory: Memory) -> None:
    """Make a small query on the primary: a replica cannot stand in for it."""
    with memory.database.read() as connection:
        active_space(connection)


def create_app(
    memory: Memory,
    *,
    door: Door | None = None,
    limits: Limits | None = None,
    hosts: Hosts | None = None,
    tracer: RequestTracer | None = None,
) -> FastAPI:
    """The app that serves an open memory; whoever opened the memory closes it.

    With the default `door`, callers need no key until the first one is made, which is right on loopback only.
    """
    limits = limits or Limits()
    # FastAPI's documentation pages load scripts from other hosts; nothing here leaves the machine.
    app = FastAPI(
        title="Emberkeep",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{PREFIX}/openapi.json",
        redirect_slashes=False,
        lifespan=_lifespan,
    )
    app.state.memory = memory
    app.state.door = door or Door(memory, keyless=True)
    app.state.streams = Streams(limits.streams)
    app.state.threads = Threads(limits.requests, limits.timeout_s)
    app.state.metrics = metrics = Metrics(memory)
    own = metrics_route(metrics, memory)
    # The routes are added directly: `include_router` would build each of them a second time, on the first request.
    for router in (health, executions.router, batches.router, streams.router, embeddings, own, routes(), inspector()):
        app.router.routes.extend(router.routes)
    app.add_middleware(Gate, limits=limits, hosts=hosts or Hosts())
    # Added last, so that it wraps everything else.
    app.add_middleware(Watching, metrics=metrics, tracer=tracer, log_paths=memory.config.log_texts)
    answer_errors(app)
    describe(app)
    if find_spec("mcp") is not None:
        from emberkeep.entrypoints.http.mcp import mount_mcp  # noqa: PLC0415 - the SDK comes with the extra `mcp`

        app.state.mcp = mount_mcp(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with app.state.mcp.running() if hasattr(app.state, "mcp") else nullcontext():
        yield
    app.state.threads.close()
