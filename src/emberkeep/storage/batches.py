"""Many values at a time, but no more than one statement may bind."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
AT_ONCE = 500  # well under what either database allows


def batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """The values in order, some at a time."""
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]
