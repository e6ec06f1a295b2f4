"""What a question asks for, read from its words: whom it names, what its vector stands for, which time it is about."""

import pytest

from emberkeep.recall.question import MOST_SPEAKERS, Span, as_said_by, asks_only_when, read, what_is_asked

SPEAKERS = ["Ana", "Ben Smith", "Mohammed"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where does Ana live?", "Where do I live?"),
        ("What is Ana's dog called?", "What is my dog called?"),
        ("What is Ana’s dog called?", "What is my dog called?"),
        ("Where has Ana been?", "Where have I been?"),
        ("What is Ana allergic to?", "What am I allergic to?"),
        ("What did Ben do on his birthday?", "What did I do on my birthday?"),
        ("What did Smith say?", "What did I say?"),
        ("What did Ben Smith do on his birthday?", "What did I do on my birthday?"),
        ("What is Ben Smith's dog called?", "What is my dog called?"),
        ("Did Ben Smith and Ana meet?", "Did we meet?"),
        ("What are Ana and Ben Smith's plans?", "What are our plans?"),
        ("What did Ana say she likes?", "What did I say I likes?"),
        ("Who helped Ana with her move, and thanked them?", "Who helped I with my move, and thanked me?"),
        ("Did Ana and Ben meet?", "Did we meet?"),
        ("Where did Ben or Ana go?", "Where did we go?"),
        ("What are Ana's and Ben's plans?", "What are our plans?"),
        ("Did Ana tell Ben about her dog?", "Did I tell I about her dog?"),
        ("What did Muhammad cook?", "What did I cook?"),
        ("What did Moh cook?", "What did I cook?"),
        ("Where do I live?", "Where do I live?"),
        ("Where does Clara live, and does her dog?", "Where does Clara live, and does her dog?"),
        ("where does ana live?", "where do I live?"),
        ("where does anne live, and the ana?", "where does anne live, and the ana?"),
        ("", ""),
    ],
)
def test_a_question_as_those_it_names_would_put_it(text: str, expected: str) -> None:
    assert as_said_by(text, SPEAKERS) == expected


@pytest.mark.parametrize(
    ("text", "timeless", "expected"),
    [
        ("What pasta did Ana make on 3 May?", "What pasta did Ana make?", "What pasta did I make?"),
        ("Where was Ana on 3 May?", "Where was Ana?", "Where was I on 3 May?"),
        ("What did Ana play on 3 May?", "What did Ana play?", "What did I play on 3 May?"),
        ("What did Ana play in May 2023?", "What did Ana play?", "What did I play in May?"),
        ("What pasta did Ana make?", None, "What pasta did I make?"),
        ("Where was Clara on 3 May?", "Where was Clara?", "Where was Clara on 3 May?"),
    ],
)
def test_a_date_is_left_out_of_a_vector_unless_little_else_is_asked(
    text: str, timeless: str | None, expected: str
) -> None:
    assert what_is_asked(text, timeless, SPEAKERS) == expected


@pytest.mark.parametrize(
    ("timeless", "expected"),
    [
        (None, False),
        ("Where was Ana?", True),
        ("What happened?", True),
        ("What did Ana play?", False),
        ("What pasta did Ana make?", False),
        ("What did I do?", True),
    ],
)
def test_whether_a_question_says_nothing_but_a_time(timeless: str | None, expected: bool) -> None:
    assert asks_only_when(timeless, SPEAKERS) is expected


