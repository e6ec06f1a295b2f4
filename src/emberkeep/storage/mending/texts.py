"""The columns and rows that searches and filters read beside an item's text: terms, traits, hash and attributes."""

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
    """Ids of items whose indexed columns or attributes do not agree with their text, tags and metadata."""
    return [item.id for item, _ in _wrong(connection, tenant)]


def mend(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Derive the indexed columns and the attributes of these items anew."""
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
        stored: defaultdict[str, set[bytes]] = defaultdict(set)
        mine = (attributes.c.tenant == tenant, attributes.c.item_id.in_(ids))
        for item_id, attribute in connection.execute(select(*attributes.c["item_id", "attribute"]).where(*mine)):
            stored[item_id].add(bytes(attribute))
        for row in rows:
            item = found[row.id]
            if _differs(item, row) or stored[row.id] != set(item_rows.attributes_of(item.tags, item.metadata)):
                yield item, row


def _differs(item: Item, row: Row[Any]) -> bool:
    # The hash includes whose words they are, by the message that the item came from first; others may have been added.
    voices = {item.record, item.speaker, None, *(source.role for source in item.sources)}
    if bytes(row.content_hash) not in {content_hash(item.text, voice) for voice in voices}:
        return True
    expected = item_rows.indexed(item)
    return any(expected[name] != getattr(row, name) for name in expected)
