"""Shelves and their revision numbers, by which processes that hold an index of a shelf learn of changes to it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from emberkeep.storage import shelves as shelf_rows
from emberkeep.storage.schema import items, shelves, tombstones, vectors
from emberkeep.storage.shelves import cold_number


def find(connection: Connection, tenant: str) -> list[str]:
    """Users whose shelf is missing, is behind its rows, holds a revision twice, or lacks a vector of one of its items.

    Such a vector is on another shelf. "" stands for the shelf of no user.
    """
    known = {
        row.user_id: (row.number, row.revision)
        for row in connection.execute(select(shelves).where(shelves.c.tenant == tenant))
    }
    wrong = {user_id for user_id, taken in _taken(connection, tenant).items() if _is_wrong(known.get(user_id), taken)}
    return sorted(wrong | set(_misplaced(connection, tenant, {user: number for user, (number, _) in known.items()})))


def mend(connection: Connection, tenant: str, users: Sequence[str]) -> None:
    """Renumber all rows on these shelves, and have every process read the shelves again."""
    for user_id in users:
        claim = shelf_rows.claim(connection, tenant, user_id, 0)
        of_user = (items.c.tenant == tenant, items.c.user_id == user_id)
        rows = connection.execute(select(*items.c["id", "cold"]).where(*of_user).order_by(items.c.revision, items.c.id))
        found = [(row.id, bool(row.cold)) for row in rows]
        stones = select(tombstones.c.revision).where(tombstones.c.tenant == tenant, tombstones.c.user_id == user_id)
        last = max((claim.first - 1, *_taken(connection, tenant)[user_id], *connection.execute(stones).scalars()))
        _renumber(connection, tenant, claim.shelf, found, last)
        done = {"revision": last + 2 * len(found)}
        connection.execute(
            update(shelves).where(shelves.c.tenant == tenant, shelves.c.user_id == user_id).values(**done)
        )
        shelf_rows.start_epoch(connection, tenant, user_id)


def _renumber(connection: Connection, tenant: str, shelf: int, found: list[tuple[str, bool]], last: int) -> None:
    numbers: list[dict[str, Any]] = [
        {"item": item_id, "own": last + 1 + 2 * place, "shelved": cold_number(shelf) if is_cold else shelf}
        for place, (item_id, is_cold) in enumerate(found)
    ]
    if not numbers:
        return
    connection.execute(
        update(items)
        .where(items.c.tenant == tenant, items.c.id == bindparam("item"))
        .values(revision=bindparam("own")),
        [{"item": values["item"], "own": values["own"]} for values in numbers],
    )
    connection.execute(
        update(vectors)
        .where(vectors.c.tenant == tenant, vectors.c.item_id == bindparam("item"))
        .values(revision=bindparam("own"), shelf=bindparam("shelved")),
        [{**values, "own": values["own"] + 1} for values in numbers],
    )


def _taken(connection: Connection, tenant: str) -> defaultdict[str, list[int]]:
    """The revisions that items and their vectors have, by user."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    owner: dict[str, str] = {}
    for row in connection.execute(select(*items.c["id", "user_id", "revision"]).where(items.c.tenant == tenant)):
        found[row.user_id].append(row.revision)
        owner[row.id] = row.user_id
    # An item's vectors in several spaces may share a revision.
    pairs = select(*vectors.c["item_id", "revision"]).where(vectors.c.tenant == tenant).distinct()
    for row in connection.execute(pairs):
        if row.item_id in owner:
            found[owner[row.item_id]].append(row.revision)
    return found


def _is_wrong(known: tuple[int, int] | None, taken: list[int]) -> bool:
    return known is None or max(taken) > known[1] or max(Counter(taken).values()) > 1


def _misplaced(connection: Connection, tenant: str, numbers: dict[str, int]) -> set[str]:
    """Users with a vector that is on another shelf than its item."""
    query = (
        select(*items.c["user_id", "cold"], vectors.c.shelf)
        .join(vectors, (vectors.c.tenant == items.c.tenant) & (vectors.c.item_id == items.c.id))
        .where(items.c.tenant == tenant)
        .distinct()
    )
    return {
        row.user_id
        for row in connection.execute(query)
        if row.user_id in numbers
        and row.shelf != (cold_number(numbers[row.user_id]) if row.cold else numbers[row.user_id])
    }
