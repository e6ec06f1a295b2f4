"""The HTTP API: a FastAPI app over an open memory. Requests are checked here for shape, by the facade for sense."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from emberkeep import __version__
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.entrypoints.plain import History, plain
from emberkeep.entrypoints.statuses import INTERNAL, STATUSES, error_document, status_of
from emberkeep.errors import EmberkeepError, InvalidInput
from emberkeep.memory import Memory
from emberkeep.model.context import Format, Shares, Tier
from emberkeep.model.kinds import Kind

SHOWN_PROBLEMS = 5


class Problem(BaseModel):
    """What went wrong: a short code for programs, a message for people."""

    code: str
    message: str


class ErrorDocument(BaseModel):
    """The one shape of all errors."""

    error: Problem


class Given(BaseModel):
    """Named arguments from outside: an unknown name is an error, one left out or null keeps the facade's default."""

    model_config = ConfigDict(extra="forbid")

    def arguments(self) -> dict[str, Any]:
        """What was given, for the verb of the same name."""
        named = {name: getattr(self, name) for name in self.model_fields_set}
        return {name: value for name, value in named.items() if value is not None}


class Body(Given):
    """A JSON body: numbers are numbers there, and text is text."""

    model_config = ConfigDict(strict=True)


class Owned(Given):
    """Whose memory."""

    user_id: str | None = None
    agent_id: str | None = None
    session_id: str | None = None


class Noted(Owned, Body):
    """What every new memory may come with."""

    occurred_at: str | None = None
    metadata: dict[str, Any] | None = None
    tags: list[str] | None = None


class MessageBody(Body):
    """One thing said; which further names are left out and which are errors, the facade knows."""

    model_config = ConfigDict(extra="allow")

    role: str
    content: str | list[dict[str, Any]] | None = None
    name: str | None = None
    id: str | None = None
    timestamp: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None

    def arguments(self) -> dict[str, Any]:
        """What was given, a content of null as well."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class AddBody(Noted):
    """What was said."""

    messages: str | MessageBody | list[str | MessageBody]
    learn: bool | Literal["later"] | None = None

    def arguments(self) -> dict[str, Any]:
        """The same, with messages as the facade takes them."""
        some = self.messages if isinstance(self.messages, list) else [self.messages]
        said = [one if isinstance(one, str) else one.arguments() for one in some]
        return super().arguments() | {"messages": said}


class RememberBody(Noted):
    """One thing that the caller knows."""

    text: str
    kind: Kind | None = None
    sacred: bool | None = None


class UpdateBody(Body):
    """What to change."""

    text: str | None = None
    kind: Kind | None = None
    tags: list[str] | None = None
    metadata: dict[str, Any] | None = None
    sacred: bool | None = None


class Narrowed(Owned):
    """Which memories a read may see."""

    shared: list[str] | None = None
    kinds: list[Kind] | None = None
    tags: list[str] | None = None
    since: str | None = None
    until: str | None = None
    as_of: str | None = None


class SearchBody(Narrowed, Body):
    """A question."""

    query: str
    filters: dict[str, Any] | None = None
    limit: int | None = None
    plan: str | None = None
    deadline_ms: float | None = None
    touch: bool | None = None
    include_cold: bool | None = None
    asked_at: str | None = None
    group: Literal["session"] | None = None


class SharesBody(Body):
    """How a budget is divided."""

    floors: dict[Tier, float] | None = None
    ceilings: dict[Tier, float] | None = None
    record: float | None = None


class ContextBody(Narrowed, Body):
    """A task that needs context."""

    task: str
    filters: dict[str, Any] | None = None
    max_tokens: int | None = None
    tiers: list[Tier] | None = None
    format: Format | None = None
    plan: str | None = None
    shares: SharesBody | None = None
    deadline_ms: float | None = None
    include_cold: bool | None = None
    asked_at: str | None = None
    record: bool | None = None

    def arguments(self) -> dict[str, Any]:
        """The same, with shares as the facade takes them."""
        given = super().arguments()
        return given if self.shares is None else given | {"shares": Shares(**self.shares.arguments())}


class FeedbackBody(Body):
    """Whether a context helped."""

    helpful: bool
    note: str | None = None


class ListQuery(Narrowed):
    """The query parameters of the list; lists are repeated parameters, filters are written key=value."""

    filters: list[str] | None = None
    limit: int | None = None
    cursor: str | None = None

    def arguments(self) -> dict[str, Any]:
        """The same, with filters as the facade takes them."""
        return super().arguments() | {"filters": parse_pairs(self.filters or (), name="filters")}


async def _memory(request: Request) -> Memory:
    memory: Memory = request.app.state.memory
    return memory


Opened = Annotated[Memory, Depends(_memory)]
health = APIRouter(tags=["health"])
memories = APIRouter(
    prefix="/api/v1",
    tags=["memories"],
    responses={422: {"model": ErrorDocument}, "default": {"model": ErrorDocument}},
)


@health.get("/healthz")
@health.head("/healthz", include_in_schema=False)
async def healthz() -> JSONResponse:
    """The server runs."""
    return JSONResponse({"status": "ok", "version": __version__})


@health.get("/readyz")
def readyz(memory: Opened) -> JSONResponse:
    """The database answers."""
    memory.get_all(limit=1)
    return JSONResponse({"status": "ok"})


@memories.post("/memories", status_code=HTTPStatus.CREATED)
def add(memory: Opened, body: AddBody) -> JSONResponse:
    """Keep what was said, word for word."""
    return _answer(memory.add(**body.arguments()), HTTPStatus.CREATED)


@memories.post("/memories/remember", status_code=HTTPStatus.CREATED)
def remember(memory: Opened, body: RememberBody) -> JSONResponse:
    """Keep one thing that the caller knows."""
    return _answer(memory.remember(**body.arguments()), HTTPStatus.CREATED)


@memories.post("/memories/search")
def search(memory: Opened, body: SearchBody) -> JSONResponse:
    """Find what is relevant, best first."""
    return _answer(memory.search(**body.arguments()))


@memories.post("/memories/context")
def context(memory: Opened, body: ContextBody) -> JSONResponse:
    """What is relevant to a task, as text for a model's prompt."""
    return _answer(memory.context(**body.arguments()))


