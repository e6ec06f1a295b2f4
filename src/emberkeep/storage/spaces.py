"""Vector spaces: which there are, which embedder made the vectors of each, and which one is in use."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, text

from emberkeep.model.moment import to_micros
from emberkeep.storage.schema import meta, spaces, vectors

# Keys in `meta`.
ACTIVE = "space"
FIRST = "first space"
# A condition that is true of the space in use.
is_active = spaces.c.id == select(meta.c.value.cast(spaces.c.id.type)).where(meta.c.key == ACTIVE).scalar_subquery()
_active = select(spaces.c.id, spaces.c.embedder, spaces.c.dimension).where(is_active)
_one = select(spaces.c.id).where(spaces.c.id == bindparam("space_id"))
_set_meta = text(
    "INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)


@dataclass(frozen=True, slots=True)
class Space:
    """A set of vectors that can be compared with each other, as one embedder made them."""

    id: int
    embedder: str
    dimension: int


def active_space(connection: Connection) -> Space | None:
    """Return the space that searches use; `None` before the first vector."""
    row = connection.execute(_active).first()
    return None if row is None else Space(*row)


def space_exists(connection: Connection, space: Space) -> bool:
    """Return whether a space still exists."""
    return connection.execute(_one, {"space_id": space.id}).first() is not None


def first_space(connection: Connection, embedder: str, dimension: int, now: datetime) -> Space:
    """Return the space in use, creating it unless another process was quicker."""
    connection.execute(_set_meta, {"key": FIRST, "value": "taken"})  # on PostgreSQL, makes a second process wait
    space = active_space(connection)
    if space is None:
        space = _create(connection, embedder, dimension, now)
        activate_space(connection, space)
    return space


def next_space(connection: Connection, embedder: str, dimension: int, now: datetime) -> Space:
    """Return a space to fill before it is used: a new one, or one that was left half full."""
    active = active_space(connection)
    query = select(spaces.c.id).where(spaces.c.embedder == embedder, spaces.c.dimension == dimension)
    for row in connection.execute(query.order_by(spaces.c.created_at)):
        if active is None or row.id != active.id:
            return Space(row.id, embedder, dimension)
    return _create(connection, embedder, dimension, now)


def activate_space(connection: Connection, space: Space) -> None:
    """Make searches use this space."""
    connection.execute(_set_meta, {"key": ACTIVE, "value": str(space.id)})


def drop_other_spaces(connection: Connection, space: Space) -> list[Space]:
    """Remove all spaces but this one, with their vectors; returns the removed spaces."""
    query = select(spaces.c.id, spaces.c.embedder, spaces.c.dimension).where(spaces.c.id != space.id)
    others = [Space(*row) for row in connection.execute(query)]
    connection.execute(delete(vectors).where(vectors.c.space != space.id))
    connection.execute(delete(spaces).where(spaces.c.id != space.id))
    return others


def _create(connection: Connection, embedder: str, dimension: int, now: datetime) -> Space:
    space = Space(secrets.randbits(48), embedder, dimension)
    values = {"id": space.id, "embedder": embedder, "dimension": dimension, "created_at": to_micros(now)}
    connection.execute(insert(spaces), values)
    return space
