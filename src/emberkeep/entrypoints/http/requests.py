"""Reading a request's JSON with care: what is too deep, or no JSON though Python would take it, is refused."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute

from emberkeep.entrypoints.http.limits import MAX_DEPTH
from emberkeep.entrypoints.http.problems import Refused
from emberkeep.errors import InvalidInput

LONG = 100_000  # bytes, from which on a body is read beside the event loop


class CarefulRequest(Request):
    """A request whose JSON is read by us."""

    async def json(self) -> Any:
        """The body, read once."""
        if not hasattr(self, "_json"):
            body = await self.body()
            read = asyncio.to_thread(parse, body) if len(body) > LONG else None
            self._json = parse(body) if read is None else await read
        return self._json


class CarefulRoute(APIRoute):
    """A route whose requests are read so."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """As it was, for careful requests."""
        handle = super().get_route_handler()

        async def handler(request: Request) -> Response:
            return await handle(CarefulRequest(request.scope, request.receive))

        return handler


def parse(body: bytes) -> Any:
    """The value that a body holds as JSON."""
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise Refused(InvalidInput("the body is not UTF-8: encode it as UTF-8")) from None
    except RecursionError:
        raise Refused(_too_deep()) from None
    except json.JSONDecodeError as error:
        raise Refused(InvalidInput(f"the body is not JSON: {error}")) from None
    except ValueError:  # a whole number of thousands of digits
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
