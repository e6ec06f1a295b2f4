"""What says nothing, and what says something in as few words."""

import pytest

from emberkeep.language.small_talk import is_small_talk


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "Thanks!",
        "lol 😂",
        "Yeah, sure.",
        "Good morning!",
        "Oh wow, that's awesome",
        "See you later",
        "Hahaha yes",
    ],
)
def test_thanks_greetings_and_laughs_are_small_talk(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "...", "😂", "```", "42", "Yes, at 5", "Thanks for the tea", "Good morning, Lisbon", "Not me", "はい",
        "Sure, I moved", "ok " * 60, "I am not well.", "We are in Nice.", "We have a problem.", "I don't like it.",
        "It is not right", "There is no problem", "I see",
    ],
)  # fmt: skip
def test_what_says_more_or_has_no_words_is_not(text: str) -> None:
    assert not is_small_talk(text)
