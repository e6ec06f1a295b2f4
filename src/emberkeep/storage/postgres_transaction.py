"""How a transaction on PostgreSQL begins: with the tenant it is for, in the same round trip.

Row-level security (`postgres_layout.py`) lets a transaction see the rows of the tenant that it names, and none if it
names nobody. The engines are in autocommit mode, so that the driver does not begin transactions by itself.
"""

from typing import cast

import psycopg
from psycopg.sql import Literal
from sqlalchemy import Connection

from emberkeep.model.position import parse_position

SNAPSHOT = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
# What was committed is on disk, unless the server is told not to wait for that. Beyond it there may be what reading
# left (pages that were tidied up), which is not sent to a replica before somebody commits.
END_OF_LOG = (
    "SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() "
    "ELSE pg_current_wal_flush_lsn() END"
)
_USED = "emberkeep_used"  # of a connection: whether a transaction began on it before
_REPLAYED = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END"


def begin(connection: Connection, tenant: str, mode: str = "", *settings: str) -> None:
    """Begin a transaction in which one tenant's rows are there, or everyone's; further settings hold for it alone."""
    _send(connection, *_beginning(connection, tenant, mode, *settings))


def begin_at_end(connection: Connection, tenant: str, mode: str) -> int:
    """The same on a primary, and how far its log has come."""
    cursor = _send(connection, *_beginning(connection, tenant, mode), END_OF_LOG)
    while cursor.nextset():
        pass
    (end,) = cursor.fetchone() or (None,)
    return parse_position(end or "")


def begin_on_replica(connection: Connection, tenant: str, mode: str, *settings: str) -> int | None:
    """The same on a replica, and how much of the log it had replayed before; nothing if it is a replica no longer."""
    # In a transaction of its own: in the same one, the snapshot would be older than the position.
    asked = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY", _REPLAYED, "COMMIT"
    cursor = _send(connection, *asked, *_beginning(connection, tenant, mode, *settings))
    cursor.nextset()
    row = cursor.fetchone()
    return parse_position(row[0]) if row and row[0] else None


def driver_of(connection: Connection) -> "psycopg.Connection":
    """The driver's own connection."""
    return cast("psycopg.Connection", connection.connection.driver_connection)


def _beginning(connection: Connection, tenant: str, mode: str, *settings: str) -> list[str]:
    named = f"emberkeep.tenant = {Literal(tenant).as_string(driver_of(connection))}"
    return [f"BEGIN {mode}", *(f"SET LOCAL {one}" for one in (named, *settings))]


def _send(connection: Connection, *statements: str) -> "psycopg.Cursor[tuple[str | None]]":
    """Send what begins a transaction; a connection that the server ended since it was last used is replaced."""
    # Several statements in one message, which the server takes as long as they are not prepared.
    message = "; ".join(statements).encode()
    while True:
        driver, is_new = driver_of(connection), not connection.info.get(_USED)
        try:
            cursor = driver.execute(message, prepare=False)
        except psycopg.OperationalError:
            if is_new or not driver.closed:
                raise
            connection.invalidate()  # SQLAlchemy takes another one when it is next asked for
        else:
            connection.info[_USED] = True
            return cursor
