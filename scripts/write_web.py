"""Writes web/src/verbs.ts from the table of verbs: their routes, arguments and answers.

`make reference` runs it. The inspector calls verbs by name, and the TypeScript compiler checks it against these types.
"""

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from emberkeep.model.item import Item
from emberkeep.model.many import Listed
from emberkeep.service.calls import NEXT
from emberkeep.service.shapes import shape_of
from emberkeep.service.verbs import VERBS, Argument, Verb

TARGET = Path(__file__).parent.parent / "web" / "src" / "verbs.ts"
HEAD = "// Written by scripts/write_web.py from the table of verbs: change that, then run `make reference`."
_LEAVES: Mapping[Any, str] = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    types.NoneType: "null",
    datetime: "string",
    date: "string",
    bytes: "string",
    Any: "unknown",
    object: "unknown",
}
_CALLED = {Item: "Memory"}  # as users know it


@dataclass(slots=True)
class Interfaces:
    """The TypeScript interfaces of values, each written once."""

    written: dict[str, str] = field(default_factory=dict)

    def type_of(self, kind: Any) -> str:
        """Return the TypeScript type of a Python type."""
        if kind in _LEAVES or isinstance(kind, TypeVar):
            return _LEAVES.get(kind, "unknown")
        if shape_of(kind) is not None:
            return self.named(kind)
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Literal:
            return " | ".join(f'"{one}"' for one in arguments)
        if origin in {Union, types.UnionType}:
            return " | ".join(dict.fromkeys(self.type_of(one) for one in arguments))
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return f"Record<string, {self.type_of(arguments[1])}>"
        inner = self.type_of(arguments[0]) if arguments else "unknown"
        return f"({inner})[]" if " | " in inner else f"{inner}[]"

    def named(self, kind: Any) -> str:
        """Return the name of the interface of a class, writing it if it is new."""
        origin = get_origin(kind) or kind
        name: str = _CALLED.get(origin, origin.__name__)
        name += "".join("Or".join(one.__name__ for one in (get_args(part) or [part])) for part in get_args(kind))
        if name not in self.written:
            self.written[name] = ""  # set first, so that a class that contains itself does not recurse for ever
            shape = shape_of(kind)
            assert shape is not None  # noqa: S101 - the caller checked it
            lines = (
                f"  {key}{'?' if key in shape.optional else ''}: {self.type_of(one)};\n"
                for key, one in shape.fields.items()
            )
            self.written[name] = f"export interface {name} {{\n{''.join(lines)}}}\n"
        return name

    def answer(self, verb: Verb) -> str:
        """Return the type of a verb's answer."""
        returns = verb.returns
        if returns is types.NoneType and not verb.answer:
            return "Record<string, never>"
        if not verb.answer:
            return self.type_of(returns)
        listed = get_origin(returns) is Listed
        inner = self.type_of(list[get_args(returns)[0]] if listed else returns)  # type: ignore[misc]
        return f"{{ {verb.answer}: {inner}{f'; {NEXT}: string | null' if listed else ''} }}"

    def arguments(self, verb: Verb) -> str:
        """Return the type of a verb's arguments."""
        taken = "; ".join(self._argument(one) for one in verb.arguments.values())
        return f"{{ {taken} }}" if taken else "Record<string, never>"

    def _argument(self, one: Argument) -> str:
        return f"{one.name}{'' if one.required else '?'}: {self.type_of(one.kind)}"


def typescript() -> str:
    """Return the whole file."""
    interfaces = Interfaces()
    verbs = [
        f'  "{verb.name}": {{ takes: {interfaces.arguments(verb)}; answers: {interfaces.answer(verb)} }};'
        for verb in VERBS.values()
    ]
    routes = [f'  "{verb.name}": ["{verb.method}", "{verb.path}"],' for verb in VERBS.values()]
    return "\n".join(
        [
            HEAD,
            "",
            *(interfaces.written[name] for name in sorted(interfaces.written)),
            "/** What each verb takes and answers with. */",
            "export interface Verbs {",
            *verbs,
            "}",
            "",
            "/** The method and path of each verb, below /api/v1; what is in braces is taken from the arguments. */",
            "export const routes: Record<keyof Verbs, readonly [string, string]> = {",
            *routes,
            "};",
            "",
        ]
    )


def stale() -> Iterator[Path]:
    """Yield the file if it differs from what would be written."""
    if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != typescript():
        yield TARGET


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(typescript(), encoding="utf-8")
