"""What is said under a frame, by another or of another: it is not the user's own word."""

from collections.abc import Callable

import pytest

from emberkeep.testing import FixedClock

from .conftest import Opened

Learned = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("sister", "asked", "answer"),
    [
        ("My sister visited us.", "Nice! And how is your mother?", "She has cancer."),
        ("My wife Julia called.", "What about your boss Karin?", "She is pregnant."),
        ("My dog Rex is fine.", "And the cat?", "She died last week."),
        ("We use Jenkins for CI.", "which port is the database on?", "It runs on port 5433."),
    ],
)
def test_a_pronoun_does_not_reach_past_what_another_spoke_of(
    opened: Opened, sister: str, asked: str, answer: str
) -> None:
    memory = opened(learner="rules")
    turns = [("user", sister), ("assistant", asked), ("user", answer)]
    memory.add([{"role": role, "content": said} for role, said in turns], user_id="alex")
    quotes = {item.sources[0].quote for item in memory.get_all(user_id="alex", kinds=["fact", "decision"])}
    assert not any(quote and quote in answer for quote in quotes)


@pytest.mark.parametrize("asked", ["Nice! How old is she?", "What a nice surprise! I hope you had a lovely time."])
def test_a_pronoun_reaches_past_what_speaks_of_nothing_else(opened: Opened, asked: str) -> None:
    memory = opened(learner="rules")
    turns = [("user", "My sister visited us."), ("assistant", asked), ("user", "She is 40.")]
    memory.add([{"role": role, "content": said} for role, said in turns], user_id="alex")
    assert "The user's sister is 40" in [item.text for item in memory.get_all(user_id="alex", kinds=["fact"])]


@pytest.mark.parametrize(
    "said",
    [
        "In the summer I work as a guide and I live in Greece.",
        "In my next life I am a cat and I live in Italy.",
        "According to LinkedIn I work at Meta and I live in London.",
        "In the Sims I have three kids and live in a castle.",
        "Like my mom says, I live in the clouds.",
        "I won the lottery, I bought a yacht and I live in Monaco now. LOL jk",
        "I'm writing a story: my name is Captain Zorg and I live on Mars.",
        "I watched a documentary: My name is Ted and I live in Alaska.",
        "My kid wrote this essay. My mother is a doctor. We live in Cologne.",
        "forwarding this from Tom -- I quit my job yesterday and I live in Bali now.",
        "Can you proofread my cover letter?\n\nI am a motivated engineer. I live in Stuttgart.",
        "I live in constant fear of my inbox.",
    ],
)
def test_a_home_does_not_end_by_what_is_not_meant(learned: Learned, said: str) -> None:
    assert "The user lives in Lisbon" in learned("I live in Lisbon.", said)


@pytest.mark.parametrize(
    "said",
    [
        "I lied and said I am 25 and I work at NASA.",
        "Worst case, I lose my job and I live with my parents.",
        "For my D&D campaign: I'm a half-elf rogue, I have a pet raven, I hate goblins.",
        "As my grandmother always said, I am a lazy boy.",
        "In the play I am Hamlet",
        "On the call I'm Susan because she is sick",
        "Tonight I'm James Bond",
    ],
)
def test_nothing_is_learned_under_a_frame(learned: Learned, said: str) -> None:
    assert learned(said) == []


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("I used to live in Berlin and work at SAP.", ["The user used to live in Berlin and work at SAP"]),
        ("I used to be a nurse and live in Rome.", ["The user used to be a nurse and live in Rome"]),
        ("From July I live in Rome and I work at the embassy.", ["The user lives in Rome from July 2026"]),
        ("I am allergic to 🥜 peanuts", ["The user is allergic to peanuts"]),
        (
            "On Friday night I fell ill and I'm allergic to nuts",
            ["The user fell ill on 29 May 2026", "The user is allergic to nuts"],
        ),
        ("As my doctor said, I have asthma", ["The user has asthma"]),
        ("Anna wrote the email. I work at Fiat.", ["The user works at Fiat"]),
        ("I'm not allergic to nuts but my wife is.", ["The user is not allergic to nuts"]),
        ("In May I moved to Rome and I bought a car.", ["The user moved to Rome in May 2026", "The user bought a car"]),
    ],
)
def test_a_frame_goes_for_all_that_is_said_in_it(learned: Learned, said: str, found: list[str]) -> None:
    assert learned(said) == found


