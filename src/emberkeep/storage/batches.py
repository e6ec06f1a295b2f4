"""Splitting many values into batches: no more than one statement may bind, or a process should hold in memory."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, TableClause, select, tuple_

T = TypeVar("T")
AT_ONCE = 500  # well under what either database allows


def batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """The values in order, in batches of at most `AT_ONCE`."""
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]


def all_rows(connection: Connection, table: TableClause, key: ColumnElement[str]) -> Iterator[tuple[Any, ...]]:
    """Every row of a table that is keyed by tenant and `key`, read in batches; for migrations."""
    place = tuple_(table.c.tenant, key)
    query, after = select(table).order_by(table.c.tenant, key).limit(AT_ONCE), ("", "")
    while rows := connection.execute(query.where(place > tuple_(*after))).all():
        yield from map(tuple, rows)
        after = rows[-1][0], rows[-1][1]
