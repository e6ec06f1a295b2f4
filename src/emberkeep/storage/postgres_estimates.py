"""What PostgreSQL believes of how much a tenant has, kept near the truth.

Its statistics know the tenants there were when they were taken. If those are few, one who came since has a single row,
as far as it knows: then it reads all that the tenant has where an index would lead to a few rows, and in a join it
compares each with each. By itself it looks again when a tenth of a table has changed, and not within a minute.
"""

import logging
import math
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import Connection, Engine, Executable, Insert, event
from sqlalchemy.exc import SQLAlchemyError

from emberkeep.storage.postgres_transaction import begin
from emberkeep.storage.schema import metadata

Rows = Sequence[Mapping[str, Any]]

_logger = logging.getLogger(__name__)
FIRST = 64  # rows of a tenant in a table, from which on it matters
NEXT = 4  # times as many, and it is looked at again
OFF = 8  # times fewer are believed: then statistics are taken
MOST_KNOWN = 100_000  # counts that are held
LOCK_MS = 100  # that whoever takes statistics may wait: somebody else who holds the table may be doing just that
COUNTED = ("tenant", "user_id")  # columns
UNCOUNTED = {"items": "interactions"}  # which are inserted without SQLAlchemy, and grow with the former
_TABLES = {table: name for name, table in metadata.tables.items() if "tenant" in table.c}


class Heap(NamedTuple):
    """What a tenant has in a table."""

    tenant: str
    table: str


class Estimates:
    """Counts what this process writes, and looks at what PostgreSQL believes when a tenant has grown a lot."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._written: Counter[Heap] = Counter()
        self._due: set[Heap] = set()
        event.listen(engine, "after_execute", self._count)

    def check(self) -> None:
        """After a commit: have statistics taken where they are far off; if something is in the way, the next time."""
        if not self._due:
            return
        with self._lock:
            due, self._due = self._due, set()
        for heap in due:
            self._check(heap, self._written[heap])
            if heap.table in UNCOUNTED:
                self._check(Heap(heap.tenant, UNCOUNTED[heap.table]), FIRST)

    def _check(self, heap: Heap, written: int) -> None:
        try:
            self._correct(heap, written)
        except (SQLAlchemyError, psycopg.Error) as error:  # what was written is written all the same
            _logger.debug("no statistics of %s: %s", heap.table, error)

    def _correct(self, heap: Heap, written: int) -> None:
        with self._engine.connect() as connection:
            begin(connection, heap.tenant, "READ WRITE", f"lock_timeout = {LOCK_MS}")
            believed, part = _believed(connection, heap)
            if believed * OFF < written:
                columns = ", ".join(name for name in COUNTED if name in metadata.tables[heap.table].c)
                connection.exec_driver_sql(f"ANALYZE {part} ({columns})")
            connection.exec_driver_sql("COMMIT")

    def _count(
        self, _connection: Connection, statement: Executable, many: Rows, one: Mapping[str, Any], *_rest: object
    ) -> None:
        if not isinstance(statement, Insert) or statement.table not in _TABLES:
            return
        rows = many or [one]
        heap = Heap(str(rows[0].get("tenant", "")), _TABLES[statement.table])
        with self._lock:
            if len(self._written) >= MOST_KNOWN:
                self._written.clear()
            before = self._written[heap]
            self._written[heap] = now = before + len(rows)
            if heap.tenant and now >= FIRST and _steps(now) > _steps(before):
                self._due.add(heap)


def _steps(rows: int) -> int:
    """How often a heap has become that much larger."""
    return int(math.log(max(rows, FIRST) / FIRST, NEXT)) + (rows >= FIRST)


def _believed(connection: Connection, heap: Heap) -> tuple[float, str]:
    """How many rows PostgreSQL expects a tenant to have in a table, and in which part of that."""
    query = f"EXPLAIN (FORMAT JSON) SELECT tenant FROM {heap.table} WHERE tenant = %s"  # noqa: S608 - our name
    plan = connection.exec_driver_sql(query, (heap.tenant,)).scalar_one()[0]["Plan"]
    rows = float(plan["Plan Rows"])
    while "Relation Name" not in plan:  # it would be read by several processes
        plan = plan["Plans"][0]
    return rows, str(plan["Relation Name"])