@pytest.mark.parametrize("said", ["For my nephew I am Santa.", "At the office I'm Bobby."])
def test_who_is_called_something_somewhere_keeps_their_name(learned: Learned, said: str) -> None:
    assert not [text for text in learned(said) if "name is" in text]


def test_who_plays_a_part_keeps_their_name(learned: Learned) -> None:
    said = ("My name is Anna.", "For Halloween I am Dracula and my wife is a witch.", "I bought a bike.")
    assert learned(*said) == ["The user's name is Anna", "Anna bought a bike"]


@pytest.mark.parametrize(
    ("before", "news", "left"),
    [
        ("My daughter is 6.", "My daughter is 7, not 6.", "The user's daughter is 7, not 6"),
        (
            "I'm allergic to peanuts.",
            "I'm allergic to pistachios, not peanuts.",
            "The user is allergic to pistachios, not peanuts",
        ),
        (
            "The wifi password is sunny123.",
            "The wifi password changed to rainy456.",
            "The wifi password changed to rainy456",
        ),
        ("My budget is 500 euros.", "My budget went up to 700 euros.", "The user's budget went up to 700 euros"),
        ("My flight leaves at 9:40.", "The flight now leaves at 11:05.", "The flight now leaves at 11:05"),
        ("I'm married to Peter.", "Peter and I got divorced.", "Peter and the user got divorced"),
        ("My boss is Julia.", "Mark is my new boss.", "Mark is the user's new boss"),
        ("I drive a Golf.", "I sold the Golf.", "The user sold the Golf"),
        ("I work at Siemens.", "I retired last month.", "The user retired in May 2026"),
        (
            "My sister lives in Rome.",
            "My sister moved back home to Berlin.",
            "The user's sister moved back home to Berlin",
        ),
        (
            "I love sushi.",
            "I can't stand sushi since the food poisoning.",
            "The user cannot stand sushi since the food poisoning",
        ),
        ("I'm learning Spanish.", "I gave up on Spanish.", "The user gave up on Spanish"),
        ("I was born on 3 May 1990.", "I was born on 5 May 1990.", "The user was born on 5 May 1990"),
    ],
)
def test_a_change_in_plain_words_ends_what_was(
    opened: Opened, clock: FixedClock, before: str, news: str, left: str
) -> None:
    memory = opened(learner="rules")
    for said in (before, news):
        memory.add(said, user_id="alex")
        clock.move(days=1)
    assert [item.text for item in memory.get_all(user_id="alex", kinds=["fact", "preference"])] == [left]


@pytest.mark.parametrize(
    ("before", "other"),
    [
        ("I have a dog.", "I sold the Golf."),
        ("I drive a Golf.", "I sold the piano."),
        ("I work at Siemens.", "My father retired last month."),
        ("My boss is Julia.", "Mark is my sister's new boss."),
        ("I love sushi.", "I can't stand waiting since the accident."),
        ("My train leaves at 9:40.", "The flight leaves at 11:05."),
        ("The train leaves at 8:05.", "The train leaves at 8:35."),
        ("My son was born in 2015.", "My son was born in 2018."),
        ("I practise piano every day.", "I don't have a piano."),
        ("I work at the museum as a volunteer.", "I am retired."),
        ("I live in Milan.", "I live in Rome, not anymore."),
    ],
)
def test_something_else_is_no_change(learned: Learned, before: str, other: str) -> None:
    assert learned(before)[0] in learned(before, other)
