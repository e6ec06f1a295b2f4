"""A restore that has begun and not ended, written down in the database itself with how far it got.

Whoever opens a database looks here first, so that half a memory is never taken for a whole one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, delete, insert, select, update

from emberkeep.errors import Conflict, StoreUnavailable
from emberkeep.storage.schema import meta

NAME = "restoring"
_mine = meta.c.key == NAME


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Which archive is being restored, and how many rows of each table are there."""

    archive: str
    done: Mapping[str, int] = field(default_factory=dict)

    def after(self, table: str, rows: int) -> "Unfinished":
        """The state with so many more rows of a table."""
        return replace(self, done={**self.done, table: self.done.get(table, 0) + rows})

    def __str__(self) -> str:
        return json.dumps({"archive": self.archive, "done": self.done})


def get(connection: Connection) -> Unfinished | None:
    """The restore that has not ended; none in a database that is whole."""
    said = connection.execute(select(meta.c.value).where(_mine)).scalar()
    return None if said is None else Unfinished(**json.loads(said))


def begin(connection: Connection, state: Unfinished) -> None:
    """Write down that a restore begins."""
    connection.execute(insert(meta), {"key": NAME, "value": str(state)})


def advance(connection: Connection, state: Unfinished, to: Unfinished) -> None:
    """Write down how far it got, unless somebody else has got on meanwhile."""
    changed = connection.execute(update(meta).where(_mine, meta.c.value == str(state)).values(value=str(to)))
    if changed.rowcount != 1:
        raise Conflict("another process restores into this database: let it finish")


def end(connection: Connection) -> None:
    """Write down that all is there."""
    connection.execute(delete(meta).where(_mine))


def refuse(connection: Connection, url: str) -> None:
    """Refuse a database that a restore has not filled."""
    if get(connection) is not None:
        raise StoreUnavailable(
            f"{url}: restoring it has not finished. Run the same `emberkeep restore` again, which goes on where it "
            "was, or delete the database"
        )
