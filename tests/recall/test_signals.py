"""What is known of each candidate, of an index that a test fills."""

from typing import Any

import numpy as np
import pytest

import emberkeep
from emberkeep.language.terms import pack
from emberkeep.language.traits import traits_of
from emberkeep.model.recall import Signal
from emberkeep.recall.question import Question, Span, read
from emberkeep.recall.signals import SIGNALS, measure
from emberkeep.storage.shelf_columns import Document
from emberkeep.storage.shelf_index import ShelfIndex
from emberkeep.testing import WordEmbedder

from .measured import Measured, column, signals_in

DAY = 86_400_000_000
A_YEAR = 365 * DAY


def document(item_id: str, text: str, **changes: Any) -> Document:
    values: dict[str, Any] = dict.fromkeys(Document._fields) | {
        "kind": "episode",
        "agent_id": "",
        "session_id": "s",
        "occurred_at": 0,
    }
    values |= {"item_id": item_id, "valid_from": 0, "traits": traits_of(text).pack(), "terms": pack(text).tobytes()}
    return Document(**(values | changes))


def index_of(*documents: Document) -> ShelfIndex:
    index = ShelfIndex(4)
    index.put(documents)
    return index


def signals_of(index: ShelfIndex, question: Question) -> Measured:
    rows = np.array(sorted(index.row_of.values()), np.int64)
    occurrences = index.occurrences(list(question.terms))
    lines = measure(index, rows, question, occurrences, index.text_statistics(occurrences))[0].tolist()
    return {index.ids[row]: dict(zip(SIGNALS, line, strict=True)) for row, line in zip(rows, lines, strict=True)}


def test_cosines_of_a_message_and_of_those_beside_it() -> None:
    index = index_of(*(document(one, "words") for one in "abc"))
    keys = np.arange(1, 4)
    index.put_keys(list("abc"), keys)
    index.put_vectors(keys, np.eye(4, dtype=np.float32)[:3])
    vector = np.array([0.1, 0.2, 0.3, 0.0], np.float32)
    found = signals_of(index, Question(vector, {}))
    assert column("dense", found) == pytest.approx({"a": 0.1, "b": 0.2, "c": 0.3})
    # Where nobody is beside it, its own counts.
    assert column("dense_before", found) == pytest.approx({"a": 0.1, "b": 0.1, "c": 0.2})
    assert column("dense_after", found) == pytest.approx({"a": 0.2, "b": 0.3, "c": 0.3})
    assert column("opens", found) == {"a": 1, "b": 0, "c": 0}
    assert column("closes", found) == {"a": 0, "b": 0, "c": 1}


def test_the_best_cosine_close_by_is_that_of_three_messages_on_either_side() -> None:
    index = index_of(*(document(one, "words") for one in "abcdefg"), document("x", "words", session_id="alone"))
    keys = np.arange(1, 9)
    index.put_keys(list("abcdefgx"), keys)
    vectors = np.zeros((8, 4), np.float32)
    vectors[:, 0] = 0.9, 0.1, 0.2, 0.1, 0.1, 0.1, 0.8, 0.3
    index.put_vectors(keys, vectors)
    question = Question(np.array([1, 0, 0, 0], np.float32), {})
    near = column("dense_around", signals_of(index, question))
    assert near == pytest.approx({"a": 0.2, "b": 0.9, "c": 0.9, "d": 0.9, "e": 0.8, "f": 0.8, "g": 0.1, "x": 0.3})
    # What is neither a candidate nor beside one is not looked at: "a", close to "d".
    rows = np.array([index.row_of["d"], index.row_of["g"]])
    lines, _ = measure(index, rows, question, [], index.text_statistics([]))
    assert lines[:, SIGNALS.index("dense_around")].tolist() == pytest.approx([0.8, 0.1])


def test_what_has_no_vector_yet_is_near_nothing() -> None:
    index = index_of(document("a", "words"), document("b", "words"))
    found = signals_of(index, Question(np.ones(4, np.float32), {}))
    assert column("dense", found) == {"a": 0, "b": 0}
    assert all(np.isfinite(list(line.values())).all() for line in found.values())


