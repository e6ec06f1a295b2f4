"""Withdrawing the long-term summary of a record when something that the summary tells of is deleted."""

from typing import Any

from sqlalchemy import Connection

from emberkeep.storage import archive, erasure, items
from emberkeep.storage.records import Noun
from emberkeep.work.desk import Desk, Owner


def untell(desk: Desk, connection: Connection, noun: Noun[Any], record_id: str | None, owner: Owner) -> dict[str, int]:
    """Remove the summary of an archived record, so that the next upkeep writes it anew; returns rows by table."""
    if record_id is None:
        return {}
    shelf = owner.user_id or ""
    filed = items.of_record(connection, desk.tenant, f"{noun.name}:{record_id}", shelf)
    told = [item.id for item in items.fetch(connection, desk.tenant, filed).values() if item.kind == "summary"]
    archive.unmark(connection, noun.table, desk.tenant, record_id)
    return erasure.erase_filed(connection, desk.tenant, shelf, told) if told else {}
