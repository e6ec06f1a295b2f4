"""Strict reading of a request's JSON: deep nesting is refused, and constants such as NaN that Python would accept."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute

from emberkeep.entrypoints.http.limits import MAX_DEPTH
from emberkeep.entrypoints.http.problems import Refused
from emberkeep.errors import InvalidInput

LONG = 100_000  # bytes; a longer body is parsed outside the event loop


class CarefulRequest(Request):
    """A request whose JSON is read by `parse`."""

    async def json(self) -> Any:
        """The value of the body, parsed once."""
        if not hasattr(self, "_json"):
            body = await self.body()
            read = asyncio.to_thread(parse, body) if len(body) > LONG else None
            self._json = parse(body) if read is None else await read
        return self._json


class CarefulRoute(APIRoute):
    """A route whose requests are `CarefulRequest`s."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, called with a `CarefulRequest`."""
        handle = super().get_route_handler()

        async def handler(request: Request) -> Response:
            return await handle(CarefulRequest(request.scope, request.receive))

        return handler


def parse(body: bytes) -> Any:
    """Parse a body as JSON; raise `Refused` if it is not valid, or nested too deep."""
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise Refused(InvalidInput("the body is not UTF-8: encode it as UTF-8")) from None
    except RecursionError:
        raise Refused(_too_deep()) from None
    except json.JSONDecodeError as error:
        raise Refused(InvalidInput(f"the body is not JSON: {error}")) from None
    except ValueError:  # an integer with thousands of digits
        raise Refused(InvalidInput("the body holds a number that is too long: send it as text")) from None
    if body.count(b"{") + body.count(b"[") > MAX_DEPTH and _is_deep(value):
        raise Refused(_too_deep())
    return value


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for one in inner if isinstance(one, dict | list)]


def _too_deep() -> InvalidInput:
    return InvalidInput(f"the body is nested over {MAX_DEPTH} deep: send it flatter")


def _refuse_constant(name: str) -> NoReturn:
    raise Refused(InvalidInput(f"{name} is not JSON: send a number, or null"))
