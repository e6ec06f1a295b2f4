"""What is so now comes first, what else a message says is not lost, and links bring back nothing that was ranked."""

from collections.abc import Iterator

import pytest

import emberkeep
from emberkeep.providers.local_embedder import LocalEmbedder


@pytest.fixture
def memory(embedder: LocalEmbedder) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(":memory:", embedder=embedder) as opened:
        yield opened


@pytest.fixture
def changed(memory: emberkeep.Memory) -> emberkeep.Memory:
    """A job that has changed, told together with something that still holds."""
    for day, text in (
        ("2024-01-05", "I work at Siemens and I like tennis."),
        ("2024-06-05", "I started a new job at Airbus."),
        ("2024-06-06", "The weather is nice in the park."),
    ):
        memory.add(text, user_id="alex", occurred_at=f"{day}T10:00:00Z")
    return memory


@pytest.mark.parametrize("question", ["Where do I work?", "What is my job?"])
def test_a_message_is_stale_where_what_has_changed_is_asked_for(changed: emberkeep.Memory, question: str) -> None:
    first, second, *_ = changed.search(question, user_id="alex")
    assert "Airbus" in first.text
    assert ("Siemens" in second.text, second.why.stale) == (True, True)
    assert "Siemens" not in changed.context(question, user_id="alex", max_tokens=60).text


@pytest.mark.parametrize("question", ["Which sport do I like?", "Do I like tennis?", "What is the weather like?"])
def test_it_is_not_where_something_else_is(changed: emberkeep.Memory, question: str) -> None:
    hits = changed.search(question, user_id="alex")
    assert not any(hit.why.stale for hit in hits)
    assert "Airbus" not in hits[0].text


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When did I work at Siemens?", "Siemens"),
        ("What did I say about Siemens?", "Siemens"),
        ("Do I still work at Siemens?", "Airbus"),
        ("Do I work at Siemens now?", "Airbus"),
    ],
)
def test_who_asks_about_what_was_gets_that(changed: emberkeep.Memory, question: str, first: str) -> None:
    assert first in changed.search(question, user_id="alex")[0].text


def test_as_of_the_time_before_it_is_not_stale(changed: emberkeep.Memory) -> None:
    hits = changed.search("Where do I work?", user_id="alex", as_of="2024-03-01T00:00:00Z")
    assert "Siemens" in hits[0].text
    assert not any(hit.why.stale for hit in hits)


def test_a_detail_that_was_added_makes_nothing_stale(memory: emberkeep.Memory) -> None:
    memory.add("I live in Lisbon and I like tennis.", user_id="alex", occurred_at="2024-01-05T10:00:00Z")
    memory.add("I live in Lisbon in a flat by the river.", user_id="alex", occurred_at="2024-02-05T10:00:00Z")
    assert not any(hit.why.stale for hit in memory.search("Where do I live?", user_id="alex"))


@pytest.mark.parametrize(
    ("said", "question", "wanted"),
    [
        ("Password is hunter2. I work as a nurse at the hospital.", "What is the password?", "hunter2"),
        ("The commute was too long. I will start at Airbus on 1 April.", "Why did I quit?", "commute"),
        ("My knee hurts. I started swimming on Mondays at the local pool.", "What hurts?", "knee"),
    ],
)
def test_what_was_said_beside_what_was_learned_is_found(
    memory: emberkeep.Memory, said: str, question: str, wanted: str
) -> None:
    for text in ("I quit my job.", said, "The weather is nice today in the park."):
        memory.add(text, user_id="alex", session_id="s")
    assert any(wanted in hit.text for hit in memory.search(question, user_id="alex"))


def test_what_was_ranked_is_not_brought_back_by_a_link(memory: emberkeep.Memory) -> None:
    for text in (
        "Paul has a dog called Rex", "Paula has a dog called Fido", "Paul lives in Leeds", "Paula lives in Cork",
        "Paul likes tea", "Paula likes coffee", "Paul plays chess", "Paula plays the piano",
    ):  # fmt: skip
        memory.remember(text, user_id="alex")
    whole = [hit.id for hit in memory.search("What is Paul's dog called?", user_id="alex", limit=8)]
    for limit in range(1, 9):
        hits = memory.search("What is Paul's dog called?", user_id="alex", limit=limit)
        assert [hit.id for hit in hits] == whole[:limit]
        assert all(hit.similarity is not None for hit in hits)
