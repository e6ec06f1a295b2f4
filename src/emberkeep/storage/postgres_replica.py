"""A replica of a PostgreSQL: a second server that follows the primary and answers reads.

While it cannot (because it is down, behind or promoted), the caller gets no connection to it, and asks the primary.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg
from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from emberkeep.config import discreet
from emberkeep.errors import ConfigError
from emberkeep.storage.freshness import Mark, Marks
from emberkeep.storage.postgres_transaction import SNAPSHOT, begin_on_replica

_logger = logging.getLogger(__name__)
CONNECT_S = 2  # the shortest timeout that libpq allows
WAIT_S = 1.0  # how long to wait for a free connection before asking the primary
LOOK_AGAIN_S = 0.02  # how long a replica that is behind is not asked again
FIRST_REST_S, LONGEST_REST_S = 1.0, 15.0  # how long one that failed is not asked again
# A copy has the identifier of the server that it was copied from, and its databases have the same oids.
_IDENTITY = """
    SELECT system_identifier, (SELECT oid FROM pg_database WHERE datname = current_database()) FROM pg_control_system()
"""
Identity = tuple[int, int]


def identity_of(connection: psycopg.Connection) -> Identity:
    """Return what tells a database from all others except its copies."""
    row = connection.execute(_IDENTITY).fetchone()
    return (0, 0) if row is None else (row[0], row[1])


class Replica:
    """Gives connections to a replica, and knows how far it must have replayed the log for each tenant."""

    def __init__(self, target: URL, pool: dict[str, Any], original: Callable[[], Identity]) -> None:
        """Take the replica's URL and the options of its pools; `original` returns the primary's identity."""
        self.url = discreet(target.set(drivername="postgresql").render_as_string(hide_password=False))
        self.marks = Marks()
        self.counts = Counter(replica=0, primary=0)
        self._original = original
        self._lock = threading.Lock()
        self._failed = 0  # times in a row
        self._rest_until = 0.0  # after a failure, not asked before this time
        self._replayed = 0  # how far it had come when it last answered
        self._look_at = 0.0  # when to ask how far it is by now
        arguments = {**pool["connect_args"], "connect_timeout": CONNECT_S, "tcp_user_timeout": 1_000 * CONNECT_S}
        # No ping: the message that begins a transaction finds out as well whether the connection is still open.
        options = {**pool, "pool_pre_ping": False, "pool_timeout": WAIT_S, "connect_args": arguments}
        self.engine, self.vectors = (create_engine(target, **options) for _ in range(2))
        for engine in (self.engine, self.vectors):
            event.listen(engine, "connect", self._verify)

    def begun(self, tenant: str) -> Connection | None:
        """Return a connection in a transaction that sees all that the tenant wrote; `None` if there is none now."""
        mark = self.marks.of(tenant)
        connection = None
        if (mark is None or self._may_have(mark)) and self._is_up():
            connection = self._begun(tenant, 0 if mark is None else mark.position)
        if connection is not None and mark is not None:
            self.marks.passed(tenant, mark)
        self._count("primary" if connection is None else "replica")
        return connection

    def failed(self, reason: object) -> None:
        """Leave the replica alone for a while, longer each time; the first failure in a row is logged."""
        with self._lock:
            self._failed += 1
            self._rest_until = time.monotonic() + min(LONGEST_REST_S, FIRST_REST_S * 2 ** (self._failed - 1))
            first = self._failed == 1
        for engine in (self.engine, self.vectors):
            engine.dispose()  # its pooled connections would fail one by one
        if first:
            _logger.warning("the replica %s is not asked, the primary answers: %s", self.url, reason)

    def check(self) -> None:
        """Raise `ConfigError` if the server is no copy of the primary; if none answers, it is asked again later."""
        try:
            self.engine.connect().close()
        except DBAPIError as error:
            self.failed(_first_line(error))

    def replayed(self) -> int | None:
        """Return how far it has replayed the log; `None` if it is no replica. Raises the driver's errors."""
        with self.engine.connect() as connection:
            return begin_on_replica(connection, "", SNAPSHOT)

    def close(self) -> None:
        """Close the pools."""
        self.engine.dispose()
        self.vectors.dispose()

    def _begun(self, tenant: str, wanted: int) -> Connection | None:
        """Return a connection in a transaction, if the replica answers and has replayed the log as far as wanted."""
        try:
            connection = self.engine.connect()
        except PoolTimeout:
            return None
        except (DBAPIError, ConfigError) as error:
            self.failed(_first_line(error))
            return None
        try:
            replayed = begin_on_replica(connection, tenant, SNAPSHOT)
        except (psycopg.Error, DBAPIError, PoolTimeout, ConfigError) as error:  # the last if another took its place
            _drop(connection)
            self.failed(_first_line(error))
            return None
        if replayed is None:
            connection.close()
            self.failed("it is no replica any more: name another as read_db, or none")
            return None
        self._answered(replayed)
        if replayed < wanted:
            connection.close()
            return None
        return connection

    def _may_have(self, mark: Mark) -> bool:
        """Return whether it may have come as far as a mark (if that is known): it had, or it is time to ask again."""
        return mark.is_known and (mark.position <= self._replayed or time.monotonic() >= self._look_at)

    def _is_up(self) -> bool:
        """Return whether to ask it. While it does not answer, one caller at a time tries whether it does again."""
        if not self._failed:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._rest_until:
                return False
            self._rest_until = now + LONGEST_REST_S
            return True

    def _answered(self, replayed: int) -> None:
        """Take note that it answered, and how far it has come."""
        self._replayed, self._look_at = replayed, time.monotonic() + LOOK_AGAIN_S
        if self._failed:
            with self._lock:
                self._failed = 0
            _logger.info("the replica %s answers again", self.url)

    def _count(self, where: str) -> None:
        with self._lock:
            self.counts[where] += 1

    def _verify(self, connection: psycopg.Connection, _record: object) -> None:
        """Refuse a new connection to anything but a copy of the primary's database."""
        if identity_of(connection) != self._original():
            connection.close()
            raise ConfigError(
                f"{self.url} is no replica of this database: name one that follows it as read_db, or leave it out"
            )


def _drop(connection: Connection) -> None:
    """Close a connection that may be broken, and keep it out of the pool."""
    with suppress(DBAPIError):
        connection.invalidate()
    connection.close()


def _first_line(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
