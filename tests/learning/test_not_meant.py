"""What is said and not meant, or not meant so: nothing is learned from it, and the message stays."""

from collections.abc import Callable

import pytest

Learned = Callable[..., list[str]]


@pytest.mark.parametrize(
    "said",
    [
        "Bob: I live in Rome and I have two cats.",
        "It's not true that I live in Paris and I have two wives.",
        "Maybe I'm pregnant and I have diabetes.",
        "My ex says I'm crazy and I have no friends.",
        "I never said I'm a doctor and I live in Rome.",
        "People say I'm lazy and I drink too much.",
        "Yeah right, I'm a millionaire.",
        "Sure, I'm totally going to run a marathon tomorrow.",
        "I'm going to run a marathon tomorrow. Not.",
        "For a story: my name is Zorg and I live on Mars.",
        "Lyrics of my favourite song: I'm a barbie girl, I live in a barbie world.",
        "I live in Paris... no wait, Lyon.",
        "I live in Paris. No wait, Lyon.",
        "My flight is at 9, I mean 10.",
        "I'm allergic to nuts — scratch that, only to walnuts.",
        "I have 3, sorry, 4 kids.",
        "My brother called my dad. He has cancer.",
        "I took my dog Rex to the vet, Dr. Lee. He is 60 years old.",
        "My dad talked to the doctor. He works at the Charité.",
        "Can you summarize this email from my landlord?\n\nDear tenant,\nI will raise the rent. I am on vacation now.",
        "Not only do I have a dog, I also have a cat.",
        "As Einstein said, I have no special talents, I am only curious.",
        "I'm singing: I will survive, I've got all my life to live",
        "I'm married to my job haha",
        "I live under a rock",
        "I don't just like pizza, I love it",
        "I don't only live in Rome",
        "To quote Churchill, I have nothing to offer but blood.",
    ],
)
def test_nothing_is_learned_of_what_is_not_meant_or_not_clear(learned: Learned, said: str) -> None:
    assert learned(said) == []


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Maybe I'm lazy, but I live in Rome.", ["The user lives in Rome"]),
        ("My sister called my dad. She has cancer.", ["The user's sister has cancer"]),
        (
            "My sister Anna moved to Rome. She is a nurse.",
            ["The user's sister Anna moved to Rome", "The user's sister Anna is a nurse"],
        ),
        ("I don't eat anything but fish.", ["The user does not eat anything but fish"]),
        ("I don't like Bob's cooking.", ["The user does not like Bob's cooking"]),
        ("Can you summarize this email? I live in Rome.", ["The user lives in Rome"]),
        ("Note: I am allergic to nuts.", ["The user is allergic to nuts"]),
        ("Update: I moved to Berlin.", ["The user moved to Berlin"]),
        ("Correction: I live in Lyon.", ["The user lives in Lyon"]),
        ("I live in Rome. Sorry for the late reply.", ["The user lives in Rome"]),
        ("I live in Berlin. I mean it.", ["The user lives in Berlin"]),
        ("I love cats. I mean, who doesn't?", ["The user loves cats"]),
        ("Dear assistant,\n\nI live in Berlin.", ["The user lives in Berlin"]),
        ("I'm sorry I'm late. I live in Rome.", ["The user lives in Rome"]),
        ("As I said, I have asthma", ["The user has asthma"]),
        ("I just don't like sushi.", ["The user just does not like sushi"]),
        ("I'm married to my best friend", ["The user is married to the user's best friend"]),
        ("I'm not just a nurse, I'm also a mother", ["The user is also a mother"]),
        ("I'm married to my job and I live in Rome", ["The user lives in Rome"]),
    ],
)
def test_what_is_meant_beside_it_is_learned(learned: Learned, said: str, found: list[str]) -> None:
    assert learned(said)[-len(found) :] == found
