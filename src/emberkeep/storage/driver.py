"""Running a statement directly on the driver, for the few that run so often that SQLAlchemy's overhead matters."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import BindParameter, CompoundSelect, Connection, Dialect, Select, bindparam
from sqlalchemy.sql.dml import Insert

Row = Sequence[Any]
Query = Select[Any] | CompoundSelect[Any]
MOST_LISTED = 500
_SIZES = (1, 5, 10, 20, 40, 100, 150, 250, MOST_LISTED)  # the lengths of list that statements are made for


def run(connection: Connection, statement: Insert, values: Mapping[str, Any]) -> None:
    """Execute an insert of all columns. It is compiled once, and its values are converted as SQLAlchemy would."""
    sql, positions, convert = _compiled(statement, connection.dialect)
    plain = dict(values)
    for name, converter in convert.items():
        plain[name] = converter(plain[name])
    cursor = connection.connection.cursor()
    cursor.execute(sql, tuple([plain[name] for name in positions]) if positions else plain)
    cursor.close()


def listed(values: Sequence[str]) -> tuple[int, dict[str, str]]:
    """The length of list to make a statement for, and that many values by name, padded by repeating the last one.

    With a statement for every number of values, there would always be another one to compile.
    """
    size = next(size for size in _SIZES if size >= len(values))
    return size, dict(zip(_names(size), [*values, *[values[-1]] * (size - len(values))], strict=True))


def places(size: int) -> list[BindParameter[Any]]:
    """The bind parameters of a statement for the values of a list of that length."""
    return [bindparam(name) for name in _names(size)]


def rows(connection: Connection, statement: Query, values: Mapping[str, Any]) -> list[Row]:
    """All rows of a select. It is compiled once, and its columns are converted as SQLAlchemy would."""
    sql, positions, _ = _compiled(statement, connection.dialect)
    given = {**_constants(statement, connection.dialect), **values}
    if not connection.in_transaction():
        connection.begin()  # later reads must see the same snapshot
    cursor = connection.connection.cursor()
    cursor.execute(sql, tuple(given[name] for name in positions) if positions else given)
    found: list[Row] = list(cursor.fetchall())
    types = tuple(column[1] for column in cursor.description or ())
    cursor.close()
    converters = _converters(statement, connection.dialect, types)
    if not converters or not found:
        return found
    return [_converted(row, converters) for row in found]


def _converted(row: Row, converters: Sequence[tuple[int, Callable[[Any], Any]]]) -> Row:
    values = list(row)
    for place, convert in converters:
        values[place] = convert(values[place])
    return values


@lru_cache
def _names(size: int) -> tuple[str, ...]:
    return tuple(f"listed{place}" for place in range(size))


@lru_cache(maxsize=64)
def _compiled(statement: Insert | Query, dialect: Dialect) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    compiled = statement.compile(dialect=dialect)
    names = compiled.positiontup or ()
    return str(compiled), tuple(names), dict(compiled._bind_processors)  # noqa: SLF001 - no public name


@lru_cache(maxsize=64)
def _constants(statement: Query, dialect: Dialect) -> dict[str, Any]:
    return {name: value for name, value in statement.compile(dialect=dialect).params.items() if value is not None}


@lru_cache(maxsize=64)
def _converters(
    statement: Query, dialect: Dialect, types: tuple[Any, ...]
) -> tuple[tuple[int, Callable[[Any], Any]], ...]:
    made = (
        (place, column.type.dialect_impl(dialect).result_processor(dialect, kind))
        for place, (column, kind) in enumerate(zip(statement.selected_columns, types, strict=True))
    )
    return tuple((place, convert) for place, convert in made if convert is not None)
