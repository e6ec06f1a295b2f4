"""The code means the same on every Python that is supported."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import emberkeep

PACKAGE = Path(emberkeep.__file__).parent
POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")


def test_no_annotation_names_what_its_own_class_defines() -> None:
    """From 3.14 on annotations are read late, when a class has all its names."""
    classes = ((path, node) for path, node in _nodes() if isinstance(node, ast.ClassDef))
    wrong = {f"{path.name}:{name.lineno} {name.id}" for path, one in classes for name in _mistaken(one)}
    assert wrong == set(), "`list` is the method there: write `from builtins import list as listing`"


def test_no_expression_repeats_a_group_possessively() -> None:
    """Python 3.11.0 to 3.11.4 match that wrongly: a private key was not redacted there."""
    texts = ((path, node) for path, node in _nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str))
    expressions = ((path, node.lineno, str(node.value)) for path, node in texts if "(?" in str(node.value))
    wrong = {f"{path.name}:{line}" for path, line, text in expressions if POSSESSIVE_GROUP.search(text)}
    assert wrong == set(), "`(?:...)*+` does not match there what `(?>(?:...)*)` does"


def _nodes() -> Iterator[tuple[Path, ast.AST]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from ((path, node) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def _mistaken(class_: ast.ClassDef) -> Iterator[ast.Name]:
    defined = {node.name for node in class_.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    for annotation in _annotations(class_):
        for node in ast.walk(annotation):
            if isinstance(node, ast.Name) and node.id in defined:
                yield node


def _annotations(class_: ast.ClassDef) -> Iterator[ast.expr]:
    for node in class_.body:
        if isinstance(node, ast.AnnAssign):
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = (one for one in ast.walk(node.args) if isinstance(one, ast.arg))
            yield from (one.annotation for one in arguments if one.annotation is not None)
            yield from filter(None, [node.returns])
