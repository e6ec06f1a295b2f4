"""Plain pgvector in a comparison: one table with a vector column and an HNSW index, as its manual shows it."""

from collections.abc import Sequence
from typing import Any

from emberkeep.bench.compare.entrant import DEPTH, Kept, Note
from emberkeep.bench.dataset import Question
from emberkeep.providers.base import Embedder, Vectors

_TABLE = """
    CREATE TABLE IF NOT EXISTS memories (
        id bigserial PRIMARY KEY, user_id text NOT NULL, message_id text NOT NULL, session text NOT NULL,
        said_at timestamptz NOT NULL, content text NOT NULL, embedding vector({dimension}) NOT NULL
    )
"""
_INDEXES = (
    "CREATE INDEX IF NOT EXISTS memories_by_user ON memories (user_id)",
    "CREATE INDEX IF NOT EXISTS memories_by_vector ON memories USING hnsw (embedding vector_cosine_ops)",
)
_INSERT = (
    "INSERT INTO memories (user_id, message_id, session, said_at, content, embedding) VALUES (%s, %s, %s, %s, %s, %s)"
)
_NEAREST = "SELECT message_id FROM memories WHERE user_id = %s ORDER BY embedding <=> %s::vector LIMIT %s"
_ONE_AT_A_TIME = 0x656D62  # the key of an advisory lock: creating the same table concurrently would fail


class Pgvector:
    """A `Kept` over a table with a vector column."""

    def __init__(self, connection: Any, embedder: Embedder) -> None:
        self._connection = connection
        self._embedder = embedder

    @property
    def version(self) -> str:
        """The version of the extension."""
        found = self._connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
        return str(found[0])

    def add(self, notes: Sequence[Note]) -> None:
        """Insert the notes in one transaction."""
        vectors = self._embedder.embed([note.message.spoken for note in notes])
        rows = [
            (note.user, one.id, one.session, one.time, one.spoken, _literal(vector))
            for note, vector in zip(notes, vectors, strict=True)
            for one in [note.message]
        ]
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany(_INSERT, rows)

    def find(self, user: str, question: Question) -> list[str]:
        """The nearest rows of the user."""
        vector = self._embedder.embed_query(question.text)
        return [row[0] for row in self._connection.execute(_NEAREST, (user, _literal(vector), DEPTH))]

    def held(self) -> set[str]:
        """The texts of all rows."""
        return {row[0] for row in self._connection.execute("SELECT content FROM memories")}

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def open_pgvector(place: str, embedder: Embedder) -> Kept:
    """Open the table in a database; the first process to open it creates it."""
    import psycopg  # noqa: PLC0415 - an extra

    connection = psycopg.connect(place, autocommit=True)
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_ONE_AT_A_TIME,))
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute(_TABLE.format(dimension=embedder.dimension).encode())
        for statement in _INDEXES:
            connection.execute(statement)
    # Otherwise the index scan stops after 40 candidates, and a user among many gets fewer than ten results.
    connection.execute("SET hnsw.iterative_scan = strict_order")
    return Pgvector(connection, embedder)


def _literal(vector: Vectors) -> str:
    return f"[{','.join(map(str, vector.tolist()))}]"
