"""The one shape of all errors, whatever raised them."""

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Match

from emberkeep.errors import EmberkeepError, InvalidInput, Overloaded, TooManyRequests, Unauthenticated
from emberkeep.service.statuses import INTERNAL, STATUSES, error_document, status_of

SHOWN_PROBLEMS = 5


class Problem(BaseModel):
    """What went wrong: a short code for programs, a message for people."""

    code: str
    message: str


class ErrorDocument(BaseModel):
    """The one shape of all errors."""

    error: Problem


class Refused(HTTPException):
    """An error of ours as an HTTPException, the only kind that FastAPI lets through while it reads a body."""

    def __init__(self, error: EmberkeepError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status_of(error).http, str(error), headers)
        self.error = error


def answer_errors(app: FastAPI) -> None:
    """Have an app answer every error in this shape."""
    for kind in (EmberkeepError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _refuse)


class Said(NamedTuple):
    """The answer to an error."""

    status: int
    document: dict[str, dict[str, str]]
    headers: Mapping[str, str]


def refusal(error: Exception) -> JSONResponse:
    """The HTTP response to an error."""
    said = said_of(error)
    return JSONResponse(said.document, said.status, dict(said.headers))


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    answer = refusal(error)
    if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        answer.headers["allow"] = ", ".join(sorted(_methods(request)))
    return answer


def _methods(request: Request) -> set[str]:
    """All methods that a path can be called with; the router reports only those of the first route that matches."""
    here = [route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE]
    return {method for route in here for method in getattr(route, "methods", None) or ()}


def said_of(error: Exception) -> Said:
    """The answer to an error; an unexpected exception reveals nothing of itself."""
    match error:
        case Refused():
            said = said_of(error.error)
            return said._replace(headers={**said.headers, **(error.headers or {})})
        case EmberkeepError():
            status = status_of(error)
            return _said(status.http, status.code, str(error), _headers(error))
        case RequestValidationError():
            status = STATUSES[InvalidInput]
            return _said(status.http, status.code, _problems(error))
        case HTTPException():
            code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
            return _said(error.status_code, code, error.detail, error.headers)
    return _said(INTERNAL.http, INTERNAL.code, "something went wrong; the server's log says what")


def _said(http: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Said:
    return Said(http, error_document(code, message), headers or {})


def _headers(error: EmberkeepError) -> Mapping[str, str]:
    if isinstance(error, TooManyRequests | Overloaded):
        return {"Retry-After": str(max(1, math.ceil(error.retry_after_s)))}
    return {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthenticated) else {}


def _problem(one: Mapping[str, Any]) -> str:
    if tuple(one["loc"]) == ("body",) and isinstance(one.get("input"), bytes):
        return "body: it was not read as JSON: send it with the header Content-Type: application/json"
    return f"{'.'.join(map(str, one['loc']))}: {one['msg']}"


def _problems(error: RequestValidationError) -> str:
    problems = error.errors()
    shown = [_problem(one) for one in problems[:SHOWN_PROBLEMS]]
    more = len(problems) - len(shown)
    return "; ".join([*shown, f"and {more} more"] if more else shown)
