"""What was erased is in no row and in no file any more."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

import emberkeep
from emberkeep.storage import schema

WORD = "Quetzalcoatl"
Open = Callable[..., emberkeep.Memory]
RECORDS = ("goals", "tasks", "steps", "decisions", "cached_patterns", "entries", "items", "vectors", "attributes")


def fill(memory: emberkeep.Memory, word: str, **scope: Any) -> None:
    """A record of every noun that says a word in every field, twice."""
    about: dict[str, Any] = {"metadata": {"said": word, "deep": [{word: word}]}}
    owner = {key: value for key, value in scope.items() if key != "session_id"}
    for n in (1, 2):
        said = f"{word} {n}"
        memory.goals.save(said, id=f"{word} g", summary=said, **about, **scope)
        memory.tasks.save(f"{word} t", said, goal_id=f"{word} g", summary=said, **about, **scope)
        memory.tasks.step(f"{word} t", said, parameters={word: word}, output=said)
        decision = memory.decisions.log(
            said, who=word, why=word, context=word, alternatives=[word], task_id=f"{word} t", **about, **scope
        )
        memory.decisions.set_outcome(decision.id, said)
        memory.patterns.store(said, word, id=f"{word} p", **about, **scope)
        memory.preferences.set(word, said, **owner)
        memory.persona.set(word, {word: n}, **owner)


def empty(memory: emberkeep.Memory) -> None:
    """Each record deleted by its own verb."""
    for task in memory.tasks.list():
        memory.tasks.delete(task.id)
    for decision in memory.decisions.list():
        memory.decisions.delete(decision.id)
    for goal in memory.goals.list():
        memory.goals.delete(goal.id)
    for pattern in memory.patterns.list_cached():
        memory.patterns.delete(pattern.id)
    for agent in memory.agents.list():
        memory.agents.delete(agent.agent_id)
    memory.preferences.delete(WORD, user_id="alex", agent_id="aios")
    memory.persona.delete(WORD, user_id="alex", agent_id="aios")


def counts(memory: emberkeep.Memory) -> dict[str, int]:
    with memory._parts.database.read() as connection:
        tables = [schema.metadata.tables[name] for name in RECORDS]
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables
        }


def traces(folder: Path, word: str) -> set[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.name for path in files if word.lower().encode() in path.read_bytes().lower()}


ERASURES: dict[str, Callable[[emberkeep.Memory], object]] = {
    "one by one": empty,
    "the user": lambda memory: memory.delete_all(user_id="alex"),
    "the agent": lambda memory: memory.delete_all(agent_id="aios"),
    "everyone": lambda memory: memory.delete_all(user_id="*"),
}


@pytest.mark.slow
@pytest.mark.parametrize("how", ERASURES)
def test_nothing_is_left_in_the_file(tmp_path: Path, opened: Open, how: str) -> None:
    folder = tmp_path / "store"
    memory = opened(str(folder / "agent.db"))
    memory.goals.save("something else", user_id="sam", agent_id="other")
    fill(memory, WORD, user_id="alex", agent_id="aios", session_id="s")
    if how != "the user":
        memory.agents.save("aios", WORD, {WORD: WORD})
    memory.search(WORD, user_id="alex", touch=True)
    assert traces(folder, WORD)
    ERASURES[how](memory)
    assert traces(folder, WORD) == set()
    memory.upkeep()
    memory.close()
    assert traces(folder, WORD) == set()


@pytest.mark.parametrize("how", [{"user_id": "alex"}, {"agent_id": "aios"}, {"user_id": "alex", "agent_id": "aios"}])
def test_a_scope_takes_all_that_is_its_own_and_nothing_else(stored: emberkeep.Memory, how: dict[str, str]) -> None:
    fill(stored, "kept", user_id="sam", agent_id="other", session_id="s")
    before = counts(stored)
    fill(stored, WORD, user_id="alex", agent_id="aios", session_id="s")
    assert all(count > before[name] for name, count in counts(stored).items())
    rows = stored.delete_all(**how).rows
    assert counts(stored) == before
    assert {name: rows[name] for name in ("goals", "tasks", "steps", "entries")} == {
        "goals": 1,
        "tasks": 1,
        "steps": 2,
        "entries": 2,
    }
    assert stored.tasks.get("kept t").summary == "kept 2"
    assert stored.tasks.relevant(WORD, user_id="alex") == []


def test_a_session_takes_its_records_and_leaves_the_values_by_name(plain: emberkeep.Memory) -> None:
    fill(plain, WORD, user_id="alex", session_id="s")
    fill(plain, "kept", user_id="alex", session_id="other")
    plain.delete_all(session_id="s")
    assert [task.id for task in plain.tasks.list()] == ["kept t"]
    assert set(plain.preferences.all(user_id="alex")) == {WORD, "kept"}
    assert {hit.item.session_id for hit in plain.search("kept", user_id="alex")} == {"other", None}


def test_a_record_can_be_made_anew_after_it_was_erased(stored: emberkeep.Memory) -> None:
    for _ in range(2):
        fill(stored, WORD, user_id="alex", agent_id="aios")
        assert stored.tasks.relevant(WORD, user_id="alex")
        empty(stored)
        assert counts(stored) == dict.fromkeys(RECORDS, 0)
