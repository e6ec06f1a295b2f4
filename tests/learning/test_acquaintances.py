"""Those whom a user speaks of: known by name from one message to the next, and one person by whatever name."""

from collections.abc import Callable

import pytest

from emberkeep.learning.acquaintances import names_in

Learned = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (["My sister Anna lives in Oslo.", "Anna moved to Rome."], ["Anna moved to Rome"]),
        (["My sister Anna lives in Oslo.", "My sister moved to Rome."], ["The user's sister moved to Rome"]),
        (["My boss is Karen.", "Karen moved to Rome."], ["The user's boss is Karen", "Karen moved to Rome"]),
        (["My friend Bob works at SAP.", "Bob works at Google now."], ["Bob works at Google now"]),
        (["I have a son, Leo.", "Leo has asthma."], ["The user has a son, Leo", "Leo has asthma"]),
        (["I have a dog named Rex.", "Rex has diabetes.", "Rex died."], ["Rex died"]),
        (["My dad lives in Rome.", "My dad passed away."], ["The user's dad passed away"]),
        (
            ["My dad was born in 1950.", "My dad passed away."],
            ["The user's dad was born in 1950", "The user's dad passed away"],
        ),
        (
            ["My son Leo is allergic to peanuts.", "My son is no longer allergic to peanuts."],
            ["The user's son is no longer allergic to peanuts"],
        ),
        (["I'm married to Tom.", "Tom is 40."], ["The user is married to Tom", "Tom is 40"]),
        (
            ["My wife's name is Anna.", "Sorry, her name is Hanna, not Anna."],
            ["The user's wife's name is Hanna, not Anna"],
        ),
        (["My sister lives in Oslo.", "She moved to Rome."], ["The user's sister moved to Rome"]),
        (["My son Tom is 4.", "Sorry, Tom is actually 5, not 4."], ["Tom is actually 5, not 4"]),
    ],
)
def test_news_of_someone_who_was_named_before_is_news(learned: Learned, said: list[str], left: list[str]) -> None:
    assert learned(*said) == left


@pytest.mark.parametrize(
    "said",
    [
        ["My sister Anna lives in Oslo.", "My sister Eva lives in Bonn.", "My sister moved to Rome."],
        ["My sister Anna lives in Rome.", "My sister Bea is a nurse.", "My sister lives in Paris."],
        ["My brother lives in Berlin.", "My brother Tom lives in Oslo."],
        ["My grandmother lives in Porto.", "My grandmother Anna died."],
        ["My friend lives in Rome.", "My friend lives in Paris."],
        ["My colleague is from Peru.", "My colleague is from Chile."],
        ["My son is called Femi.", "My son is called Ade."],
        ["My friend Bob lives in Rome.", "My friend Tom lives in Paris."],
        ["My flight to Rome is on 5 July.", "My flight to Oslo is on 9 July.", "My flight was cancelled."],
    ],
)
def test_of_several_each_is_another(learned: Learned, said: list[str]) -> None:
    assert len(learned(*said)) == len(said)


def test_whose_ages_are_told_are_known_by_name(learned: Learned) -> None:
    told = learned(
        "I have two children, Maya who is 7 and Tom who is 4.",
        "Sorry, Tom is actually 5, not 4.",
        "Tom loves dinosaurs and Maya plays the violin.",
    )
    assert told[1:] == ["Tom is actually 5, not 4", "Tom loves dinosaurs", "Maya plays the violin"]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("My sister lives in Oslo.", "What did Marie Curie do? She was a chemist."),
        ("My sister lives in Oslo.", "Marie Curie was great. She lived in Paris."),
        ("My brother called my dad.", "He lives in Rome."),
        ("I like Rome.", "She lives in Bonn."),
        ("I bought a car.", "It is raining."),
    ],
)
def test_who_is_not_clearly_meant_is_not_learned_about(learned: Learned, before: str, said: str) -> None:
    assert learned(before, said) == learned(before)


def test_whom_nobody_spoke_of_is_not_learned_about(learned: Learned) -> None:
    assert learned("Anna moved to Rome.") == []


def test_names_are_known_by_whose_they_are() -> None:
    told = [
        "The user's sister Anna lives in Oslo",
        "The user lives with the user's husband Tom and the user's two kids, Mia and Leo",
        "The user has a dog called Rex",
        "The user's boss is Karen",
        "The user is married to José",
        "The user has a son, Óscar",
        "The user's cat sleeps in Lisbon",
        "The user lives in Berlin",
        "The user's sister is German",
        "The user's mother is Catholic and Irish",
        "The user's wife is IT lead",
        "The user has a dog that barks on Monday",
        "The user has three kids: Ada, 9, Ben (7) and Cem who's 4",
        "a-" * 100_000,
    ]
    assert names_in(told) == {"anna", "tom", "mia", "leo", "rex", "karen", "josé", "óscar", "ada", "ben", "cem"}


@pytest.mark.parametrize("said", ["My mother died in December.", "My mother died last year."])
def test_of_the_dead_nothing_goes_on_whenever_they_died(learned: Learned, said: str) -> None:
    found = learned("My mother lives in Rome.", "My mother has a garden.", said)
    assert len(found) == 1
    assert found[0].startswith("The user's mother died")


def test_a_thing_that_died_is_what_it_was(learned: Learned) -> None:
    assert "The user's car is a Honda Civic" in learned("My car is a Honda Civic.", "My car died.")
