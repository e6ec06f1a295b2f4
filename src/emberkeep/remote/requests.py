"""Building the request for a call of a verb. Nothing is sent here."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_origin
from urllib.parse import quote, urlencode

from emberkeep.errors import InvalidInput, NotFound
from emberkeep.model import checks
from emberkeep.service.calls import sendable
from emberkeep.service.verbs import Argument, Method, Verb, alternatives

# The declared types that accept a value of each JSON type. A `bool` is also an `int`, so it comes first.
_ACCEPTED_BY: tuple[tuple[type, set[Any]], ...] = (
    (str, {str, datetime, Literal}), (bool, {bool}), (int, {int, float}), (float, {float}),
    (list, {Iterable}), (dict, {Mapping}),
)  # fmt: skip
MOST_OF_PATH, MOST_OF_TARGET = 8_000, 24_000  # characters; a server accepts 32 kB, headers included
_DOTS = {".": "%2E", "..": "%2E%2E"}  # unescaped they would mean this folder and the one above


@dataclass(frozen=True, slots=True)
class Request:
    """A request: its method, its path with the query, and its body, if any."""

    method: Method
    target: str
    body: bytes | None = None


def request_for(verb: Verb, arguments: Mapping[str, Any]) -> Request:
    """Return the request for a call; raise `InvalidInput` for arguments that cannot be sent."""
    named = {name: arguments[name] for name in verb.in_path}
    path = _filled(verb, named)
    try:
        sent = sendable(verb, {name: one for name, one in arguments.items() if name not in named})
    except RecursionError:
        raise InvalidInput(f"{verb.name} was given a value that is nested too deep, or contains itself") from None
    if verb.method in {"GET", "DELETE"}:
        query = urlencode([pair for name, one in sent.items() for pair in _pairs(verb, name, one)])
        if len(path) + len(query) > MOST_OF_TARGET:
            raise InvalidInput(f"{verb.name} was given more than a URL can hold: pass fewer or shorter values")
        return Request(verb.method, f"{path}?{query}" if query else path)
    return Request(verb.method, path, _encoded(verb, sent))


def _filled(verb: Verb, named: Mapping[str, object]) -> str:
    """Return the path of a verb with these arguments in it; raise for an empty or too long one."""
    path = verb.path
    for name, value in named.items():
        text = checks.storable(value, name=name)
        if not text and _is_chosen(verb, name):
            raise InvalidInput(f"{name} is blank: pass a name")
        if not text:
            raise NotFound(f"{name} is empty: there is nothing of that name")
        path = path.replace(f"{{{name}}}", _DOTS.get(text) or quote(text, safe=""))
        if len(path) > MOST_OF_PATH and _is_chosen(verb, name):
            raise InvalidInput(f"{name} is too long: pass a shorter one")
        if len(path) > MOST_OF_PATH:
            raise NotFound(f"{name} is longer than any id: there is nothing of that name")
    return path


def _is_chosen(verb: Verb, name: str) -> bool:
    """Whether callers choose this argument freely, so that a bad one is invalid; a bad id of ours is just not found."""
    return verb.method == "PUT" or verb.namespace == "operational" or name in {"key", "agent_id"}


def _pairs(verb: Verb, name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield a value as parameters of a query: a list is repeated, filters are written key=value."""
    _refuse_other_types(verb.arguments[name], value)
    if isinstance(value, Mapping):
        for key, one in value.items():
            if not key or "=" in key:
                raise InvalidInput(f"{verb.name} cannot be asked for {name} with the key {key!r}: use search")
            yield name, f"{key}={json.dumps(one)}"
    else:
        several = isinstance(value, list)
        yield from (
            ((name, checks.storable(one, name=name)) for one in value) if several else [(name, _written(name, value))]
        )


def _written(name: str, value: object) -> str:
    """Return a single value as text for a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, int | float) else checks.storable(value, name=name)


def _refuse_other_types(argument: Argument, value: object) -> None:
    """Raise `InvalidInput` for a value of a wrong type: the server cannot tell, since in a query all is text."""
    accepting: set[Any] = next((types for kind, types in _ACCEPTED_BY if isinstance(value, kind)), set())
    if not accepting & {get_origin(one) or one for one in alternatives(argument.kind)}:
        raise InvalidInput(f"{argument.name} cannot be {type(value).__name__}: see what it takes")


def _encoded(verb: Verb, sent: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(sent, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{verb.name} was given a value that JSON cannot hold: {error}") from None
