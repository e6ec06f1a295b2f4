"""Cached patterns: what to do when something happens, and how often that went well."""

from typing import Any

import pytest

import emberkeep
from emberkeep.testing import FixedClock


def test_a_pattern_is_found_by_what_happens(memory: emberkeep.Memory) -> None:
    disk = memory.patterns.store("the disk is full", "delete old logs", user_id="alex")
    memory.patterns.store("the network is down", "restart the router", user_id="alex")
    assert memory.patterns.find("no space left on the disk", user_id="alex") == disk
    assert memory.patterns.find("The disk is full!") == disk
    assert memory.patterns.find("the cat is hungry", user_id="alex") is None
    assert memory.patterns.find("the disk is full", user_id="sam") is None
    assert memory.patterns.find("no space left on the disk", min_similarity=1) is None
    assert memory.patterns.find("the disk is full", min_similarity=1) == disk


def test_uses_are_counted_and_kept_when_it_is_stored_again(plain: emberkeep.Memory, clock: FixedClock) -> None:
    pattern = plain.patterns.store("disk full", "delete old logs", id="p/1:#")
    assert (pattern.hits, pattern.success_rate, pattern.used_at) == (0, None, None)
    clock.move(hours=1)
    for success in (True, True, False):
        plain.patterns.used("p/1:#", success=success)
    used = plain.patterns.get_cached("p/1:#")
    assert (used.successes, used.failures, used.hits, used.used_at) == (2, 1, 3, clock.now())
    clock.move(hours=1)
    again = plain.patterns.store("disk full", "grow the disk", id="p/1:#", agent_id="aios")
    assert (again.action, again.successes, again.failures, again.used_at) == ("grow the disk", 2, 1, used.used_at)
    assert (again.created_at, again.updated_at) == (pattern.created_at, clock.now())
    (item,) = plain.get_all()
    assert (item.kind, item.text, item.agent_id) == ("pattern", "disk full", "aios")
    assert item.metadata == {"pattern_id": "p/1:#", "action": "grow the disk"}


def test_of_two_that_are_alike_the_better_is_found(plain: emberkeep.Memory) -> None:
    plain.patterns.store("disk full", "pray", id="bad")
    plain.patterns.store("disk full", "delete old logs", id="good")
    plain.patterns.used("bad", success=False)
    plain.patterns.used("good", success=True)
    found = plain.patterns.find("disk full")
    assert found is not None
    assert found.id == "good"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"trigger": ""}, "trigger is empty"),
        ({"action": "\x00"}, "NUL"),
        ({"action": None}, "action must be a string"),
        ({"id": "x" * 201}, "the limit is 200"),
        ({"metadata": {"a": object()}}, "JSON"),
        ({"user_id": "*"}, "everyone"),
    ],
)
def test_bad_input_is_refused(given: dict[str, Any], said: str) -> None:
    with emberkeep.open(":memory:", embedder="local") as memory:
        with pytest.raises(emberkeep.InvalidInput, match=said):
            memory.patterns.store(**{"trigger": "disk full", "action": "pray", **given})
        for least in (-0.1, 1.1, "0.5", True, float("nan")):
            with pytest.raises(emberkeep.InvalidInput, match="min_similarity"):
                memory.patterns.find("disk full", min_similarity=least)  # type: ignore[arg-type]
        with pytest.raises(emberkeep.InvalidInput, match="success is 1"):
            memory.patterns.used("p", success=1)  # type: ignore[arg-type]
        with pytest.raises(emberkeep.NotFound, match="no cached pattern 'p'"):
            memory.patterns.used("p", success=True)
        assert memory.patterns.list_cached() == []


def test_users_are_apart(plain: emberkeep.Memory) -> None:
    plain.patterns.store("disk full", "pray", id="p", user_id="alex")
    with pytest.raises(emberkeep.Conflict, match="this cached pattern id is taken by another user"):
        plain.patterns.store("disk full", "curse", id="p", user_id="sam")
    assert plain.patterns.list_cached(user_id=None) == []
    assert [one.action for one in plain.patterns.list_cached()] == ["pray"]
    assert plain.patterns.delete("p").rows["cached_patterns"] == 1
    assert plain.stats().items == 0
