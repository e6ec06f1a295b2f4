"""Messages that are typed without capitals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.test_llm import MOMENT

from emberkeep.learning.casing import LONGEST, with_capitals
from emberkeep.learning.rules import RuleLearner
from emberkeep.model.finding import Exchange
from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message
from emberkeep.model.scope import Scope


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("i moved to berlin", "I moved to Berlin"),
        ("we love new york. it's loud", "We love New York. It's loud"),
        ("i'm from são paulo", "I'm from São Paulo"),
        ("anna's in são paulo, maria isn't", "Anna's in São Paulo, Maria isn't"),
        ("my sister rose likes roses", "My sister Rose likes roses"),
        ("a rose is a rose", "A rose is a rose"),
        ("i got a job at apple", "I got a job at Apple"),
        ("i ate an apple", "I ate an apple"),
        ("a puppy named zorro", "A puppy named Zorro"),
        ("see you on friday, in nyc", "See you on Friday, in NYC"),
        ("i work at ibm. i like it", "I work at IBM. I like it"),
        # The rules take all words of a name that somebody gives.
        ("my name is anna smith", "My name is anna smith"),
        # Addresses, paths and code stay as they are.
        ("write to anna@paris.example", "Write to anna@paris.example"),
        ("sam@paris.example is mine", "sam@paris.example is mine"),
        ("see /home/anna/paris", "See /home/anna/paris"),
        ("run `anna`", "Run `anna`"),
    ],
)
def test_names_get_their_capitals(typed: str, meant: str) -> None:
    assert with_capitals(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "I met Kate in paris",  # whoever writes one name with a capital means a word by the others
        "",
        "I LIVE IN BERLIN",
        "1234 !?",
        "anna " * LONGEST,
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert with_capitals(text) == text


def test_a_keyboard_that_begins_sentences_shows_no_names() -> None:
    assert with_capitals("I moved to berlin. Our API is at tesla.") == "I moved to Berlin. Our API is at Tesla."


def test_names_that_others_write_are_known() -> None:
    assert with_capitals("i met zarah", ["So you met Zarah there?"]) == "I met Zarah"
    assert with_capitals("i met zarah", people={"zarah"}) == "I met Zarah"
    # But not where they write the word without a capital, too, nor for an author who begins sentences with capitals.
    assert with_capitals("i like tea", ["Do you like Tea? My tea is hot"]) == "I like tea"
    assert with_capitals("I met zarah", ["So you met Zarah there?"]) == "I met zarah"


@given(st.text(max_size=200), st.lists(st.text(max_size=50), max_size=2), st.sets(st.text(max_size=10), max_size=3))
def test_only_the_case_of_letters_changes(text: str, others: list[str], people: set[str]) -> None:
    meant = with_capitals(text, others, people)
    assert len(meant) == len(text)
    assert meant.casefold() == text.casefold()


def test_a_quote_is_what_was_typed() -> None:
    said = Message("user", "hi! my sister anna moved to paris")
    interaction = Interaction("i", Scope("t", "u"), (said,), MOMENT, MOMENT, (), {})
    (finding,) = RuleLearner().learn(Exchange(interaction)).findings
    assert (finding.text, finding.quote) == ("The user's sister Anna moved to Paris", "my sister anna moved to paris")