def test_where_nobody_is_known_a_question_stays_as_it_is() -> None:
    assert as_said_by("Where does Ana live?", []) == "Where does Ana live?"
    assert as_said_by("Where does Ana live?", ["", "7"]) == "Where does Ana live?"


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("How many cups did we drink?", "Howard"),
        ("The week after, where were we?", "Theo"),
        ("Has it rained?", "Hasan"),
        ("What did we do last May?", "Maya"),
    ],
)
def test_words_that_begin_like_a_name_are_no_name(text: str, speaker: str) -> None:
    assert as_said_by(text, [speaker]) == text
    assert read(text, None).named({"": 0, speaker: 1}) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Does Ana like tea?", "Do I like tea?"),
        ("Is Ana married?", "Am I married?"),
        ("Has Ana moved?", "Have I moved?"),
    ],
)
def test_a_question_that_begins_with_the_verb(text: str, expected: str) -> None:
    assert as_said_by(text, SPEAKERS) == expected


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("When did I move?", "time speaker"),
        ("  when?", "time"),
        ('"When," he asked', "time"),
        ("What day is it?", "time"),
        ("On what date did we meet?", "time speaker"),
        ("In what year was that?", "time"),
        ("How long have I lived here?", "time speaker"),
        ("And how long ago was it?", "time"),
        ("Whenever you like", "listener"),
        ("Tell me when", ""),
        ("Please  remind me where Ana lives", ""),
        ("Hey, can you just tell me where Ana lives?", "listener"),
        ("What can you tell me about Ana?", "listener"),
        ("Let me know who is on call", ""),
        ("Tell me about myself", "speaker"),
        ("Who told us?", "speaker"),
        ("Show me what I bought", "speaker"),
        ("What did Ana give me?", "speaker"),
        ("How many cups do you drink?", "number listener"),
        ("And how much is it?", "number"),
        ("How often do we meet?", "number speaker"),
        ("How are you?", "listener"),
        ("What did you tell me?", "speaker listener"),
        ("Where is Porto?", ""),
        ("", ""),
    ],
)
def test_what_a_question_asks_for(text: str, flags: str) -> None:
    question = read(text, None)
    found = {
        "time": question.wants_time,
        "number": question.wants_number,
        "speaker": question.of_speaker,
        "listener": question.of_listener,
    }
    assert {name for name, is_so in found.items() if is_so} == set(flags.split())


def test_a_question_has_its_words_its_names_and_its_time() -> None:
    question = read("Where did Ana buy the teapots?", None, period=Span(1, 2))
    assert (list(question.terms.values()), question.names.words) == (["ana", "buy", "teapots"], ("ana",))
    assert (question.vector, question.period) == (None, Span(1, 2))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("When did I last mention Pixel?", ["mention", "pixel"]),
        ("When was the last time I saw the dog?", ["saw", "dog"]),
        ("What is the latest version?", ["version"]),
        ("What did we decide in January 2026?", ["decide", "january"]),
        ("What did I read in the summer of 2025?", ["read", "summer"]),
        ("What was released in 2020?", ["released", "2020"]),
        ("Who came last to the first meeting?", ["came", "last", "first", "meeting"]),
    ],
)
def test_words_that_say_which_of_several_and_years_of_dates_are_not_looked_for(text: str, words: list[str]) -> None:
    assert list(read(text, None, period=Span(1, 2)).terms.values()) == words


def test_who_is_named_among_those_who_speak() -> None:
    speakers = {"": 0, "Ana Silva": 1, "Ben": 2, "Anastasia": 3}
    assert read("What did Ben say?", None).named(speakers) == [2]
    assert read("What did Silva say?", None).named(speakers) == [1]
    assert read("What did Ana say?", None).named(speakers) == [1]
    assert read("What did Anas say?", None).named(speakers) == [1, 3]  # who is meant is open
    assert read("What did he say?", None).named(speakers) == []
    assert read("What did Ben say?", None).named({}) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Where does Anna Jones live?", {"Anna Jones"}),
        ("Where does Anna live?", {"Anna Jones", "Anna Smith"}),
        ("What do Anna Smith and Bob share?", {"Anna Smith", "Bob"}),
        ("What is Paul's dog called?", {"Paul"}),
        ("What is Paula's dog called?", {"Paula"}),
        ("What present did Bob get for Christmas?", {"Bob"}),
        ("Will the parrot bite?", set()),
        ("What is Will's parrot called?", {"Will"}),
        ("Will's parrot?", {"Will"}),
    ],
)
def test_a_name_means_those_who_have_it_rather_than_those_who_might(text: str, meant: set[str]) -> None:
    names = ["Anna Jones", "Anna Smith", "Bob", "Paul", "Paula", "Chris", "Will"]
    speakers = {name: number for number, name in enumerate(names)}
    assert {names[number] for number in read(text, None).named(speakers)} == meant


def test_a_name_alone_is_looked_for_as_it_is() -> None:
    assert what_is_asked("Ana?", None, ["Ana", "Ben"]) == "Ana?"
    assert what_is_asked("Ana and Ben", None, ["Ana", "Ben"]) == "Ana and Ben"
    assert what_is_asked("What did Ana do?", None, ["Ana", "Ben"]) == "What did I do?"
    assert what_is_asked("Where does Ana live?", None, ["Ana", "Ben"]) == "Where do I live?"


def test_among_very_many_a_name_is_found_as_it_is_written() -> None:
    speakers = {f"Speaker {number}": number for number in range(MOST_SPEAKERS)} | {"Ana": 1_000}
    assert read("What did Ana say?", None).named(speakers) == [1_000]
