"""Values as JSON, and back: the same for `--json`, HTTP and gRPC, and for the client that reads them again.

In JSON a value has the fields of its class, unless `_SHAPES` says otherwise: items are called "memories" there, and
nested values such as the item of a hit are flattened. Times are ISO 8601, bytes are hexadecimal.
"""

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date, datetime
from functools import cache, partial
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.model.context import Candidate, Chunk, Tier, Trust
from emberkeep.model.interaction import Details, Interaction
from emberkeep.model.item import Added, Item, Page, Receipt
from emberkeep.model.message import Message
from emberkeep.model.operational import ActiveTask, LiveEvent
from emberkeep.model.recall import Hit, Hits, SessionHit, Sessions, Why
from emberkeep.model.report import Stats
from emberkeep.model.scope import Scope

# Fields of live state, which is stored unchecked for speed. They are made plain JSON when sent, so that one value that
# JSON cannot hold does not spoil the whole answer.
_UNCHECKED: Mapping[type, str] = {LiveEvent: "data", ActiveTask: "state"}
_AS_THEY_ARE = frozenset({bool, int, float, str, type(None)})


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields that a class has in JSON, how to take them from a value, and how to make a value from them."""

    fields: Mapping[str, Any]
    take: Callable[[Any], Mapping[str, Any]]
    make: Callable[[dict[str, Any]], Any]
    optional: frozenset[str] = frozenset()  # the fields that may be missing in JSON


def plain(value: object) -> Any:
    """Return a value in the form that it has in JSON."""
    kind: Any = type(value)
    if kind in _AS_THEY_ARE:  # first, for speed: most values are, and every answer of a service comes through here
        return value
    if (shape := shape_of(kind)) is not None:
        return {name: plain(one) for name, one in shape.take(value).items()}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    return value if isinstance(value, int | float | str) else _plain_leaf(value)


def _plain_leaf(value: object) -> Any:
    """Return a time, bytes or a collection in the form that it has in JSON."""
    match value:
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case date():
            return value.isoformat()
        case bytes():
            return value.hex()
        case Iterable():
            return [plain(one) for one in value]
    return value


def read(kind: Any, sent: Any) -> Any:
    """Return a value of a type from its JSON; raise `InvalidInput` if it does not fit the type."""
    try:
        return _read(kind, sent)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        name = getattr(kind, "__name__", kind)
        raise InvalidInput(f"this is not a valid {name}: {type(error).__name__}: {error}") from None


@cache
def shape_of(kind: Any) -> Shape | None:
    """Return the shape of a class; None if it has no fields."""
    origin = get_origin(kind) or kind
    if origin in _SHAPES:
        return _SHAPES[origin]
    if not isinstance(origin, type):
        return None
    if is_dataclass(origin):
        names = [field.name for field in fields(origin)]
        optional = [
            field.name
            for field in fields(origin)
            if field.default is not MISSING or field.default_factory is not MISSING
        ]
    elif issubclass(origin, tuple) and hasattr(origin, "_fields"):
        names, optional = list(origin._fields), list(getattr(origin, "_field_defaults", ()))
    else:
        return None
    hints = get_type_hints(origin)
    # The arguments of a generic class, by its type variables.
    bound = dict(zip(getattr(origin, "__parameters__", ()), get_args(kind), strict=False))
    return Shape(
        {name: bound.get(hints[name], hints[name]) for name in names},
        partial(_taken, names, _UNCHECKED.get(origin, "")),
        lambda values: origin(**values),
        frozenset(optional),
    )


def _taken(names: list[str], unchecked: str, value: Any) -> dict[str, Any]:
    """Take the fields of a value, making the `unchecked` one plain JSON."""
    taken = {name: getattr(value, name) for name in names}
    return {**taken, unchecked: checks.plain_json(taken[unchecked])} if unchecked else taken


def _read(kind: Any, sent: Any) -> Any:
    if kind in {Any, object} or isinstance(kind, TypeVar) or get_origin(kind) is Literal:
        return sent
    if get_origin(kind) in {Union, types.UnionType}:
        return _read_one_of(get_args(kind), sent)
    if (shape := shape_of(kind)) is not None:
        return shape.make({name: _read(shape.fields[name], one) for name, one in sent.items() if name in shape.fields})
    if kind in _LEAVES:
        return _LEAVES[kind](sent)
    return _read_several(kind, sent)


def _read_several(kind: Any, sent: Any) -> Any:
    """Return a mapping, tuple or list from its JSON."""
    origin, arguments = get_origin(kind), get_args(kind)
    if not isinstance(origin, type):
        raise TypeError(f"{kind} cannot be sent")
    if issubclass(origin, Mapping):
        return {key: _read(arguments[1], one) for key, one in sent.items()}
    if origin is tuple and arguments[-1] is not Ellipsis:
        return tuple(_read(one, part) for one, part in zip(arguments, sent, strict=True))
    return (list if origin is list else tuple)(_read(arguments[0], one) for one in _checked(list, sent))


def _read_one_of(kinds: tuple[Any, ...], sent: Any) -> Any:
    """Return a value of a union from its JSON: of the most specific type that fits."""
    if sent is None and types.NoneType in kinds:
        return None
    refused: Exception | None = None
    for kind in sorted((one for one in kinds if one is not types.NoneType), key=_specificity, reverse=True):
        shape = shape_of(kind)
        if shape is not None and not (isinstance(sent, dict) and set(shape.fields) - shape.optional <= set(sent)):
            continue
        try:
            return _read(kind, sent)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            refused = error
    raise refused or TypeError(f"{sent!r:.100} is none of {kinds}")


def _specificity(kind: Any) -> int:
    """How specific a type is: a class by the fields that it requires, any other by a fixed order."""
    shape = shape_of(kind)
    if shape is not None:
        return 10 + len(set(shape.fields) - shape.optional)
    return {bool: 9, int: 8, float: 7, datetime: 6, str: 5, Any: 0}.get(kind, 1)


def _checked(kind: type, sent: Any) -> Any:
    """Return a value of this type; raise `TypeError` for any other, also for a bool in place of a number."""
    if not isinstance(sent, kind) or (isinstance(sent, bool) and kind is not bool):
        raise TypeError(f"{sent!r:.100} is not {kind.__name__}")
    return sent


_LEAVES: Mapping[Any, Callable[[Any], Any]] = {
    datetime: datetime.fromisoformat,
    bytes: bytes.fromhex,
    float: lambda sent: float(_checked(int, sent)) if type(sent) is int else _checked(float, sent),
    str: partial(_checked, str),
    int: partial(_checked, int),
    bool: partial(_checked, bool),
    types.NoneType: partial(_checked, types.NoneType),
}


def _hit(values: dict[str, Any]) -> Hit:
    """Make a hit from the fields of its item and its scores, which are flat in JSON."""
    scores = {name: values.pop(name) for name in _SCORES}
    return Hit(Item(**values), **scores)


def _taken_hit(value: Hit) -> dict[str, Any]:
    return {**{name: getattr(value.item, name) for name in _ITEM}, **{name: getattr(value, name) for name in _SCORES}}


def _chunk(values: dict[str, Any]) -> Chunk:
    candidate = Candidate(
        tier=values["source"], key=values["key"], kind=values["kind"], text=values["content"], at=values["at"],
        value=values["relevance"], trust=values["trust"], speaker=values["speaker"], source=values["origin"],
        hit=values["memory"],
    )  # fmt: skip
    return Chunk(candidate, values["text"], values["content"], values["tokens"], values["trimmed"])


def _taken_chunk(value: Chunk) -> dict[str, Any]:
    return {
        "key": value.key,
        "source": value.source,
        "kind": value.kind,
        "text": value.text,
        "content": value.content,
        "tokens": value.tokens,
        "relevance": value.relevance,
        "trust": value.trust,
        "trimmed": value.trimmed,
        "at": value.candidate.at,
        "speaker": value.candidate.speaker,
        "origin": value.candidate.source,
        "memory": value.hit,
    }


def _interaction(values: dict[str, Any]) -> Interaction:
    scope = Scope("", *(values.pop(name) for name in ("user_id", "agent_id", "session_id")))
    return Interaction(scope=scope, **values)


def _renamed(kind: type, names: Mapping[str, str]) -> Shape:
    """Return the shape of a class with some of its fields renamed."""
    hints = get_type_hints(kind)
    wired = {names.get(field.name, field.name): field.name for field in fields(kind)}
    return Shape(
        {name: hints[inner] for name, inner in wired.items()},
        lambda value: {name: getattr(value, inner) for name, inner in wired.items()},
        lambda values: kind(**{wired[name]: value for name, value in values.items()}),
    )


_ITEM = get_type_hints(Item)
_SCORES: Mapping[str, Any] = {"score": float, "similarity": float | None, "why": Why}
_INTERACTION = {
    "id": str, "messages": tuple[Message, ...], "occurred_at": datetime, "recorded_at": datetime,
    "tags": tuple[str, ...], "metadata": Mapping[str, Any], "details": Details | None,
    "user_id": str | None, "agent_id": str | None, "session_id": str | None, "utc_offset": int,
}  # fmt: skip
_SHAPES: Mapping[type, Shape] = {
    Hit: Shape({**_ITEM, **_SCORES}, _taken_hit, _hit, frozenset({"gloss", "sources", "record", "utc_offset"})),
    Hits: _renamed(Hits, {"hits": "memories"}),
    SessionHit: _renamed(SessionHit, {"hits": "memories"}),
    Sessions: _renamed(Sessions, {}),
    Page: _renamed(Page, {"items": "memories"}),
    Added: _renamed(Added, {"items": "memories"}),
    Interaction: Shape(
        _INTERACTION,
        lambda value: {name: getattr(value, name) for name in _INTERACTION},
        _interaction,
        frozenset({"utc_offset"}),
    ),
    Chunk: Shape(
        {
            "key": str, "source": Tier, "kind": str, "text": str, "content": str, "tokens": int, "relevance": float,
            "trust": Trust, "trimmed": bool, "at": datetime, "speaker": str | None, "origin": str, "memory": Hit | None,
        },
        _taken_chunk,
        _chunk,
    ),
    Receipt: Shape(
        {"rows": Mapping[str, int], "total": int},
        lambda value: {"rows": value.rows, "total": value.total},
        lambda values: Receipt(values["rows"]),
    ),
    Stats: _renamed(Stats, {"items": "memories", "items_by_kind": "memories_by_kind"}),
}  # fmt: skip
