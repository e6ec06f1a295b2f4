"""Writing a document: chunks that are new, moved or gone, in transactions short enough to keep nobody waiting.

A small change is one transaction. A large one is many: the document is marked as unfinished, its chunks follow a few
hundred at a time, and after the last of them the mark is removed. If that is interrupted, the next import of the same
text does what is left.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection

from emberkeep.errors import Conflict
from emberkeep.lifecycle.keep import Kept, Ready, file, made_ready
from emberkeep.lifecycle.settle import end
from emberkeep.model.collection import Document, Imported, unfinished
from emberkeep.model.item import Draft, Item
from emberkeep.model.scope import Scope
from emberkeep.storage import items, records
from emberkeep.storage.records import DOCUMENTS
from emberkeep.work.desk import Desk

AT_ONCE = 500  # chunks per transaction, which takes some tenths of a second


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between a document and what is stored of it: chunks to add, to renumber, and to end."""

    new: Sequence[Draft] = ()
    moved: Sequence[tuple[Item, Draft]] = ()
    gone: Sequence[Item] = ()

    @property
    def size(self) -> int:
        """The number of chunks it affects."""
        return len(self.new) + len(self.moved) + len(self.gone)

    def parts(self) -> Iterator["Difference"]:
        """Split it into parts for one transaction each; new chunks first, so that no text is missing meanwhile."""
        for start in range(0, len(self.new), AT_ONCE):
            yield Difference(new=self.new[start : start + AT_ONCE])
        for start in range(0, len(self.moved), AT_ONCE):
            yield Difference(moved=self.moved[start : start + AT_ONCE])
        for start in range(0, len(self.gone), AT_ONCE):
            yield Difference(gone=self.gone[start : start + AT_ONCE])


