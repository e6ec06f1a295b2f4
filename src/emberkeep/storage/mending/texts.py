"""What searches and filters read of an item beside its text: its terms and traits, its hash, its attributes."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from emberkeep.model.item import Item
from emberkeep.model.sameness import content_hash, item_hash
from emberkeep.storage import items as item_rows
from emberkeep.storage.mending.pages import AT_ONCE, pages
from emberkeep.storage.schema import attributes, items
from emberkeep.storage.shelves import start_epoch

_COLUMNS = ("user_id", "terms", "traits", "about_from", "about_to", "content_hash")


def find(connection: Connection, tenant: str) -> list[str]:
    """Ids of items of which something is indexed that their text does not say."""
    return [item.id for item, _ in _wrong(connection, tenant)]


def mend(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Read the texts of these items again."""
    for start in range(0, len(ids), AT_ONCE):
        found = item_rows.fetch(connection, tenant, ids[start : start + AT_ONCE])
        for item in found.values():
            values = {**item_rows.indexed(item), "content_hash": item_hash(item)}
            item_rows.change(connection, tenant, item.id, values)
            item_rows.replace_attributes(connection, tenant, item)
        for user_id in sorted({item.user_id or "" for item in found.values()}):
            start_epoch(connection, tenant, user_id)


def _wrong(connection: Connection, tenant: str) -> Iterator[tuple[Item, Row[Any]]]:
    for rows in pages(connection, items, tenant, _COLUMNS):
        ids = [row.id for row in rows]
        found = item_rows.fetch(connection, tenant, ids)
        told: defaultdict[str, set[bytes]] = defaultdict(set)
        mine = (attributes.c.tenant == tenant, attributes.c.item_id.in_(ids))
        for item_id, attribute in connection.execute(select(*attributes.c["item_id", "attribute"]).where(*mine)):
            told[item_id].add(bytes(attribute))
        for row in rows:
            item = found[row.id]
            if _differs(item, row) or told[row.id] != set(item_rows.attributes_of(item.tags, item.metadata)):
                yield item, row


def _differs(item: Item, row: Row[Any]) -> bool:
    # Whose words they are is told by the message that it came from first, and it may have come from others since.
    voices = {item.record, item.speaker, None, *(source.role for source in item.sources)}
    if bytes(row.content_hash) not in {content_hash(item.text, voice) for voice in voices}:
        return True
    expected = item_rows.indexed(item)
    return any(expected[name] != getattr(row, name) for name in expected)
