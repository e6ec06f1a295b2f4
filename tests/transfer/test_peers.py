"""What other memories keep in their own folders is taken over with its dates, and they are left as they are."""

import gc
import json
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient, models

import emberkeep
from emberkeep.errors import Conflict, InvalidInput, NotFound
from emberkeep.testing import WordEmbedder
from emberkeep.transfer.importing import import_from, survey

# The tables that are read, as Chroma 1.5 makes them.
CHROMA = """
    CREATE TABLE collections (id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER);
    CREATE TABLE segments (id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, collection TEXT NOT NULL);
    CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id TEXT NOT NULL, embedding_id TEXT NOT NULL);
    CREATE TABLE embedding_metadata (
        id INTEGER, key TEXT NOT NULL, string_value TEXT, int_value INTEGER, float_value REAL, bool_value INTEGER,
        PRIMARY KEY (id, key)
    );
    INSERT INTO collections VALUES ('c1', 'mempalace_drawers', 4), ('c2', 'other', 4);
    INSERT INTO segments VALUES ('v1', 'hnsw', 'VECTOR', 'c1'), ('s1', 'sqlite', 'METADATA', 'c1'),
        ('s2', 'sqlite', 'METADATA', 'c2');
    INSERT INTO embeddings VALUES (1, 's1', 'drawer_1'), (2, 's1', 'drawer_2'), (3, 's1', 'drawer_3'), (4, 's2', 'x');
    INSERT INTO embedding_metadata VALUES
        (1, 'chroma:document', 'We chose PostgreSQL for its row-level security.', NULL, NULL, NULL),
        (1, 'wing', 'acme', NULL, NULL, NULL), (1, 'room', 'database', NULL, NULL, NULL),
        (1, 'filed_at', '2026-05-02T10:00:00.123', NULL, NULL, NULL), (1, 'chunk_index', NULL, 7, NULL, NULL),
        (2, 'chroma:document', 'Deploys take four minutes ☕', NULL, NULL, NULL),
        (2, 'authored_at', '2025-01-02T10:00:00Z', NULL, NULL, NULL),
        (2, 'filed_at', '2026-06-02T10:00:00', NULL, NULL, NULL), (2, 'score', NULL, NULL, 0.5, NULL),
        (3, 'chroma:document', '  ', NULL, NULL, NULL),
        (4, 'chroma:document', 'Not a drawer', NULL, NULL, NULL);
"""
GRAPH = """
    CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE triples (
        id TEXT PRIMARY KEY, subject TEXT, predicate TEXT, object TEXT, valid_from TEXT, valid_to TEXT,
        extracted_at TEXT
    );
    INSERT INTO entities VALUES ('max', 'Max'), ('swim', 'swimming');
    INSERT INTO triples VALUES ('t1', 'max', 'does', 'swim', '2025-01-01', NULL, '2025-02-01 10:00:00'),
        ('t2', 'max', 'lives_in', 'porto', '2020-01-01', '2024-05-01', '2025-02-01 10:00:00');
"""
EXACT = """
    CREATE TABLE collections (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE documents (collection_id INTEGER, id TEXT, document TEXT, metadata_json TEXT, created_at TEXT);
    INSERT INTO collections VALUES (1, 'mempalace_drawers');
    INSERT INTO documents VALUES (1, 'd1', 'Exactly so', '{"wing": "w", "content_date": "2026-01-05"}', '2026-01-06');
"""


@pytest.fixture
def store() -> Iterator[emberkeep.Memory]:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        yield memory


def palace(folder: Path, **files: str) -> Path:
    for name, script in files.items():
        with closing(sqlite3.connect(folder / f"{name}.sqlite3")) as connection:
            connection.executescript(script)
    return folder