def test_words_of_a_message_and_of_those_beside_it() -> None:
    index = index_of(
        document("a", "Which wine goes with sardines?"),
        document("b", "Vinho Verde"),
        document("c", "Thanks"),
        document("d", "bread", session_id="t"),
    )
    found = signals_of(index, read("wine with sardines", None))
    assert column("covered", found) == pytest.approx({"a": 1, "b": 0, "c": 0, "d": 0})
    assert column("window", found) == pytest.approx({"a": 1, "b": 1, "c": 0, "d": 0})
    lexical, answers = column("lexical", found), column("answers", found)
    assert 0.0 < lexical["a"] <= 1.0
    assert lexical["b"] == lexical["c"] == lexical["d"] == 0.0
    # The message after a question is credited with what the question holds.
    assert answers == pytest.approx({"a": 0, "b": lexical["a"], "c": 0, "d": 0})
    # Of its conversation counts what its window does not hold: all of it is in that of the middle one.
    session = column("session", found)
    assert session["c"] > session["a"] > session["b"] == session["d"] == 0.0


def test_only_a_question_has_an_answer() -> None:
    index = index_of(document("a", "Wine goes with sardines."), document("b", "Vinho Verde"))
    assert column("answers", signals_of(index, read("wine", None))) == {"a": 0, "b": 0}


def test_the_very_text_is_exact() -> None:
    texts = {"a": "green tea", "b": "green tea, please", "c": "tea", "d": "Tea: green!"}
    index = index_of(*(document(one, text) for one, text in texts.items()))
    assert column("exact", signals_of(index, read("Green tea", None))) == {"a": 1, "b": 0, "c": 0, "d": 1}


def test_what_was_said_in_no_session_has_no_share_in_one() -> None:
    more = [document(one, "bread and cheese") for one in "defg"]
    told = document("a", "wine", session_id=""), document("b", "wine"), document("c", "wine", kind="fact")
    index = index_of(*told, *more)
    session = column("session", signals_of(index, read("wine", None)))
    assert session["b"] > session["a"] == session["c"] == 0.0


def test_words_that_nothing_holds_say_nothing() -> None:
    found = signals_of(index_of(document("a", "wine")), read("zebra", None))
    for name in ("lexical", "covered", "exact", "window", "answers", "session"):
        assert column(name, found) == {"a": 0}
    assert signals_of(ShelfIndex(4), read("zebra", None)) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where does Melanie live?", ["a"]),
        ("Where does Mel live?", ["a"]),  # a nickname
        ("Where does MELANIE live?", ["a"]),
        ("What is Melanie's job?", ["a"]),
        ("What did Muhammad cook?", ["b"]),  # another spelling
        ("What did Ali cook?", ["b"]),  # the other word of the name
        ("What did Melanie and Mohammed do?", []),  # two: then it is nobody's
        ("Where does melanie live?", []),  # a small letter
        ("Where does Clara live?", []),
        ("Where do I live?", []),
    ],
)
def test_who_is_named_spoke(text: str, expected: list[str]) -> None:
    index = index_of(
        document("a", "Porto", speaker="Melanie"),
        document("b", "Soup", speaker="Mohammed Ali"),
        document("c", "Nothing", speaker=None),
    )
    spoke = column("speaker", signals_of(index, read(text, None)))
    assert [key for key, value in spoke.items() if value] == expected


def test_whom_a_statement_is_about() -> None:
    index = index_of(
        document("a", "Clara lives in Porto", kind="fact", subject="Clara"),
        document("b", "The user lives in Oslo", kind="fact"),
    )
    assert column("another", signals_of(index, read("Where do I live?", None))) == {"a": 1, "b": 0}
    assert column("another", signals_of(index, read("Where does Clara live?", None))) == {"a": 0, "b": 0}
    # What is right has often another subject than the question: "Secrets are in Vault".
    for question in ("Which city is it?", "Tell me where the passwords are"):
        assert column("another", signals_of(index, read(question, None))) == {"a": 0.125, "b": 0}
    assert column("another", signals_of(index, read("How much is our rent?", None))) == {"a": 0.5, "b": 0}


