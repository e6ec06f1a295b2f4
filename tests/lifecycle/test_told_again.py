"""What is told twice warms, and what only looks like it does not: another time, number, order, or the opposite."""

from collections.abc import Iterator
from typing import Literal

import pytest

import emberkeep
from emberkeep.lifecycle.particulars import particulars
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.testing import FixedClock, WordEmbedder


@pytest.fixture
def memory(clock: FixedClock, embedder: LocalEmbedder) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(":memory:", clock=clock, embedder=embedder) as opened:
        yield opened


def texts(memory: emberkeep.Memory) -> list[str]:
    return [item.text for item in sorted(memory.get_all(user_id="u", kinds=["fact", "knowledge"]), key=lambda i: i.id)]


@pytest.mark.parametrize("kind", ["fact", "knowledge"])
@pytest.mark.parametrize(
    "told", ["I ran a marathon today", "The deploy failed yesterday", "Alex flew to Rome yesterday"]
)
def test_the_same_words_a_year_later_tell_of_something_else(memory: emberkeep.Memory, told: str, kind: str) -> None:
    for year in (2024, 2025):
        memory.remember(told, user_id="u", kind=kind, occurred_at=f"{year}-03-01T00:00:00Z")  # type: ignore[arg-type]
    assert texts(memory) == [told, told]
    assert memory.remember(told, user_id="u", kind=kind, occurred_at="2025-03-01T00:00:00Z").new == 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mia was born on the first of May", "Mia was born on the second of May"),
        ("We moved in on the third of March", "We moved in on the twenty-third of March"),
        (
            "There are two spare keys in the drawer under the kitchen sink next to the old flashlight",
            "There are three spare keys in the drawer under the kitchen sink next to the old flashlight",
        ),
        ("meets the therapist every second thursday", "meets the therapist every third thursday"),
        (
            "the payment service retries failed requests synchronously in the background worker",
            "the payment service retries failed requests asynchronously in the background worker",
        ),
        (
            "the migration is reversible and was tested on a copy of the production database",
            "the migration is irreversible and was tested on a copy of the production database",
        ),
        (
            "the contract with the hosting provider is renewed automatically every year",
            "the contract with the hosting provider is renewed manually every year",
        ),
    ],
)
def test_another_number_day_or_the_opposite_is_not_the_same(memory: emberkeep.Memory, one: str, other: str) -> None:
    memory.remember(one, user_id="u")
    memory.remember(other, user_id="u")
    assert texts(memory) == [one, other]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The door code is 12 34", "The door code is 34 12"),
        ("My boss is Anna Maria", "My boss is Maria Anna"),
        ("My favourite order is tea then coffee", "My favourite order is coffee then tea"),
    ],
)
def test_the_same_words_in_another_order_are_another_value(memory: emberkeep.Memory, one: str, other: str) -> None:
    memory.remember(one, user_id="u")
    memory.remember(other, user_id="u")
    assert texts(memory) == [other]


def test_a_clock_that_went_back_a_little_does_not_make_the_later_word_the_earlier_one(
    memory: emberkeep.Memory, clock: FixedClock
) -> None:
    memory.remember("Hal lives in Oslo", user_id="u")
    clock.move(seconds=-2)
    memory.remember("Hal lives in Rome", user_id="u")
    clock.move(seconds=5)
    assert texts(memory) == ["Hal lives in Rome"]


@pytest.mark.parametrize("learn", [True, "later"])
@pytest.mark.parametrize(
    ("said", "now"),
    [
        (("I live in Rome.", "I live in Paris."), "The user lives in Paris"),
        (("I live in Rome.", "I moved to Paris on Sunday."), "The user moved to Paris on 31 May 2026"),
        (("I have a dog.", "I don't have a dog."), "The user does not have a dog"),
        (("My birthday is June 5.", "My birthday is June 6."), "The user's birthday is June 6"),
    ],
)
def test_what_was_said_last_holds_though_the_clock_went_back_meanwhile(
    memory: emberkeep.Memory, clock: FixedClock, said: tuple[str, str], now: str, learn: Literal[True, "later"]
) -> None:
    for text in said:
        memory.add(text, user_id="u", learn=learn)
        clock.move(seconds=-1)
    clock.move(minutes=1)
    memory.learn()
    assert texts(memory) == [now]


def test_who_says_when_it_was_is_believed_to_the_second(memory: emberkeep.Memory) -> None:
    memory.add("I live in Rome.", user_id="u", occurred_at="2026-05-10T10:00:01Z")
    memory.add("I live in Paris.", user_id="u", occurred_at="2026-05-10T10:00:00Z")
    assert texts(memory) == ["The user lives in Rome"]


def test_what_is_learned_late_is_not_taken_for_what_was_said_last(memory: emberkeep.Memory, clock: FixedClock) -> None:
    memory.add("I live in Rome.", user_id="u", learn="later")
    clock.move(seconds=1)
    memory.add("I live in Paris.", user_id="u")
    memory.learn()
    clock.move(minutes=1)
    assert texts(memory) == ["The user lives in Paris"]


@pytest.mark.parametrize(
    ("first", "put_right", "now"),
    [
        ("I moved to Lisbon in May.", "I moved to Lisbon in March.", "The user moved to Lisbon in March 2026"),
        ("I started at SAP in 2019.", "I started at SAP in 2018.", "The user started at SAP in 2018"),
        ("I got married in 2015.", "I got married in 2014.", "The user got married in 2014"),
        (
            "My dentist appointment is on Monday at 3.",
            "The dentist appointment is on Tuesday at 3.",
            "The dentist appointment is on 2 June 2026 at 3",
        ),
    ],
)
def test_a_date_that_is_put_right_leaves_the_wrong_one_behind(
    memory: emberkeep.Memory, clock: FixedClock, first: str, put_right: str, now: str
) -> None:
    for said in (first, put_right):
        memory.add(said, user_id="u")
        clock.move(minutes=5)
    assert texts(memory) == [now]
    stale = {hit.text: hit.why.stale for hit in memory.search(first, user_id="u", kinds=["episode"])}
    assert stale == {first: True, put_right: False}


def test_vectors_that_are_not_of_unit_length_are_brought_to_it() -> None:
    class Long(WordEmbedder):
        def embed(self, texts, *, deadline=None):  # type: ignore[no-untyped-def]
            return super().embed(texts, deadline=deadline) * 3

        def embed_query(self, text, *, deadline=None):  # type: ignore[no-untyped-def]
            return (super().embed_query(text, deadline=deadline) * 3).tolist()

    with emberkeep.open(":memory:", embedder=Long()) as memory:
        for who, where in (("cat", "kitchen"), ("dog", "kitchen"), ("baby", "attic")):
            memory.remember(f"sleeps in the {where} with a {who}", user_id="u", kind="knowledge")
        assert len(texts(memory)) == 3
        assert memory.search("sleeps in the attic with a baby", user_id="u")[0].similarity == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("has two kids", {"2"}),
        ("has 2 kids", {"2"}),
        ("one of them is a nurse", set()),
        ("born on the twenty-third of May", {"23 may", "may"}),
        ("born on May 3rd", {"3 may", "may"}),
    ],
)
def test_numbers_and_days_are_the_same_however_they_are_written(text: str, details: set[str]) -> None:
    assert particulars(text).details == details
