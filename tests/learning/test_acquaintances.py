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
        (["My sister lives in Oslo.", "My sister Anna moved to Rome."], ["The user's sister Anna moved to Rome"]),
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
    ],
)
def test_news_of_someone_who_was_named_before_is_news(learned: Learned, said: list[str], left: list[str]) -> None:
    assert learned(*said) == left


@pytest.mark.parametrize(
    "said",
    [
        ["My sister Anna lives in Oslo.", "My sister Eva lives in Bonn.", "My sister moved to Rome."],
        ["My friend lives in Rome.", "My friend lives in Paris."],
        ["My colleague is from Peru.", "My colleague is from Chile."],
        ["My son is called Femi.", "My son is called Ade."],
        ["My friend Bob lives in Rome.", "My friend Tom lives in Paris."],
    ],
)
def test_of_several_each_is_another(learned: Learned, said: list[str]) -> None:
    assert len(learned(*said)) == len(said)


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
    ]
    assert names_in(told) == {"anna", "tom", "mia", "leo", "rex", "karen", "josé", "óscar"}