def test_whom_a_question_names_by_one_word_is_nobody_else() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="rules") as memory:
        (fact,) = memory.add("My sister Clara lives in Oslo.").learned
        assert signals_in(memory, "Where does Clara live?")[fact.text]["another"] == 0


@pytest.mark.parametrize(
    ("text", "own", "theirs"),
    [
        ("What did I say?", {"user": 1, "machine": 0}, {"user": 0, "machine": 0}),
        ("What is my name?", {"user": 1, "machine": 0}, {"user": 0, "machine": 0}),
        ("What did you recommend?", {"user": 0, "machine": 0}, {"user": 0, "machine": 1}),
        ("What did you tell me?", {"user": 0, "machine": 0}, {"user": 0, "machine": 1}),
        ("Where is Porto?", {"user": 0, "machine": 0}, {"user": 0, "machine": 0}),
    ],
)
def test_whose_words_are_asked_for(text: str, own: dict[str, float], theirs: dict[str, float]) -> None:
    index = index_of(
        document("user", "Porto"), document("machine", "Porto", traits=traits_of("", by_machine=True).pack())
    )
    found = signals_of(index, read(text, None))
    assert column("own", found) == own
    assert column("theirs", found) == theirs
    assert column("machine", found) == {"user": 0, "machine": 1}


def test_who_is_asked_about_by_name_is_not_held_to_be_a_machine() -> None:
    by_machine = traits_of("", by_machine=True).pack()
    index = index_of(
        document("user", "Porto", speaker="Ana"), document("machine", "Porto", speaker="Ben", traits=by_machine)
    )
    for text, held in (("What does Ben like?", 0), ("What do Ana and Ben like?", 0), ("What does Ana like?", 1)):
        assert column("machine", signals_of(index, read(text, None))) == {"user": 0, "machine": held}


def test_the_shape_of_a_message() -> None:
    letters = ["x" + one + other for one in "bcdfghjklm" for other in "bcdfghjklm"]
    texts = {
        "time": "We met on Friday",
        "number": "Three of them",
        "question": "Are you there, and is your dog?",
        "self": "I like my own, me and mine",
        "long": " ".join(letters[:95]),
        "middling": " ".join(letters[:28]),
        "untold": "",
    }
    untold = {"untold": {"traits": None}}
    index = index_of(*(document(key, text, **untold.get(key, {})) for key, text in texts.items()))
    found = signals_of(index, read("anything", None))

    def with_signal(name: Signal) -> dict[str, float]:
        return {key: value for key, value in column(name, found).items() if value}

    assert with_signal("timed") == {"time": 1}
    assert with_signal("numbered") == {"number": 1}
    assert with_signal("asks") == {"question": 1}
    assert with_signal("of_speaker") == pytest.approx({"time": 1 / 3, "self": 1})
    assert with_signal("of_listener") == pytest.approx({"question": 2 / 3})
    assert with_signal("long") == {"long": 1}
    assert with_signal("when") == with_signal("how_many") == {}


def test_what_tells_a_time_or_a_number_counts_more_where_that_is_asked_for() -> None:
    index = index_of(document("time", "on Friday"), document("number", "three"), document("plain", "tea"))
    when, many = read("When was it?", None), read("How many were there?", None)
    assert column("when", signals_of(index, when)) == {"time": 1, "number": 0, "plain": 0}
    assert column("how_many", signals_of(index, when)) == {"time": 0, "number": 0, "plain": 0}
    assert column("how_many", signals_of(index, many)) == {"time": 0, "number": 1, "plain": 0}
    assert column("when", signals_of(index, many)) == {"time": 0, "number": 0, "plain": 0}


