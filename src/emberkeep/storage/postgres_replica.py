"""A replica of a PostgreSQL: a second server that follows the first and answers reads, as long as it is of use.

Whenever it is not (down, behind, promoted), the caller is told so by getting nothing, and asks the primary.
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
CONNECT_S = 2  # the least that libpq waits
WAIT_S = 1.0  # for a free connection; then the primary may have one
LOOK_AGAIN_S = 0.02  # at one that is behind
FIRST_REST_S, LONGEST_REST_S = 1.0, 15.0
# A copy has the number of the server it was copied from, and its databases have theirs.
_IDENTITY = """
    SELECT system_identifier, (SELECT oid FROM pg_database WHERE datname = current_database()) FROM pg_control_system()
"""
Identity = tuple[int, int]


def identity_of(connection: psycopg.Connection) -> Identity:
    """What tells a database from all others but its copies."""
    row = connection.execute(_IDENTITY).fetchone()
    return (0, 0) if row is None else (row[0], row[1])


class Replica:
    """Gives connections to a replica, and knows how far it has to have come for whom."""

    def __init__(self, target: URL, pool: dict[str, Any], original: Callable[[], Identity]) -> None:
        """Where it is; `original` says what it is to be a copy of."""
        self.url = discreet(target.set(drivername="postgresql").render_as_string(hide_password=False))
        self.marks = Marks()
        self.counts = Counter(replica=0, primary=0)
        self._original = original
        self._lock = threading.Lock()
        self._failed = 0  # times in a row
        self._rest_until = 0.0
        self._replayed = 0
        self._look_at = 0.0
        arguments = {**pool["connect_args"], "connect_timeout": CONNECT_S, "tcp_user_timeout": 1_000 * CONNECT_S}
        # The message that begins a transaction is as good as a ping.
        options = {**pool, "pool_pre_ping": False, "pool_timeout": WAIT_S, "connect_args": arguments}
        self.engine, self.vectors = (create_engine(target, **options) for _ in range(2))
        for engine in (self.engine, self.vectors):
            event.listen(engine, "connect", self._verify)

    def begun(self, tenant: str) -> Connection | None:
        """A connection in a transaction that sees all that the tenant has to see; nothing if there is none now."""
        mark = self.marks.of(tenant)
        connection = None
        if (mark is None or self._may_have(mark)) and self._is_up():
            connection = self._begun(tenant, 0 if mark is None else mark.position)
        if connection is not None and mark is not None:
            self.marks.passed(tenant, mark)
        self._count("primary" if connection is None else "replica")
        return connection

    def failed(self, reason: object) -> None:
        """Leave it alone for a while, longer each time; it is logged once that it does not answer."""
        with self._lock:
            self._failed += 1
            self._rest_until = time.monotonic() + min(LONGEST_REST_S, FIRST_REST_S * 2 ** (self._failed - 1))
            first = self._failed == 1
        for engine in (self.engine, self.vectors):
            engine.dispose()  # what is left of its connections would fail one by one
        if first:
            _logger.warning("the replica %s is not asked, the primary answers: %s", self.url, reason)

    def check(self) -> None:
        """Raise `ConfigError` if what answers there is no copy of the original; if nothing does, that is for later."""
        try:
            self.engine.connect().close()
        except DBAPIError as error:
            self.failed(_words(error))

    def replayed(self) -> int | None:
        """How much of the log it has replayed; nothing if it is no replica. Raises what the driver raises."""
        with self.engine.connect() as connection:
            return begin_on_replica(connection, "", SNAPSHOT)

    def close(self) -> None:
        """Close the pools."""
        self.engine.dispose()
        self.vectors.dispose()

    def _begun(self, tenant: str, wanted: int) -> Connection | None:
        try:
            connection = self.engine.connect()
        except PoolTimeout:
            return None
        except (DBAPIError, ConfigError) as error:
            self.failed(_words(error))
            return None
        try:
            replayed = begin_on_replica(connection, tenant, SNAPSHOT)
        except (psycopg.Error, DBAPIError, PoolTimeout, ConfigError) as error:  # the latter of one that took its place
            _drop(connection)
            self.failed(_words(error))
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
        """Whether it is worth asking if it has come so far."""
        return mark.is_known and (mark.position <= self._replayed or time.monotonic() >= self._look_at)

    def _is_up(self) -> bool:
        """Whether to ask it; while it does not answer, one caller at a time finds out if it does again."""
        if not self._failed:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._rest_until:
                return False
            self._rest_until = now + LONGEST_REST_S
            return True

    def _answered(self, replayed: int) -> None:
        self._replayed, self._look_at = replayed, time.monotonic() + LOOK_AGAIN_S
        if self._failed:
            with self._lock:
                self._failed = 0
            _logger.info("the replica %s answers again", self.url)

    def _count(self, where: str) -> None:
        with self._lock:
            self.counts[where] += 1

    def _verify(self, connection: psycopg.Connection, _record: object) -> None:
        if identity_of(connection) != self._original():
            connection.close()
            raise ConfigError(
                f"{self.url} is no replica of this database: name one that follows it as read_db, or leave it out"
            )


def _drop(connection: Connection) -> None:
    with suppress(DBAPIError):
        connection.invalidate()
    connection.close()


def _words(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
