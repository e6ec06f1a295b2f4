"""The claims and mentions of statements, which can be derived from their texts."""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection, and_, insert, select, update

from emberkeep.model.claim import Claim
from emberkeep.model.item import Item
from emberkeep.storage import claims as claim_rows
from emberkeep.storage import items as item_rows
from emberkeep.storage.mending.pages import pages
from emberkeep.storage.schema import claims, items, mentions


def of(
    connection: Connection, tenant: str, kinds: Sequence[str], only: Sequence[str] | None = None
) -> Iterator[tuple[Item, bool, bool]]:
    """The statements of a tenant, or those in `only`, each with whether it has a sound claim, and whether any mentions.

    Items of records are left out: a record is found by their words, and they change with the record alone.
    """
    wanted = None if only is None else set(only)
    for rows in pages(connection, items, tenant, ("kind", "version_of", "record")):
        ids = [
            row.id
            for row in rows
            if row.kind in kinds and row.version_of is None and row.record is None
            if wanted is None or row.id in wanted
        ]
        mine = (claims.c.tenant == tenant, claims.c.item_id.in_(ids))
        found = connection.execute(select(*claims.c["item_id", "value", "stems"]).where(*mine))
        sound = {item_id for item_id, value, stems in found if stems == claim_rows.stems(value)}
        named = select(mentions.c.item_id).where(mentions.c.tenant == tenant, mentions.c.item_id.in_(ids)).distinct()
        mentioning = set(connection.execute(named).scalars())
        for item in item_rows.fetch(connection, tenant, ids).values():
            yield item, item.id in sound, item.id in mentioning


def put(connection: Connection, tenant: str, item: Item, claim: Claim | None, entities: Iterable[str]) -> None:
    """Write the claim and the mentions of an item where it has none. A claim that is there only gets its stems anew."""
    mine = and_(claims.c.tenant == tenant, claims.c.item_id == item.id)
    value = connection.execute(select(claims.c.value).where(mine)).scalar()
    if value is not None:
        connection.execute(update(claims).where(mine).values(stems=claim_rows.stems(value)))
    elif claim is not None:
        connection.execute(insert(claims), claim_rows.row_of(tenant, item, claim))
    named = select(mentions.c.item_id).where(mentions.c.tenant == tenant, mentions.c.item_id == item.id).limit(1)
    if connection.execute(named).first() is None:
        claim_rows.mention(connection, tenant, item, entities)
