"""A route for every verb of the table."""

import inspect
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from fastapi.responses import JSONResponse

from emberkeep.entrypoints.http.callers import Admitted, Caller
from emberkeep.entrypoints.http.documents import Given, answer_of, body_of, query_of
from emberkeep.entrypoints.http.problems import ErrorDocument
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.service.calls import call
from emberkeep.service.verbs import VERBS, Verb


def routes() -> APIRouter:
    """The verbs, by noun."""
    router = APIRouter(prefix="/api/v1", responses={422: {"model": ErrorDocument}, "default": {"model": ErrorDocument}})
    for verb in VERBS.values():
        router.add_api_route(
            verb.path,
            _endpoint(verb),
            methods=[verb.method],
            operation_id=verb.name,
            summary=verb.summary,
            tags=[verb.path.split("/")[1]],
            status_code=HTTPStatus.CREATED if verb.creates else HTTPStatus.OK,
            response_model=answer_of(verb),
        )
    return router


def _endpoint(verb: Verb) -> Callable[..., JSONResponse]:
    status = HTTPStatus.CREATED if verb.creates else HTTPStatus.OK

    def endpoint(caller: Admitted, given: Given | None = None, **named: str) -> JSONResponse:
        sent = {} if given is None else given.sent()
        if verb.method in {"GET", "DELETE"} and sent.get("filters") is not None:
            sent["filters"] = parse_pairs(sent["filters"], name="filters")
        return JSONResponse(call(caller.memory, verb, sent | named, caller.principal), status)

    endpoint.__doc__ = verb.function.__doc__
    endpoint.__signature__ = _signature(verb)  # type: ignore[attr-defined]
    return endpoint


def _signature(verb: Verb) -> inspect.Signature:
    """What FastAPI is to take from a request."""
    named: list[tuple[str, Any, Any]] = [(name, str, inspect.Parameter.empty) for name in verb.in_path]
    if (body := body_of(verb)) is not None:
        whole = any(one.is_required() for one in body.model_fields.values())
        default = inspect.Parameter.empty if whole else None
        named.append(("given", Annotated[body if whole else body | None, Body()], default))
    elif (query := query_of(verb)) is not None:
        named.append(("given", Annotated[query, Query()], inspect.Parameter.empty))
    given = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, kind, default in [("caller", Caller, inspect.Parameter.empty), *named]
    ]
    return inspect.Signature(given)
