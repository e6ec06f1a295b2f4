"""Annotations mean the same on every Python: from 3.14 on they are read late, when a class has all its names."""

import ast
from collections.abc import Iterator
from pathlib import Path

import emberkeep

PACKAGE = Path(emberkeep.__file__).parent


def test_no_annotation_names_what_its_own_class_defines() -> None:
    classes = (
        (path, node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    wrong = {f"{path.name}:{name.lineno} {name.id}" for path, one in classes for name in _mistaken(one)}
    assert wrong == set(), "`list` is the method there: write `from builtins import list as listing`"


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
