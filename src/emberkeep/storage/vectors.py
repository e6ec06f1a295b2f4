"""Vectors: written beside their items, and found again by what was embedded."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, and_, bindparam, delete, func, insert, select, tuple_, update

from emberkeep.errors import EmbedderMismatch
from emberkeep.model.item import Item, spoken
from emberkeep.storage import driver, shelves
from emberkeep.storage.batches import batches
from emberkeep.storage.schema import LACKS_VECTOR, items, vectors
from emberkeep.storage.spaces import Space, active_space, space_exists

Floats = NDArray[np.float32]
# Made once, as most writes run them: SQLAlchemy takes longer to make a statement than SQLite to run it.
_pair = and_(
    vectors.c.tenant == items.c.tenant, vectors.c.item_id == items.c.id, vectors.c.space == bindparam("space_id")
)
_cached = select(vectors.c.embedded_hash, vectors.c.embedding, vectors.c.words).where(
    vectors.c.tenant == bindparam("owner"),
    vectors.c.space == bindparam("space_id"),
    vectors.c.embedded_hash.in_(bindparam("hashes", expanding=True)),
)
_wanting = (
    select(items.c.id, items.c.user_id, items.c.revision, items.c.cold)
    .outerjoin(vectors, _pair)
    .where(
        items.c.tenant == bindparam("owner"),
        items.c.id.in_(bindparam("ids", expanding=True)),
        vectors.c.item_id.is_(None),
    )
)
_mark = (
    update(items)
    .where(items.c.tenant == bindparam("owner"), items.c.id.in_(bindparam("ids", expanding=True)), items.c.unembedded)
    .values(unembedded=False)
)
_insert = insert(vectors)
_add_words = (
    update(vectors)
    .where(
        vectors.c.tenant == bindparam("owner"),
        vectors.c.space == bindparam("space_id"),
        vectors.c.item_id == bindparam("item"),
        vectors.c.embedded_hash == bindparam("digest"),
        vectors.c.words.is_(None),
    )
    .values(words=bindparam("said"))
)
_own = (vectors.c.tenant == bindparam("owner"), vectors.c.item_id == bindparam("item"))
_remove = delete(vectors).where(*_own)
_words = select(vectors.c.item_id, vectors.c.words).where(
    vectors.c.tenant == bindparam("owner"), vectors.c.space == bindparam("space_id")
)
_kept = select(*(column for column in vectors.c if column.name not in {"item_id", "revision"})).where(*_own)


@dataclass(frozen=True, slots=True)
class Unembedded:
    """An item that has no vector yet, as it was when it was read."""

    item_id: str
    revision: int
    text: str


def embedded_hash(text: str) -> bytes:
    """Names what was embedded."""
    return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vector of a text, and those of its words, packed, if there are any."""

    vector: Floats
    words: bytes | None = None


def cached(connection: Connection, tenant: str, space: Space, hashes: Sequence[bytes]) -> dict[bytes, Embedded]:
    """Vectors of texts that were embedded before."""
    known: dict[bytes, Embedded] = {}
    for some in batches(hashes):
        asked = {"owner": tenant, "space_id": space.id, "hashes": some}
        known |= {row[0]: Embedded(row[1].astype(np.float32), row[2]) for row in connection.execute(_cached, asked)}
    return known


def words_of(connection: Connection, tenant: str, space: Space, ids: Sequence[str]) -> dict[str, bytes | None]:
    """The packed words of those of some items that have a vector; nothing for one that was embedded without them."""
    found: dict[str, bytes | None] = {}
    for start in range(0, len(ids), driver.MOST_LISTED):
        size, values = driver.listed(ids[start : start + driver.MOST_LISTED])
        asked = {"owner": tenant, "space_id": space.id, **values}
        found |= {row[0]: row[1] for row in driver.rows(connection, _words_of(size), asked)}
    return found


def put(
    connection: Connection, tenant: str, space: Space, embedded: Sequence[Unembedded], made: Sequence[Embedded]
) -> int:
    """Write vectors; an item that was changed, deleted or embedded meanwhile is passed over. Returns how many."""
    is_active = is_in_use(connection, space)
    by_user: dict[str, list[int]] = defaultdict(list)
    for position, user_id, _ in _still_wanting(connection, tenant, space, embedded):
        by_user[user_id].append(position)
    written = 0
    for user_id, some in sorted(by_user.items()):
        claim = shelves.claim(connection, tenant, user_id, len(some))
        # Until the shelf was ours another writer may have embedded, changed or deleted some of them.
        wanting = _still_wanting(connection, tenant, space, [embedded[position] for position in some])
        positions = [some[place] for place, _, _ in wanting]
        cold = shelves.cold_number(claim.shelf)
        rows = [
            {
                **_row(tenant, space, embedded[position].item_id, embedded[position].text, made[position]),
                "shelf": cold if is_cold else claim.shelf,
                "revision": claim.first + offset,
            }
            for offset, (position, (_, _, is_cold)) in enumerate(zip(positions, wanting, strict=True))
        ]
        if rows:
            connection.execute(_insert, rows)
        if is_active:
            _mark_embedded(connection, tenant, [embedded[position].item_id for position in positions])
        written += len(rows)
    return written


def put_held(connection: Connection, tenant: str, space: Space, item: Item, made: Embedded, *, is_active: bool) -> None:
    """Write the vector of a warm item that has none, on a shelf that is held: nobody else has changed the item.

    Whether the space is the one in use, `is_in_use` says.
    """
    claim = shelves.claim(connection, tenant, item.user_id or "", 1)
    row = _row(tenant, space, item.id, item.spoken, made)
    connection.execute(_insert, {**row, "shelf": claim.shelf, "revision": claim.first})
    if is_active:
        _mark_embedded(connection, tenant, [item.id])