def test_drawers_of_mempalace_are_kept_word_for_word(store: emberkeep.Memory, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in palace(tmp_path, chroma=CHROMA).iterdir()}
    assert import_from(store, tmp_path, "mempalace", user_id="alex").new == 2
    found = {item.text: item for item in store.get_all(user_id="alex")}
    assert found.keys() == {"We chose PostgreSQL for its row-level security.", "Deploys take four minutes ☕"}
    chosen = found["We chose PostgreSQL for its row-level security."]
    assert (chosen.kind, chosen.tags) == ("knowledge", ("acme", "database"))
    assert chosen.occurred_at == datetime(2026, 5, 2, 10, 0, 0, 123_000, tzinfo=UTC)
    assert chosen.metadata["source_id"] == "drawer_1"
    assert chosen.metadata["chunk_index"] == 7
    assert found["Deploys take four minutes ☕"].occurred_at.year == 2025
    assert import_from(store, tmp_path, "mempalace", user_id="alex").new == 0
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_triples_of_mempalace_say_until_when_they_held(store: emberkeep.Memory, tmp_path: Path) -> None:
    import_from(store, palace(tmp_path, knowledge_graph=GRAPH), "mempalace")
    found = {item.text: item for item in store.get_all()}
    assert found.keys() == {"Max does swimming", "Max lives in porto (so until 2024-05-01)"}
    assert found["Max does swimming"].kind == "fact"
    assert found["Max does swimming"].occurred_at == datetime(2025, 1, 1, tzinfo=UTC)


def test_the_other_backend_of_mempalace(store: emberkeep.Memory, tmp_path: Path) -> None:
    assert survey(palace(tmp_path, sqlite_exact=EXACT, knowledge_graph=GRAPH), "mempalace").memories == 3
    import_from(store, tmp_path, "mempalace")
    assert "Exactly so" in {item.text for item in store.get_all()}


@pytest.mark.parametrize("script", ["", "CREATE TABLE x (y)", EXACT.replace('{"wing"', "{wing")])
def test_a_palace_that_is_none(store: emberkeep.Memory, tmp_path: Path, script: str) -> None:
    with pytest.raises(InvalidInput, match="sqlite_exact"):
        import_from(store, palace(tmp_path, sqlite_exact=script), "mempalace")
    assert not store.get_all()


def test_a_file_that_is_no_database(store: emberkeep.Memory, tmp_path: Path) -> None:
    (tmp_path / "chroma.sqlite3").write_text("hello" * 1000)
    with pytest.raises(InvalidInput, match="cannot be read"):
        import_from(store, tmp_path, "mempalace")


def test_folders_that_are_missing_or_of_something_else(store: emberkeep.Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="palace's own folder"):
        import_from(store, tmp_path / "nowhere", "mempalace")
    with pytest.raises(InvalidInput, match="is this a palace"):
        import_from(store, tmp_path, "mempalace")
    with pytest.raises(InvalidInput, match="vector_store"):
        import_from(store, tmp_path, "mem0")


def qdrant(folder: Path, payloads: list[dict[str, Any]]) -> Path:
    client = QdrantClient(path=str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # of a database in memory, which it does not close
        client.create_collection("mem0", vectors_config=models.VectorParams(size=2, distance=models.Distance.COSINE))
        gc.collect()
    points = [models.PointStruct(id=number, vector=[0.1, 0.2], payload=one) for number, one in enumerate(payloads)]
    client.upsert("mem0", points)
    client.close()
    return folder


def test_memories_out_of_the_folder_of_mem0(store: emberkeep.Memory, tmp_path: Path) -> None:
    payloads: list[dict[str, Any]] = [
        {"data": "Is allergic to nuts", "user_id": "alex", "created_at": "2024-07-01T10:00:00-07:00", "app": "bot"},
        {
            "data": "Likes tea",
            "user_id": "sam",
            "run_id": "r1",
            "text_lemmatized": "like tea",
            "created_at": None,
            "hash": "x",
        },
        {"data": "tea", "entity_type": "drink", "linked_memory_ids": ["1"]},
        {"other": "program"},
    ]
    folder = qdrant(tmp_path / "qdrant", payloads)
    assert import_from(store, folder, "mem0").new == 2
    (alex,) = store.get_all(user_id="alex")
    assert alex.occurred_at == datetime(2024, 7, 1, 17, tzinfo=UTC)
    assert json.loads(json.dumps(dict(alex.metadata))) == {"app": "bot", "source": "mem0", "source_id": "0"}
    assert [(item.text, item.session_id) for item in store.get_all(user_id="sam")] == [("Likes tea", "r1")]
    assert import_from(store, folder, "mem0").new == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Qdrant leaves a lock's file open
def test_a_folder_that_mem0_has_open(store: emberkeep.Memory, tmp_path: Path) -> None:
    folder = qdrant(tmp_path / "qdrant", [{"data": "Likes tea"}])
    client = QdrantClient(path=str(folder))
    with pytest.raises(Conflict, match="qdrant"):
        import_from(store, folder, "mem0")
    client.close()
    assert import_from(store, folder, "mem0").new == 1
