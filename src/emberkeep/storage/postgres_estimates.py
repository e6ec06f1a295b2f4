"""PostgreSQL's estimates of how many rows a tenant has, kept near the truth.

Statistics know the tenants that existed when they were taken. If those were few, PostgreSQL expects a single row of a
tenant that came later. Then it reads all that the tenant has where an index would lead to a few rows, and in a join it
compares every row with every other. By itself it takes new statistics only after a tenth of a table has changed, and
not within a minute.
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
FIRST = 64  # rows of a tenant in a table from which on an estimate is checked
NEXT = 4  # it is checked again when there are this many times more rows
OFF = 8  # statistics are taken if the estimate is this many times too low
MOST_KNOWN = 100_000  # counts of rows to hold
LOCK_MS = 100  # how long to wait for the table: whoever has it locked may be taking statistics already
COUNTED = ("tenant", "user_id")  # columns to take statistics of
UNCOUNTED = {"items": "interactions"}  # by counted table, one inserted into without SQLAlchemy that grows with it
_TABLES = {table: name for name, table in metadata.tables.items() if "tenant" in table.c}


class Heap(NamedTuple):
    """The rows of a tenant in a table."""

    tenant: str
    table: str


class Estimates:
    """Counts the rows that this process inserts, and checks PostgreSQL's estimate when a tenant has grown a lot."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._written: Counter[Heap] = Counter()
        self._due: set[Heap] = set()
        event.listen(engine, "after_execute", self._count)

    def check(self) -> None:
        """Check the estimates that are due, after a commit. One that fails is left until the tenant has grown again."""
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
        except (SQLAlchemyError, psycopg.Error) as error:  # the rows are committed, whatever the estimate is
            _logger.debug("no statistics of %s: %s", heap.table, error)

    def _correct(self, heap: Heap, written: int) -> None:
        """Take statistics if the estimate is far too low."""
        with self._engine.connect() as connection:
            begin(connection, heap.tenant, "READ WRITE", f"lock_timeout = {LOCK_MS}")
            estimate, partition = _believed(connection, heap)
            if estimate * OFF < written:
                columns = ", ".join(name for name in COUNTED if name in metadata.tables[heap.table].c)
                connection.exec_driver_sql(f"ANALYZE {partition} ({columns})")
            connection.exec_driver_sql("COMMIT")

    def _count(
        self, _connection: Connection, statement: Executable, many: Rows, single: Mapping[str, Any], *_rest: object
    ) -> None:
        """Count the rows of an insert that SQLAlchemy has executed."""
        if not isinstance(statement, Insert) or statement.table not in _TABLES:
            return
        rows = many or [single]
        heap = Heap(str(rows[0].get("tenant", "")), _TABLES[statement.table])
        with self._lock:
            if len(self._written) >= MOST_KNOWN:
                self._written.clear()
            before = self._written[heap]
            self._written[heap] = now = before + len(rows)
            if heap.tenant and now >= FIRST and _steps(now) > _steps(before):
                self._due.add(heap)


def _steps(rows: int) -> int:
    """Return how many checks this many rows call for: one at `FIRST`, and one at each `NEXT` times as many."""
    return int(math.log(max(rows, FIRST) / FIRST, NEXT)) + (rows >= FIRST)


def _believed(connection: Connection, heap: Heap) -> tuple[float, str]:
    """Return how many rows PostgreSQL expects a tenant to have in a table, and the partition that holds them."""
    query = f"EXPLAIN (FORMAT JSON) SELECT tenant FROM {heap.table} WHERE tenant = %s"  # noqa: S608 - our name
    plan = connection.exec_driver_sql(query, (heap.tenant,)).scalar_one()[0]["Plan"]
    rows = float(plan["Plan Rows"])
    while "Relation Name" not in plan:  # a parallel plan, in which the scan is further down
        plan = plan["Plans"][0]
    return rows, str(plan["Relation Name"])
