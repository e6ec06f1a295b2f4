"""The one shape of all errors, whatever raised them."""

import math
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from emberkeep.entrypoints.statuses import INTERNAL, STATUSES, error_document, status_of
from emberkeep.errors import EmberkeepError, InvalidInput, Overloaded, TooManyRequests, Unauthenticated

SHOWN_PROBLEMS = 5


class Problem(BaseModel):
    """What went wrong: a short code for programs, a message for people."""

    code: str
    message: str


class ErrorDocument(BaseModel):
    """The one shape of all errors."""

    error: Problem


class Refused(HTTPException):
    """An error of ours, raised where FastAPI lets only its own through: while it reads a body."""

    def __init__(self, error: EmberkeepError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status_of(error).http, str(error), headers)
        self.error = error


def answer_errors(app: FastAPI) -> None:
    """Have an app answer every error in that shape."""
    for kind in (EmberkeepError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _refuse)


def refusal(error: Exception) -> JSONResponse:
    """The answer to what went wrong."""
    http, code, message, headers = _said_of(error)
    return JSONResponse(error_document(code, message), http, dict(headers))


async def _refuse(_request: Request, error: Exception) -> JSONResponse:
    return refusal(error)


def _said_of(error: Exception) -> tuple[int, str, str, Mapping[str, str]]:
    match error:
        case Refused():
            http, code, message, headers = _said_of(error.error)
            return http, code, message, {**headers, **(error.headers or {})}
        case EmberkeepError():
            status = status_of(error)
            return status.http, status.code, str(error), _headers(error)
        case RequestValidationError():
            status = STATUSES[InvalidInput]
            return status.http, status.code, _problems(error), {}
        case HTTPException():
            code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
            return error.status_code, code, error.detail, error.headers or {}
    return INTERNAL.http, INTERNAL.code, "something went wrong; the server's log says what", {}


def _headers(error: EmberkeepError) -> Mapping[str, str]:
    if isinstance(error, TooManyRequests | Overloaded):
        return {"Retry-After": str(max(1, math.ceil(error.retry_after_s)))}
    return {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthenticated) else {}


def _problems(error: RequestValidationError) -> str:
    problems = error.errors()
    shown = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in problems[:SHOWN_PROBLEMS]]
    more = len(problems) - len(shown)
    return "; ".join([*shown, f"and {more} more"] if more else shown)
