"""Conversion between gRPC messages and JSON values: the content is the same as over HTTP, in typed fields.

Protobuf's `json_format` is not used, since it turns 64-bit integers and NaN into text. In a `Struct` every number is
a float: whole numbers are read as integers, as in JSON. A `Struct` does not keep the order of its keys either: they
are read in alphabetical order, so that equal messages give equal values.
"""

import base64
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC
from importlib import import_module
from typing import Any

from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import ListValue, Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp

from emberkeep.entrypoints.grpc import generated
from emberkeep.entrypoints.grpc.generated.values_pb2 import StringList
from emberkeep.entrypoints.grpc.names import PACKAGE, service_name
from emberkeep.errors import InvalidInput

Reader = Callable[[Message], Any]
Field = Any  # a field descriptor: protobuf has two classes of them, one written in C
EXACT = 2**53  # below this, a float holds every whole number exactly


def types_of(home: str, rpc: str) -> tuple[type[Message], type[Message]]:
    """The types of the request and the answer of an rpc."""
    import_module(f"{generated.__name__}.{home}_pb2")  # importing it registers them
    method: Any = Default().FindMethodByName(f"{PACKAGE}.{service_name(home)}.{rpc}")
    return GetMessageClass(method.input_type), GetMessageClass(method.output_type)


def parsed(kind: type[Message], sent: bytes) -> Message:
    """Parse bytes as a message of a type; raise `InvalidInput` if they are not one."""
    try:
        return kind.FromString(sent)
    except DecodeError:
        raise InvalidInput(f"this is no {kind.DESCRIPTOR.full_name}: use the .proto files of this version") from None


def given(message: Message) -> dict[str, Any]:
    """The fields that a request sets, by name; one of its own lists counts as left out if it is empty."""
    return {name: _read(field, one, given) for name, field, one in _fields(message) if _is_given(message, field)}


def told(message: Message) -> dict[str, Any]:
    """All fields of an answer, by name; one that is not set is `None`."""
    held: dict[str, Any] = {}
    for name, field, one in _fields(message):
        if not field.has_presence or message.HasField(field.name):
            held[name] = _read(field, one, told)
        else:
            held.setdefault(name, None)
    return held


def filled(message: Message, values: Mapping[str, Any]) -> Message:
    """Fill a message with JSON values, and return it."""
    fields = message.DESCRIPTOR.fields_by_name
    for name, value in values.items():
        field = fields.get(name) or _alternative(message, name, value)
        _write(message, field, value)
    return message


def _fields(message: Message) -> Iterator[tuple[str, Field, Any]]:
    """Each field with its name in JSON and its value; the alternatives of a oneof share the name of the oneof."""
    for field in message.DESCRIPTOR.fields:
        choice = field.containing_oneof
        named = field.name if choice is None or choice.name.startswith("_") else choice.name
        yield named, field, getattr(message, field.name)


def _is_given(message: Message, field: Field) -> bool:
    if field.has_presence:
        return message.HasField(field.name)
    inside = not message.DESCRIPTOR.name.endswith("Request")
    return bool(getattr(message, field.name)) or (inside and not _is_map(field))


def _is_map(field: Field) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _read(field: Field, value: Any, inside: Reader) -> Any:
    if _is_map(field):
        return {key: _read_one(field.name, value[key], inside) for key in sorted(value)}
    if field.is_repeated:
        return [_read_one(field.name, one, inside) for one in value]
    return _read_one(field.name, value, inside)


def _read_one(name: str, value: Any, inside: Reader) -> Any:
    match value:
        case Message():
            return _read_message(name, value, inside)
        case bytes():
            return base64.b64encode(value).decode()
        case float():
            return _finite(name, value)
    return value


def _read_message(name: str, value: Message, inside: Reader) -> Any:
    match value:
        case Timestamp():
            return _read_time(name, value)
        case Struct() | ListValue() | Value():
            return _read_json(name, value)
        case StringList():
            return [*value.values]
    return inside(value)


def _read_time(name: str, value: Timestamp) -> str:
    try:
        return value.ToDatetime(UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        raise InvalidInput(f"{name} is no time between the years 1 and 9999: send seconds since 1970") from None


def _read_json(name: str, value: Any) -> Any:
    match value:
        case Struct():
            return {key: _read_json(name, value.fields[key]) for key in sorted(value.fields)}
        case ListValue():
            return [_read_json(name, one) for one in value.values]
    kind = value.WhichOneof("kind")
    if kind in {None, "null_value"}:
        return None
    held = getattr(value, kind)
    if kind == "number_value":
        number = _finite(name, held)
        return int(number) if number.is_integer() and abs(number) < EXACT else number
    return _read_json(name, held) if isinstance(held, Message) else held


def _finite(name: str, number: float) -> float:
    if not math.isfinite(number):
        raise InvalidInput(f"{name} is {number}: JSON has no such number, so leave it out or send it as text")
    return number


def _alternative(message: Message, name: str, value: Mapping[str, Any]) -> Field:
    """The alternative of a oneof whose message has exactly the fields of a value."""
    choice: Any = message.DESCRIPTOR.oneofs_by_name[name]
    return next(one for one in choice.fields if set(one.message_type.fields_by_name) == set(value))


def _write(message: Message, field: Field, value: Any) -> None:
    place = getattr(message, field.name)
    if _is_map(field):
        scalar = field.message_type.fields_by_name["value"].message_type is None
        for key, one in value.items():
            if scalar:
                place[key] = one
            else:
                _write_message(place[key], one)
    elif field.is_repeated:
        if field.message_type is None:
            place.extend(value)
        else:
            for one in value:
                _write_message(place.add(), one)
    elif field.message_type is not None:
        if value is not None or isinstance(place, Value):
            _write_message(place, value)
    elif value is not None:
        setattr(message, field.name, value)


def _write_message(place: Message, value: Any) -> None:
    place.SetInParent()
    match place:
        case Timestamp():
            place.FromJsonString(value)
        case Struct():
            place.update(value)
        case StringList():
            place.values.extend(value)
        case Value():
            holder = Struct()
            holder["value"] = value
            place.CopyFrom(holder.fields["value"])
        case _:
            filled(place, value)
