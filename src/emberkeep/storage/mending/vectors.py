"""Vectors that are missing, unusable, or made of another text than their item has now; and flags that disagree."""

from collections.abc import Iterator, Sequence

import numpy as np
from sqlalchemy import Connection, and_, delete, select, update

from emberkeep.model.item import spoken
from emberkeep.storage.mending.pages import AT_ONCE, pages
from emberkeep.storage.schema import items, vectors
from emberkeep.storage.shelves import start_epoch
from emberkeep.storage.spaces import Space, active_space
from emberkeep.storage.vectors import Embedded, embedded_hash


def find(connection: Connection, tenant: str) -> list[str]:
    """Ids of items that lack a sound vector and are not flagged for that, or that are flagged and have one."""
    space = active_space(connection)
    return [] if space is None else list(_wrong(connection, tenant, space))


def mend(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Drop the unsound vectors of these items, and flag just those items that lack a vector now."""
    space = active_space(connection)
    if space is None:
        return
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        of_items = (items.c.tenant == tenant, items.c.id.in_(some))
        sound = {item_id for item_id, _, is_sound in _states(connection, tenant, space, some) if is_sound}
        useless = [item_id for item_id in some if item_id not in sound]
        connection.execute(delete(vectors).where(vectors.c.tenant == tenant, vectors.c.item_id.in_(useless)))
        connection.execute(update(items).where(*of_items).values(unembedded=True))
        connection.execute(update(items).where(*of_items, items.c.id.in_(sound)).values(unembedded=False))
        users = connection.execute(select(items.c.user_id).where(*of_items).distinct().order_by(items.c.user_id))
        for user_id in users.scalars().all():
            start_epoch(connection, tenant, user_id)


def texts(connection: Connection, tenant: str) -> Iterator[tuple[list[str], list[str], list[Embedded]]]:
    """Ids, texts and vectors of the items that have one, a page at a time, to compare with what the embedder makes."""
    space = active_space(connection)
    if space is None:
        return
    for rows in pages(connection, items, tenant, ("speaker", "text", "gloss")):
        said = {row.id: spoken(row.speaker, row.text, row.gloss or "") for row in rows}
        mine = and_(vectors.c.tenant == tenant, vectors.c.space == space.id, vectors.c.item_id.in_(said))
        found = connection.execute(select(*vectors.c["item_id", "embedding", "words"]).where(mine)).all()
        alike = [row for row in found if len(row.embedding) == space.dimension]
        if alike:
            kept = [Embedded(row.embedding.astype(np.float32), row.words) for row in alike]
            yield [row.item_id for row in alike], [said[row.item_id] for row in alike], kept


def drop(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Remove the vectors of these items, and flag the items as lacking one."""
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        connection.execute(delete(vectors).where(vectors.c.tenant == tenant, vectors.c.item_id.in_(some)))
    mend(connection, tenant, ids)


def _wrong(connection: Connection, tenant: str, space: Space) -> Iterator[str]:
    for rows in pages(connection, items, tenant, ()):
        for item_id, unembedded, is_sound in _states(connection, tenant, space, [row.id for row in rows]):
            if unembedded is is_sound:
                yield item_id


def _states(connection: Connection, tenant: str, space: Space, ids: Sequence[str]) -> Iterator[tuple[str, bool, bool]]:
    """Each item's id, whether it is flagged as lacking a vector, and whether it has a sound one."""
    pair = and_(vectors.c.tenant == items.c.tenant, vectors.c.item_id == items.c.id, vectors.c.space == space.id)
    columns = (*items.c["id", "unembedded", "speaker", "text", "gloss"], *vectors.c["embedded_hash", "embedding"])
    query = select(*columns).outerjoin(vectors, pair).where(items.c.tenant == tenant, items.c.id.in_(ids))
    for row in connection.execute(query):
        is_sound = (
            row.embedding is not None
            and len(row.embedding) == space.dimension
            and bool(np.isfinite(row.embedding).all() and np.any(row.embedding))
            and bytes(row.embedded_hash) == embedded_hash(spoken(row.speaker, row.text, row.gloss or ""))
        )
        yield row.id, bool(row.unembedded), is_sound
