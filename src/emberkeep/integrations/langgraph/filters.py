"""The filters of a store's searches: by fields of the values, and by namespaces. Pure functions."""

from collections.abc import Callable, Mapping
from typing import Any

from langgraph.store.base import MatchCondition

from emberkeep.errors import InvalidInput

Namespace = tuple[str, ...]


class InvalidFilter(InvalidInput, ValueError):
    """A filter that cannot be understood; a `ValueError` too, as LangGraph's own stores raise it."""


def matches(value: object, wanted: object) -> bool:
    """Whether a value matches a filter: by equality, or by its operators; a nested filter is for nested fields."""
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compared(value, name, operand) for name, operand in wanted.items())
        return isinstance(value, Mapping) and all(matches(value.get(name), one) for name, one in wanted.items())
    if isinstance(wanted, list | tuple):
        if not isinstance(value, list | tuple) or len(value) != len(wanted):
            return False
        return all(map(matches, value, wanted))
    return bool(value == wanted)


def is_under(namespace: Namespace, condition: MatchCondition) -> bool:
    """Whether a namespace starts or ends with a condition's path, in which `*` stands for any label."""
    path = tuple(condition.path)
    if len(namespace) < len(path):
        return False
    if condition.match_type not in ("prefix", "suffix"):
        raise InvalidFilter(f"unknown match type {condition.match_type!r}: use prefix or suffix")
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


_ORDERED: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": lambda one, other: one > other,
    "$gte": lambda one, other: one >= other,
    "$lt": lambda one, other: one < other,
    "$lte": lambda one, other: one <= other,
}


def _compared(value: object, operator: object, operand: object) -> bool:
    if operator == "$eq":
        return bool(value == operand)
    if operator == "$ne":
        return bool(value != operand)
    if operator not in _ORDERED:
        raise InvalidFilter(f"unknown operator {operator!r}: use one of $eq, $ne, {', '.join(_ORDERED)}")
    # Only numbers with numbers and texts with texts: a missing value, or one of another type, is neither more nor less.
    comparable = any(isinstance(value, kind) and isinstance(operand, kind) for kind in (int | float, str))
    return comparable and _ORDERED[str(operator)](value, operand)
