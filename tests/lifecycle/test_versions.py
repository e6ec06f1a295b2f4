"""What `as_of=` shows of a memory that was changed: its former words, with the labels of today."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

import emberkeep
from emberkeep.testing import FixedClock, WordEmbedder


@pytest.fixture
def memory(target: str, clock: FixedClock) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(target, clock=clock, embedder=WordEmbedder(), learner="none") as opened:
        yield opened


def test_a_change_of_labels_leaves_no_version_and_moves_no_time(memory: emberkeep.Memory, clock: FixedClock) -> None:
    told = memory.remember("Alex lives in Lisbon", user_id="alex", tags=["home"], metadata={"sure": False})
    then = clock.now() + timedelta(hours=1)
    clock.move(days=1)
    memory.update(told.id, kind="preference", tags=["place"], metadata={"sure": True})
    (past,) = memory.get_all(user_id="alex", as_of=then)
    assert (past.id, past.kind, past.tags, dict(past.metadata)) == (told.id, "preference", ("place",), {"sure": True})
    assert past.valid_from == told.items[0].valid_from  # what is learned later is weighed against when it began to hold
    assert [hit.id for hit in memory.search("Lisbon", user_id="alex", tags=["place"], as_of=then)] == [told.id]
    assert len(memory.search("Lisbon", user_id="alex", tags=["home"], as_of=then)) == 0


def test_a_former_text_keeps_the_labels_it_had(memory: emberkeep.Memory, clock: FixedClock) -> None:
    told = memory.remember("Alex lives in Lisbon", user_id="alex", tags=["home"])
    then = clock.now() + timedelta(hours=1)
    clock.move(days=1)
    memory.update(told.id, "Alex lives in Porto", tags=["place"])
    (past,) = memory.get_all(user_id="alex", as_of=then)
    assert (past.text, past.tags) == ("Alex lives in Lisbon", ("home",))
    assert len(memory.search("Alex", user_id="alex", tags=["home"], as_of=then)) == 1


def test_what_is_told_again_is_of_the_time_it_was_told_first(memory: emberkeep.Memory, clock: FixedClock) -> None:
    first = clock.now()
    memory.add("The boiler leaks again", user_id="alex")
    clock.move(days=30)
    again = memory.add("The boiler leaks again", user_id="alex").items[0]
    assert [source.occurred_at for source in memory.get(again.id).sources] == [first, clock.now()]
    lately = clock.now() - timedelta(days=1)
    assert memory.get_all(user_id="alex", since=lately).items == ()
    assert len(memory.search("boiler", user_id="alex", since=lately)) == 0
    assert len(memory.capture.recent(user_id="alex", since=lately)) == 1  # the log has each time
    assert [hit.id for hit in memory.search("boiler", user_id="alex", until=lately)] == [again.id]


def test_what_was_to_hold_later_and_is_changed_before_leaves_nothing_in_the_present(
    memory: emberkeep.Memory, clock: FixedClock
) -> None:
    begins = clock.now() + timedelta(minutes=5)  # as of a caller whose clock is ahead
    told = memory.remember("The launch is on Monday", user_id="alex", occurred_at=begins)
    changed = memory.update(told.id, "The launch is on Friday")
    assert changed.valid_from == begins
    for _ in range(2):
        assert [item.text for item in memory.get_all(user_id="alex")] == ["The launch is on Friday"]
        assert [hit.text for hit in memory.search("launch", user_id="alex")] == ["The launch is on Friday"]
        assert "Monday" not in memory.context("the launch", user_id="alex").text
        clock.move(hours=1)
    for moment in (begins - timedelta(minutes=1), begins, clock.now()):
        assert "The launch is on Monday" not in {item.text for item in memory.get_all(user_id="alex", as_of=moment)}
    assert [change.text for change in memory.history(told.id)] == ["The launch is on Monday", "The launch is on Friday"]


def test_what_holds_no_longer_is_put_right_for_the_time_it_held(memory: emberkeep.Memory, clock: FixedClock) -> None:
    began = clock.now()
    old = memory.remember("The user lives in Lisbon", user_id="alex")
    clock.move(days=10)
    memory.remember("The user lives in Berlin", user_id="alex")
    clock.move(days=10)
    changed = memory.update(old.id, "The user lives in Lisbon, Portugal")
    assert changed.valid_to is not None
    assert changed.valid_from < changed.valid_to

    def held(days: int) -> list[str]:
        return [item.text for item in memory.get_all(user_id="alex", as_of=began + timedelta(days=days))]

    assert held(5) == ["The user lives in Lisbon, Portugal"]
    assert held(15) == held(20) == ["The user lives in Berlin"]
    assert [item.text for item in memory.get_all(user_id="alex")] == ["The user lives in Berlin"]


def test_pages_of_the_past_stay_whole_though_something_in_it_is_changed(
    memory: emberkeep.Memory, clock: FixedClock
) -> None:
    memory.add([f"line number {n}" for n in range(24)], user_id="alex")  # all at one time
    then = clock.now()
    clock.move(days=1)
    ids = [item.id for item in memory.get_all(user_id="alex", as_of=then)]
    page = memory.get_all(user_id="alex", as_of=then, limit=4)
    seen = [item.text for item in page]
    for place in (10, 5, 22, 2):  # those to come, and one that was seen
        memory.update(ids[place], f"something else {place}")
    while page.next is not None:
        page = memory.get_all(user_id="alex", as_of=then, limit=4, cursor=page.next)
        seen += [item.text for item in page]
    assert sorted(seen) == sorted(f"line number {n}" for n in range(24))


def test_a_kind_without_a_gloss_is_stored_as_it_is_given_back(memory: emberkeep.Memory) -> None:
    told = memory.remember("The user lives in Lisbon", user_id="alex")
    assert memory.get(told.id).gloss
    changed = memory.update(told.id, kind="procedure")
    assert memory.get(told.id) == changed
    assert [hit.id for hit in memory.search("Lisbon", user_id="alex")] == [told.id]
    assert memory.stats().waiting == 0


def test_a_clock_that_goes_back_brings_no_former_text_into_the_present(
    memory: emberkeep.Memory, clock: FixedClock
) -> None:
    told = memory.remember("The launch is on Monday", user_id="alex")
    clock.move(hours=1)
    memory.update(told.id, "The launch is on Friday")
    clock.move(minutes=-30)
    assert [item.text for item in memory.get_all(user_id="alex")] == ["The launch is on Friday"]
    assert [hit.text for hit in memory.search("launch", user_id="alex")] == ["The launch is on Friday"]
