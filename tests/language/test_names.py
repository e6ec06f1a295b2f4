"""Whether two words are the same name, and which words may be names."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.language.names import PossibleNames, capitalised, is_meant, is_same_name, name_words, possible_names

HUGE = 1_000_000
words = st.text(st.characters(categories=["L"]), min_size=2, max_size=12).map(str.casefold)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ana", "ana"),
        ("mel", "melanie"),
        ("dan", "daniel"),
        ("mohammed", "muhammad"),
        ("mohamed", "mohammed"),
        ("catherine", "cathryn"),
        ("phillip", "philip"),
        ("jon", "jonathan"),
        ("геннадий", "геннадий"),
        ("al", "al"),
        ("日本", "日本"),
        ("zoë", "zoë"),
    ],
)
def test_the_same_name(one: str, other: str) -> None:
    assert is_same_name(one, other)
    assert is_same_name(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ana", "ben"),
        ("al", "alexandra"),  # two letters are too few
        ("jo", "john"),
        ("mark", "marie"),
        ("ana", "ina"),
        ("lena", "lina"),  # of so short a name too little is left
        ("karl", "carl"),
        ("anna", "hannah"),
        ("mia", "mea"),
        ("ann", "ian"),
    ],
)
def test_another_name(one: str, other: str) -> None:
    assert not is_same_name(one, other)
    assert not is_same_name(other, one)


@given(words, words)
def test_it_is_the_same_either_way_round(one: str, other: str) -> None:
    assert is_same_name(one, one)
    assert is_same_name(one, other) == is_same_name(other, one)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ana", {"ana"}),
        ("Ana Maria Silva", {"ana", "maria", "silva"}),
        ("J. R. Smith", {"smith"}),
        ("O'Neil", {"neil"}),
        ("Ana_2", {"ana"}),
        ("agent-7", {"agent"}),
        ("ÉMILE Zola", {"émile", "zola"}),
        ("王芳", {"王芳"}),
        ("", set()),
        ("42", set()),
        ("🙂", set()),
    ],
)
def test_the_words_of_a_name(name: str, expected: set[str]) -> None:
    assert name_words(name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("where do i live", ()),
        ("Where does Ana live", ("ana",)),
        ("Will Ana come", ("ana",)),
        ("Will's Ana", ("will", "ana")),
        ("Ana Where", ("ana", "where")),
        ("is ANA there", ("ana",)),
        ("what did Ana's mother say", ("ana",)),
        ("did McDonald call", ("mcdonald",)),
        ("the iPhone", ()),
        ("at 5Ghz", ()),
        ("is Émile there", ("émile",)),
        ("gehört Jürgen dazu", ("jürgen",)),
        ("was I there", ()),  # one letter is no name
        ("where is 王芳", ("王芳",)),  # a script without small letters
        ("is _Ana_ there", ()),
        ("Ana Ana", ("ana", "ana")),
    ],
)
def test_words_that_may_be_names(text: str, expected: tuple[str, ...]) -> None:
    assert capitalised(text) == expected


@pytest.mark.parametrize("text", ["wann gibt es äpfel", "un été à la mer", "где мой ключ"])
def test_a_word_that_begins_with_any_small_letter_is_no_name(text: str) -> None:
    assert capitalised(text) == ()


def test_a_question_typed_without_capitals_may_name_anybody() -> None:
    assert possible_names("where does ana live?") == PossibleNames(("where", "does", "ana", "live")[2:], identical=True)
    assert possible_names("did the bill reach rose") == PossibleNames(("reach", "rose"), identical=True)
    assert possible_names("where does Ana live? and ben?") == PossibleNames(("ana",))
    assert possible_names("Where is it?") == PossibleNames(())


@given(st.text(max_size=100))
def test_any_text_is_read(text: str) -> None:
    assert all(word == word.casefold() and len(word) > 1 for word in (*capitalised(text), *name_words(text)))


@pytest.mark.parametrize("text", ["A" * HUGE, "Ana " * (HUGE // 4), "a" * HUGE, "_" * HUGE, "é" * HUGE, "1" * HUGE])
def test_a_huge_text_is_read_in_bounded_work(text: str) -> None:
    assert sum(map(len, capitalised(text))) <= len(text)
    assert len(name_words(text)) <= 1


def test_huge_names_are_compared_in_bounded_work() -> None:
    huge = ["a" * HUGE, "ab" * HUGE, "b" + "a" * HUGE, "bc" * HUGE]
    assert [is_same_name(one, other) for one, other in product(huge, huge)].count(True) == 4


@pytest.mark.parametrize(
    ("asked", "name"), [("tommy", "tom"), ("christopher", "chris"), ("mel", "melanie"), ("tom", "tom")]
)
def test_a_name_may_be_asked_for_in_full_or_in_short(asked: str, name: str) -> None:
    assert is_meant(asked, name)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("tomcat", "tom"),
        ("timeout", "tim"),
        ("analytics", "ana"),
        ("billing", "bill"),
        ("marketing", "mark"),
        ("bob", "tom"),
    ],
)
def test_a_word_that_begins_like_a_name_is_not_meant_for_who_has_it(asked: str, name: str) -> None:
    assert not is_meant(asked, name)