@dataclass(slots=True)
class Import:
    """The import of one document: `drafts` makes its chunks, `former` finds the document that it replaces."""

    desk: Desk
    document: Document
    drafts: Callable[[Document], list[Draft]]
    former: Callable[[Connection], Document | None]
    keeps_metadata: bool
    kept: list[Kept] = field(default_factory=list)

    def run(self) -> Imported:
        """Write what is not stored yet; afterwards `kept` holds the chunks that need a vector."""
        while True:
            with self.desk.parts.database.read() as connection:
                former = self.former(connection)
            document = self._present(former)
            if former is not None and replace(document, updated_at=former.updated_at) == former:
                return Imported(former, "unchanged", 0, 0, former.chunks)
            drafts = self.drafts(document)
            left = Difference(new=drafts) if former is None else self._difference(document, drafts)
            if left.size <= AT_ONCE and (former is None or former.is_complete):
                done = self._at_once(former, document, left)
            else:
                done = self._in_parts(former, document, drafts)
            if done:  # else another import wrote this document meanwhile: compare again
                same = len(drafts) - len(left.new)
                return Imported(document, "replaced" if former else "added", len(left.new), len(left.gone), same)

    def _present(self, former: Document | None) -> Document:
        if former is None:
            return self.document
        metadata = former.metadata if self.keeps_metadata else self.document.metadata
        return replace(self.document, id=former.id, created_at=former.created_at, metadata=metadata)

    def _at_once(self, former: Document | None, document: Document, left: Difference) -> bool:
        ready = self._ready(left)

        def job(connection: Connection) -> list[Kept] | None:
            return self._write(connection, left, ready) if self._entered(connection, former, document) else None

        kept = self.desk.write(job)
        self.kept += kept or []
        return kept is not None

    def _in_parts(self, former: Document | None, document: Document, drafts: Sequence[Draft]) -> bool:
        marked = replace(document, content_hash=unfinished(document.content_hash))
        if not self.desk.write(lambda connection: self._entered(connection, former, marked)):
            return False
        while True:
            left = self._difference(document, drafts)
            for part in left.parts():
                self._write_part(marked, part)
            if not left.size and self.desk.write(lambda connection: self._finished(connection, marked, document)):
                return True

    def _write_part(self, marked: Document, part: Difference) -> None:
        ready = self._ready(part)  # before the transaction: tokenising takes longer than writing

        def job(connection: Connection) -> list[Kept]:
            return self._write(connection, part, ready) if self._is_mine(connection, marked) else []

        self.kept += self.desk.write(job)

    def _entered(self, connection: Connection, former: Document | None, document: Document) -> bool:
        """Write the row of the document, unless it has changed since `former` was read; returns whether it did."""
        self._hold(connection)
        if self.former(connection) != former:
            return False
        write = records.put if former is None else records.replace
        write(connection, DOCUMENTS, self.desk.tenant, document)
        return True

    def _finished(self, connection: Connection, marked: Document, document: Document) -> bool:
        """Remove the mark if exactly the chunks of the document are stored; false if some are missing or left over."""
        if not self._is_mine(connection, marked):
            return True
        name = f"document:{document.id}"
        found = items.metadata_of_record(connection, self.desk.tenant, name, document.user_id or "")
        if sorted(about["chunk"] for about in found) != list(range(document.chunks)):
            return False
        records.replace(connection, DOCUMENTS, self.desk.tenant, document)
        return True

    def _is_mine(self, connection: Connection, marked: Document) -> bool:
        """Whether these chunks are still to be written; not if another import of the same text has finished.

        Raises `Conflict` if the document was deleted, or imported with another text, meanwhile.
        """
        self._hold(connection)
        row = records.get(connection, DOCUMENTS, self.desk.tenant, marked.id)
        if row is None:
            raise Conflict(f"document {marked.id!r} was deleted while it was imported: import it again to have it")
        if row.content_hash == self.document.content_hash:
            return False
        if row.content_hash != marked.content_hash:
            raise Conflict(f"document {marked.id!r} was imported with another text meanwhile, which took its place")
        return True

    def _hold(self, connection: Connection) -> None:
        self.desk.hold(connection, Scope(self.desk.tenant, self.document.user_id))

    def _ready(self, part: Difference) -> list[Ready]:
        return made_ready(part.new, self.desk.parts.thermal, self.document.updated_at)

    def _write(self, connection: Connection, part: Difference, ready: Sequence[Ready]) -> list[Kept]:
        tenant, now = self.desk.tenant, self.document.updated_at
        for item, draft in part.moved:
            items.change(connection, tenant, item.id, {"metadata": dict(draft.metadata)})
            items.replace_attributes(connection, tenant, replace(item, metadata=draft.metadata))
        _end(connection, tenant, part.gone, now)
        return file(connection, ready)

    def _difference(self, document: Document, drafts: Sequence[Draft]) -> Difference:
        """What remains to be written; chunks with the same text stay the same memories."""
        with self.desk.parts.database.read() as connection:
            present = chunks_of(connection, self.desk.tenant, document)
        former: dict[str, list[Item]] = {}
        for item in sorted(present, key=lambda item: -item.metadata["chunk"]):
            former.setdefault(item.text, []).append(item)
        new: list[Draft] = []
        moved: list[tuple[Item, Draft]] = []
        for draft in drafts:
            same = former.get(draft.text)
            if not same:
                new.append(draft)
            elif dict((item := same.pop()).metadata) != dict(draft.metadata):
                moved.append((item, draft))
        return Difference(new, moved, [item for rest in former.values() for item in rest])


def chunks_of(connection: Connection, tenant: str, document: Document) -> list[Item]:
    """The current chunks of a document, without those that ended."""
    ids = items.of_record(connection, tenant, f"document:{document.id}", document.user_id or "", ended=False)
    return list(items.fetch(connection, tenant, ids).values())


def _end(connection: Connection, tenant: str, gone: Sequence[Item], now: datetime) -> None:
    for item in gone:
        end(connection, tenant, item, at=now, by=None, action="superseded", now=now)
