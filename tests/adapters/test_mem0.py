"""Mem0's interface over Emberkeep: the code of the seeds with one import changed, and the shapes of Mem0 itself."""

import asyncio
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from emberkeep.adapters.mem0 import AsyncMemory, Memory
from emberkeep.errors import ConfigError, InvalidInput

ALEX = [
    {"role": "user", "content": "I moved to Lisbon in May. I am allergic to peanuts."},
    {"role": "assistant", "content": "Noted!"},
]
RESULT = {"id", "memory", "hash", "metadata", "created_at", "updated_at", "user_id"}


def _config(path: Path) -> dict[str, Any]:
    return {"vector_store": {"provider": "qdrant", "config": {"collection_name": "voxaos", "path": str(path)}}}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = Memory.from_config(_config(tmp_path))
    yield opened
    opened.close()


class LearningMemory:
    """As VoxaOS writes it down, but for the import and its settings."""

    def __init__(self, storage_path: str) -> None:
        os.makedirs(storage_path, exist_ok=True)  # noqa: PTH103 - word for word
        self.memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {
                        "collection_name": "voxaos",
                        "path": storage_path,
                    },
                },
                "llm": {"provider": "openai", "config": {"model": "m", "api_key": "not-needed"}},
            }
        )

    def add(self, user_msg: str, assistant_msg: str, user_id: str = "default") -> None:
        messages = [
            {"role": "user", "content": user_msg},
            {"role": "assistant", "content": assistant_msg},
        ]
        self.memory.add(messages, user_id=user_id)

    def search(self, query: str, user_id: str = "default", limit: int = 5) -> list[str]:
        results = self.memory.search(query, user_id=user_id, limit=limit)
        return [r["memory"] for r in results.get("results", [])]

    def get_all(self, user_id: str = "default") -> list[str]:
        results = self.memory.get_all(user_id=user_id)
        return [r["memory"] for r in results.get("results", [])]


def test_the_code_of_voxaos_works_with_the_import_changed(tmp_path: Path) -> None:
    learning = LearningMemory(str(tmp_path / "memory"))
    learning.add("I moved to Lisbon in May.", "Noted!", user_id="alex")
    learning.add("I am allergic to peanuts.", "I will remember.", user_id="alex")
    assert any("Lisbon" in text for text in learning.search("where do I live?", user_id="alex"))
    assert len(learning.get_all("alex")) == 2
    assert learning.get_all("kim") == []
    learning.memory.close()


def test_every_verb_answers_as_mem0_does(memory: Memory) -> None:
    added = memory.add(ALEX, user_id="alex", run_id="s-1", metadata={"channel": "voice"})["results"]
    assert {frozenset(one) for one in added} == {frozenset({"id", "memory", "event"})}
    assert {one["event"] for one in added} == {"ADD"}
    again = memory.add("I am allergic to peanuts.", user_id="alex")["results"]
    assert [one["event"] for one in again] == ["UPDATE"]
    (found,) = memory.search("allergies", user_id="alex", limit=1)["results"]
    assert RESULT | {"score", "run_id"} >= set(found) >= RESULT | {"score"}
    assert "peanuts" in found["memory"]
    one = memory.get(found["id"])
    assert one is not None
    assert one["memory"] == found["memory"]
    assert memory.update(found["id"], "Allergic to nuts") == {"message": "Memory updated successfully!"}
    entries = memory.history(found["id"])
    assert entries[0]["event"] == "ADD"
    assert {"id", "memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at", "is_deleted"} == set(
        entries[-1]
    )
    assert (entries[-1]["event"], entries[-1]["new_memory"]) == ("UPDATE", "Allergic to nuts")
    assert memory.delete(found["id"]) == {"message": "Memory deleted successfully!"}
    assert memory.get(found["id"]) is None
    assert memory.delete_all(user_id="alex") == {"message": "Memories deleted successfully!"}
    assert memory.get_all(user_id="alex") == {"results": []}


def test_what_is_not_to_be_inferred_is_kept_word_for_word(memory: Memory) -> None:
    results = memory.add(ALEX, user_id="alex", infer=False)["results"]
    assert [(one["memory"], one["role"]) for one in results] == [(one["content"], one["role"]) for one in ALEX]
    assert len(memory.get_all(filters={"user_id": "alex"})["results"]) == 2


def test_filters_name_the_scope_and_the_metadata(memory: Memory) -> None:
    memory.add("Likes tea", user_id="alex", agent_id="barista", metadata={"room": "kitchen"}, infer=False)
    memory.add("Likes jazz", user_id="alex", metadata={"room": "hall"}, infer=False)
    found = memory.search("likes", filters={"user_id": "alex", "room": "hall"})["results"]
    assert [one["memory"] for one in found] == ["Likes jazz"]
    assert [one["memory"] for one in memory.get_all(agent_id="barista")["results"]] == ["Likes tea"]


