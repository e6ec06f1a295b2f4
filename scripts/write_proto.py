"""Writes proto/ from the table of verbs, and the Python code of gRPC from that. `make proto` runs it.

A field keeps its number for ever: numbers are read from the existing files, new fields get the next one, and the
numbers of fields that were removed, or changed their type, are reserved.
"""

import inspect
import re
import sys
import textwrap
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, Union, get_args, get_origin

from grpc_tools import protoc

from emberkeep.entrypoints.grpc.names import HOMES, PACKAGE, STREAMS, Stream, home_of, rpc_name, service_name
from emberkeep.model.interaction import InteractionRecord
from emberkeep.model.item import Item
from emberkeep.model.message import Message
from emberkeep.model.recall import Plan
from emberkeep.service.calls import NEXT
from emberkeep.service.shapes import shape_of
from emberkeep.service.verbs import VERBS, Argument, Verb

ROOT = Path(__file__).parent.parent
PROTO = ROOT / "proto"
FOLDER = Path(*PACKAGE.split("."))
GENERATED = ROOT / "src" / "emberkeep" / "entrypoints" / "grpc" / "generated"
VALUES = "values"
WIDTH = 100
HEAD = "// Written by scripts/write_proto.py from the table of verbs: change that, then run `make proto`."
_SCALARS = {str: "string", bool: "bool", int: "int64", float: "double"}
_TIMESTAMP, _STRUCT, _VALUE = (f"google.protobuf.{name}" for name in ("Timestamp", "Struct", "Value"))
_EMPTY = "google.protobuf.Empty"
# Bytes in answers are hexadecimal text, as in JSON.
_LEAVES: Mapping[Any, str] = {**_SCALARS, Any: _VALUE, object: _VALUE, datetime: _TIMESTAMP, bytes: "string"}
_STRINGS = "StringList"
_CALLED = {Item: "Memory"}  # as users know it
_IMPORTS = {_TIMESTAMP: "timestamp", _STRUCT: "struct", _VALUE: "struct", _EMPTY: "empty"}
_MESSAGE = re.compile(r"^message (\w+) {\n(.*?)^}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^ +(?:optional |repeated )?([\w.]+|map<[^>]+>) (\w+) = (\d+);")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message, before it has a number; with alternatives it is a `oneof`."""

    name: str
    type: str
    label: str = ""
    note: str = ""
    alternatives: tuple["Field", ...] = ()


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that the fields of a message have, and the numbers and names that are reserved."""

    used: dict[tuple[str, str], int] = field(default_factory=dict)
    reserved: set[int] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Messages:
    """The messages for values, each once, in the order in which they are needed."""

    fields: dict[str, list[Field]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def of(self, kind: Any, *, given: bool = False) -> str:
        """Return the name of the message for a class; in one that callers give, fields with a default are optional."""
        origin = get_origin(kind) or kind
        name: str = _CALLED.get(origin, origin.__name__)
        for part in get_args(kind):
            name += "Or".join(one.__name__ for one in (get_args(part) or [part]))
        if name not in self.fields:
            shape = shape_of(kind)
            assert shape is not None  # noqa: S101 - the caller checked it
            self.fields[name] = []
            self.notes[name] = _said(origin)
            for key, one in shape.fields.items():
                self.fields[name].append(self.field(key, one, left_out=given and key in shape.optional))
        return name

    def field(self, name: str, kind: Any, *, left_out: bool = False) -> Field:
        """Return a field of a value."""
        parts, nullable = _alternatives(kind)
        note = _one_of(parts)
        if len(parts) > 1 and all(shape_of(one) for one in parts):
            return Field(name, "oneof", alternatives=tuple(Field(_snake(self.of(one)), self.of(one)) for one in parts))
        if len(parts) > 1:
            return Field(name, self.several(name, parts), note=note)
        return self.labelled(name, parts[0], optional=nullable or left_out, note=note)

    def argument(self, one: Argument, *, patched: bool) -> Field:
        """Return a field of a request, where a plain value is optional, so that it is known whether it was given."""
        parts, nullable = _alternatives(one.kind)
        note = " ".join(filter(None, [_one_of(parts), _default(one)]))
        if len(parts) > 1:
            found = self.several(one.name, parts)
            label = "repeated " if Message in parts else "optional " if found in _SCALARS.values() else ""
            return Field(one.name, found, label, note)
        if one.kind is bytes:
            return Field(one.name, "bytes", "optional ", note)
        if patched and nullable and _is_list(parts[0]):
            self.fields.setdefault(_STRINGS, [Field("values", "string", "repeated ")])
            self.notes.setdefault(_STRINGS, "A list that may be given empty, which is not the same as not given.")
            return Field(one.name, _STRINGS, "", note)
        if shape_of(parts[0]) is not None:
            return Field(one.name, self.of(parts[0], given=True), note=note)
        return self.labelled(one.name, parts[0], optional=True, note=note)

    def labelled(self, name: str, kind: Any, *, optional: bool, note: str) -> Field:
        """Return a field of one type, or of a list."""
        if _is_list(kind):
            found = self.plain(get_args(kind)[0])
            return Field(name, _STRUCT if found.startswith("map<") else found, "repeated ", note)
        found = self.plain(kind)
        return Field(name, found, "optional " if optional and found in _SCALARS.values() else "", note)

    def plain(self, kind: Any) -> str:
        """Return the type of a value that is neither a list nor a union."""
        if shape_of(kind) is not None:
            return self.of(kind)
        if get_origin(kind) is Literal:
            return "string"
        if kind in _LEAVES:
            return _LEAVES[kind]
        origin, arguments = get_origin(kind), get_args(kind)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            inner = self.plain(arguments[1])
            return _STRUCT if inner == _VALUE else f"map<string, {inner}>"
        sys.exit(f"no message holds a {kind}: say in scripts/write_proto.py how it is sent")

    def several(self, name: str, parts: list[Any]) -> str:
        """Return the one type of an argument that Python callers may pass in several forms."""
        if Message in parts or InteractionRecord in parts:
            return self.of(Message if Message in parts else InteractionRecord, given=True)
        if datetime in parts:
            return _TIMESTAMP
        if Plan in parts:
            return "string"  # its name
        if bool in parts:
            return _VALUE
        sys.exit(f"{name} is one of {parts}: say in scripts/write_proto.py how it is sent")


def proto_files(before: Path = PROTO) -> dict[Path, str]:
    """Return every .proto file by its path in proto/; fields keep the numbers that they have in the folder `before`."""
    known = dict(_numbers(before))
    messages = Messages()
    written = {FOLDER / f"{home}.proto": _service(home, messages, known) for home in HOMES}
    body = [_message(name, messages.notes[name], fields, known) for name, fields in messages.fields.items()]
    return {FOLDER / f"{VALUES}.proto": _file("What is sent: our values.", body, ()), **written}


def python_files(source: Mapping[Path, str]) -> dict[str, str]:
    """Return the Python code and type stubs for .proto files, by file name."""
    with TemporaryDirectory() as folder:
        for path, text in source.items():
            target = Path(folder, "in", path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        out = Path(folder, "out")
        out.mkdir()
        kinds = [
            f"--{kind}{out}" for kind in ("python_out=", "grpc_python_out=", "mypy_out=quiet:", "mypy_grpc_out=quiet:")
        ]
        beside = Path(sys.executable).parent
        kinds += [f"--plugin={one}={beside / one}" for one in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
        include = [f"-I{Path(folder, 'in')}", f"-I{files('grpc_tools') / '_proto'}"]
        if protoc.main(["protoc", *include, *kinds, *(str(path) for path in source)]):
            sys.exit("protoc refused what was written; it says why above")
        made = {path.name: path.read_text(encoding="utf-8") for path in sorted((out / FOLDER).iterdir())}
    made = {name: text for name, text in made.items() if not name.startswith(f"{VALUES}_pb2_grpc")}  # it has no service
    return {"__init__.py": '"""Written by `make proto`."""\n', **{name: _moved(text) for name, text in made.items()}}


def _moved(code: str) -> str:
    """Rewrite the imports of generated code to the package that it is in; protoc takes it for `emberkeep.v1`."""
    package = ".".join(GENERATED.relative_to(ROOT / "src").parts)
    return re.sub(rf"(?m)^( *)(from|import) {re.escape(PACKAGE)}\b", rf"\1\2 {package}", code)


def _service(home: str, messages: Messages, known: Mapping[str, Numbers]) -> str:
    """Return the file of a service: the service, then its requests and answers."""
    rpcs: list[str] = []
    body: list[str] = []
    own: list[Verb | Stream] = [verb for verb in VERBS.values() if home_of(verb) == home]
    own += [stream for stream in STREAMS if stream.home == home]
    names = {rpc_name(one) for one in own}
    for one in own:
        request = f"{service_name(home)}{rpc_name(one)}Request"
        patched = isinstance(one, Verb) and one.method == "PATCH"
        asked = [messages.argument(argument, patched=patched) for argument in one.arguments.values()]
        body.append(_message(request, f"What `{rpc_name(one)}` takes.", asked, known))
        if isinstance(one, Stream):
            said, answer = one.summary, f"stream {messages.of(one.answer)}"
        else:
            said, answer = _said(one.function), _answer(one, messages)
            if answer == _own_answer(one):
                body.append(_message(answer, f"What `{rpc_name(one)}` answers.", _answer_fields(one, messages), known))
        whole = f"{PACKAGE}.{answer}" if answer in names else answer  # else it would be taken for the rpc
        rpcs.append(f"{_comment(said, '  ')}  rpc {rpc_name(one)}({request}) returns ({whole});\n")
    title = f"The verbs of `memory{'' if home == HOMES[0] else '.' + home}`."
    service = f"{_comment(title)}service {service_name(home)} {{\n" + "\n".join(rpcs) + "}\n"
    return _file(title, [service, *body], (VALUES,))


def _answer(verb: Verb, messages: Messages) -> str:
    """Return the name of the message that a verb answers with."""
    if verb.returns is types.NoneType:
        return _EMPTY
    parts, nullable = _alternatives(verb.returns)
    if verb.answer or nullable or len(parts) > 1:
        return _own_answer(verb)
    return messages.of(parts[0])


def _own_answer(verb: Verb) -> str:
    return f"{service_name(home_of(verb))}{rpc_name(verb)}Response"


def _answer_fields(verb: Verb, messages: Messages) -> list[Field]:
    """Return the field that `answer` names, or the fields of all types that the verb may return."""
    if verb.answer:
        more = [messages.field(NEXT, str | None)] if verb.is_paged else []
        return [messages.field(verb.answer, verb.returns), *more]
    shapes = [shape.fields for part in _alternatives(verb.returns)[0] if (shape := shape_of(part))]
    merged = {name: kind for one in shapes for name, kind in one.items()}
    return [messages.field(name, kind) for name, kind in merged.items()]


def _message(name: str, said: str, fields: list[Field], known: Mapping[str, Numbers]) -> str:
    """Return a message; fields that were known before keep their numbers, and numbers no longer used are reserved."""
    before = known.get(name, Numbers())
    every = [one for field in fields for one in (field.alternatives or (field,))]
    numbers = {key: before.used[key] for one in every if (key := (one.name, one.type)) in before.used}
    reserved = sorted(before.reserved | (set(before.used.values()) - set(numbers.values())))
    gone = sorted((before.gone | {name for name, _ in before.used}) - {one.name for one in every})
    following = max([0, *reserved, *numbers.values()])
    for one in every:
        if (one.name, one.type) not in numbers:
            following += 1
            numbers[one.name, one.type] = following
    lines = [f"  reserved {', '.join(map(str, reserved))};"] if reserved else []
    lines += ["  reserved " + ", ".join(f'"{name}"' for name in gone) + ";"] if gone else []
    for one in fields:
        if one.alternatives:
            lines += [f"  oneof {one.name} {{", *(f"  {_line(each, numbers)}" for each in one.alternatives), "  }"]
        else:
            lines.append(_comment(one.note, "  ") + _line(one, numbers))
    inside = "".join(f"{line}\n" for line in lines)
    return f"{_comment(said)}message {name} {{" + (f"\n{inside}" if inside else "") + "}\n"


def _line(one: Field, numbers: Mapping[tuple[str, str], int]) -> str:
    return f"  {one.label}{one.type} {one.name} = {numbers[one.name, one.type]};"


def _file(title: str, body: Iterable[str], siblings: tuple[str, ...]) -> str:
    text = "\n".join(body)
    imports = [f'import "{(FOLDER / one).as_posix()}.proto";' for one in siblings]
    imports += [f'import "google/protobuf/{name}.proto";' for kind, name in _IMPORTS.items() if kind in text]
    parts = [f"{_comment(title)}{HEAD}", 'syntax = "proto3";', f"package {PACKAGE};"]
    return "\n\n".join([*parts, "\n".join(sorted(set(imports))), text])


def _numbers(folder: Path) -> Iterator[tuple[str, Numbers]]:
    """Yield the numbers of each message in the .proto files of a folder."""
    for path in sorted(folder.rglob("*.proto")):
        for name, body in _MESSAGE.findall(path.read_text(encoding="utf-8")):
            found = Numbers()
            for line in body.splitlines():
                if match := _FIELD.match(line):
                    found.used[match[2], match[1]] = int(match[3])
                elif line.startswith('  reserved "'):
                    found.gone.update(re.findall(r'"(\w+)"', line))
                elif line.startswith("  reserved "):
                    found.reserved.update(map(int, re.findall(r"\d+", line)))
            yield name, found


def _alternatives(kind: Any) -> tuple[list[Any], bool]:
    """Return the types that a value may have, and whether it may be None."""
    parts = [kind] if get_origin(kind) not in {Union, types.UnionType} else list(get_args(kind))
    return [one for one in parts if one is not types.NoneType], types.NoneType in parts


def _is_list(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, Mapping)


def _one_of(parts: list[Any]) -> str:
    choices = [choice for part in parts for choice in _choices(part)]
    if bool in parts:
        choices = ["true", "false", *(f'"{one}"' for one in choices)]
    return f"One of {', '.join(choices)}." if choices and parts != [bool] else ""


def _choices(kind: Any) -> tuple[str, ...]:
    if _is_list(kind):
        return _choices(get_args(kind)[0])
    return get_args(kind) if get_origin(kind) is Literal else ()


def _default(one: Argument) -> str:
    if one.required:
        return "Needed."
    if one.default in (None, "", ()):
        return ""
    return f"Default: {str(one.default).lower() if isinstance(one.default, bool) else one.default}."


def _said(documented: Any) -> str:
    """Return a docstring, unless it is the one that Python generates for a dataclass."""
    text = inspect.cleandoc(documented.__doc__ or "")
    by_itself = isinstance(documented, type) and text.startswith(f"{documented.__name__}(")
    return "" if by_itself else text


def _comment(text: str, indent: str = "") -> str:
    lines = [
        line
        for part in text.split("\n\n")
        for line in (*textwrap.wrap(part, WIDTH - len(indent), break_on_hyphens=False), "")
    ][:-1]
    return "".join(f"{indent}//{' ' * bool(line)}{line}\n" for line in lines)


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


if __name__ == "__main__":
    protos = proto_files()
    made = python_files(protos)
    for path, text in protos.items():
        (PROTO / path).parent.mkdir(parents=True, exist_ok=True)
        (PROTO / path).write_text(text, encoding="utf-8")
    GENERATED.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (GENERATED / name).write_text(text, encoding="utf-8")
