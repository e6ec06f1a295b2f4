"""Decisions: who, what and why, and how it turned out."""

from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pytest

import emberkeep
from emberkeep.testing import FixedClock


def test_a_decision_is_logged_with_who_what_and_why(memory: emberkeep.Memory, clock: FixedClock) -> None:
    memory.goals.save("Grow", id="g", user_id="alex")
    memory.tasks.save("t", "Move", user_id="alex")
    decision = memory.decisions.log(
        "Move the database to PostgreSQL",
        who="orchestrator",
        why="SQLite has one writer",
        context="forty agents write at once",
        alternatives=("shard SQLite", "a queue"),
        confidence=0.8,
        goal_id="g",
        task_id="t",
        id="d:1/#",
        metadata={"n": 1},
        user_id="alex",
        agent_id="aios",
    )
    assert memory.decisions.get("d:1/#") == decision
    assert (decision.alternatives, decision.confidence) == (("shard SQLite", "a queue"), 0.8)
    assert (decision.outcome, decision.success) == (None, None)
    clock.move(days=1)
    ended = memory.decisions.set_outcome("d:1/#", "Writes no longer wait", success=True)
    assert (ended.outcome, ended.success, ended.updated_at) == ("Writes no longer wait", True, clock.now())
    assert ended.created_at == decision.created_at
    assert memory.decisions.get("d:1/#") == ended
    (found,) = memory.decisions.similar("too many writers for one database", user_id="alex")
    assert (found.record, found.relevance) == (ended, 1.0)
    (item,) = memory.get_all(user_id="alex", kinds=["decision"])
    assert item.text == (
        "Move the database to PostgreSQL because SQLite has one writer (forty agents write at once). "
        "It turned out: Writes no longer wait"
    )
    assert item.metadata == {"decision_id": "d:1/#", "who": "orchestrator"}


def test_the_same_id_is_logged_once(plain: emberkeep.Memory) -> None:
    plain.decisions.log("Use rain water", id="d", user_id="alex")
    for user in ("alex", "sam", None):
        with pytest.raises(emberkeep.Conflict, match="logged already"):
            plain.decisions.log("Use tap water", id="d", user_id=user)
    assert [one.what for one in plain.decisions.list()] == ["Use rain water"]


def test_similar_ones_may_have_been_learned_from_what_was_said(memory: emberkeep.Memory) -> None:
    memory.remember("We decided to ship on Fridays only", kind="decision", user_id="alex")
    memory.decisions.log("Ship the release on Friday", who="lead", user_id="alex")
    found = memory.decisions.similar("when do we ship?", user_id="alex")
    assert {one.record.what for one in found} == {"We decided to ship on Fridays only", "Ship the release on Friday"}
    assert found[0].relevance == 1.0 >= found[1].relevance > 0
    assert len(memory.decisions.similar("when do we ship?", user_id="alex", limit=1)) == 1
    assert memory.decisions.similar("when do we ship?", user_id="sam") == []


def test_lists_are_narrowed_by_who_task_and_goal(plain: emberkeep.Memory) -> None:
    plain.goals.save("Grow", id="g", user_id="alex")
    plain.tasks.save("t", "Move", user_id="alex")
    plain.decisions.log("A", who="x", task_id="t", goal_id="g", user_id="alex")
    plain.decisions.log("B", who="y")
    listed = plain.decisions.list
    assert [one.what for one in listed(who="x")] == [one.what for one in listed(task_id="t")] == ["A"]
    assert [one.what for one in listed(goal_id="g", user_id="alex")] == ["A"]
    assert [one.what for one in listed(user_id=None)] == ["B"]
    assert len(listed()) == len(listed(user_id="*")) == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"what": " "}, "what is empty"),
        ({"who": 5}, "who must be a string"),
        ({"why": "\x00"}, "NUL"),
        ({"context": "\ud800"}, "surrogate"),
        ({"outcome": ""}, "outcome is empty"),
        ({"success": "yes"}, "success is 'yes'"),
        ({"confidence": 1.01}, "confidence is 1.01"),
        ({"confidence": -0.1}, "confidence"),
        ({"confidence": float("nan")}, "confidence is nan"),
        ({"confidence": True}, "confidence is True"),
        ({"alternatives": "one text"}, "a list of texts"),
        ({"alternatives": 5}, "a list of texts"),
        ({"alternatives": [""]}, "an alternative is empty"),
        ({"alternatives": [b"x"]}, "an alternative must be a string"),
        ({"alternatives": ["\ud800"]}, "surrogate"),
        ({"alternatives": ["x"] * 101}, "over 100 alternatives"),
        ({"alternatives": repeat("x")}, "over 100 alternatives"),
        ({"id": ""}, "id is blank"),
        ({"id": "x" * 201}, "the limit is 200"),
        ({"task_id": "\x00"}, "NUL"),
    ],
    ids=str,
)
def test_bad_input_is_refused(given: dict[str, Any], said: str) -> None:
    with emberkeep.open(":memory:", embedder="local") as memory:
        with pytest.raises(emberkeep.InvalidInput, match=said):
            memory.decisions.log(**{"what": "Grow", **given})
        assert memory.decisions.list() == []


def test_alternatives_may_be_any_number_of_texts_up_to_a_hundred(plain: emberkeep.Memory) -> None:
    def said() -> Iterator[str]:
        yield from (f"choice {n} 🙂" for n in range(100))

    decision = plain.decisions.log("Choose", alternatives=said())
    assert len(decision.alternatives) == 100
    assert plain.decisions.get(decision.id) == decision


def test_texts_as_long_as_may_be_are_kept_whole(stored: emberkeep.Memory) -> None:
    most = stored._parts.config.max_text_chars
    decision = stored.decisions.log("w" * most, why="y" * most, context="c" * most, outcome="o" * most)
    assert stored.decisions.get(decision.id) == decision
    (item,) = stored.get_all()
    assert len(item.text) == most


def test_the_outcome_of_what_is_unknown(plain: emberkeep.Memory) -> None:
    for call in (
        lambda: plain.decisions.set_outcome("x", "fine"),
        lambda: plain.decisions.get("x"),
        lambda: plain.decisions.delete("x"),
    ):
        with pytest.raises(emberkeep.NotFound, match="no decision 'x'"):
            call()


def test_a_decision_belongs_to_work_of_its_own_user(plain: emberkeep.Memory) -> None:
    plain.goals.save("Grow", id="g", user_id="sam")
    plain.tasks.save("t", "Move", user_id="sam")
    wrong: list[dict[str, Any]] = [{"goal_id": "g"}, {"task_id": "t"}, {"goal_id": "nowhere"}, {"task_id": "nowhere"}]
    for given in wrong:
        for user in ("alex", None):
            with pytest.raises(emberkeep.NotFound, match=r"for this user: save the (goal|task) first"):
                plain.decisions.log("Use rain water", user_id=user, **given)
    assert plain.decisions.list() == []
    assert plain.decisions.log("Use rain water", task_id="t", goal_id="g", user_id="sam").task_id == "t"
