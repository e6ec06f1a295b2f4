"""Values as JSON and back."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

import emberkeep
from emberkeep.errors import InvalidInput
from emberkeep.model.context import Context
from emberkeep.model.item import Added, Receipt
from emberkeep.model.recall import Hits, Sessions
from emberkeep.model.report import Stats
from emberkeep.model.work import Decision, Found, Task
from emberkeep.service.calls import answered, result_of
from emberkeep.service.shapes import plain, read
from emberkeep.service.verbs import VERBS
from emberkeep.testing import WordEmbedder


def _there_and_back(kind: Any, value: object) -> Any:
    return read(kind, json.loads(json.dumps(plain(value))))


@pytest.fixture
def memory() -> Any:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as opened:
        yield opened


def test_what_the_verbs_give_comes_back_as_it_was(memory: emberkeep.Memory) -> None:
    added = memory.add(
        [{"role": "user", "content": "I moved to Lisbon in May.", "name": "Alex", "id": "m1"}],
        user_id="alex", session_id="s", tags=["home"], metadata={"channel": "voice", "n": 1},
    )  # fmt: skip
    assert _there_and_back(Added, added) == added
    hits = memory.search("where does Alex live?", user_id="alex")
    assert hits
    assert _there_and_back(Hits | Sessions, hits) == hits
    sessions = memory.search("Lisbon", user_id="alex", group="session")
    assert _there_and_back(Hits | Sessions, sessions) == sessions
    task = memory.tasks.start("Book a flight to Lisbon", user_id="alex")
    memory.decisions.log("Fly with TAP", why="it is direct", user_id="alex", task_id=task.id)
    context = memory.context("Plan the flight to Lisbon", user_id="alex")
    again = _there_and_back(Context, context)
    assert (again.text, again.total_tokens, again.entries) == (context.text, context.total_tokens, context.entries)
    assert [chunk.key for chunk in again.chunks] == [chunk.key for chunk in context.chunks]
    assert _there_and_back(Stats, memory.stats()) == memory.stats()
    assert _there_and_back(Receipt, memory.delete(added.id)).total > 0


def test_of_two_sorts_of_record_the_right_one_is_read(memory: emberkeep.Memory) -> None:
    task = memory.tasks.start("Water the plants")
    decision = memory.decisions.log("Water the plants at night", why="less evaporates")
    found = [Found(task, 1.0, 0.5), Found(decision, 0.5, None)]
    again = _there_and_back(list[Found[Task | Decision]], found)
    assert [type(one.record) for one in again] == [Task, Decision]
    assert again == found


def test_an_answer_is_always_an_object(memory: emberkeep.Memory) -> None:
    goal = memory.goals.save("Learn to sail")
    verb = VERBS["goals.list"]
    sent = json.loads(json.dumps(answered(verb, memory.goals.list())))
    assert sent["goals"][0]["description"] == "Learn to sail"
    assert result_of(verb, sent) == [goal]
    assert answered(VERBS["operational.update_metric"], None) == {}
    assert result_of(VERBS["operational.update_metric"], {}) is None
    assert answered(VERBS["preferences.get"], None) == {"value": None}


def test_times_and_bytes() -> None:
    at = datetime(2026, 5, 20, 10, tzinfo=UTC)
    assert plain(at) == "2026-05-20T10:00:00Z"
    assert read(datetime, "2026-05-20T10:00:00Z") == at
    assert read(bytes, plain(b"\x00\xff")) == b"\x00\xff"


@pytest.mark.parametrize("sent", [None, [], "text", 5, {"rows": "none"}, {}])
def test_what_is_something_else_is_refused(sent: object) -> None:
    with pytest.raises(InvalidInput):
        read(Receipt, sent)
