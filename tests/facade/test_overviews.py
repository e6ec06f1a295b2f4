"""Looking at a memory as a whole, on every database and over a server."""

from collections.abc import Mapping

import pytest

from emberkeep import Memory, NotFound
from emberkeep.testing import FixedClock

SAID = [
    {"role": "user", "content": "I moved to Lisbon in May."},
    {"role": "assistant", "content": "How do you like it?"},
    {"role": "user", "content": "My sister Mara works as a nurse."},
]


def test_users_are_listed_by_when_they_were_heard_of(memory: Memory, clock: FixedClock) -> None:
    memory.remember("Likes tea", user_id="ann")
    clock.move(days=1)
    memory.add("I like coffee.", user_id="bo")
    clock.move(days=1)
    memory.remember("The office closes at six")
    found = memory.users()
    assert [(one.user_id, one.interactions) for one in found] == [(None, 0), ("bo", 1), ("ann", 0)]
    assert [one.memories for one in found] == [1, len(memory.get_all(user_id="bo")), 1]
    assert found[0].last_at == clock.now()
    assert [one.user_id for one in memory.users(limit=1)] == [None]


def test_what_came_of_an_interaction(memory: Memory) -> None:
    added = memory.add(SAID, user_id="ann")
    memory.add("I like coffee.", user_id="ann")
    assert added.interaction_id is not None
    found = memory.learned_from(added.interaction_id)
    assert [item.text for item in found[:3]] == [one["content"] for one in SAID]
    assert {item.id for item in found[3:]} == {item.id for item in added.learned}
    assert all(item.kind != "episode" for item in found[3:])


def test_an_interaction_that_is_not_there(memory: Memory) -> None:
    with pytest.raises(NotFound):
        memory.learned_from("nowhere")


def test_a_memory_is_shown_with_what_it_took_the_place_of(memory: Memory) -> None:
    before = memory.remember("Ann lives in Porto", user_id="ann").id
    after = memory.remember("Ann lives in Lisbon now", user_id="ann").id
    assert (before, "supersedes") in {(one.item.id, one.relation) for one in memory.links(after)}
    assert (after, "supersedes") in {(one.item.id, one.relation) for one in memory.links(before)}
    assert len(memory.links(after, limit=1)) == 1


def test_links_of_nothing(memory: Memory) -> None:
    with pytest.raises(NotFound):
        memory.links("nowhere")
    assert memory.links(memory.remember("Alone in the world").id) == []


def test_temperatures_are_counted_by_tens_of_degrees(memory: Memory, clock: FixedClock) -> None:
    memory.remember("The kitchen is blue", sacred=True)
    memory.remember("Trains leave at nine")
    assert _filled(memory.overview().temperatures) == {7: 2}
    clock.move(days=60)
    memory.remember("A new bicycle")
    seen = memory.overview()
    assert _filled(seen.temperatures) == {1: 1, 7: 2}
    assert seen.sacred == 1
    assert len(seen.temperatures) == 10


def test_tiers_are_counted_and_what_is_due_is_named(memory: Memory, clock: FixedClock) -> None:
    memory.operational.push_event("build", "Began")
    goal = memory.goals.save("Ship the release")
    done = memory.tasks.start("Write the notes", goal_id=goal.id)
    memory.tasks.start("Tag it", goal_id=goal.id)
    memory.tasks.finish(done.id, success=True)
    tiers = memory.overview().tiers
    assert tiers["events"] >= 1
    assert (tiers["open"], tiers["finished"], tiers["cold"]) == (2, 1, 0)
    assert tiers["long_term"] == memory.stats().items
    assert memory.overview().due["tasks"] == 0
    clock.move(days=400)
    assert memory.overview().due["tasks"] == 1


def test_spending_is_shown_beside_its_caps(memory: Memory) -> None:
    seen = memory.overview()
    assert (seen.spent_today, seen.caps.soft, seen.caps.hard, seen.caps.per_user) == (0, 0, 0, 0)


def _filled(bins: tuple[int, ...]) -> Mapping[int, int]:
    return {place: number for place, number in enumerate(bins) if number}
