"""Cold items: they are not in the index that searches use by default, and have an index of their own.

Their vectors are on a second shelf beside the usual one, so that each index, in this process or in the database, holds
only its own items. Moving an item there or back gives it new revisions, by which every process that holds an index
learns of the move.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, or_, select, update

from emberkeep.model.moment import from_micros, to_micros
from emberkeep.storage import shelves
from emberkeep.storage.batches import batches
from emberkeep.storage.schema import items, tasks, vectors

_cold = select(items.c.id).where(
    items.c.tenant == bindparam("owner"), items.c.id.in_(bindparam("ids", expanding=True)), items.c.cold
)


class Warmth(NamedTuple):
    """The values from which an item's temperature is computed."""

    item_id: str
    user_id: str
    temperature: float
    heated_at: datetime
    access_count: int


class Band(NamedTuple):
    """Stored temperatures from `least` up to, but not including, `most`.

    Items in the band that were last heated at `heated_before` or earlier have cooled below the limit by now.
    """

    least: float
    most: float
    heated_before: datetime


def candidates(
    connection: Connection, tenant: str, bands: Iterable[Band], now: datetime, *, after: str, limit: int
) -> list[Warmth]:
    """A page of items, by id, that have cooled by one of these bands and may leave the default index.

    Messages, archived work (its summary stays) and items that no longer hold may leave. Statements that hold stay:
    they are what an agent knows, whether or not it came up lately. So do items that stand for any other record.
    """
    cooled = [
        and_(
            items.c.temperature >= band.least,
            items.c.temperature < band.most,
            items.c.heated_at <= to_micros(band.heated_before),
        )
        for band in bands
    ]
    query = _may_go(tenant, now).where(or_(*cooled), items.c.id > after).order_by(items.c.id).limit(limit)
    return [_warmth(*row) for row in connection.execute(query)]


def still(connection: Connection, tenant: str, ids: Sequence[str], now: datetime) -> list[Warmth]:
    """Those of these items that may still leave the default index, whatever their temperature."""
    return [_warmth(*row) for row in connection.execute(_may_go(tenant, now).where(items.c.id.in_(ids)))]


def demote(connection: Connection, tenant: str, user_id: str, ids: Sequence[str]) -> None:
    """Move items of one user out of the default index."""
    if ids:
        _move(connection, tenant, user_id, ids, cold=True)


def thaw(connection: Connection, tenant: str, user_id: str, ids: Sequence[str]) -> None:
    """Move those of these items that are cold back into the default index."""
    for some in batches(ids):
        cold = list(connection.execute(_cold, {"owner": tenant, "ids": some}).scalars())
        if cold:
            _move(connection, tenant, user_id, cold, cold=False)


def _move(connection: Connection, tenant: str, user_id: str, ids: Sequence[str], *, cold: bool) -> None:
    claim = shelves.claim(connection, tenant, user_id, 2 * len(ids))
    shelf = shelves.cold_number(claim.shelf) if cold else claim.shelf
    numbered = [{"item": item_id, "number": claim.first + 2 * n} for n, item_id in enumerate(ids)]
    connection.execute(
        update(items)
        .where(items.c.tenant == tenant, items.c.id == bindparam("item"))
        .values(cold=cold or None, revision=bindparam("number")),
        numbered,
    )
    connection.execute(
        update(vectors)
        .where(vectors.c.tenant == tenant, vectors.c.item_id == bindparam("item"))
        .values(shelf=shelf, revision=bindparam("number")),
        [{**values, "number": claim.first + 2 * n + 1} for n, values in enumerate(numbered)],
    )


def _may_go(tenant: str, now: datetime) -> Select[Any]:
    return select(items.c.id, items.c.user_id, items.c.temperature, items.c.heated_at, items.c.access_count).where(
        items.c.tenant == tenant,
        items.c.cold.is_not(True),
        items.c.sacred.is_(False),
        items.c.unembedded.is_(False),
        or_(
            items.c.valid_to <= to_micros(now),
            and_(items.c.kind == "episode", items.c.record.is_(None)),
            and_(items.c.kind == "execution", _is_archived()),
        ),
    )


def _is_archived() -> ColumnElement[bool]:
    mine = and_(tasks.c.tenant == items.c.tenant, items.c.record == "task:" + tasks.c.id)
    return select(tasks.c.id).where(mine, tasks.c.archived_at.is_not(None)).exists()


def _warmth(item_id: str, user_id: str, temperature: float, heated_at: int, access_count: int) -> Warmth:
    return Warmth(item_id, user_id, temperature, from_micros(heated_at), access_count)
