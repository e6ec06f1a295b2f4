"""`memory.knowledge`: reference documents."""

import codecs
import hashlib
import os
from builtins import list as listing
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.documents import reading
from emberkeep.documents.chunking import Chunk, chunks
from emberkeep.documents.reading import MediaType, Reading
from emberkeep.errors import Conflict, InvalidInput
from emberkeep.learning.embedding import Progress, silent
from emberkeep.model import checks
from emberkeep.model.collection import Document, Imported, Passage
from emberkeep.model.item import Draft, Item, Receipt
from emberkeep.model.many import Listed
from emberkeep.model.recall import Within
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.model.work import Found
from emberkeep.storage import records, schema
from emberkeep.storage.records import DOCUMENTS
from emberkeep.work.desk import MORE, Desk, relevance
from emberkeep.work.importing import Import, chunks_of

MAX_ORIGIN_CHARS = 4_096
MAX_HEADING_CHARS = 100
UNTITLED_CHARS = 80  # of the first line, as the title of a document that has none
BELOW = " › "
CUT = "cut"  # the metadata that says how a chunk goes back into its document


class Knowledge:
    """Documents, each kept in chunks that searches find."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def add(
        self,
        text: str,
        *,
        title: str | None = None,
        origin: str = "",
        media_type: MediaType = "text/markdown",
        id: str | None = None,  # noqa: A002 - as in the other verbs
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        progress: Progress = silent,
    ) -> Imported:
        """Keep a document, Markdown unless `media_type` says otherwise.

        The same text again changes nothing. Another text with the same `origin` or id replaces it: chunks that both
        have stay as they are, those that are gone are found only with `as_of=` an earlier time. `progress` is called
        with the number of chunks that just got a vector. A large document is written in parts, and is not `is_complete`
        until all of it is stored.
        """
        if media_type == "application/pdf":
            raise InvalidInput("a PDF is not text: pass its bytes to import_file")
        said = codecs.BOM_UTF8 + checks.storable(text, name="text").encode()  # so that a declared encoding is ignored
        read = self._read(said, reading.media_type_named(media_type), origin or "text")
        scope = self._desk.scope(user_id, agent_id, session_id)
        return self._keep(read, title, origin, media_type, id, metadata, scope, progress)

    def import_file(
        self,
        source: str | os.PathLike[str] | bytes,
        *,
        media_type: str | None = None,
        title: str | None = None,
        origin: str | None = None,
        id: str | None = None,  # noqa: A002 - as in the other verbs
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        progress: Progress = silent,
    ) -> Imported:
        """Keep the text of a file: Markdown, plain text, HTML or PDF, by its path, or its bytes and `media_type`.

        Imported again, the file replaces its former text, as with `add`.
        """
        scope = self._desk.scope(user_id, agent_id, session_id)
        if isinstance(source, bytes):
            if media_type is None:
                raise InvalidInput(f"pass the media_type of these bytes: {', '.join(reading.MEDIA_TYPES)}")
            kind = reading.media_type_named(media_type)
            read = self._read(source, kind, origin or "this")
            titled = replace(read, title=read.title or (PurePath(origin).stem if origin else ""))
            return self._keep(titled, title, origin or "", kind, id, metadata, scope, progress)
        path = _path(source)
        data = reading.load(path, max_mb=self._most_mb)
        kind = reading.media_type_of(path) if media_type is None else reading.media_type_named(media_type)
        read = self._read(data, kind, str(path))
        titled = replace(read, title=read.title or path.stem)
        return self._keep(titled, title, origin or str(path.resolve()), kind, id, metadata, scope, progress)

    def get(self, id: str) -> Document:  # noqa: A002 - as in the other verbs
        """One document, without its text."""
        return self._desk.get(DOCUMENTS, id)

    def text(self, id: str) -> str:  # noqa: A002 - as in the other verbs
        """The whole text of a document."""
        desk = self._desk
        with desk.parts.database.read() as connection:
            document = desk.existing(connection, DOCUMENTS, id)
            if not document.is_complete:
                raise Conflict(f"document {id!r} is not all here: wait for its import, or import it again")
            found = chunks_of(connection, desk.tenant, document)
        return "".join(map(_as_written, sorted(found, key=lambda item: item.metadata["chunk"])))

    def list(
        self,
        *,
        origin: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Document]:
        """Documents, the one that changed last first."""
        return self._desk.listed(DOCUMENTS, {"origin": origin, "user_id": user_id}, limit, cursor=cursor)

    def search(self, query: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Passage]]:
        """Passages of documents that answer a question, best first; `filters={"document_id": …}` searches one."""
        limit = checks.limit(limit, most=checks.MAX_SEARCH_LIMIT)
        hits = self._desk.hits(query, ("knowledge",), MORE * limit, within)
        found = [hit for hit in hits if (hit.item.record or "").startswith("document:")][:limit]
        return [Found(_passage(hit.item), relevance(hit, found[0]), hit.similarity) for hit in found]

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a document for good, with the former versions of its text."""
        return self._desk.delete(DOCUMENTS, id)

    @property
    def _most_mb(self) -> int:
        return self._desk.parts.config.max_document_mb

    def _read(self, data: bytes, media_type: MediaType, name: str) -> Reading:
        """Read the text in some bytes; the message of any `InvalidInput` begins with `name`."""
        reading.within(data, max_mb=self._most_mb, name=name)
        try:
            return reading.read(data, media_type, max_mb=self._most_mb)
        except InvalidInput as error:
            raise InvalidInput(f"{name}: {error}") from None

    def _keep(  # noqa: PLR0917 - what `add` and `import_file` were given
        self,
        read: Reading,
        title: str | None,
        origin: str,
        media_type: MediaType,
        document_id: str | None,
        metadata: Mapping[str, Any] | None,
        scope: Scope,
        progress: Progress,
    ) -> Imported:
        desk, now = self._desk, self._desk.now()
        text = desk.clean(read.text)
        named = desk.clean(read.title) if title is None else desk.text(title, "title")
        document = Document(
            id=desk.identity(document_id),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            title=(named or text.partition("\n")[0])[: reading.MAX_TITLE_CHARS if named else UNTITLED_CHARS],
            origin=_origin(origin),
            media_type=media_type,
            content_hash=hashlib.sha256(text.encode()).digest(),
            chunks=0,
            metadata=desk.metadata(metadata),
            created_at=now,
            updated_at=now,
        )
        cut = listing(chunks(text, desk.parts.count_tokens, markdown=media_type != "text/plain"))
        document = replace(document, chunks=len(cut))
        work = Import(
            desk,
            document,
            drafts=lambda present: self._drafts(present, text, cut),
            former=lambda connection: self._former(connection, document, scope, chosen=document_id is not None),
            keeps_metadata=metadata is None,
        )
        done = work.run()
        desk.embed(work.kept, progress)
        return done

    def _former(self, connection: Connection, document: Document, scope: Scope, *, chosen: bool) -> Document | None:
        """The stored document that this one replaces, if any.

        That is the one with the id the caller chose, else the one with the same owner and origin; without an origin,
        with the same text.
        """
        desk, columns = self._desk, schema.documents.c
        if chosen:
            found = records.get(connection, DOCUMENTS, desk.tenant, document.id)
            if found is not None:
                desk.check_owner(DOCUMENTS, found, scope.user_id)
            return found
        where: dict[str, Any] = {
            name: columns[name] == (getattr(scope, name) or "") for name in ("user_id", "agent_id", "session_id")
        }
        where["origin"] = columns.origin == document.origin
        if not document.origin:
            where["content_hash"] = columns.content_hash == document.content_hash
        return next(iter(records.listed(connection, DOCUMENTS, desk.tenant, where, 1)), None)

    def _drafts(self, document: Document, text: str, cut: listing[Chunk]) -> listing[Draft]:
        paged = "\f" in text
        drafts = [
            self._desk.draft(
                f"document:{document.id}",
                "knowledge",
                lead + body,
                document,
                at=document.updated_at,
                about=_about(document, number, chunk, paged=paged) | {CUT: {"lead": len(lead), "gap": gap}},
            )
            for number, (chunk, lead, body, gap) in enumerate(_told(document, text, cut))
        ]
        most = self._desk.parts.config.max_text_chars
        if any(len(draft.text) >= most for draft in drafts):  # the desk would keep only the beginning
            raise InvalidInput(f"a part of this document has over {most:,} characters: raise max_text_chars")
        return drafts


