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
