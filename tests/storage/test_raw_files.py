"""What was erased is in none of the files that a PostgreSQL has of the database, and how it leaves its log."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

import emberkeep
from emberkeep.testing import WordEmbedder

from ..databases import run
from ..learning.conftest import Parrot
from ..learning.test_erase import SECRETS, USER, learn, live

WORDS = [word.encode() for word in (*SECRETS, USER)]


@pytest.fixture
def store(postgres_url: str) -> Iterator[emberkeep.Memory]:
    """A user's life, of which the server has taken samples for its statistics, and somebody else's."""
    with emberkeep.open(postgres_url, embedder=WordEmbedder(), learner=Parrot(learn)) as memory:
        live(memory, USER)
        for number in range(30):
            memory.add(f"Quetzalcoatl, {number % 3} times", user_id=USER, learn=False)
        memory.add("somebody else stays", user_id="sam")
        memory.tidy()
        yield memory


def holding(url: str, folder: str, words: Sequence[bytes] = WORDS) -> set[str]:
    """The files of a folder in which a word stands: tables by their names, and what is named otherwise by that."""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("CHECKPOINT")
        ((root, here),) = server.execute("SELECT current_setting('data_directory'), oid FROM pg_database "
                                         "WHERE datname = current_database()")  # fmt: skip
        names: dict[str, str] = dict(
            server.execute("SELECT pg_relation_filenode(oid)::text, relname FROM pg_class").fetchall()
        )
    if not Path(root).is_dir():
        pytest.skip("the server is elsewhere, and so are its files")
    found = set()
    for path in (Path(root) / folder.format(here=here)).rglob("*"):
        content = path.read_bytes().lower() if path.is_file() else b""
        if any(word in content for word in words):
            found.add(names.get(path.name.partition(".")[0], path.name))
    return found


@pytest.mark.slow
def test_nothing_of_a_user_is_left_in_the_tables_of_postgresql(store: emberkeep.Memory, postgres_url: str) -> None:
    tables = "base/{here}"
    assert {"pg_statistic"} < holding(postgres_url, tables)
    store.delete_all(user_id=USER)
    store.tidy()
    assert holding(postgres_url, tables)  # a plain vacuum frees the space, and leaves what is in it
    store.tidy(rewrite=True)
    assert holding(postgres_url, tables) == set()
    assert [item.text for item in store.get_all(user_id="sam", kinds=["episode"])] == ["somebody else stays"]
    assert store.search("somebody else", user_id="sam")[0].text.endswith("somebody else stays")


@pytest.fixture
def no_recycling(postgres_url: str) -> Iterator[None]:
    """A server that removes the old files of its log instead of writing over them some day."""
    for setting in ("SET wal_recycle = off", "RESET wal_recycle"):
        run(postgres_url, f"ALTER SYSTEM {setting}")
        run(postgres_url, "SELECT pg_reload_conf()")
        if setting.startswith("SET"):
            yield


@pytest.mark.slow
@pytest.mark.usefixtures("no_recycling")
def test_the_log_of_postgresql_forgets_when_its_old_files_are_not_used_again(postgres_url: str) -> None:
    word = f"quokka{uuid4().hex}".encode()
    run(postgres_url, "SELECT pg_switch_wal()")  # a new file, which is not full before it is looked at
    with emberkeep.open(postgres_url, embedder=WordEmbedder()) as memory:
        memory.add(f"I live in {word.decode()}.", user_id="alex")
        assert holding(postgres_url, "pg_wal", [word])
        memory.delete_all(user_id="alex")
        memory.tidy(rewrite=True)
        run(postgres_url, "SELECT pg_switch_wal()")  # until then it may be in the file that is being written
        assert holding(postgres_url, "pg_wal", [word]) == set()  # which makes a checkpoint first


@pytest.mark.slow
def test_a_file_of_sqlite_is_written_anew_too(tmp_path: Path) -> None:
    target = tmp_path / "store" / "agent.db"
    with emberkeep.open(target, embedder=WordEmbedder(), learner=Parrot(learn)) as memory:
        live(memory, USER)
        memory.add("somebody else stays", user_id="sam")
        memory.tidy()
        memory.delete_all(user_id=USER)
        memory.tidy(rewrite=True)
        for path in target.parent.rglob("*"):
            content = path.read_bytes().lower() if path.is_file() else b""
            assert not [word for word in WORDS if word in content], path
        assert memory.get_all(user_id="sam")
