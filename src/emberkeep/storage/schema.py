"""The tables, for both databases.

The tenant is the first column of every key, so that a distributed PostgreSQL can shard by it. Scope columns hold ""
for "none", so that equality works everywhere. Times are whole microseconds since 1970 in UTC.

A *shelf* is one user's memories (or those of no user): the unit of text statistics, of vector indexes and of
keeping processes in step. Each change to a shelf's items takes the next of its `revision` numbers; whoever holds an
index of the shelf reads what came after the revision it knows. A new `epoch` says: forget it and read all again.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine, UserDefinedType


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


class _PgHalfvec(UserDefinedType[Any]):
    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "halfvec"


class Vector(TypeDecorator[NDArray[np.float16]]):
    """Half-precision vectors: pgvector's `halfvec`, or their bytes in SQLite."""

    impl = LargeBinary
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """`halfvec` on PostgreSQL."""
        return dialect.type_descriptor(_PgHalfvec() if dialect.name == "postgresql" else LargeBinary())

    def process_bind_param(self, value: NDArray[Any] | None, dialect: Dialect) -> Any:
        """Half precision, as text for PostgreSQL."""
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
        """Read in pgvector's binary form, which is a header of two shorts and big-endian halves."""
        return _VectorBytes(column, type_=self)


metadata = MetaData()
VERSION_TABLE = "emberkeep_version"  # not Alembic's usual one, which another application may have
_Json = JSON().with_variant(JSONB(), "postgresql")
_Key = String(256)


def _tenant() -> Column[str]:
    return Column("tenant", _Key, primary_key=True)


def _of_item() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant", "item_id"], ["items.tenant", "items.id"], ondelete="CASCADE")


# What holds for the whole database, such as the space in use.
meta = Table("meta", metadata, Column("key", _Key, primary_key=True), Column("value", Text, nullable=False))

# The vector spaces: which embedder made the vectors, and how long they are.
spaces = Table(
    "spaces",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("embedder", Text, nullable=False),
    Column("dimension", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

shelves = Table(
    "shelves",
    metadata,
    _tenant(),
    Column("user_id", _Key, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),  # names the shelf in `vectors` and in index names
    Column("epoch", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
)

interactions = Table(
    "interactions",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("user_id", _Key, nullable=False),
    Column("agent_id", _Key, nullable=False),
    Column("session_id", _Key, nullable=False),
    Column("occurred_at", BigInteger, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Column("messages", _Json, nullable=False),
    Column("tags", _Json, nullable=False),
    Column("metadata", _Json, nullable=False),
    Column("waiting", Boolean, nullable=False),  # until items have been derived from it
    Index("interactions_by_session", "tenant", "user_id", "session_id", "id"),
    Index(
        "interactions_waiting",
        "tenant",
        "id",
        sqlite_where=text("waiting"),
        postgresql_where=text("waiting"),
    ),
)

items = Table(
    "items",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("user_id", _Key, nullable=False),
    Column("agent_id", _Key, nullable=False),
    Column("session_id", _Key, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("text", Text, nullable=False),
    Column("speaker", _Key),
    Column("content_hash", LargeBinary, nullable=False),  # of the normalised text: finds the same thing told again
    Column("terms", LargeBinary, nullable=False),  # what the text index keeps, see terms.py
    Column("tags", _Json, nullable=False),
    Column("metadata", _Json, nullable=False),
    Column("occurred_at", BigInteger, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Column("valid_from", BigInteger, nullable=False),
    Column("valid_to", BigInteger),
    Column("superseded_by", _Key),
    Column("version_of", _Key),  # set on the former text that an update leaves behind
    Column("temperature", Float, nullable=False),  # as it was at heated_at; it cools from there by the clock
    Column("heated_at", BigInteger, nullable=False),
    Column("access_count", Integer, nullable=False),
    Column("last_access", BigInteger),
    Column("sacred", Boolean, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("unembedded", Boolean, nullable=False),
    Index("items_by_revision", "tenant", "user_id", "revision"),
    Index("items_by_content", "tenant", "user_id", "content_hash"),
    Index("items_by_time", "tenant", "user_id", "occurred_at", "id"),
    Index(
        "items_by_version",
        "tenant",
        "version_of",
        sqlite_where=text("version_of IS NOT NULL"),
        postgresql_where=text("version_of IS NOT NULL"),
    ),
    Index(
        "items_unembedded",
        "tenant",
        "id",
        sqlite_where=text("unembedded"),
        postgresql_where=text("unembedded"),
    ),
)

# Tags and metadata once more, one row each, for filters that are quick and the same on both databases.
attributes = Table(
    "attributes",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("attribute", LargeBinary, primary_key=True),  # the hash of a tag, or of a metadata key and its value
    Column("user_id", _Key, nullable=False),
    _of_item(),
    Index("attributes_by_value", "tenant", "user_id", "attribute"),
)

# Which messages an item came from.
sources = Table(
    "sources",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("interaction_id", _Key, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("message_id", _Key, nullable=False),
    Column("role", _Key, nullable=False),
    Column("name", _Key),
    Column("occurred_at", BigInteger, nullable=False),
    _of_item(),
)

# One vector an item and space. Found again by the hash of what was embedded, so it is the embedding cache as well.
vectors = Table(
    "vectors",
    metadata,
    _tenant(),
    Column("space", BigInteger, primary_key=True),
    Column("item_id", _Key, primary_key=True),
    Column("shelf", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("embedded_hash", LargeBinary, nullable=False),
    Column("embedding", Vector, nullable=False),
    _of_item(),
    Index("vectors_by_revision", "tenant", "space", "shelf", "revision"),
    Index("vectors_by_content", "tenant", "space", "embedded_hash"),
)

# What happened to an item after it was added. Texts stay with the versions in `items`, so deleting removes them.
history = Table(
    "history",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", _Key, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("action", String(32), nullable=False),
    Column("version_id", _Key),
    Column("temperature", Float),
    Index("history_by_user", "tenant", "user_id"),
)

# Deleted items, so that indexes held by other processes drop them too.
tombstones = Table(
    "tombstones",
    metadata,
    _tenant(),
    Column("user_id", _Key, primary_key=True),
    Column("revision", BigInteger, primary_key=True),
    Column("item_id", _Key, nullable=False),
)
