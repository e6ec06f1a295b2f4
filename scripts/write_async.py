"""Writes src/emberkeep/aio_namespaces.py from the namespaces of `Memory`. `make reference` runs it."""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import dedent
from types import FunctionType

from emberkeep.clock import SystemClock
from emberkeep.config import Config
from emberkeep.memory import Memory
from emberkeep.testing.embedder import WordEmbedder
from emberkeep.wiring import assemble

MODULE = Path(__file__).parent.parent / "src" / "emberkeep" / "aio_namespaces.py"
HEAD = '''"""The namespaces of `AsyncMemory`: those of `Memory`, awaited. The verbs are documented there.

Written by scripts/write_async.py from the namespaces of `Memory`: change those, then run `make reference`.
"""

# ruff: noqa: A002, FBT001, FBT002 - the arguments have the names that they have there
'''
FOUNDATION = {
    "Callable": "from collections.abc import Callable",
    "Protocol": "from typing import Protocol",
    "TypeVar": "from typing import TypeVar",
    "Memory": "from emberkeep.memory import Memory",
}
HOP = '''
T = TypeVar("T")


class Hop(Protocol):
    """Runs a function on the open memory, in a thread."""

    async def __call__(self, work: Callable[[Memory], T], /) -> T:
        """Run it, and return its result."""
        ...
'''


class Imports:
    """The imports that the annotations and defaults of verbs need; a name has the same meaning in all of them."""

    def __init__(self) -> None:
        self._lines = dict(FOUNDATION)

    def add(self, function: FunctionType, expressions: Iterable[ast.expr]) -> None:
        """Import the names in some expressions of a function, from where the function's module imports them."""
        module = sys.modules[function.__module__]
        origins = dict(_imported(ast.parse(inspect.getsource(module))))
        for node in (node for one in expressions for node in ast.walk(one)):
            if isinstance(node, ast.Name) and node.id in function.__globals__:
                line = origins.get(node.id, f"from {module.__name__} import {node.id}")
                if self._lines.setdefault(node.id, line) != line:
                    sys.exit(f"{node.id} is `{self._lines[node.id]}` and `{line}`: give one of them another name")

    def __str__(self) -> str:
        return "\n".join(self._lines.values())


def module() -> str:
    """Return the whole module, formatted."""
    imports = Imports()
    found = namespaces()
    classes = [awaited(name, kind, imports) for name, kind in found.items()]
    return _formatted("\n\n".join([HEAD, str(imports), HOP, *classes, together(found)]))


def namespaces() -> dict[str, type]:
    """Return the classes of a memory's namespaces, by attribute name."""
    config = Config(db=":memory:", learner="none")
    with Memory(assemble(config, SystemClock(), WordEmbedder())) as memory:
        return {name: type(value) for name, value in vars(memory).items() if not name.startswith("_")}


def awaited(name: str, kind: type, imports: Imports) -> str:
    """Return the code of the class with the verbs of a namespace, awaited."""
    return "\n".join(
        [
            f"class {_class_name(name)}:",
            f'    """{_summary(kind)}"""',
            "    def __init__(self, hop: Hop) -> None:",
            "        self._hop = hop",
            *(_verb(name, function, imports) for function in _verbs(kind)),
        ]
    )


def together(found: Iterable[str]) -> str:
    """Return the code of the class with all namespaces."""
    return "\n".join(
        [
            "class AsyncNamespaces:",
            '    """The namespaces that an `AsyncMemory` has beside its own verbs."""',
            "    def __init__(self, hop: Hop) -> None:",
            *(f"        self.{name} = {_class_name(name)}(hop)" for name in found),
        ]
    )


def _class_name(namespace: str) -> str:
    return f"Async{namespace.title().replace('_', '')}"


def _verbs(kind: type) -> Iterator[FunctionType]:
    """Yield the public methods of a class in the order of the source, those of its bases first; no generators."""
    found: dict[str, FunctionType] = {}
    for one in reversed(kind.__mro__):
        found |= {name: value for name, value in vars(one).items() if isinstance(value, FunctionType)}
    for name, function in found.items():
        # A generator cannot be awaited.
        if not name.startswith("_") and not inspect.isgeneratorfunction(function):
            yield function


def _verb(namespace: str, function: FunctionType, imports: Imports) -> str:
    """Return the code of an async method that runs a verb in a thread."""
    source = dedent(inspect.getsource(function))
    node = next(one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.FunctionDef))
    imports.add(function, _expressions(node))
    returns = "None" if node.returns is None else ast.get_source_segment(source, node.returns)
    call = f"memory.{namespace}.{node.name}({', '.join(_passed(node.args))})"
    return "\n".join(
        [
            f"    async def {node.name}({', '.join(_taken(node.args, source))}) -> {returns}:",
            f'        """{_summary(function)}"""',
            f"        return await self._hop(lambda memory: {call})",
        ]
    )


def _expressions(node: ast.FunctionDef) -> list[ast.expr]:
    """Return the annotations and defaults in a signature."""
    arguments = node.args
    defaults = [*arguments.defaults, *(one for one in arguments.kw_defaults if one)]
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    annotations = [one.annotation for one in every if one is not None and one.annotation is not None]
    return [*annotations, *defaults, *([node.returns] if node.returns else [])]


def _taken(arguments: ast.arguments, source: str) -> Iterator[str]:
    """Yield the parameters as they are declared, `self` first."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults)) + [*arguments.defaults]
    for place, (one, default) in enumerate(zip(plain, defaults, strict=True), 1):
        yield _argument(one, default, source)
        if place == len(arguments.posonlyargs):
            yield "/"
    if arguments.vararg:
        yield f"*{_argument(arguments.vararg, None, source)}"
    elif arguments.kwonlyargs:
        yield "*"
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _argument(one, default, source)
    if arguments.kwarg:
        yield f"**{_argument(arguments.kwarg, None, source)}"


def _argument(one: ast.arg, default: ast.expr | None, source: str) -> str:
    said = one.arg if one.annotation is None else f"{one.arg}: {ast.get_source_segment(source, one.annotation)}"
    return said if default is None else f"{said} = {ast.get_source_segment(source, default)}"


def _passed(arguments: ast.arguments) -> Iterator[str]:
    """Yield the arguments as they are passed on, without `self`."""
    yield from (one.arg for one in [*arguments.posonlyargs, *arguments.args][1:])
    if arguments.vararg:
        yield f"*{arguments.vararg.arg}"
    yield from (f"{one.arg}={one.arg}" for one in arguments.kwonlyargs)
    if arguments.kwarg:
        yield f"**{arguments.kwarg.arg}"


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each name that a module imports at its top, with a line that imports it."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                named = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
                yield alias.asname or alias.name, f"from {node.module} import {named}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name, ast.unparse(ast.Import([alias]))


def _summary(documented: type | FunctionType) -> str:
    return inspect.cleandoc(documented.__doc__ or "").partition("\n")[0]


def _formatted(code: str) -> str:
    for command in (["check", "--select", "I", "--fix"], ["format"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--quiet", "--stdin-filename", str(MODULE), "-"]
        code = subprocess.run(ruff, input=code, capture_output=True, text=True, check=True).stdout  # noqa: S603 - ours
    return code


if __name__ == "__main__":
    MODULE.write_text(module(), encoding="utf-8")
