"""Vectors: written beside their items, and found again by the text that was embedded."""

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
# Built once, as most writes run them: SQLAlchemy takes longer to build a statement than SQLite to run it.
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
_unflag = (
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
_copied = select(*(column for column in vectors.c if column.name not in {"item_id", "revision"})).where(*_own)


@dataclass(frozen=True, slots=True)
class Unembedded:
    """An item that is to be embedded, as it was when it was read."""

    item_id: str
    revision: int
    text: str


def embedded_hash(text: str) -> bytes:
    """Return the hash by which the vector of a text is found again."""
    return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vector of a text, and the packed vectors of its words, if there are any."""

    vector: Floats
    words: bytes | None = None


def cached(connection: Connection, tenant: str, space: Space, hashes: Sequence[bytes]) -> dict[bytes, Embedded]:
    """Return the vectors of texts that were embedded before, by hash."""
    known: dict[bytes, Embedded] = {}
    for batch in batches(hashes):
        asked = {"owner": tenant, "space_id": space.id, "hashes": batch}
        known |= {row[0]: Embedded(row[1].astype(np.float32), row[2]) for row in connection.execute(_cached, asked)}
    return known


def words_of(connection: Connection, tenant: str, space: Space, ids: Sequence[str]) -> dict[str, bytes | None]:
    """Return the packed word vectors of those items that have a vector, by id; `None` for a vector without any."""
    found: dict[str, bytes | None] = {}
    for start in range(0, len(ids), driver.MOST_LISTED):
        size, values = driver.listed(ids[start : start + driver.MOST_LISTED])
        asked = {"owner": tenant, "space_id": space.id, **values}
        found |= {row[0]: row[1] for row in driver.rows(connection, _words_of(size), asked)}
    return found


def put(
    connection: Connection, tenant: str, space: Space, embedded: Sequence[Unembedded], made: Sequence[Embedded]
) -> int:
    """Write vectors, except of items that were changed, deleted or embedded meanwhile; returns how many."""
    is_active = is_in_use(connection, space)
    by_user: dict[str, list[int]] = defaultdict(list)
    for position, user_id, _ in _still_wanting(connection, tenant, space, embedded):
        by_user[user_id].append(position)
    written = 0
    for user_id, candidates in sorted(by_user.items()):
        claim = shelves.claim(connection, tenant, user_id, len(candidates))
        # Before we had the shelf locked, another writer may have embedded, changed or deleted some of them.
        wanting = _still_wanting(connection, tenant, space, [embedded[position] for position in candidates])
        positions = [candidates[place] for place, _, _ in wanting]
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
    """Write the vector of a warm item that has none, while its shelf is locked, so that nobody else changes the item.

    `is_active` is what `is_in_use` returns for the space.
    """
    claim = shelves.claim(connection, tenant, item.user_id or "", 1)
    row = _row(tenant, space, item.id, item.spoken, made)
    connection.execute(_insert, {**row, "shelf": claim.shelf, "revision": claim.first})
    if is_active:
        _mark_embedded(connection, tenant, [item.id])


def remove(connection: Connection, tenant: str, item_id: str) -> None:
    """Delete an item's vectors."""
    connection.execute(_remove, {"owner": tenant, "item": item_id})


def copy(connection: Connection, tenant: str, item_id: str, *, to: str, revision: int) -> bool:
    """Copy an item's vectors to another item that has the same text; returns whether there were any."""
    rows = connection.execute(_copied, {"owner": tenant, "item": item_id}).mappings()
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
    """Return a page of items without a vector in this space, each with its tenant, in the order of tenant and id.

    Items without one in the space in use are flagged, so that with `flagged` they are quick to find. For any other
    space, all items have to be read.
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
    """Return a page of items whose vectors were made without word vectors, in the order of their ids."""
    query = (
        select(items.c.id, items.c.revision, items.c.speaker, items.c.text, items.c.gloss)
        .select_from(vectors)
        .join(items, _pair)
        .where(vectors.c.tenant == tenant, vectors.c.words.is_(None), vectors.c.item_id > after)
    )
    rows = connection.execute(query.order_by(vectors.c.item_id).limit(limit), {"space_id": space.id})
    return [Unembedded(row.id, row.revision, spoken(row.speaker, row.text, row.gloss or "")) for row in rows]


def count_wordless(connection: Connection, space: Space, tenant: str) -> int:
    """Return how many items have a vector without word vectors."""
    lacking = (vectors.c.tenant == tenant, vectors.c.space == space.id, vectors.c.words.is_(None))
    return connection.execute(select(func.count()).select_from(vectors).where(*lacking)).scalar_one()


def add_words(
    connection: Connection, tenant: str, space: Space, embedded: Sequence[Unembedded], made: Sequence[Embedded]
) -> int:
    """Add word vectors to the vectors of items, if those are still of the same texts; returns how many."""
    return sum(
        connection.execute(
            _add_words,
            {
                "owner": tenant,
                "space_id": space.id,
                "item": item.item_id,
                "digest": embedded_hash(item.text),
                "said": result.words,
            },
        ).rowcount
        for item, result in zip(embedded, made, strict=True)
    )


def count_unembedded(connection: Connection, tenant: str) -> int:
    """Return how many items lack a vector in the space in use."""
    query = select(func.count()).select_from(items).where(items.c.tenant == tenant, LACKS_VECTOR)
    return connection.execute(query).scalar_one()


def unflag_all(connection: Connection) -> None:
    """Record that no item lacks a vector in the space in use."""
    connection.execute(update(items).where(items.c.unembedded).values(unembedded=False))


def is_in_use(connection: Connection, space: Space) -> bool:
    """Return whether searches use a space; raises `EmbedderMismatch` if the space is gone."""
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
    """Return position, user and coldness of those items that are as they were read and have no vector yet."""
    ids = [item.item_id for item in embedded]
    found: dict[tuple[str, int], tuple[str, bool]] = {}
    for batch in batches(ids):
        asked = {"owner": tenant, "space_id": space.id, "ids": batch}
        for row in connection.execute(_wanting, asked):
            found[row.id, row.revision] = row.user_id, bool(row.cold)
    keys = ((item.item_id, item.revision) for item in embedded)
    return [(place, *found[key]) for place, key in enumerate(keys) if key in found]


@lru_cache
def _words_of(size: int) -> Select[Any]:
    """Return the statement that reads the word vectors of a list of items of this length."""
    return _words.where(vectors.c.item_id.in_(driver.places(size)))


def _mark_embedded(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    for batch in batches(ids):
        connection.execute(_unflag, {"owner": tenant, "ids": batch})
