"""How far from UTC something was said, which decides what day "tomorrow" is; terms of more scripts, and of marks."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import pairwise

import sqlalchemy as sa
import Stemmer
from alembic import op

from emberkeep.language.terms import STOP_WORDS, Packed, pack, pack_terms, term_of, words
from emberkeep.model.item import spoken
from emberkeep.storage.batches import all_rows
from emberkeep.storage.shelves import start_all_epochs

revision = "0009"
down_revision = "0008"

_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_english = Stemmer.Stemmer("english", 0)
Words = Callable[[str], Iterator[str]]


def upgrade() -> None:
    for table in ("interactions", "items"):
        op.add_column(table, sa.Column("utc_offset", sa.SmallInteger(), nullable=True))
    _index(words, pack, term_of)


def downgrade() -> None:
    _index(_words_before, _packed_before, _term_before)
    for table in ("interactions", "items"):
        op.drop_column(table, "utc_offset")


def _index(split: Words, packed: Callable[[str], Packed], term: Callable[[str], int]) -> None:
    """Write what the text index and claims keep of each text, where that is another than it was."""
    connection = op.get_bind()
    items = sa.table("items", *map(sa.column, ("tenant", "id", "text", "speaker", "gloss", "terms")))
    claims = sa.table("claims", *map(sa.column, ("tenant", "item_id", "value", "stems")))
    for tenant, item_id, text, speaker, gloss, before in all_rows(connection, items, items.c.id):
        terms = packed(spoken(speaker, text, gloss or "")).tobytes()
        if terms != bytes(before):
            mine = sa.and_(items.c.tenant == tenant, items.c.id == item_id)
            connection.execute(sa.update(items).where(mine).values(terms=terms))
    for tenant, item_id, value, before in all_rows(connection, claims, claims.c.item_id):
        stems = " ".join(str(term(word)) for word in split(value)) or value
        if stems != before:
            mine = sa.and_(claims.c.tenant == tenant, claims.c.item_id == item_id)
            connection.execute(sa.update(claims).where(mine).values(stems=stems))
    start_all_epochs(connection)


# As it was before.


def _words_before(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKD", text.casefold())
    if not folded.isascii():
        folded = "".join(char for char in folded if not unicodedata.combining(char))
    for word in re.findall(r"[^\W_]+", folded):
        if word in STOP_WORDS:
            continue
        if word.isascii() or not _UNSPACED.search(word):
            yield word
            continue
        for run in _UNSPACED.findall(word):
            yield from ([run] if len(run) == 1 else (first + second for first, second in pairwise(run)))
        yield from (rest for rest in _UNSPACED.split(word) if rest and rest not in STOP_WORDS)


def _term_before(word: str) -> int:
    return int.from_bytes(blake2b(_english.stemWord(word).encode(), digest_size=8).digest(), "little")


def _packed_before(text: str) -> Packed:
    return pack_terms(map(_term_before, _words_before(text)))
