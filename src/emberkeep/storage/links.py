"""Links between items: the SQL that writes them and finds the neighbours of an item."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, Connection, bindparam, insert, select, union_all

from emberkeep.model.item import Item
from emberkeep.model.overview import LinkRelation
from emberkeep.storage import driver
from emberkeep.storage.schema import links


class Link(NamedTuple):
    """A relation between two items, and how strong it is."""

    item_id: str
    other_id: str
    relation: LinkRelation
    weight: float


def put(connection: Connection, tenant: str, item: Item, found: Iterable[tuple[str, LinkRelation, float]]) -> None:
    """Write links from an item, none of which exist yet."""
    rows = [
        {
            "tenant": tenant,
            "item_id": item.id,
            "other_id": other_id,
            "relation": relation,
            "user_id": item.user_id or "",
            "weight": weight,
        }
        for other_id, relation, weight in dict.fromkeys(found)
        if other_id != item.id
    ]
    if rows:
        connection.execute(insert(links), rows)


def around(connection: Connection, tenant: str, ids: Sequence[str]) -> list[Link]:
    """The links that start or end at these items, each turned so that it starts at one of them."""
    if not ids:
        return []
    size, values = driver.listed(ids)
    return [Link(*row) for row in driver.rows(connection, _around(size), {"owner": tenant, **values})]


@lru_cache
def _around(size: int) -> CompoundSelect[Any]:
    of_owner = links.c.tenant == bindparam("owner")
    columns = links.c["item_id", "other_id", "relation", "weight"]
    outgoing = select(*columns).where(of_owner, links.c.item_id.in_(driver.places(size)))
    incoming = select(links.c.other_id, links.c.item_id, links.c.relation, links.c.weight).where(
        of_owner, links.c.other_id.in_(driver.places(size))
    )
    return union_all(outgoing, incoming)
