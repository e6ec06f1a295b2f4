"""Many calls in one request: run in order and independently, so that one that fails undoes none of the others."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, ValidationError

from emberkeep.access.principal import Principal
from emberkeep.entrypoints.http.documents import Body, arguments_of
from emberkeep.entrypoints.http.problems import said_of
from emberkeep.entrypoints.http.requests import CarefulRoute
from emberkeep.entrypoints.http.routes import ERRORS, PREFIX, status_of
from emberkeep.entrypoints.http.visits import Visit, Visiting
from emberkeep.errors import InvalidInput
from emberkeep.service.calls import call
from emberkeep.service.door import Admitted
from emberkeep.service.verbs import SECRET, VERBS, Verb

MOST_CALLS = 100
_logger = logging.getLogger(__name__)
router = APIRouter(prefix=PREFIX, tags=["batch"], responses=ERRORS, route_class=CarefulRoute)


class Call(Body):
    """One call: the name of a verb, such as `remember` or `tasks.start`, and its arguments."""

    verb: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Batch(Body):
    """Calls, to be run in this order."""

    calls: Annotated[list[Call], Field(min_length=1, max_length=MOST_CALLS)]


class Result(BaseModel):
    """The answer to a call: the status and body that it would have had as a request of its own."""

    status: int
    body: dict[str, Any]


class Results(BaseModel):
    """The answers, in the order of the calls."""

    results: list[Result]


@router.post("/batch", operation_id="batch", response_model=Results)
async def batch(visit: Visiting, given: Batch) -> Response:
    """Run up to 100 calls in order and independently: one that fails neither undoes nor stops the others."""
    return await visit.answer(partial(_done, visit, given.calls), writes=True)


def _done(visit: Visit, calls: list[Call], caller: Admitted) -> Response:
    if "idempotency-key" in visit.request.headers and (secret := {one.verb for one in calls} & SECRET):
        raise InvalidInput(f"{min(secret)} answers with a secret, which is kept nowhere: leave out Idempotency-Key")
    results = [_result(calls[0], caller, lambda _: None)]  # counted already, as the request itself
    return JSONResponse({"results": [*results, *(_result(one, caller, visit.door.count) for one in calls[1:])]})


def _result(one: Call, caller: Admitted, count: Callable[[Principal], None]) -> dict[str, Any]:
    try:
        count(caller.principal)
        verb = _named(one.verb)
        sent = arguments_of(verb).model_validate(one.arguments).sent()
        return {"status": status_of(verb), "body": call(caller.memory, verb, sent, caller.principal)}
    except ValidationError as error:
        told = said_of(RequestValidationError([{**one, "loc": ("arguments", *one["loc"])} for one in error.errors()]))
    except Exception as error:
        told = said_of(error)
        if told.status == 500:  # noqa: PLR2004 - a bug of ours
            _logger.exception("%s in a batch failed", one.verb)
    return {"status": told.status, "body": told.document}


def _named(name: str) -> Verb:
    if name not in VERBS:
        raise InvalidInput(f"there is no verb {name!r:.100}: the reference lists those there are")
    return VERBS[name]
