"""The times that a text tells of."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.language.periods import Period, about, periods
from emberkeep.language.spotting import LONGEST

AT = datetime(2026, 5, 20, 10, tzinfo=UTC)  # a Wednesday


def spans(text: str, at: datetime = AT, *, ahead: bool = False) -> str:
    return " ".join(
        f"{one.first}..{one.last}" if one.first < one.last else f"{one.first}" for one in periods(text, at, ahead=ahead)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I ran yesterday", "2026-05-19"),
        ("YESTERDAY I RAN", "2026-05-19"),
        ("I ran the day before yesterday", "2026-05-18"),
        ("I ran last night", "2026-05-19"),
        ("an hour ago", "2026-05-20"),
        ("half an hour ago", "2026-05-20"),
        ("three days back", "2026-05-17"),
        ("two weeks ago I quit", "2026-05-06"),
        ("about two months ago", "2026-03-01..2026-03-31"),
        ("half a year ago", "2025-11-01..2025-11-30"),
        ("three years ago", "2023-01-01..2023-12-31"),
        ("last Monday", "2026-05-18"),
        ("next Friday", "2026-05-22"),
        ("on Sunday the 3rd", "2026-05-03"),
        ("on the 5th we met", "2026-05-05"),
        ("on the second, we met", "2026-05-02"),
        ("We met on the second.", "2026-05-02"),
        ("the 5th of last month", "2026-04-05"),
        ("this week", "2026-05-18..2026-05-24"),
        ("last week", "2026-05-11..2026-05-17"),
        ("this weekend I rest", "2026-05-23..2026-05-24"),
        ("over the weekend we hiked", "2026-05-16..2026-05-17"),
        ("the weekend before last", "2026-05-09..2026-05-10"),
        ("the Friday before last", "2026-05-08"),
        ("two Saturdays ago", "2026-05-09"),
        ("two weekends ago", "2026-05-09..2026-05-10"),
        ("a week ago Friday", "2026-05-15"),
        ("the Wednesday two months ago", "2026-03-18"),
        ("We met last May", "2025-05-01..2025-05-31"),
        ("in March we met", "2026-03-01..2026-03-31"),
        ("on 7 May 2023 we met for the first time", "2023-05-07"),
        ("Feb. 3 was cold. In March it was not.", "2026-02-03 2026-03-01..2026-03-31"),
        ("on the twenty first of june", "2025-06-21"),
        ("on Friday, 5 June 2026 we fly", "2026-06-05"),
        ("Friday 13 March 2026", "2026-03-13"),
        ("on 27/12/24", "2024-12-27"),
        ("2024/02/29", "2024-02-29"),
        ("logged 2024-02-29T10:00:00Z", "2024-02-29"),
        ("this quarter", "2026-04-01..2026-06-30"),
        ("Q3 2024", "2024-07-01..2024-09-30"),
        ("in Q4", "2025-10-01..2025-12-31"),
        ("the second quarter of 2024", "2024-04-01..2024-06-30"),
        ("in 2021 we moved", "2021-01-01..2021-12-31"),
        ("in the 1990s", "1990-01-01..1999-12-31"),
        ("early last year", "2025-01-01..2025-04-30"),
        ("earlier this year", "2026-01-01..2026-05-20"),
        ("late 2023", "2023-09-01..2023-12-31"),
        ("at the end of 2023", "2023-11-01..2023-12-31"),
        ("the first half of 2024", "2024-01-01..2024-06-30"),
        ("the beginning of March", "2026-03-01..2026-03-10"),
        ("early May 2024", "2024-05-01..2024-05-10"),
        ("mid-May 2024", "2024-05-11..2024-05-20"),
        ("late May 2024", "2024-05-21..2024-05-31"),
        ("in the fall of 2022", "2022-09-01..2022-11-30"),
        ("last winter", "2025-12-01..2026-02-28"),
        ("the summer before last", "2024-06-01..2024-08-31"),
        ("last Christmas", "2025-12-25"),
        ("on Valentine's Day", "2026-02-14"),
        ("on New Year's Day 2024", "2024-01-01"),
        ("at Easter 2024", "2024-03-31"),
        ("on Good Friday 2038", "2038-04-23"),
        ("on Easter Monday 1961", "1961-04-03"),
        ("on Thanksgiving 2023", "2023-11-23"),
        ("last Thanksgiving", "2025-11-27"),
        ("on Mother's Day 2024", "2024-05-12"),
        ("on Father's Day 2024", "2024-06-16"),
        ("on Memorial Day 2021", "2021-05-31"),
        ("on Labor Day 2025", "2025-09-01"),
        ("on Black Friday 2025", "2025-11-28"),
        ("on St Patrick’s Day 2024", "2024-03-17"),
        ("the first Monday of June", "2025-06-02"),
        ("the last week of May", "2025-05-25..2025-05-31"),
        ("the last Friday of last month", "2026-04-24"),
        ("the first weekend in March 2024", "2024-03-02..2024-03-03"),
        ("the first week of 2024", "2024-01-01..2024-01-07"),
        ("the last day of last year", "2025-12-31"),
        ("finished on 2.1.2024", "2024-01-02"),
        ("born 02.01.2024.", "2024-01-02"),
        ("02.01.2024-05.01.2024", "2024-01-02..2024-01-05"),
        ("30.12.–02.01.2024", "2023-12-30..2024-01-02"),
        ("02.01.-05.01.2024", "2024-01-02..2024-01-05"),
        ("winter 2021 - 2022", "2021-12-01..2022-02-28"),
        ("Winter 2021-22 was cold", "2021-12-01..2022-02-28"),
        ("the winter of 1999/00", "1999-12-01..2000-02-29"),
        ("in winter 2021-2023", "2021-12-01..2023-12-31"),
        ("in summer 2019 - 2022", "2019-06-01..2022-12-31"),
        ("in summer 2021–15 friends came", "2021-06-01..2021-08-31"),
        ("from the first week of 2024 to the last week of 2025", "2024-01-01..2025-12-31"),
        ("my first day in 2019 was a Monday", "2019-01-01..2019-12-31 2026-05-18"),
        ("today's lunch, last week's meeting and Friday's call", "2026-05-20 2026-05-11..2026-05-17 2026-05-15"),
        ("In May, then in June", "2026-05-01..2026-05-31 2025-06-01..2025-06-30"),
    ],
)
def test_what_a_text_tells_of(text: str, expected: str) -> None:
    assert spans(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in March last year I broke my leg", "2025-03-01..2025-03-31"),
        ("In May of last year", "2025-05-01..2025-05-31"),
        ("last year in March", "2025-03-01..2025-03-31"),
        ("on Friday last week", "2026-05-15"),
        ("last week, on Friday, I fell", "2026-05-15"),
        ("Christmas two years ago", "2024-12-25"),
        ("from March to May 2023", "2023-03-01..2023-05-31"),
        ("from March 2021 to June", "2021-03-01..2021-06-30"),
        ("between 2019 and 2021", "2019-01-01..2021-12-31"),
        ("2019–2021", "2019-01-01..2021-12-31"),
        ("between March and May", "2026-03-01..2026-05-31"),
        ("between November and February", "2025-11-01..2026-02-28"),
        ("from 28 December to 3 January", "2025-12-28..2026-01-03"),
        ("from 3 to 9 June 2025", "2025-06-03..2025-06-09"),
        ("from yesterday until tomorrow", "2026-05-19..2026-05-21"),
        ("in March and April", "2026-03-01..2026-03-31 2026-04-01..2026-04-30"),
        ("in March or April 2024", "2024-03-01..2024-03-31 2024-04-01..2024-04-30"),
        ("the week of 5 June", "2025-06-02..2025-06-08"),
        ("the week of 31 December 2025", "2025-12-29..2026-01-04"),
        ("the weekend of 16 May 2026", "2026-05-16..2026-05-17"),
        ("over the past two weeks", "2026-05-06..2026-05-20"),
        ("in the past month", "2026-04-20..2026-05-20"),
        ("the last weekend before April 10, 2023", "2023-04-08..2023-04-09"),
        ("last Friday before 7 May 2023", "2023-05-05"),
        ("the last week before 10 April 2023", "2023-04-03..2023-04-10"),
        ("last week before 22 May", "2026-05-11..2026-05-17 2025-05-22"),
        ("in the last couple of days", "2026-05-18..2026-05-20"),
        ("in the past 24 hours", "2026-05-19..2026-05-20"),
    ],
)
def test_dates_that_belong_together(text: str, expected: str) -> None:
    assert spans(text) == expected


@pytest.mark.parametrize(
    ("said", "text", "expected"),
    [
        ("2024-02-29", "a year ago", "2023-01-01..2023-12-31"),
        ("2024-02-29", "in the past year", "2023-02-28..2024-02-29"),
        ("2024-03-31", "over the last month", "2024-02-29..2024-03-31"),
        ("2024-03-31", "last month", "2024-02-01..2024-02-29"),
        ("2026-05-20", "on 29 February", "2024-02-29"),
        ("2026-01-01", "yesterday", "2025-12-31"),
        ("2026-01-01", "last week", "2025-12-22..2025-12-28"),
        ("2026-01-01", "this week", "2025-12-29..2026-01-04"),
        ("2026-01-01", "last month", "2025-12-01..2025-12-31"),
        ("2026-01-01", "last quarter", "2025-10-01..2025-12-31"),
        ("2025-12-31", "tomorrow", "2026-01-01"),
        ("2026-03-01", "last weekend", "2026-02-21..2026-02-22"),
        ("2026-03-01", "over the weekend", "2026-02-28..2026-03-01"),
        ("9999-12-31", "this week", "9999-12-27..9999-12-31"),
    ],
)
def test_where_the_calendar_turns(said: str, text: str, expected: str) -> None:
    assert spans(text, datetime.fromisoformat(f"{said}T12:00:00+00:00")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we fly in two weeks", "2026-06-03"),
        ("we fly on Friday", "2026-05-22"),
        ("we fly in March", "2027-03-01..2027-03-31"),
        ("busy over the next three days", "2026-05-20..2026-05-23"),
        ("from 3 June to 9 June", "2026-06-03..2026-06-09"),
        ("the first Monday of June", "2026-06-01"),
    ],
)
def test_of_what_is_to_come(text: str, expected: str) -> None:
    assert spans(text, ahead=True) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The baby is due in July", date(2026, 7, 1)),
        ("We'll meet on Friday", date(2026, 5, 22)),
        ("The concert is on Friday", date(2026, 5, 22)),
        ("My passport expires in March", date(2027, 3, 1)),
        ("I'm going to Rome in April", date(2027, 4, 1)),
        ("I was there in July", date(2025, 7, 1)),
        ("It was on Friday", date(2026, 5, 15)),
        ("We met on Friday. I'll call them.", date(2026, 5, 15)),
        ("Since 2024-03 we pay more", date(2024, 3, 1)),
        ("in 07/2025 we moved", date(2025, 7, 1)),
        ("Version 2025-07 is out", None),
        ("the ratio 07/2025", None),
        ("nothing of the sort", None),
    ],
)
def test_what_is_said_to_be_yet_to_come_lies_ahead(text: str, expected: date | None) -> None:
    told = about(text, AT)
    assert (told.first if told else None) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "We use ruff",
        "He may come",
        "The second may be better",
        "You may first want tea",
        "May 5 people come?",
        "We march 10 miles",
        "He decided to march for peace",
        "April's room",
        "My friend June is here",
        "Wait a second",
        "in the first and second rounds",
        "on the 5th floor",
        "at first I did",
        "every Friday",
        "I run on Fridays",
        "My birthday is on March 3",
        "in 2000 words",
        "order 2019",
        "on 31 June",
        "on 30 February 2024",
        "on 3/4",
        "version 3.11.7",
        "version 03.11.2024",
        "we shipped 3.11.2024",
        "Room 2.10.2020",
        "192.10.12.2024",
        "1.2.3.2024",
        "emberkeep==01.02.2024",
        "file_01.02.2024.pdf",
        "report-01.02.2024.pdf",
        "on 31.02.2024",
        "05.01.2024-02.01.2024",
        "every first Monday of 2024",
        "our second weekend of 2022",
        "the first day of 2000 miles",
        "for three weeks",
        "finished it in two weeks",
        "from 9 to 5",
        "last time",
        "a fall",
        "émay in émarch",
        "昨日は雨でした",
        "вчера",
        "\U0001f382 \U0001f389",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert periods(text, AT) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café — last May — ☕", "2025-05-01..2025-05-31"),
        ("“yesterday”", "2026-05-19"),
        ("yesterday’s dinner", "2026-05-19"),
        ("İstanbul İstanbul, last May", "2025-05-01..2025-05-31"),
        ("line one\nyesterday\nline three", "2026-05-19"),
        ("(in March 2024)", "2024-03-01..2024-03-31"),
        ("**yesterday**, `today`", "2026-05-19 2026-05-20"),
    ],
)
def test_dates_in_other_signs(text: str, expected: str) -> None:
    assert spans(text) == expected


def test_what_recurs_in_one_sentence_leaves_the_next_alone() -> None:
    assert spans("I run every Friday. On Monday I was ill.") == "2026-05-18"


def test_a_huge_text_is_read_at_its_beginning() -> None:
    assert periods("yesterday " + "x" * 4_000 + " tomorrow", AT) == (Period(date(2026, 5, 19), date(2026, 5, 19)),)
    assert len(periods("last May, " * 100_000, AT)) == 400


@pytest.mark.parametrize("word", ["on the ", "from the ", "first ", "1 ", "may ", "the last few ", "2019-", "a", "'s "])
def test_a_huge_text_of_what_may_be_dates_is_cut(word: str) -> None:
    text = word * 1_000_000
    assert periods(text, AT) == periods(text[:LONGEST], AT)


@given(st.text(), st.datetimes(timezones=st.just(UTC)), st.booleans())
def test_any_text_at_any_time(text: str, at: datetime, ahead: bool) -> None:
    assert all(one.first <= one.last for one in periods(text, at, ahead=ahead))


WORDS = """
in on the last next this first second may march june monday weekend week month year years ago two 3 9th 2019 from to
between and of early late past , christmas yesterday summer before after half a end of q1 2024-02-29 every 's
""".split()


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.datetimes(timezones=st.just(UTC)), st.booleans())
def test_any_words_of_dates_at_any_time(words: list[str], at: datetime, ahead: bool) -> None:
    assert all(one.first <= one.last for one in periods(" ".join(words), at, ahead=ahead))


@pytest.mark.parametrize(
    ("on", "text", "expected"),
    [
        ("2024-01-20", "We went skiing this winter", "2023-12-01..2024-02-29"),
        ("2024-02-20", "last winter", "2022-12-01..2023-02-28"),
        ("2024-02-20", "next winter", "2024-12-01..2025-02-28"),
        ("2024-03-01", "last winter", "2023-12-01..2024-02-29"),
        ("2023-12-05", "this winter", "2023-12-01..2024-02-29"),
        ("2024-01-20", "last summer", "2023-06-01..2023-08-31"),
        ("2024-01-01", "the gift I got this Christmas", "2023-12-25"),
        ("2024-03-01", "the gift for this Christmas", "2024-12-25"),
    ],
)
def test_around_new_year(on: str, text: str, expected: str) -> None:
    (period,) = periods(text, datetime.fromisoformat(f"{on}T12:00:00+00:00"))
    first, _, last = expected.partition("..")
    assert (period.first.isoformat(), period.last.isoformat()) == (first, last or first)
