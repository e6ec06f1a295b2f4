"""Column types that each of the two databases stores in its own way."""

from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import JSON, BigInteger, Dialect, LargeBinary, String
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine, UserDefinedType

from emberkeep.model.moment import from_micros, to_micros

# ruff: noqa: ARG002 - the dialect is SQLAlchemy's argument, whether it matters or not


class _VectorBytes(FunctionElement[Any]):
    inherit_cache = True

    def __init__(self, column: ColumnElement[Any], type_: TypeEngine[Any]) -> None:
        super().__init__(column)
        self.type = type_


@compiles(_VectorBytes)
def _as_it_is(element: _VectorBytes, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)


@compiles(_VectorBytes, "postgresql")
def _as_sent(element: _VectorBytes, compiler: SQLCompiler, **options: Any) -> str:
    return f"halfvec_send({compiler.process(element.clauses, **options)})"


class PgHalfvec(UserDefinedType[Any]):
    """pgvector's `halfvec`, of any dimension."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """The name of the type in SQL."""
        return "halfvec"


class Vector(TypeDecorator[NDArray[np.float16]]):
    """Half-precision vectors: pgvector's `halfvec`, or their bytes in SQLite."""

    impl = LargeBinary
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """`halfvec` on PostgreSQL."""
        return dialect.type_descriptor(PgHalfvec() if dialect.name == "postgresql" else LargeBinary())

    def process_bind_param(self, value: NDArray[Any] | None, dialect: Dialect) -> Any:
        """The vector in half precision, as text for PostgreSQL and as bytes for SQLite."""
        if value is None:
            return None
        half = value.astype("<f2")
        if dialect.name == "postgresql":
            return f"[{','.join(map(str, half.tolist()))}]"
        return half.tobytes()

    def process_result_value(self, value: Any, dialect: Dialect) -> NDArray[np.float16] | None:
        """The vector as an array."""
        if value is None:
            return None
        if dialect.name == "postgresql":
            return np.frombuffer(value, ">f2", offset=4).astype(np.float16)
        return np.frombuffer(value, "<f2")

    def column_expression(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        """Read in pgvector's binary format: a header of two 16-bit integers, then big-endian half-precision floats."""
        return _VectorBytes(column, type_=self)


class Moment(TypeDecorator[datetime]):
    """A time, as whole microseconds since 1970."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """The time in microseconds."""
        return None if value is None else to_micros(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """The time."""
        return None if value is None else from_micros(value)


class ScopeId(TypeDecorator[str]):
    """The id of a user, agent or session: "" in the database, and `None` in Python, if there is none."""

    impl = String
    cache_ok = True

    def __init__(self) -> None:
        super().__init__(256)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str:
        """The id, "" for none: the column is never null."""
        return value or ""

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """The id, `None` for ""."""
        return value or None


class Listed(TypeDecorator[tuple[Any, ...]]):
    """A JSON array of values, a tuple in Python."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """`jsonb` on PostgreSQL."""
        return dialect.type_descriptor(JSONB() if dialect.name == "postgresql" else JSON())

    def process_bind_param(self, value: tuple[Any, ...] | None, dialect: Dialect) -> list[Any]:
        """The values as a list, `None` as an empty one."""
        return list(value or ())

    def process_result_value(self, value: list[Any] | None, dialect: Dialect) -> tuple[Any, ...]:
        """The values as a tuple, for frozen dataclasses to hold."""
        return tuple(value or ())
