"""First person to third."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.learning.rewriting import third_person
from emberkeep.learning.tokens import tokens
from emberkeep.learning.verbs import agreed
from emberkeep.learning.verbs import third_person as third_form


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I live in Lisbon", "Alex lives in Lisbon"),
        ("i live in Lisbon", "Alex lives in Lisbon"),
        ("I'm vegan", "Alex is vegan"),
        ("Im vegan", "Alex is vegan"),
        ("I’m vegan", "Alex is vegan"),
        ("I have a dog", "Alex has a dog"),
        ("I've got a dog", "Alex has got a dog"),
        ("I've moved", "Alex has moved"),
        ("I was born in Leeds", "Alex was born in Leeds"),
        ("We were in Rome", "Alex was in Rome"),
        ("I don't smoke", "Alex does not smoke"),
        ("I didn't go", "Alex did not go"),
        ("I can't swim", "Alex cannot swim"),
        ("I won't go", "Alex will not go"),
        ("I'll go", "Alex will go"),
        ("I'd rather walk", "Alex would rather walk"),
        ("I usually also walk", "Alex usually also walks"),
        ("I no longer work at Acme", "Alex no longer works at Acme"),
        ("I study and teach", "Alex studies and teaches"),
        ("I go to work when I wake up", "Alex goes to work when Alex wakes up"),
        ("We use ruff", "Alex uses ruff"),
        ("We both work", "Alex works"),
        ("We are a team", "Alex is a team"),
        ("my sister is a nurse", "Alex's sister is a nurse"),
        ("Our office is in Leeds", "Alex's office is in Leeds"),
        ("My sister's husband lives with us", "Alex's sister's husband lives with Alex"),
        ("my sister's a nurse", "Alex's sister is a nurse"),
        ("my wife and I live in Rome", "Alex's wife and Alex live in Rome"),
        ("my wife and I am here", "Alex's wife and Alex are here"),
        ("the house is ours", "The house is Alex's"),
        ("I taught myself", "Alex taught themselves"),
        ("I quit smoking", "Alex quit smoking"),
        ("I read the Guardian every day", "Alex reads the Guardian every day"),
        ("I live in the US", "Alex lives in the US"),
        ("I use `ruff` daily", "Alex uses ruff daily"),
        ("I like tea, by the way", "Alex likes tea"),
        ("I like tea lol", "Alex likes tea"),
        ("I like tea 😀!", "Alex likes tea"),
        ("I like tea 😀 and coffee", "Alex likes tea and coffee"),
        ("I wake at 6 am or 7am", "Alex wakes at 6 am or 7am"),
        ("I have an account with you", "Alex has an account"),
    ],
)
def test_a_statement_about_the_speaker(said: str, text: str) -> None:
    assert third_person(tokens(said), "Alex") == text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I love my dog", "The user loves the user's dog"),
        ("my dog loves me", "The user's dog loves the user"),
    ],
)
def test_without_a_name(said: str, text: str) -> None:
    assert third_person(tokens(said), "The user") == text


@pytest.mark.parametrize(
    ("base", "form"),
    [("live", "lives"), ("study", "studies"), ("play", "plays"), ("teach", "teaches"), ("go", "goes"), ("have", "has")],
)
def test_verb_forms(base: str, form: str) -> None:
    assert third_form(base) == form
    assert agreed(base) == form


@given(st.text())
def test_any_text_can_be_rewritten(text: str) -> None:
    third_person(tokens(text), "Alex")
