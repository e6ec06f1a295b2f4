"""A restore that has begun and not ended, recorded in the database itself with its progress.

Opening a database checks for one, so that half a memory is never taken for a whole one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, delete, insert, select, update

from emberkeep.errors import Conflict, StoreUnavailable
from emberkeep.storage.schema import meta

NAME = "restoring"  # the key in `meta`
_mine = meta.c.key == NAME


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The archive that is being restored, and how many rows of each table were written."""

    archive: str
    done: Mapping[str, int] = field(default_factory=dict)

    def after(self, table: str, rows: int) -> "Unfinished":
        """Return the state after this many more rows of a table."""
        return replace(self, done={**self.done, table: self.done.get(table, 0) + rows})

    def __str__(self) -> str:
        return json.dumps({"archive": self.archive, "done": self.done})


def get(connection: Connection) -> Unfinished | None:
    """Return the restore that has not ended; `None` in a database that is whole."""
    stored = connection.execute(select(meta.c.value).where(_mine)).scalar()
    return None if stored is None else Unfinished(**json.loads(stored))


def begin(connection: Connection, state: Unfinished) -> None:
    """Record that a restore begins."""
    connection.execute(insert(meta), {"key": NAME, "value": str(state)})


def advance(connection: Connection, state: Unfinished, to: Unfinished) -> None:
    """Record progress; raises `Conflict` if another process has recorded some meanwhile."""
    changed = connection.execute(update(meta).where(_mine, meta.c.value == str(state)).values(value=str(to)))
    if changed.rowcount != 1:
        raise Conflict("another process restores into this database: let it finish")


def end(connection: Connection) -> None:
    """Record that the restore is complete."""
    connection.execute(delete(meta).where(_mine))


def refuse(connection: Connection, url: str) -> None:
    """Raise `StoreUnavailable` if a restore into the database has not ended."""
    if get(connection) is not None:
        raise StoreUnavailable(
            f"{url}: restoring it has not finished. Run the same `emberkeep restore` again, which goes on where it "
            "was, or delete the database"
        )
