"""Approximate search over a large shelf in PostgreSQL: one pgvector HNSW index for each large shelf.

An index over everyone's vectors would have to skip other users' rows and lose recall. One that holds a single shelf is
as quick as that shelf's size allows, and small shelves pay nothing on insert.
"""

from collections.abc import Callable
from threading import Event
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, bindparam, text

from emberkeep.storage.array_file import Arrays
from emberkeep.storage.postgres_layout import part_of
from emberkeep.storage.postgres_transaction import begin
from emberkeep.storage.search import Floats, Rows, Scores, ShelfKey

PREFIX = "vectors_hnsw_"  # of the names of the indexes
EFFORT_TO_SEARCH = 200  # the least `ef_search`
_PARAMETERS = ((1_000_000, 16, 64), (10_000_000, 24, 128))  # up to this many vectors: links per node, effort to build
_LARGEST = (32, 200)  # the same for more vectors
DROP_WITHIN_MS = 5_000  # how long dropping an index may wait for those who use it


def hnsw_parameters(count: int) -> tuple[int, int]:
    """Return the links per node and the effort to build an index of this many vectors.

    A larger index needs more of both to find the same share of the nearest. Up to a million vectors these are
    pgvector's defaults. A small shelf has no index at all, see `large_from`.
    """
    return next(((links, effort) for most, links, effort in _PARAMETERS if count <= most), _LARGEST)


class PgvectorShelf:
    """A partial HNSW index over `vectors`."""

    needs_vectors = False

    def __init__(self, key: ShelfKey, engine: Engine, nearest_on: Callable[[], Engine]) -> None:
        """The index is built and dropped on `engine`; `nearest_on` returns the engine to search on at the moment."""
        self._key = key
        self._engine = engine
        self._nearest_on = nearest_on
        self._name = f"{PREFIX}{key.space}_{key.shelf}"

    def build(self, keys: Rows, vectors: Floats, stop: Event) -> bool:  # noqa: ARG002 - the server has them
        """Build the index while others read and write; one whose building was interrupted is built again."""
        links, effort = hnsw_parameters(len(keys))
        with self._engine.connect() as connection:
            lock = {"shelf": self._key.shelf}
            if not connection.execute(text("SELECT pg_try_advisory_lock(:shelf)"), lock).scalar():
                return True  # another process is building it
            try:
                if not self._is_valid(connection):
                    connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {self._name}"))
                # Nothing but our own integers and names is put into this statement; DDL takes no bound values.
                connection.execute(
                    text(
                        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {self._name} ON {self._part(connection)} "
                        f"USING hnsw ((embedding::halfvec({self._key.dimension})) halfvec_cosine_ops) "
                        f"WITH (m = {links}, ef_construction = {effort}) "
                        f"WHERE space = {self._key.space} AND shelf = {self._key.shelf}"
                    )
                )
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:shelf)"), lock)
        return True

    def load(self) -> bool:
        """Return whether the index exists and is valid; without it the server compares with every vector."""
        with self._engine.connect() as connection:
            return self._is_valid(connection)

    def missing(self, keys: Rows) -> Rows:
        """Return no keys: the server indexes what it stores."""
        return keys[:0]

    def put(self, keys: Rows, vectors: Floats) -> None:
        """Do nothing: the server indexes what it stores."""

    def nearest(self, query: Floats, count: int) -> tuple[Rows, Scores]:
        """Return approximately the nearest keys, found by the index."""
        return self._ask("", query, count)

    def similarity(self, query: Floats, keys: Rows) -> Scores:
        """Return the cosine with each of these keys, computed by the server; NaN for a key that is not there."""
        found, scores = self._ask("AND revision = ANY(:keys)", query, len(keys), keys=keys.tolist())
        by_key = dict(zip(found.tolist(), scores.tolist(), strict=True))
        return np.array([by_key.get(key, np.nan) for key in keys.tolist()], dtype=np.float32)

    def memory(self) -> int:
        """Return 0: the server holds the index."""
        return 0

    def save(self, keys: Rows, *, tidy: bool) -> bool:  # noqa: ARG002 - the server keeps it
        """Do nothing: the server keeps the index."""
        return True

    def keep(self, state: Arrays) -> None:
        """Do nothing: a file on this machine would outlive what another machine deletes."""

    def kept(self) -> Arrays | None:
        """Return `None`: nothing is kept."""
        return None

    def discard(self) -> None:
        """Drop the index; raises an error if it is in use for longer than `DROP_WITHIN_MS`."""
        with self._engine.connect() as connection:
            connection.execute(text(f"SET lock_timeout = {DROP_WITHIN_MS}"))
            try:
                connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {self._name}"))
            finally:
                connection.execute(text("RESET lock_timeout"))

    def _part(self, connection: Connection) -> str:
        """Return the tenant's partition of `vectors`: while others write, an index can only be built on a partition."""
        query = text(
            "WITH parts AS (SELECT count(*)::int AS count FROM pg_partition_tree('vectors') WHERE isleaf) "
            "SELECT number FROM parts, generate_series(0, parts.count - 1) AS number WHERE "
            "satisfies_hash_partition('vectors'::regclass, parts.count, number, CAST(:tenant AS varchar))"
        )
        number: int = connection.execute(query, {"tenant": self._key.tenant}).scalar_one()
        return part_of("vectors", number)

    def _is_valid(self, connection: Connection) -> bool:
        query = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
        return bool(connection.execute(query, {"name": self._name}).scalar())

    def _ask(self, condition: str, query: Floats, count: int, **values: Any) -> tuple[Rows, Scores]:
        """Return the nearest keys that meet a further SQL condition, best first, with their cosine."""
        distance = f"embedding::halfvec({self._key.dimension}) <=> CAST(:query AS halfvec({self._key.dimension}))"
        statement = text(
            f"SELECT revision, {distance} AS distance FROM vectors "  # noqa: S608 - integers of ours
            f"WHERE tenant = :tenant AND space = {self._key.space} AND shelf = {self._key.shelf} {condition} "
            "ORDER BY distance LIMIT :count"
        ).bindparams(bindparam("count", count))
        vector = f"[{','.join(map(str, query.astype(np.float16).tolist()))}]"
        with self._nearest_on().connect() as connection:
            effort = f"hnsw.ef_search = {min(max(EFFORT_TO_SEARCH, count), 1000)}"
            begin(connection, self._key.tenant, "READ ONLY", effort)
            rows = connection.execute(statement, {"query": vector, "tenant": self._key.tenant, **values}).all()
        keys = np.array([row[0] for row in rows], dtype=np.int64)
        return keys, 1.0 - np.array([row[1] for row in rows], dtype=np.float32)