@memories.get("/contexts/{context_id}")
def context_record(memory: Opened, context_id: str) -> JSONResponse:
    """What was written down of a context: what was chosen and dropped, and why."""
    return _answer(memory.context_record(context_id))


@memories.post("/contexts/{context_id}/feedback")
def context_feedback(memory: Opened, context_id: str, body: FeedbackBody) -> JSONResponse:
    """Say whether a context helped."""
    memory.context_feedback(context_id, **body.arguments())
    return _answer(memory.context_record(context_id))


@memories.get("/memories")
def list_memories(memory: Opened, query: Annotated[ListQuery, Query()]) -> JSONResponse:
    """A page of memories, latest first; pass its `next` as `cursor` for the one after."""
    return _answer(memory.get_all(**query.arguments()))


@memories.get("/memories/{memory_id}")
def get(memory: Opened, memory_id: str) -> JSONResponse:
    """One memory."""
    return _answer(memory.get(memory_id))


@memories.patch("/memories/{memory_id}")
def update(memory: Opened, memory_id: str, body: UpdateBody) -> JSONResponse:
    """Change a memory; its former text stays in its history."""
    return _answer(memory.update(memory_id, **body.arguments()))


@memories.delete("/memories/{memory_id}")
def delete(memory: Opened, memory_id: str) -> JSONResponse:
    """Remove a memory for good; the answer is a receipt."""
    return _answer(memory.delete(memory_id))


@memories.get("/memories/{memory_id}/history")
def history(memory: Opened, memory_id: str) -> JSONResponse:
    """What happened to a memory, oldest first."""
    return _answer(History(memory.history(memory_id)))


@memories.get("/stats")
def stats(memory: Opened) -> JSONResponse:
    """What this memory holds."""
    return _answer(memory.stats())


def create_app(memory: Memory) -> FastAPI:
    """The app that serves an open memory; whoever opened it closes it."""
    # The pages that FastAPI offers as documentation load scripts from elsewhere; nothing here leaves the machine.
    app = FastAPI(
        title="Emberkeep", version=__version__, docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json"
    )
    app.state.memory = memory
    app.include_router(health)
    app.include_router(memories)
    for kind in (EmberkeepError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _refuse)
    return app


def _answer(value: object, status: HTTPStatus = HTTPStatus.OK) -> JSONResponse:
    return JSONResponse(plain(value), status)


async def _refuse(_request: Request, error: Exception) -> JSONResponse:
    headers: Mapping[str, str] | None = None
    match error:
        case EmberkeepError():
            status = status_of(error)
            http, code, message = status.http, status.code, str(error)
        case RequestValidationError():
            status = STATUSES[InvalidInput]
            http, code, message = status.http, status.code, _problems(error)
        case HTTPException():
            http, message, headers = error.status_code, error.detail, error.headers
            code = HTTPStatus(http).phrase.lower().replace(" ", "_")
        case _:
            http, code = INTERNAL.http, INTERNAL.code
            message = "something went wrong; the server's log says what"
    return JSONResponse(error_document(code, message), http, headers)


def _problems(error: RequestValidationError) -> str:
    problems = error.errors()
    shown = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in problems[:SHOWN_PROBLEMS]]
    more = len(problems) - len(shown)
    return "; ".join([*shown, f"and {more} more"] if more else shown)
