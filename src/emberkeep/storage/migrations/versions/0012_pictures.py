"""Terms of pictures, the times of messages that tell of what is yet to come, and how many records a tier may have."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from emberkeep.language.periods import periods
from emberkeep.language.pictures import pictures
from emberkeep.language.terms import pack, term_of, words
from emberkeep.model.item import spoken
from emberkeep.model.moment import at_offset, from_micros, micros_of_days
from emberkeep.storage.batches import all_rows
from emberkeep.storage.items import about_columns
from emberkeep.storage.shelves import start_all_epochs

revision = "0012"
down_revision = "0011"

Times = dict[str, int | None]


def upgrade() -> None:
    _index(lambda text: text, about_columns)


def downgrade() -> None:
    _index(_without_pictures, _about_before)
    if op.get_bind().dialect.name == "sqlite":
        without, has_it = "json_remove(settings, '$.shares.most')", "json_extract(settings, '$.shares.most')"
    else:
        without, has_it = "settings #- '{shares,most}'", "settings #> '{shares,most}'"
    op.execute(f"UPDATE contexts SET settings = {without} WHERE {has_it} IS NOT NULL")  # noqa: S608 - our own words


def _index(read: Callable[[str], str], about: Callable[[str, datetime], Times]) -> None:
    """Write what searches and claims keep of each text, where that is another than it was."""
    connection = op.get_bind()
    names = ("tenant", "id", "text", "speaker", "gloss", "occurred_at", "utc_offset", "terms", "about_from", "about_to")
    items = sa.table("items", *map(sa.column, names))
    claims = sa.table("claims", *map(sa.column, ("tenant", "item_id", "value", "stems")))
    for tenant, item_id, text, speaker, gloss, occurred_at, offset, *before in all_rows(connection, items, items.c.id):
        values: dict[str, Any] = {"terms": pack(read(spoken(speaker, text, gloss or ""))).tobytes()}
        values |= about(text, at_offset(from_micros(occurred_at), offset or 0))
        if list(values.values()) != [bytes(before[0]), *before[1:]]:
            mine = sa.and_(items.c.tenant == tenant, items.c.id == item_id)
            connection.execute(sa.update(items).where(mine).values(**values))
    for tenant, item_id, value, before in all_rows(connection, claims, claims.c.item_id):
        stems = " ".join(str(term_of(word)) for word in words(read(value))) or value
        if stems != before:
            mine = sa.and_(claims.c.tenant == tenant, claims.c.item_id == item_id)
            connection.execute(sa.update(claims).where(mine).values(stems=stems))
    start_all_epochs(connection)


# As it was before.


def _without_pictures(text: str) -> str:
    for picture in pictures(text):
        text = text.replace(picture, " ")
    return text


def _about_before(text: str, said_at: datetime) -> Times:
    told = next(iter(periods(text, said_at)), None)
    start, end = (None, None) if told is None else micros_of_days(told.first, told.last)
    return {"about_from": start, "about_to": end}
