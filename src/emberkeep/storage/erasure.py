"""Deleting for good: rows of every table that hold something of an item or of a scope."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, update

from emberkeep.model.item import Item, Source
from emberkeep.model.recall import Selection
from emberkeep.storage import shelves
from emberkeep.storage.schema import attributes, history, interactions, items, sources, tombstones, vectors


def erase_item(connection: Connection, tenant: str, item: Item) -> tuple[dict[str, int], int]:
    """Remove one item with its former versions; what it says word for word leaves the log too.

    Returns rows by table, and a revision number for what is written about the deletion.
    """
    versions = list(
        connection.execute(select(items.c.id).where(items.c.tenant == tenant, items.c.version_of == item.id)).scalars()
    )
    gone = [item.id, *versions]
    said = {
        item.text,
        *connection.execute(select(items.c.text).where(items.c.tenant == tenant, items.c.id.in_(gone))).scalars(),
    }
    claim = shelves.claim(connection, tenant, item.user_id or "", len(gone))
    rows = {
        table.name: _remove(connection, table, (table.c.tenant == tenant, table.c.item_id.in_(gone)))
        for table in (attributes, sources, vectors, history)
    }
    rows["items"] = _remove(connection, items, (items.c.tenant == tenant, items.c.id.in_(gone)))
    blanked = [_blank(connection, tenant, source, said) for source in item.sources]
    if any(blanked):
        rows["interactions"] = sum(blanked)
    connection.execute(
        insert(tombstones),
        [
            {"tenant": tenant, "user_id": item.user_id or "", "revision": claim.first + n, "item_id": item_id}
            for n, item_id in enumerate(gone)
        ],
    )
    return rows, claim.first


def erase_scope(connection: Connection, scope: Selection) -> dict[str, int]:
    """Remove all that a scope holds, the log included; returns rows by table."""
    whole_shelves = scope.agent_id is None and scope.session_id is None
    users = [state.user_id for state in shelves.states(connection, scope.tenant, scope.shelves)]
    for user_id in users:  # in order, so that two of these cannot wait for each other
        shelves.claim(connection, scope.tenant, user_id, 1)
    ids = select(items.c.id).where(*_inside(items, scope, users))
    rows = {
        table.name: _remove(connection, table, _owned(table, scope, users, ids, whole=whole_shelves))
        for table in (attributes, sources, vectors, history)
    }
    for table in (items, interactions):
        rows[table.name] = _remove(connection, table, _inside(table, scope, users))
    for user_id in users:
        if whole_shelves:
            stones = (tombstones.c.tenant == scope.tenant, tombstones.c.user_id == user_id)
            rows["tombstones"] = rows.get("tombstones", 0) + _remove(connection, tombstones, stones)
            rows["shelves"] = rows.get("shelves", 0) + shelves.remove(connection, scope.tenant, user_id)
        else:
            shelves.start_epoch(connection, scope.tenant, user_id)
    return rows


def forget_tombstones(connection: Connection, tenant: str, *, over: int) -> int:
    """Drop the traces of deletions from shelves that have many, whose indexes are then read anew."""
    dropped = 0
    for user_id in [state.user_id for state in shelves.states(connection, tenant, None)]:
        where = (tombstones.c.tenant == tenant, tombstones.c.user_id == user_id)
        stones = connection.execute(select(tombstones.c.revision).where(*where).limit(over + 1)).all()
        if len(stones) > over:
            shelves.claim(connection, tenant, user_id, 1)
            dropped += _remove(connection, tombstones, where)
            shelves.start_epoch(connection, tenant, user_id)
    return dropped


def _inside(table: Table, scope: Selection, users: list[str]) -> tuple[ColumnElement[bool], ...]:
    where = [table.c.tenant == scope.tenant, table.c.user_id.in_(users)]
    if scope.agent_id is not None:
        where.append(table.c.agent_id == scope.agent_id)
    if scope.session_id is not None:
        where.append(table.c.session_id == scope.session_id)
    return tuple(where)


def _owned(
    table: Table, scope: Selection, users: list[str], ids: Any, *, whole: bool
) -> tuple[ColumnElement[bool], ...]:
    if whole and "user_id" in table.c:  # also what is left of items that were deleted before
        return (table.c.tenant == scope.tenant, table.c.user_id.in_(users))
    return (table.c.tenant == scope.tenant, table.c.item_id.in_(ids))


def _remove(connection: Connection, table: Table, where: tuple[ColumnElement[bool], ...]) -> int:
    return connection.execute(delete(table).where(*where)).rowcount


def _blank(connection: Connection, tenant: str, source: Source, said: set[str]) -> bool:
    """Take a message out of the log if the item said just that, and not something learned from it."""
    where = (interactions.c.tenant == tenant, interactions.c.id == source.interaction_id)
    messages = connection.execute(select(interactions.c.messages).where(*where)).scalar()
    if messages is None:
        return False
    message = messages[source.position]
    if message is None or _loosely(message["content"]) not in map(_loosely, said):
        return False
    messages[source.position] = None  # the positions of the others stay what they were
    if any(message is not None for message in messages):
        connection.execute(update(interactions).where(*where).values(messages=messages))
    else:
        connection.execute(delete(interactions).where(*where))
    return True


def _loosely(text: str) -> str:
    # An item stands for all that was said in these words, whatever the case, spacing and closing punctuation.
    return " ".join(text.casefold().split()).rstrip(".!… ")
