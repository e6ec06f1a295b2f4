"""Beginning a transaction on PostgreSQL, and naming the tenant that it is for in the same round trip.

Row-level security (`postgres_layout.py`) shows a transaction the rows of the tenant that it names, and none if it names
nobody. The engines are in autocommit mode, so that the driver does not begin transactions by itself.
"""

from typing import cast

import psycopg
from psycopg.sql import Literal
from sqlalchemy import Connection

from emberkeep.model.position import parse_position

SNAPSHOT = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
# All that is committed is on disk, unless the server is configured not to wait for that. Beyond it the log may hold
# traces of reads (pages that were pruned), which are not sent to a replica before the next commit.
END_OF_LOG = (
    "SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() "
    "ELSE pg_current_wal_flush_lsn() END"
)
_USED = "emberkeep_used"  # the key in `Connection.info` that says whether a transaction has begun on it before
# Null if the server is no replica.
_REPLAYED = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END"


def begin(connection: Connection, tenant: str, mode: str = "", *settings: str) -> None:
    """Begin a transaction that sees one tenant's rows, or everyone's; further settings are for it alone."""
    _send(connection, *_beginning(connection, tenant, mode, *settings))


def begin_at_end(connection: Connection, tenant: str, mode: str) -> int:
    """Begin a transaction on a primary, and return the position of the end of its log."""
    cursor = _send(connection, *_beginning(connection, tenant, mode), END_OF_LOG)
    while cursor.nextset():
        pass
    (end,) = cursor.fetchone() or (None,)
    return parse_position(end or "")


def begin_on_replica(connection: Connection, tenant: str, mode: str, *settings: str) -> int | None:
    """Begin a transaction on a replica, and return how far that had replayed the log; `None` if it is no replica."""
    # The position is read first, in a transaction of its own: in the same one, the snapshot would be older than it.
    asked = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY", _REPLAYED, "COMMIT"
    cursor = _send(connection, *asked, *_beginning(connection, tenant, mode, *settings))
    cursor.nextset()
    row = cursor.fetchone()
    return parse_position(row[0]) if row and row[0] else None


def driver_of(connection: Connection) -> "psycopg.Connection":
    """Return the driver's own connection."""
    return cast("psycopg.Connection", connection.connection.driver_connection)


def _beginning(connection: Connection, tenant: str, mode: str, *settings: str) -> list[str]:
    named = f"emberkeep.tenant = {Literal(tenant).as_string(driver_of(connection))}"
    return [f"BEGIN {mode}", *(f"SET LOCAL {setting}" for setting in (named, *settings))]


def _send(connection: Connection, *statements: str) -> "psycopg.Cursor[tuple[str | None]]":
    """Send the first statements of a transaction; a connection that the server has closed meanwhile is replaced."""
    # All in one message, which the server accepts as long as the statements are not prepared.
    message = "; ".join(statements).encode()
    while True:
        driver, is_new = driver_of(connection), not connection.info.get(_USED)
        try:
            cursor = driver.execute(message, prepare=False)
        except psycopg.OperationalError:
            if is_new or not driver.closed:
                raise
            connection.invalidate()  # SQLAlchemy then takes another one from the pool
        else:
            connection.info[_USED] = True
            return cursor
