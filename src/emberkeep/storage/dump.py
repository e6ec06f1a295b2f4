"""Whole tables, read and written as rows of plain JSON that are the same whichever database holds them.

Bytes and vectors are base64, times are microseconds. A table's `Digest` does not depend on the order of its rows, which
each database chooses for itself.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, LargeBinary, Table, insert, select

from emberkeep.errors import InvalidInput
from emberkeep.model.checks import MAX_BITS
from emberkeep.model.moment import from_micros, to_micros
from emberkeep.storage.column_types import Moment, Vector
from emberkeep.storage.schema import metadata

AT_ONCE = 500
Row = dict[str, Any]
# Sorted so that a table comes after those that it refers to.
TABLES: Mapping[str, Table] = {table.name: table for table in metadata.sorted_tables}


class Digest:
    """A checksum over rows: equal for two tables if they hold the same rows, and almost certainly different if not."""

    def __init__(self) -> None:
        self._sum = 0

    def add(self, row: Row) -> None:
        """Add a row to the checksum."""
        line = json.dumps(_leveled(row), sort_keys=True).encode()
        self._sum += int.from_bytes(hashlib.sha256(line).digest(), "big")

    def __str__(self) -> str:
        return f"{self._sum % (1 << 256):064x}"


def rows(connection: Connection, name: str) -> Iterator[Row]:
    """All rows of a table, a few at a time in memory."""
    table = TABLES[name]
    query = select(table).execution_options(yield_per=AT_ONCE)  # on PostgreSQL, a server-side cursor
    for row in connection.execute(query).mappings():
        yield {column: _to_json(value) for column, value in row.items()}


def put(connection: Connection, name: str, some: Iterable[Row]) -> None:
    """Write rows to a table."""
    connection.execute(insert(TABLES[name]), [parsed(name, row) for row in some])


def parsed(name: str, row: object) -> Row:
    """A row as the database takes it; raises `InvalidInput` if it does not fit the table."""
    table = TABLES[name]
    if not isinstance(row, dict) or row.keys() != set(table.c.keys()):
        raise InvalidInput(f"a row of {name} does not have the columns of that table")
    try:
        return {column.name: _from_json(column.type, row[column.name]) for column in table.c}
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidInput(f"a row of {name} cannot be read: {error}") from None


def occupied(connection: Connection, besides: Sequence[str] = ()) -> list[str]:
    """The names of the tables that hold any rows, except those in `besides`."""
    return [
        name
        for name, table in TABLES.items()
        if name not in besides and connection.execute(select(table.c[0]).limit(1)).first() is not None
    ]


def _to_json(value: object) -> Any:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    if isinstance(value, np.ndarray):
        return base64.b64encode(value.astype("<f2").tobytes()).decode()
    return to_micros(value) if isinstance(value, datetime) else value


def _from_json(kind: object, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise OverflowError("a number in it is longer than any database keeps")
    if isinstance(kind, Vector):
        return np.frombuffer(base64.b64decode(value, validate=True), "<f2")
    if isinstance(kind, LargeBinary):
        return base64.b64decode(value, validate=True)
    return from_micros(value) if isinstance(kind, Moment) else value


def _leveled(value: Any) -> Any:
    """The value with whole floats as integers: databases mix the two, and one may return 1e22 as an integer."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _leveled(one) for key, one in value.items()}
    return [_leveled(one) for one in value] if isinstance(value, list | tuple) else value