def test_the_nearer_to_the_time_asked_about_the_more() -> None:
    index = index_of(
        document("within", "tea", occurred_at=A_YEAR + DAY),
        document("edge", "tea", occurred_at=A_YEAR + 2 * DAY),
        document("near", "tea", occurred_at=A_YEAR + 3 * DAY),
        document("before", "tea", occurred_at=A_YEAR - DAY),
        document("far", "tea", occurred_at=3 * A_YEAR),
        document("about", "tea", occurred_at=3 * A_YEAR, about_from=A_YEAR - 9 * DAY, about_to=A_YEAR + DAY),
    )
    during = column("during", signals_of(index, read("tea", None, period=Span(A_YEAR, A_YEAR + 2 * DAY))))
    assert during == pytest.approx(
        {"within": 1, "edge": 1, "near": np.exp(-0.5), "before": np.exp(-0.5), "far": 0, "about": 1}
    )
    assert set(column("during", signals_of(index, read("tea", None))).values()) == {0}


def test_the_day_before_and_the_day_after_are_not_the_day() -> None:
    index = index_of(
        document("day", "tea", occurred_at=3 * A_YEAR, about_from=A_YEAR, about_to=A_YEAR + DAY - 1),
        document("before", "tea", occurred_at=3 * A_YEAR, about_from=A_YEAR - DAY, about_to=A_YEAR - 1),
        document("after", "tea", occurred_at=3 * A_YEAR, about_from=A_YEAR + DAY, about_to=A_YEAR + 2 * DAY - 1),
    )
    during = column("during", signals_of(index, read("tea", None, period=Span(A_YEAR, A_YEAR + DAY - 1))))
    assert during == pytest.approx({"day": 1, "before": np.exp(-0.5), "after": np.exp(-0.5)})


def test_a_moment_reaches_a_day_around_it() -> None:
    index = index_of(document("a", "tea", occurred_at=A_YEAR + DAY))
    during = column("during", signals_of(index, read("tea", None, period=Span(A_YEAR, A_YEAR))))
    assert during == pytest.approx({"a": np.exp(-1)})


def test_a_statement_stands_where_the_message_stands_and_speaks_for_it() -> None:
    index = index_of(
        document("a", "Where do you live?"),
        document("b", "In Porto since May", speaker="Ana", occurred_at=A_YEAR),
        document("fact", "Ana lives in Porto", kind="fact"),
        document("other", "Ana moved in May", kind="fact"),
        document("told", "Ana swims", kind="fact"),
    )
    index.put_origins([("fact", "b"), ("other", "b"), ("told", "nowhere")])
    found = signals_of(index, read("Does Ana swim in Porto?", None, period=Span(A_YEAR, A_YEAR + DAY)))
    for name in ("opens", "closes", "speaker", "during", "timed", "session", "asks", "of_listener"):
        assert found["fact"][name] == found["b"][name]
    assert (found["fact"]["opens"], found["fact"]["closes"], found["told"]["opens"]) == (0, 1, 1)
    best = max(found["fact"]["lexical"], found["other"]["lexical"])
    assert best > 0
    assert column("fact", found) == pytest.approx({"a": 0, "b": best, "fact": best, "other": best, "told": 0})


def test_what_was_learned_from_a_message_that_is_gone_stands_alone() -> None:
    index = index_of(document("a", "first"), document("b", "I live in Porto"), document("fact", "Porto", kind="fact"))
    index.put_origins([("fact", "b")])
    index.remove("b")
    found = signals_of(index, read("Porto", None))
    assert (found["fact"]["opens"], found["fact"]["closes"], found["fact"]["fact"]) == (1, 1, 0)


def test_every_signal_is_a_number_on_a_scale_of_its_own() -> None:
    index = index_of(
        document("a", "Where was I in May 2024, with 3 of you?", speaker="Ana"), document("b", "tea " * 90)
    )
    for text in ("When did Ana drink tea?", "How many did you drink?", "May", "?"):
        for line in signals_of(index, read(text, None, period=Span(0, DAY))).values():
            assert all(0.0 <= value <= 1.0 for value in line.values())
