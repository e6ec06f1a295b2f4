"""The app that serves an open memory."""

from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse

from emberkeep import __version__
from emberkeep.entrypoints.http.callers import Caller, Door
from emberkeep.entrypoints.http.embeddings import embeddings
from emberkeep.entrypoints.http.metrics import Metrics, metrics_route
from emberkeep.entrypoints.http.problems import answer_errors
from emberkeep.entrypoints.http.routes import routes
from emberkeep.entrypoints.http.watching import Watching
from emberkeep.entrypoints.tracing import RequestTracer
from emberkeep.memory import Memory

health = APIRouter(tags=["health"])


@health.get("/healthz")
@health.head("/healthz", include_in_schema=False)
async def healthz() -> JSONResponse:
    """The server runs."""
    return JSONResponse({"status": "ok", "version": __version__})


@health.get("/readyz")
def readyz(caller: Caller) -> JSONResponse:
    """The database answers."""
    caller.memory.get_all(limit=1)
    return JSONResponse({"status": "ok"})


def create_app(memory: Memory, *, tracer: RequestTracer | None = None) -> FastAPI:
    """The app that serves an open memory; whoever opened it closes it."""
    # The pages that FastAPI offers as documentation load scripts from elsewhere; nothing here leaves the machine.
    app = FastAPI(
        title="Emberkeep", version=__version__, docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json"
    )
    app.state.door = Door(memory)
    app.include_router(health)
    app.include_router(routes())
    app.include_router(embeddings)
    answer_errors(app)
    app.state.metrics = Metrics(memory)
    app.include_router(metrics_route(app.state.metrics, memory))
    # Last, so that it is around everything else.
    app.add_middleware(Watching, metrics=app.state.metrics, tracer=tracer, log_paths=memory.config.log_texts)
    return app
