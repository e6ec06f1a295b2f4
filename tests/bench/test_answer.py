from datetime import UTC, datetime

from emberkeep.bench.answer import Answer, Ranked, line, rank_messages, rank_sessions
from emberkeep.bench.contender import Found
from emberkeep.bench.dataset import Question

QUESTION = Question("q", "?", "some", ("m2", "m3"), datetime(2026, 5, 4, tzinfo=UTC), ("s2",))


def count_words(text: str) -> int:
    return len(text.split())


def test_each_message_counts_at_its_first_place() -> None:
    found = [
        Found("a fact of two", 0.9, ("m2", "m1")),
        Found("the message itself", 0.8, ("m2",)),
        Found("another", 0.7, ("m3", "m1")),
    ]
    assert rank_messages(found, count_words) == (
        Ranked("m2", 0.9, 4),
        Ranked("m1", 0.9, 4),
        Ranked("m3", 0.7, 8),
    )


def test_sessions_are_ranked_by_their_first_message() -> None:
    ranked = [Ranked(one, 1.0, 1) for one in ("m4", "m1", "m5", "m2")]
    assert rank_sessions(ranked, {"m1": "s1", "m2": "s1", "m4": "s2", "m5": "s3"}) == ("s2", "s1", "s3")


def test_tokens_are_those_of_all_that_was_returned_so_far() -> None:
    ranked = tuple(Ranked(f"m{number}", 1.0, 10 * number) for number in range(1, 8))
    assert Answer("s", QUESTION, ranked, (), 0.1, 0.05).tokens == {"tokens@5": 50, "tokens@10": 70, "tokens@25": 70}
    assert Answer("s", QUESTION, (), (), 0.1, 0.05).tokens == {"tokens@5": 0, "tokens@10": 0, "tokens@25": 0}


def test_an_answer_as_a_line() -> None:
    answer = Answer("anna", QUESTION, (Ranked("m3", 0.5, 7),), ("s2", "s1"), 0.25, 0.125)
    assert line(answer) == {
        "store": "anna",
        "question": "q",
        "category": "some",
        "gold": ("m2", "m3"),
        "ranked": ("m3",),
        "scores": [0.5],
        "gold_sessions": ("s2",),
        "ranked_sessions": ("s2", "s1"),
        "tokens@5": 7,
        "tokens@10": 7,
        "tokens@25": 7,
        "latency_ms": 250.0,
        "embedding_ms": 125.0,
    }
    assert (answer.quality["frac@5"], answer.session_quality["mrr"]) == (0.5, 1)