def about_chunk(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a chunk, without the key that is only used to put the document together again."""
    return {name: value for name, value in metadata.items() if name != CUT}


def _about(document: Document, number: int, chunk: Chunk, *, paged: bool) -> dict[str, Any]:
    about = {
        "document_id": document.id,
        "title": document.title,
        "heading": _path_of(chunk.headings),
        "chunk": number,
    }
    return {**about, "page": chunk.page} if paged else about


def _told(document: Document, text: str, cut: listing[Chunk]) -> Iterator[tuple[Chunk, str, str, str]]:
    """Each chunk in a form that reads alone: its lead (title, headings), its body, and the space after the body."""
    for chunk in cut:
        whole = text[chunk.start : chunk.end]
        body = whole.rstrip()
        above = chunk.headings[: chunk.inherited]
        if document.title not in (*chunk.headings[:1], body[: len(document.title)]):
            above = (document.title, *above)
        lead = f"{_path_of(above)}\n\n" if above else ""
        yield chunk, lead + chunk.again, body, whole[len(body) :]


def _path_of(headings: tuple[str, ...]) -> str:
    return BELOW.join(heading[:MAX_HEADING_CHARS] for heading in headings if heading)


def _as_written(item: Item) -> str:
    cut = item.metadata[CUT]
    return f"{item.text[cut['lead'] :]}{cut['gap']}"


def _passage(item: Item) -> Passage:
    return Passage(id=item.id, text=item.text, **about_chunk(item.metadata))


def _path(source: object) -> Path:
    if not isinstance(source, str | os.PathLike) or not str(source).strip() or "\x00" in str(source):
        raise InvalidInput(f"source is {type(source).__name__}: pass the path of a file, or its bytes")
    return Path(os.fspath(source))


def _origin(value: object) -> str:
    clean = checks.storable(value, name="origin")
    if len(clean) > MAX_ORIGIN_CHARS:
        raise InvalidInput(f"origin has {len(clean):,} characters, the limit is {MAX_ORIGIN_CHARS:,}")
    return clean
