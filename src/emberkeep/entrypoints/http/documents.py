"""The verbs and our values as pydantic models, which check requests and describe the OpenAPI page."""

import types
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model

from emberkeep.model.interaction import InteractionRecord
from emberkeep.model.message import Message
from emberkeep.model.recall import Plan
from emberkeep.service.calls import NEXT
from emberkeep.service.shapes import shape_of
from emberkeep.service.verbs import Argument, Verb

# Types that only Python callers can pass; in JSON they are sent as text, as an object, or by name.
_FOR_PYTHON = (datetime, Message, InteractionRecord, Plan)


class Given(BaseModel):
    """Named arguments from outside: an unknown name is an error, one left out or null keeps the verb's default."""

    model_config = ConfigDict(extra="forbid")

    def sent(self) -> dict[str, Any]:
        """The arguments that were given, by name."""
        return self.model_dump(exclude_unset=True)


class Body(Given):
    """A JSON body, read strictly: text is not taken for a number, nor a number for text."""

    model_config = ConfigDict(strict=True)


class Document(BaseModel):
    """A value that is sent back."""


@cache
def body_of(verb: Verb) -> type[Body] | None:
    """The model of the body that a verb takes; None if it takes none."""
    return _model(verb, Body, verb.in_path) if verb.method in {"POST", "PUT", "PATCH"} else None


@cache
def arguments_of(verb: Verb) -> type[Body]:
    """The model of all arguments of a verb, those in its path included, as one object."""
    model: type[Body] = _model(verb, Body, ())
    return model


@cache
def query_of(verb: Verb) -> type[Given] | None:
    """The model of a verb's query; None if it has a body. A list is a repeated parameter, a filter is key=value."""
    return None if verb.method in {"POST", "PUT", "PATCH"} else _model(verb, Given, verb.in_path)


@cache
def answer_of(verb: Verb) -> Any:
    """The model of what a verb answers."""
    if verb.returns is type(None):
        return create_model("Nothing", __base__=Document)
    answer = _sent(verb.returns, ())
    if not verb.answer:
        return answer
    fields: dict[str, Any] = {verb.answer: (answer, ...)}
    if verb.is_paged:
        fields[NEXT] = (str | None, ...)
    return create_model(f"{_title(verb)}Answer", __base__=Document, **fields)


def _title(verb: Verb) -> str:
    return "".join(part.title() for part in verb.name.replace(".", "_").split("_"))


def _model(verb: Verb, base: type[Any], left_out: Collection[str]) -> Any:
    given = [one for one in verb.arguments.values() if one.name not in left_out]
    title = f"{_title(verb)}{'Body' if base is Body else 'Query'}"
    return create_model(title, __base__=base, **{one.name: _field(one, base) for one in given})


def _field(argument: Argument, base: type[BaseModel]) -> Any:
    kind = _taken(argument.kind)
    if base is Given and argument.name == "filters":
        kind = list[str]
    if argument.required:
        return kind, ...
    # An argument left out stays unset, so that the verb's own default counts; the page only shows which that is.
    said: dict[str, Any] = {"default": argument.default} if argument.has_plain_default else {}
    return kind | None, Field(default=None, json_schema_extra=said)


def _taken(kind: Any) -> Any:
    """The type that an argument has in JSON."""
    return _wired(kind, _taken_object, left_out=_FOR_PYTHON)


def _taken_object(kind: Any) -> Any:
    shape = shape_of(kind)
    assert shape is not None  # noqa: S101 - asked before
    fields: dict[str, Any] = {name: (_taken(one) | None, None) for name, one in shape.fields.items()}
    return create_model(kind.__name__, __base__=Body, **fields)


def _sent(kind: Any, inside: tuple[Any, ...]) -> Any:
    """The type that a returned value has in JSON; a type that contains itself is described once."""
    return _wired(kind, lambda one: dict[str, Any] if one in inside else _document(one, inside))


def _wired(kind: Any, described: Callable[[Any], Any], left_out: tuple[Any, ...] = ()) -> Any:
    if kind in {Any, object} or isinstance(kind, TypeVar):
        return Any
    if shape_of(kind) is not None:
        return described(kind)
    if kind is bytes:
        return str
    origin = get_origin(kind)
    if origin is None or origin is Literal:
        return kind
    parts = [
        one if one is Ellipsis else _wired(one, described, left_out) for one in get_args(kind) if one not in left_out
    ]
    if origin in {Union, types.UnionType}:
        return Union[tuple(parts)]  # noqa: UP007 - the number of types varies
    return dict[parts[0], parts[1]] if issubclass(origin, Mapping) else list[parts[0]]  # type: ignore[valid-type]


@cache
def _document(kind: Any, inside: tuple[Any, ...]) -> Any:
    shape = shape_of(kind)
    assert shape is not None  # noqa: S101 - asked before
    fields: dict[str, Any] = {name: (_sent(one, (*inside, kind)), ...) for name, one in shape.fields.items()}
    parts = [getattr(one, "__name__", "") for one in get_args(kind)]
    return create_model("".join([(get_origin(kind) or kind).__name__, *parts]), __base__=Document, **fields)
