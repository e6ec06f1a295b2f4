"""Running a statement straight on the driver, for the few that are run so often that SQLAlchemy's share counts."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, Select
from sqlalchemy.sql.dml import Insert

Row = Sequence[Any]


def run(connection: Connection, statement: Insert, values: Mapping[str, Any]) -> None:
    """Execute an insert of all columns; compiled once, and its values converted as SQLAlchemy would."""
    sql, positions, convert = _compiled(statement, connection.dialect)
    plain = dict(values)
    for name, converter in convert.items():
        plain[name] = converter(plain[name])
    cursor = connection.connection.cursor()
    cursor.execute(sql, tuple([plain[name] for name in positions]) if positions else plain)
    cursor.close()


def rows(connection: Connection, statement: Select[Any], values: Mapping[str, Any]) -> list[Row]:
    """All rows of a select; compiled once, and its columns converted as SQLAlchemy would."""
    sql, positions, _ = _compiled(statement, connection.dialect)
    given = {**_constants(statement, connection.dialect), **values}
    if not connection.in_transaction():
        connection.begin()  # what is read next must be of the same moment
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


@lru_cache(maxsize=64)
def _compiled(statement: Insert | Select[Any], dialect: Dialect) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    compiled = statement.compile(dialect=dialect)
    names = compiled.positiontup or ()
    return str(compiled), tuple(names), dict(compiled._bind_processors)  # noqa: SLF001 - no public name


@lru_cache(maxsize=64)
def _constants(statement: Select[Any], dialect: Dialect) -> dict[str, Any]:
    return {name: value for name, value in statement.compile(dialect=dialect).params.items() if value is not None}


@lru_cache(maxsize=64)
def _converters(
    statement: Select[Any], dialect: Dialect, types: tuple[Any, ...]
) -> tuple[tuple[int, Callable[[Any], Any]], ...]:
    made = (
        (place, column.type.dialect_impl(dialect).result_processor(dialect, kind))
        for place, (column, kind) in enumerate(zip(statement.selected_columns, types, strict=True))
    )
    return tuple((place, convert) for place, convert in made if convert is not None)
