"""Reading a MemPalace folder as parcels: its drawers, word for word, and the facts of its graph."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from emberkeep.errors import InvalidInput, NotFound
from emberkeep.model import checks
from emberkeep.transfer.parcels import Parcel, Told, held, mapping, marked, when, words
from emberkeep.transfer.reading import placed

COLLECTION = "mempalace_drawers"
GRAPH = "knowledge_graph.sqlite3"
_FILES = ("chroma.sqlite3", "sqlite_exact.sqlite3")
_DATES = ("authored_at", "content_date", "filed_at")  # in order of preference: when written, its date, when filed
_TEXT = "chroma:document"
# Chroma's tables: a row of `embeddings` per document, and a row of `embedding_metadata` per value of its metadata.
_CHROMA = """
    SELECT embeddings.embedding_id, m.key, coalesce(m.string_value, m.int_value, m.float_value, m.bool_value)
    FROM collections JOIN segments ON segments.collection = collections.id AND segments.scope = 'METADATA'
    JOIN embeddings ON embeddings.segment_id = segments.id JOIN embedding_metadata AS m ON m.id = embeddings.id
    WHERE collections.name = ? ORDER BY embeddings.id
"""
_EXACT = """
    SELECT documents.id, documents.document, documents.metadata_json
    FROM collections JOIN documents ON documents.collection_id = collections.id
    WHERE collections.name = ? ORDER BY documents.created_at, documents.id
"""
_TRIPLES = """
    SELECT triples.id, coalesce(a.name, subject), predicate, coalesce(b.name, object),
        valid_from, valid_to, extracted_at
    FROM triples LEFT JOIN entities AS a ON a.id = subject LEFT JOIN entities AS b ON b.id = object
    ORDER BY coalesce(valid_from, extracted_at), triples.id
"""


def read_mempalace(path: Path) -> Iterator[Parcel]:
    """The drawers of a palace as knowledge, with wing, room and hall as tags; the triples of its graph as facts.

    The palace is only read, never changed.
    """
    if not path.is_dir():
        raise NotFound(f"no folder {path}: pass the palace's own folder, which has {_FILES[0]} in it")
    files = [path / name for name in (*_FILES, GRAPH) if (path / name).is_file()]
    if not files:
        raise InvalidInput(f"{path}: there is neither {' nor '.join((*_FILES, GRAPH))} in it: is this a palace?")
    for file in files:
        reader = _facts if file.name == GRAPH else _drawers
        try:
            with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                yield from reader(connection, file)
        except sqlite3.Error as error:
            raise InvalidInput(f"{file}: cannot be read ({error}). Is it a file that MemPalace wrote?") from None


def _drawers(connection: sqlite3.Connection, file: Path) -> Iterator[Told]:
    found = _of_chroma(connection) if file.name == _FILES[0] else connection.execute(_EXACT, (COLLECTION,))
    for id_, text, said_of_it in found:
        with placed(f"{file}: drawer {id_}"):
            about = said_of_it if isinstance(said_of_it, dict) else _parsed(said_of_it)
            if not (said := words(text, "the document")):
                continue
            date = next((about[name] for name in _DATES if about.get(name)), None)
            tags = [words(about[name], name) for name in ("wing", "room", "hall") if about.get(name)]
            told = Told(
                said,
                kind="knowledge",
                occurred_at=when(date),
                tags=checks.tags(tags),
                metadata=marked({name: one for name, one in about.items() if one is not None}, "mempalace", id_),
            )
        yield told


def _of_chroma(connection: sqlite3.Connection) -> Iterator[tuple[str, Any, Any]]:
    at = ""
    about: dict[str, Any] = {}
    for id_, key, value in connection.execute(_CHROMA, (COLLECTION,)):
        if id_ != at and about:
            yield at, about.pop(_TEXT, None), about
            about = {}
        at = id_
        about[key] = value
    if about:
        yield at, about.pop(_TEXT, None), about


def _parsed(text: object) -> Mapping[str, Any]:
    if text is None:
        return {}
    try:
        return mapping(json.loads(words(text, "what is said of it")), "what is said of it")
    except (ValueError, RecursionError):
        raise InvalidInput("what is said of it is not JSON") from None


def _facts(connection: sqlite3.Connection, file: Path) -> Iterator[Told]:
    for id_, subject, predicate, other, since, until, noted in connection.execute(_TRIPLES):
        with placed(f"{file}: triple {id_}"):
            text = " ".join(words(one, "a name").replace("_", " ") for one in (subject, predicate, other))
            told = held(text, when(since or noted), when(until), marked({"predicate": predicate}, "mempalace", id_))
        yield told