def remove(connection: Connection, tenant: str, item_id: str) -> None:
    """Drop an item's vectors."""
    connection.execute(_remove, {"owner": tenant, "item": item_id})


def copy(connection: Connection, tenant: str, item_id: str, *, to: str, revision: int) -> bool:
    """Give another item, which has the same text, the same vectors; whether there were any."""
    rows = connection.execute(_kept, {"owner": tenant, "item": item_id}).mappings()
    copies = [{**row, "item_id": to, "revision": revision} for row in rows]
    if copies:
        connection.execute(_insert, copies)
    return bool(copies)


def unembedded(
    connection: Connection,
    space: Space,
    tenant: str | None,
    *,
    after: tuple[str, str],
    limit: int,
    flagged: bool,
) -> list[tuple[str, Unembedded]]:
    """Some items without a vector in this space, each with its tenant, in the order of tenant and id.

    Those that lack one in the space in use are flagged, and quick to find; for any other space look at all items.
    """
    query = (
        select(items.c.tenant, items.c.id, items.c.revision, items.c.speaker, items.c.text, items.c.gloss)
        .outerjoin(vectors, _pair)
        .where(vectors.c.item_id.is_(None), tuple_(items.c.tenant, items.c.id) > tuple_(*after))
    )
    if tenant is not None:
        query = query.where(items.c.tenant == tenant)
    if flagged:
        query = query.where(LACKS_VECTOR)
    rows = connection.execute(query.order_by(items.c.tenant, items.c.id).limit(limit), {"space_id": space.id})
    return [
        (row.tenant, Unembedded(row.id, row.revision, spoken(row.speaker, row.text, row.gloss or ""))) for row in rows
    ]


def wordless(connection: Connection, space: Space, tenant: str, *, after: str, limit: int) -> list[Unembedded]:
    """Some items whose vectors were made without those of their words, in the order of their ids."""
    query = (
        select(items.c.id, items.c.revision, items.c.speaker, items.c.text, items.c.gloss)
        .select_from(vectors)
        .join(items, _pair)
        .where(vectors.c.tenant == tenant, vectors.c.words.is_(None), vectors.c.item_id > after)
    )
    rows = connection.execute(query.order_by(vectors.c.item_id).limit(limit), {"space_id": space.id})
    return [Unembedded(row.id, row.revision, spoken(row.speaker, row.text, row.gloss or "")) for row in rows]


def count_wordless(connection: Connection, space: Space, tenant: str) -> int:
    """How many items there are of those."""
    lacking = (vectors.c.tenant == tenant, vectors.c.space == space.id, vectors.c.words.is_(None))
    return connection.execute(select(func.count()).select_from(vectors).where(*lacking)).scalar_one()


def add_words(
    connection: Connection, tenant: str, space: Space, embedded: Sequence[Unembedded], made: Sequence[Embedded]
) -> int:
    """Put the words of texts beside their vectors, where those are of these texts still. Returns how many."""
    return sum(
        connection.execute(
            _add_words,
            {
                "owner": tenant,
                "space_id": space.id,
                "item": one.item_id,
                "digest": embedded_hash(one.text),
                "said": some.words,
            },
        ).rowcount
        for one, some in zip(embedded, made, strict=True)
    )


def count_unembedded(connection: Connection, tenant: str) -> int:
    """How many items lack a vector in the space in use."""
    query = select(func.count()).select_from(items).where(items.c.tenant == tenant, LACKS_VECTOR)
    return connection.execute(query).scalar_one()


def unflag_all(connection: Connection) -> None:
    """Say that no item lacks a vector."""
    connection.execute(update(items).where(items.c.unembedded).values(unembedded=False))


def is_in_use(connection: Connection, space: Space) -> bool:
    """Whether searches use a space; raises if it is gone."""
    active = active_space(connection)
    if space != active and not space_exists(connection, space):
        raise EmbedderMismatch(
            f"the store was rebuilt with {active.embedder if active else 'another embedder'!r} meanwhile: open it again"
        )
    return space == active


def _row(tenant: str, space: Space, item_id: str, text: str, made: Embedded) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "space": space.id,
        "item_id": item_id,
        "embedded_hash": embedded_hash(text),
        "embedding": made.vector,
        "words": made.words,
    }


def _still_wanting(
    connection: Connection, tenant: str, space: Space, embedded: Sequence[Unembedded]
) -> list[tuple[int, str, bool]]:
    """The places of those that are as they were read and have no vector yet, with their users; and which are cold."""
    ids = [one.item_id for one in embedded]
    found: dict[tuple[str, int], tuple[str, bool]] = {}
    for some in batches(ids):
        asked = {"owner": tenant, "space_id": space.id, "ids": some}
        for row in connection.execute(_wanting, asked):
            found[row.id, row.revision] = row.user_id, bool(row.cold)
    keys = ((one.item_id, one.revision) for one in embedded)
    return [(place, *found[key]) for place, key in enumerate(keys) if key in found]


@lru_cache
def _words_of(size: int) -> Select[Any]:
    return _words.where(vectors.c.item_id.in_(driver.places(size)))


def _mark_embedded(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    for some in batches(ids):
        connection.execute(_mark, {"owner": tenant, "ids": some})
