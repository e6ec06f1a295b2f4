"""Running a statement straight on the driver, for the few that are run so often that SQLAlchemy's share counts."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect
from sqlalchemy.sql.dml import Insert


def run(connection: Connection, statement: Insert, values: Mapping[str, Any]) -> None:
    """Execute an insert of all columns; compiled once, and its values converted as SQLAlchemy would."""
    sql, positions, convert = _compiled(statement, connection.dialect)
    plain = {name: convert[name](value) if name in convert else value for name, value in values.items()}
    cursor = connection.connection.cursor()
    cursor.execute(sql, tuple(plain[name] for name in positions) if positions else plain)
    cursor.close()


@lru_cache(maxsize=64)
def _compiled(statement: Insert, dialect: Dialect) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    compiled = statement.compile(dialect=dialect)
    names = compiled.positiontup or ()
    return str(compiled), tuple(names), dict(compiled._bind_processors)  # noqa: SLF001 - no public name