def test_what_is_learned_has_its_run_and_metadata(memory: Memory) -> None:
    memory.add("I am allergic to peanuts.", user_id="alex", run_id="r-1", metadata={"channel": "voice"})
    memory.add("I moved to Lisbon in May.", user_id="alex", run_id="r-2", metadata={"channel": "text"})
    memory.add("I like green tea.", user_id="alex")
    for found in (
        memory.get_all(user_id="alex", run_id="r-1"),
        memory.get_all(run_id="r-1"),
        memory.get_all(filters={"user_id": "alex", "channel": "voice"}),
        memory.search("allergies", filters={"user_id": "alex", "run_id": "r-1"}),
    ):
        (one,) = found["results"]
        assert "peanuts" in one["memory"]
        assert (one["run_id"], one["metadata"]["channel"]) == ("r-1", "voice")
    memory.update(one["id"], "Allergic to nuts", metadata={"sure": True})
    (changed,) = memory.get_all(run_id="r-1")["results"]
    assert changed["metadata"] | {"sure": True, "channel": "voice"} == changed["metadata"]
    assert changed["updated_at"] > changed["created_at"]
    memory.delete_all(run_id="r-1")
    assert memory.get_all(run_id="r-1") == {"results": []}
    assert len(memory.get_all(user_id="alex")["results"]) == 2


def test_times_and_parts_as_mem0_takes_them(memory: Memory) -> None:
    parts = [{"type": "text", "text": "Likes hats"}, {"type": "image_url", "image_url": {"url": "x"}}]
    for timestamp in (1_700_000_000, "2023-11-14T22:13:20", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)):
        said = [{"role": "user", "content": parts}]
        (one,) = memory.add(said, user_id=f"u {timestamp}", infer=False, timestamp=timestamp)["results"]
        assert one["memory"] == "Likes hats"
        assert memory.memory.get(one["id"]).occurred_at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    for wrong in (1e30, "yesterday"):
        with pytest.raises(InvalidInput, match="seconds since 1970"):
            memory.add("Likes hats", user_id="alex", timestamp=wrong)


def test_a_threshold_is_a_cosine(memory: Memory) -> None:
    memory.add("Likes tea", user_id="alex", infer=False)
    assert memory.search("Likes tea", user_id="alex", threshold=0.9)["results"]
    assert memory.search("quantum physics", user_id="alex", threshold=0.9) == {"results": []}


def test_collections_do_not_see_one_another(tmp_path: Path) -> None:
    first, config = Memory.from_config(_config(tmp_path)), _config(tmp_path)
    config["vector_store"]["config"]["collection_name"] = "other"
    second = Memory.from_config(config)
    first.add("Likes tea", user_id="alex", infer=False)
    assert second.get_all(user_id="alex") == {"results": []}
    second.reset()
    assert len(first.get_all(user_id="alex")["results"]) == 1
    first.close()
    second.close()


def test_awaited(tmp_path: Path) -> None:
    async def run() -> Any:
        memory = await AsyncMemory.from_config(_config(tmp_path))
        await memory.add(ALEX, user_id="alex")
        found = (await memory.search("allergies", user_id="alex"))["results"]
        await memory.update(found[0]["id"], "Allergic to nuts")
        assert (await memory.get(found[0]["id"]) or {})["memory"] == "Allergic to nuts"
        assert await memory.history(found[0]["id"])
        await memory.delete(found[0]["id"])
        await memory.delete_all(user_id="alex")
        left = await memory.get_all(user_id="alex")
        await memory.reset()
        await memory.close()
        return left

    assert asyncio.run(run()) == {"results": []}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"vector_store": {"provider": "pinecone"}}, "no place for a pinecone store"),
        ({"vector_store": {"provider": "qdrant", "config": {"host": "h"}}}, "does not talk to a qdrant server"),
        ({"vector_store": "qdrant"}, "as Mem0 takes it"),
        ({"vector_store": {"provider": "pgvector", "config": {"port": "abc"}}}, "such as 5432"),
        (5, "not int"),
    ],
)
def test_settings_that_cannot_be_had_are_refused(config: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Memory.from_config(config)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.search("tea", userid="alex", agent_id="bot"), "search knows no 'userid'"),
        (lambda m: m.get_all(userid="alex", agent_id="bot"), "get_all knows no 'userid'"),
        (lambda m: m.add("I like tea.", user_id="alex", expires="2027-01-01"), "add knows no 'expires'"),
        (lambda m: m.add("I like tea.", user_id="alex", expiration_date="2027-01-01"), "nothing expires here"),
        (lambda m: m.update("x", "tea", expiration_date="2027-01-01"), "nothing expires here"),
    ],
)
def test_what_is_not_known_is_refused_rather_than_ignored(
    memory: Memory, call: Callable[[Memory], Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        call(memory)
    assert memory.get_all(user_id="alex")["results"] == []


def test_what_mem0_takes_and_makes_no_difference_here_is_taken(memory: Memory) -> None:
    memory.add("I like tea.", user_id="alex", prompt="List what they like.", memory_type=None, expiration_date=None)
    found = memory.search(
        "tea", user_id="alex", rerank=True, explain=True, show_expired=True, reference_date="2026-06-01"
    )

    assert [one["memory"] for one in found["results"]] == ["The user likes tea"]


def test_a_scope_is_needed(memory: Memory) -> None:
    for call in (lambda: memory.add("x"), lambda: memory.search("x"), memory.get_all, memory.delete_all):
        with pytest.raises(InvalidInput, match="needs a user_id, agent_id or run_id"):
            call()


@pytest.mark.slow
def test_the_database_of_pgvector_is_used(postgres_url: str) -> None:
    store = {"provider": "pgvector", "config": {"connection_string": postgres_url, "collection_name": "mem0_memories"}}
    memory = Memory.from_config({"vector_store": store})
    memory.add(ALEX, user_id="alex")
    assert memory.memory.stats().database.startswith("postgresql://")
    assert "peanuts" in memory.search("allergies", user_id="alex")["results"][0]["memory"]
    memory.close()
