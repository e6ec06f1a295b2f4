"""A user who was learned from, told, failed on, rebuilt and paid for leaves nothing behind when erased."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import emberkeep
from emberkeep.errors import UnusableReply
from emberkeep.model.finding import Exchange, Finding, Lesson, Spent
from emberkeep.testing import WordEmbedder

from .conftest import Parrot

SECRETS = ["quetzalcoatl", "xylophone", "zephyrine"]
USER = "user-whose-name-is-wilhelmina"


def learn(exchange: Exchange) -> Lesson:
    text = exchange.interaction.messages[0].content
    if "nonsense" in text:
        raise UnusableReply(f"cannot read {text!r}", tokens_in=5)
    entities = ("Quetzalcoatl",) if "Quetzalcoatl" in text else ()
    return Lesson((Finding(f"Somebody said: {text}", "fact", 0, text, entities=entities),), Spent(5, 5, 1))


def live(memory: emberkeep.Memory, user: str) -> None:
    """Everything that can leave something of a user behind."""
    for text in ("I sold a Xylophone to Quetzalcoatl", "Quetzalcoatl lives in Zephyrine", "nonsense of Quetzalcoatl"):
        memory.add(text, user_id=user, session_id="s", tags=["xylophone"], metadata={"quetzalcoatl": "zephyrine"})
    memory.add("Quetzalcoatl waits", user_id=user, learn="later")
    memory.capture.log(
        {
            "timestamp": "2026-05-20T10:00:00Z",
            "user_transcript": "play the xylophone",
            "assistant_response": "Zephyrine!",
            "tool_calls": [{"name": "quetzalcoatl"}],
            "user_id": user,
        }
    )
    item = memory.remember("Quetzalcoatl likes the xylophone", user_id=user)
    memory.update(item.id, "Quetzalcoatl hates the xylophone")
    memory.remember("Quetzalcoatl lives in Xylophone", user_id=user)
    memory.delete(memory.remember("Quetzalcoatl was here", user_id=user).id)
    memory.rebuild()
    memory.delete(memory.search("sold a Xylophone", user_id=user, kinds=["fact"])[0].id)
    memory.search("xylophone", user_id=user, touch=True)


@pytest.fixture
def store(durable_target: str) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), learner=Parrot(learn)) as memory:
        yield memory


def tables(target: str) -> dict[str, list[str]]:
    """Every table's rows, as text."""
    if target.startswith("postgres"):
        with psycopg.connect(target) as server:
            names = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            return {name: [str(row) for row in server.execute(f'SELECT * FROM "{name}"')] for (name,) in names}
    with sqlite3.connect(target) as file:
        names = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        found = {name: [str(row) for row in file.execute(f"SELECT * FROM {name}")] for (name,) in names}
    file.close()
    return found


def mentions(target: str) -> set[str]:
    return {
        name
        for name, rows in tables(target).items()
        for row in rows
        if USER in row or any(secret in row.lower() for secret in SECRETS)
    }


def test_a_user_is_in_no_table_any_more(store: emberkeep.Memory, durable_target: str) -> None:
    live(store, USER)
    store.add("somebody else stays", user_id="sam")
    before = mentions(durable_target)
    assert {"interactions", "items", "claims", "mentions", "sources", "spend", "shelves", "history"} <= before
    receipt = store.delete_all(user_id=USER)
    assert mentions(durable_target) == set()
    assert receipt.rows["interactions"] == 5
    for table in ("items", "vectors", "claims", "mentions", "links", "spend", "sources", "history", "forgotten"):
        assert receipt.rows[table] > 0, table
    assert store.get_all(user_id="sam")
    assert store.backlog() == []


@pytest.mark.slow
def test_nothing_of_them_is_in_the_files(tmp_path: Path) -> None:
    target = tmp_path / "store" / "agent.db"
    with emberkeep.open(target, embedder=WordEmbedder(), learner=Parrot(learn)) as memory:
        live(memory, USER)
        memory.add("somebody else stays", user_id="sam")
        memory.delete_all(user_id=USER)
        for path in target.parent.rglob("*"):
            content = path.read_bytes().lower() if path.is_file() else b""
            assert not [word for word in (*SECRETS, USER) if word.encode() in content], path


def test_a_session_takes_what_only_it_taught(store: emberkeep.Memory) -> None:
    store.add("the xylophone is loud", user_id="alex", session_id="one")
    store.add("the drum is loud", user_id="alex", session_id="one")
    store.add("the drum is loud", user_id="alex", session_id="two")
    store.delete_all(session_id="one")
    (fact,) = store.get_all(user_id="alex", kinds=["fact"])
    assert fact.text == "Somebody said: the drum is loud"
    assert len(fact.sources) == 1
    assert [item.text for item in store.get_all(user_id="alex", kinds=["episode"])] == ["the drum is loud"]


def test_what_nobody_has_learned_from_yet_is_erased_too(store: emberkeep.Memory, durable_target: str) -> None:
    store.add("the xylophone is loud", user_id=USER, learn="later")
    store.capture.log({"timestamp": "2026-05-20T10:00:00Z", "user_transcript": "zephyrine", "assistant_response": "",
                       "user_id": "alex"})  # fmt: skip
    assert store.delete_all(user_id=USER).rows["interactions"] == 1
    assert store.delete_all(user_id="*").rows["interactions"] == 1
    assert mentions(durable_target) == set()
