"""How a transaction on PostgreSQL begins: with the tenant it is for, in the same round trip.

Row-level security (`postgres_layout.py`) lets a transaction see the rows of the tenant that it names, and none if it
names nobody. The engines are in autocommit mode, so that the driver does not begin transactions by itself.
"""

from typing import cast

import psycopg
from psycopg.sql import Literal
from sqlalchemy import Connection

SNAPSHOT = "ISOLATION LEVEL REPEATABLE READ READ ONLY"


def begin(connection: Connection, tenant: str, mode: str = "", *settings: str) -> None:
    """Begin a transaction in which one tenant's rows are there, or everyone's; further settings hold for it alone."""
    driver = cast("psycopg.Connection", connection.connection.driver_connection)
    local = [f"emberkeep.tenant = {Literal(tenant).as_string(driver)}", *settings]
    # Several statements in one message, which the server takes as long as they are not prepared.
    driver.execute("; ".join([f"BEGIN {mode}", *(f"SET LOCAL {one}" for one in local)]).encode(), prepare=False)
