"""What is told of one time after another holds in the order of those times, whenever it was told or learned."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

import pytest

import emberkeep
from emberkeep.testing import FixedClock

Open = Callable[..., emberkeep.Memory]
HOMES = ["I live in Lisbon.", "I live in Lisbon in a flat by the river.", "I live in Berlin."]
DOGS = ["I have a dog.", "I have a dog named Rex.", "I no longer have a dog."]


def held(memory: emberkeep.Memory, year: int | None = None) -> set[str]:
    as_of = None if year is None else datetime(year, 6, 1, tzinfo=UTC)
    return {item.text for item in memory.get_all(user_id="alex", kinds=["fact"], as_of=as_of)}


@pytest.mark.parametrize("learn", [True, "later"])
@pytest.mark.parametrize(("said", "now"), [(HOMES, "The user lives in Berlin"), (DOGS, "The user no longer has a dog")])
def test_what_is_learned_later_comes_out_the_same(
    opened: Open, clock: FixedClock, learn: Literal[True, "later"], said: list[str], now: str
) -> None:
    memory = opened(learner="rules")
    for text in said:
        memory.add(text, user_id="alex", learn=learn)
        clock.move(days=1)
    memory.learn()
    clock.move(days=1)
    assert held(memory) == {now}


def test_more_detail_of_a_past_time_holds_from_then(opened: Open) -> None:
    memory = opened()
    for year, text in (
        (2020, "The user lives in Lisbon"),
        (2021, "The user lives in Lisbon in a flat by the river"),
        (2023, "The user lives in Berlin"),
    ):
        memory.remember(text, user_id="alex", occurred_at=datetime(year, 1, 1, tzinfo=UTC))
    assert held(memory) == held(memory, 2024) == {"The user lives in Berlin"}
    assert held(memory, 2022) == {"The user lives in Lisbon in a flat by the river"}
    assert held(memory, 2020) == {"The user lives in Lisbon"}
    assert held(memory, 2019) == set()


@pytest.mark.parametrize("year", [2020, 2022])
def test_what_was_over_when_it_was_told_has_its_vector_at_once(opened: Open, year: int) -> None:
    memory = opened()
    for said, text in ((2021, "The user lives in Berlin"), (year, "The user lives in Rome")):
        memory.remember(text, user_id="alex", occurred_at=datetime(said, 1, 1, tzinfo=UTC))
    assert memory.stats().waiting == 0
    found = memory.search("where is home?", user_id="alex", as_of=datetime(year, 6, 1, tzinfo=UTC))
    assert found[0].text == "The user lives in Rome"
    assert "dense" in {one.channel for one in found[0].why.evidence}


def test_an_end_of_what_was_refined_is_not_lost(opened: Open) -> None:
    memory = opened()
    for year, text in ((2020, "The user has a dog"), (2021, "The user has a dog named Rex")):
        memory.remember(text, user_id="alex", occurred_at=datetime(year, 1, 1, tzinfo=UTC))
    memory.remember("The user has no dog", user_id="alex", occurred_at=datetime(2023, 1, 1, tzinfo=UTC))
    assert held(memory) == {"The user has no dog"}
    assert held(memory, 2022) == {"The user has a dog named Rex"}


def test_what_was_made_sacred_while_the_clock_was_behind_keeps_its_warmth(opened: Open, clock: FixedClock) -> None:
    memory = opened()
    told = memory.remember("The user has a dog", user_id="alex")
    warmth = memory.get(told.id).temperature
    clock.move(days=-30)
    memory.update(told.id, sacred=True)
    memory.update(told.id, sacred=False)
    clock.move(days=30)
    assert memory.get(told.id).temperature == warmth
