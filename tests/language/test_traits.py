"""What kind of message a text is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.language.traits import MOST_COUNTED, Traits, speaks_of_listener, speaks_of_speaker, traits_of

HUGE = 1_000_000  # characters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Traits()),
        ("   \n\t ", Traits()),
        ("The kettle is blue.", Traits()),
        ("Is the kettle blue?", Traits(asks=True)),
        ("Is the kettle blue? \n", Traits(asks=True)),
        ("Is it? It is.", Traits()),
        ("Seen yesterday", Traits(timed=True)),
        ("The TRAIN leaves on FRIDAY", Traits(timed=True)),
        ("Opened in 2019", Traits(timed=True, numbered=True)),
        ("On the 3rd", Traits(timed=True, numbered=True)),
        ("A house number: 12345", Traits(numbered=True)),
        ("Twice round the lake", Traits(numbered=True)),
        ("Someone wonders", Traits()),  # "one" is a part of a word there
        ("Mayor of the town", Traits()),  # and "may"
        ("I like my tea", Traits(of_speaker=2)),
        ("I told me and my sister that we like our tea", Traits(of_speaker=3)),
        ("Inside it is warm", Traits()),
        ("I'm told you're late", Traits(of_speaker=1, of_listener=1)),
        ("You and your tea", Traits(of_listener=2)),
        ("What did I tell you last week?", Traits(asks=True, timed=True, of_speaker=1, of_listener=1)),
    ],
)
def test_traits(text: str, expected: Traits) -> None:
    assert traits_of(text) == expected


def test_who_said_it_is_told_not_read() -> None:
    assert traits_of("As an assistant, fine", by_machine=True).by_machine
    assert not traits_of("As an assistant, fine").by_machine


@pytest.mark.parametrize(
    "text",
    ["昨日は雨でした。", "Я люблю чай", "أحب الشاي", "🙂🙂🙂", "Grüße aus Köln", "\u200b\ufeff", "\ud800"],
)
def test_other_languages_have_few_traits_and_break_nothing(text: str) -> None:
    assert traits_of(text) == Traits()


def test_figures_are_numbers_in_any_script() -> None:
    assert traits_of("٣ أكواب").numbered


@pytest.mark.parametrize(
    ("question", "of_us", "of_me"),
    [
        ("Where do I work?", True, True),
        ("i-phone or pixel, which one is mine?", True, True),
        ("what's my Wi-Fi password", True, True),
        ("wait...i moved when?", True, True),
        ("was it at 5 p.m.i left", True, True),
        ("Should I/we sell the car?", True, True),
        ("WHERE DID THEY TAKE US", True, False),
        ("Which of us is older?", True, False),
        ("Where did WE go?", True, False),
        ("Which US states has Ana been to?", False, False),
        ("Why is the disk I/O slow?", False, False),
        ("Which exit of I-95 does Ana take?", False, False),
        ("Which A.I. tools does Ana pay for, i.e. not by her firm?", False, False),
        ("Where does Ana work?", False, False),
    ],
)
def test_who_is_asked_about(question: str, of_us: bool, of_me: bool) -> None:
    assert speaks_of_speaker(question) is of_us
    assert speaks_of_speaker(question, alone=True) is of_me


@given(st.text(max_size=200), st.booleans())
def test_any_text_has_traits_that_fit_into_their_bits(text: str, by_machine: bool) -> None:
    traits = traits_of(text, by_machine=by_machine)
    assert 0 <= traits.of_speaker <= MOST_COUNTED
    assert 0 <= traits.of_listener <= MOST_COUNTED
    assert 0 <= traits.pack() < 256
    assert (traits.of_listener > 0) == speaks_of_listener(text)


@given(
    st.builds(
        Traits,
        asks=st.booleans(),
        timed=st.booleans(),
        numbered=st.booleans(),
        by_machine=st.booleans(),
        of_speaker=st.integers(0, MOST_COUNTED),
        of_listener=st.integers(0, MOST_COUNTED),
    )
)
def test_what_is_packed_is_read_back_as_recall_reads_it(traits: Traits) -> None:
    packed = traits.pack()
    assert isinstance(packed, int)
    read = Traits(
        asks=bool(packed & 1),
        timed=bool((packed >> 1) & 1),
        numbered=bool((packed >> 2) & 1),
        by_machine=bool((packed >> 3) & 1),
        of_speaker=(packed >> 4) & 3,
        of_listener=(packed >> 6) & 3,
    )
    assert read == traits


def test_of_a_long_text_the_beginning_and_the_end_count() -> None:
    padding = "tea " * 2_000
    assert traits_of(f"I saw it yesterday. {padding}") == Traits(timed=True, of_speaker=1)
    assert traits_of(f"{padding} I saw it yesterday, at 5") == Traits()
    assert traits_of(f"{padding}?") == Traits(asks=True)


@pytest.mark.parametrize("text", ["i " * HUGE, "9" * HUGE, "?" * HUGE, " " * HUGE, "a" * HUGE, "you" * HUGE])
def test_a_huge_text_is_read_in_bounded_work(text: str) -> None:
    whole, start = traits_of(text), traits_of(text[:4_000])
    assert (whole.timed, whole.numbered, whole.of_speaker) == (start.timed, start.numbered, start.of_speaker)
