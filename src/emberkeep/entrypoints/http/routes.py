"""A route for every verb of the table."""

import inspect
from collections.abc import Callable, Coroutine, Mapping
from functools import cache, partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response
from fastapi.responses import JSONResponse
from starlette.datastructures import QueryParams

from emberkeep.entrypoints.http.documents import Given, answer_of, body_of, query_of
from emberkeep.entrypoints.http.etags import etag_of, gives_one, names, reads_one, unchanged
from emberkeep.entrypoints.http.openapi import tag_of
from emberkeep.entrypoints.http.paths import Part
from emberkeep.entrypoints.http.problems import ErrorDocument
from emberkeep.entrypoints.http.requests import CarefulRoute
from emberkeep.entrypoints.http.visits import Visit, Visiting
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.errors import InvalidInput
from emberkeep.service.calls import call
from emberkeep.service.door import Admitted
from emberkeep.service.verbs import VERBS, Verb

PREFIX = "/api/v1"
ERRORS: dict[int | str, dict[str, Any]] = {422: {"model": ErrorDocument}, "default": {"model": ErrorDocument}}


@cache
def routes() -> APIRouter:
    """The routes of all verbs, tagged by noun."""
    router = APIRouter(prefix=PREFIX, responses=ERRORS, route_class=CarefulRoute)
    for verb in VERBS.values():
        router.add_api_route(
            verb.path,
            _endpoint(verb),
            methods=[verb.method],
            operation_id=verb.name,
            summary=verb.summary,
            tags=[tag_of(verb)],
            status_code=status_of(verb),
            response_model=answer_of(verb),
        )
    return router


def status_of(verb: Verb) -> HTTPStatus:
    """The status of an answer to a verb."""
    return HTTPStatus.CREATED if verb.creates else HTTPStatus.OK


def _endpoint(verb: Verb) -> Callable[..., Coroutine[Any, Any, Response]]:
    async def endpoint(visit: Visit, given: Given | None = None, **named: str) -> Response:
        sent = {} if given is None else given.sent()
        refuse_repeated(visit.request.query_params, sent if query_of(verb) else {})
        if query_of(verb) and sent.get("filters") is not None:
            sent["filters"] = parse_pairs(sent["filters"], name="filters")
        if verb.is_secret and "idempotency-key" in visit.request.headers:
            raise InvalidInput(f"{verb.name} answers with a secret, which is kept nowhere: leave out Idempotency-Key")
        job = partial(_answer, visit, verb, sent | named)
        return await visit.answer(job, writes=verb.role != "read", user_id=sent.get("user_id"))

    endpoint.__doc__ = verb.function.__doc__
    endpoint.__signature__ = _signature(verb)  # type: ignore[attr-defined]
    return endpoint


def refuse_repeated(query: QueryParams, sent: Mapping[str, Any]) -> None:
    """Raise `InvalidInput` for a query parameter that is unknown, or given more than once without being a list."""
    for name in query:
        if name not in sent:
            raise InvalidInput(f"{name!r:.100} is no parameter of the query here: send it in the body, or leave it out")
        if len(query.getlist(name)) > 1 and not isinstance(sent[name], list):
            raise InvalidInput(f"{name} is given {len(query.getlist(name))} times: give it once")


def _answer(visit: Visit, verb: Verb, sent: dict[str, Any], caller: Admitted) -> Response:
    def read(verb: Verb, sent: dict[str, Any]) -> Any:
        return call(caller.memory, verb, sent, caller.principal)

    with unchanged(verb, sent, visit.request.headers.get("if-match"), read):
        document = read(verb, sent)
    if not gives_one(verb):
        return JSONResponse(document, status_of(verb))
    etag = {"ETag": etag_of(document)}
    if reads_one(verb) and names(visit.request.headers.get("if-none-match", ""), etag["ETag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=etag)
    return JSONResponse(document, status_of(verb), etag)


def _signature(verb: Verb) -> inspect.Signature:
    """The signature by which FastAPI knows what to take from a request."""
    named: list[tuple[str, Any, Any]] = [(name, Part, inspect.Parameter.empty) for name in verb.in_path]
    if (body := body_of(verb)) is not None:
        whole = any(one.is_required() for one in body.model_fields.values())
        default = inspect.Parameter.empty if whole else None
        named.append(("given", Annotated[body if whole else body | None, Body()], default))
    elif (query := query_of(verb)) is not None:
        named.append(("given", Annotated[query, Query()], inspect.Parameter.empty))
    given = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, kind, default in [("visit", Visiting, inspect.Parameter.empty), *named]
    ]
    return inspect.Signature(given)
