"""The one shape of all errors, whatever raised them."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from emberkeep.errors import EmberkeepError, InvalidInput, TooManyRequests
from emberkeep.service.statuses import INTERNAL, STATUSES, error_document, status_of

SHOWN_PROBLEMS = 5


class Problem(BaseModel):
    """What went wrong: a short code for programs, a message for people."""

    code: str
    message: str


class ErrorDocument(BaseModel):
    """The one shape of all errors."""

    error: Problem


def answer_errors(app: FastAPI) -> None:
    """Have an app answer every error in that shape."""
    for kind in (EmberkeepError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _refuse)


async def _refuse(_request: Request, error: Exception) -> JSONResponse:
    headers: Mapping[str, str] | None = None
    match error:
        case EmberkeepError():
            _, http, code = status_of(error)[:3]
            message = str(error)
            if isinstance(error, TooManyRequests):
                headers = {"Retry-After": str(max(1, round(error.retry_after_s)))}
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
