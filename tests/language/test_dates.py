"""Dates as people say them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.language.dates import absolute, direction, may_be_of_a_date, without_dates
from emberkeep.language.forms import EXPRESSION, LASTING
from emberkeep.language.terms import query_terms

AT = datetime(2026, 5, 20, 10, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("said", "text", "moment"),
    [
        ("moved in May", "moved in May 2026", "2026-05-01"),
        ("moved last May", "moved in May 2025", "2025-05-01"),
        ("moved last March", "moved in March 2026", "2026-03-01"),
        ("moved in June", "moved in June 2025", "2025-06-01"),
        ("moved in May 2019", "moved in May 2019", "2019-05-01"),
        ("moved in 2019", "moved in 2019", "2019-01-01"),
        ("moved back in 2019", "moved in 2019", "2019-01-01"),
        ("lives here since 2019", "lives here since 2019", "2019-01-01"),
        ("ran since March", "ran since March 2026", "2026-03-01"),
        ("ran yesterday", "ran on 19 May 2026", "2026-05-19"),
        ("ran the day before yesterday", "ran on 18 May 2026", "2026-05-18"),
        ("ran last night", "ran on 19 May 2026", "2026-05-19"),
        ("ran this morning", "ran on 20 May 2026", "2026-05-20"),
        ("ran today", "ran on 20 May 2026", "2026-05-20"),
        ("ran last week", "ran in the week of 11 May 2026", "2026-05-11"),
        ("ran last weekend", "ran on the weekend of 16 May 2026", "2026-05-16"),
        ("ran over the weekend", "ran on the weekend of 16 May 2026", "2026-05-16"),
        ("ran last month", "ran in April 2026", "2026-04-01"),
        ("ran last year", "ran in 2025", "2025-01-01"),
        ("ran late last year", "ran late in 2025", "2025-01-01"),
        ("ran earlier this year", "ran in 2026", "2026-01-01"),
        ("ran last Monday", "ran on 18 May 2026", "2026-05-18"),
        ("ran on Friday", "ran on 15 May 2026", "2026-05-15"),
        ("ran on Wednesday", "ran on 13 May 2026", "2026-05-13"),
        ("ran last summer", "ran in summer 2025", "2025-06-01"),
        ("ran last Christmas", "ran at Christmas 2025", "2025-12-25"),
        ("ran on boxing day", "ran on Boxing Day 2025", "2025-12-26"),
        ("ran at Easter 2024", "ran at Easter 2024", "2024-03-31"),
        ("ran two years ago", "ran in 2024", "2024-01-01"),
        ("ran three weeks ago", "ran around 29 April 2026", "2026-04-29"),
        ("ran two months ago", "ran in March 2026", "2026-03-01"),
        ("ran five days ago", "ran on 15 May 2026", "2026-05-15"),
        ("ran a couple of weeks ago", "ran around 6 May 2026", "2026-05-06"),
        ("ran on March 3", "ran on 3 March 2026", "2026-03-03"),
        ("ran a fortnight ago", "ran around 6 May 2026", "2026-05-06"),
        ("ran on 27/12", "ran on 27 December 2025", "2025-12-27"),
        ("ran on 12/27", "ran on 27 December 2025", "2025-12-27"),
        ("ran on 27/12/24", "ran on 27 December 2024", "2024-12-27"),
        ("ran on 12/27/90", "ran on 27 December 1990", "1990-12-27"),
        ("lived there until June", "lived there until June 2025", "2025-06-01"),
        ("postponed it to the 28th", "postponed it to 28 May 2026", "2026-05-28"),
        ("ran on the 28th", "ran on 28 April 2026", "2026-04-28"),
        ("ran on the fifth of January", "ran on 5 January 2026", "2026-01-05"),
        ("ran this Friday", "ran on 15 May 2026", "2026-05-15"),
        ("ran from 3 to 9 May", "ran from 3 to 9 May 2026", "2026-05-03"),
        ("ran from 3 to 9 June", "ran from 3 to 9 June 2025", "2025-06-03"),
        ("ran from June 3 to June 9", "ran from 3 June 2025 to 9 June 2025", "2025-06-03"),
        ("ran from March to June", "ran from March 2025 to June 2025", "2025-03-01"),
        ("ran from 28 December to 3 January", "ran from 28 December 2025 to 3 January 2026", "2025-12-28"),
        ("ran between 3 and 9 May", "ran between 3 and 9 May 2026", "2026-05-03"),
        ("ran the week of 4 May", "ran the week of 4 May 2026", "2026-05-04"),
        ("ran in the week of May 4", "ran in the week of 4 May 2026", "2026-05-04"),
        ("ran on the 3rd of June", "ran on 3 June 2025", "2025-06-03"),
        ("ran on the 2nd", "ran on 2 May 2026", "2026-05-02"),
        ("ran on 2026-04-01", "ran on 1 April 2026", "2026-04-01"),
        ("ran on Wednesday, 2026-04-01", "ran on 1 April 2026", "2026-04-01"),
        ("ran on Wednesday, 1 April", "ran on 1 April 2026", "2026-04-01"),
        ("ran on Sunday 5 May 2024", "ran on 5 May 2024", "2024-05-05"),
        ("ran on Wed, Apr 1", "ran on 1 April 2026", "2026-04-01"),
        ("ran on Wednesday, the 1st of April", "ran on 1 April 2026", "2026-04-01"),
        ("Yesterday Alex ran", "Alex ran on 19 May 2026", "2026-05-19"),
        ("In May 2024, Alex ran", "Alex ran in May 2024", "2024-05-01"),
        ("moved on the first Saturday of May", "moved on 2 May 2026", "2026-05-02"),
        ("moved on the last Friday of May", "moved on 30 May 2025", "2025-05-30"),
        ("moved on the second Tuesday in June 2027", "moved on 8 June 2027", "2027-06-08"),
    ],
)
def test_of_what_has_been(said: str, text: str, moment: str) -> None:
    dated = absolute(said, AT, ahead=False)
    assert dated.text == text
    assert dated.moment is not None
    assert dated.moment.date().isoformat() == moment
    assert dated.moment.utcoffset() is not None


@pytest.mark.parametrize(
    ("said", "text", "moment"),
    [
        ("moves next month", "moves in June 2026", "2026-06-01"),
        ("moves next year", "moves in 2027", "2027-01-01"),
        ("moves next week", "moves in the week of 25 May 2026", "2026-05-25"),
        ("moves this weekend", "moves on the weekend of 23 May 2026", "2026-05-23"),
        ("moves tomorrow", "moves on 21 May 2026", "2026-05-21"),
        ("moves on Friday", "moves on 22 May 2026", "2026-05-22"),
        ("moves on Friday at 5pm", "moves on 22 May 2026 at 5pm", "2026-05-22"),
        ("moves on Monday the 28th", "moves on 28 May 2026", "2026-05-28"),
        ("moves on March 3", "moves on 3 March 2027", "2027-03-03"),
        ("moves on the 3rd", "moves on 3 June 2026", "2026-06-03"),
        ("moves on june third", "moves on 3 June 2026", "2026-06-03"),
        ("moves on the twenty first of june", "moves on 21 June 2026", "2026-06-21"),
        ("moves on the tenth", "moves on 10 June 2026", "2026-06-10"),
        ("moves in September", "moves in September 2026", "2026-09-01"),
        ("moves in two weeks", "moves around 3 June 2026", "2026-06-03"),
        ("moves in three months", "moves in August 2026", "2026-08-01"),
        ("moves at the end of June", "moves at the end of June 2026", "2026-06-21"),
        ("is away until August", "is away until August 2026", "2026-08-01"),
        ("is scheduled for next Tuesday", "is scheduled for 26 May 2026", "2026-05-26"),
        ("moves next quarter", "moves in Q3 2026", "2026-07-01"),
        ("is away from June 3 to June 10", "is away from 3 June 2026 to 10 June 2026", "2026-06-03"),
        ("moves on the last Friday of June", "moves on 26 June 2026", "2026-06-26"),
        ("moves on the first Monday of May", "moves on 3 May 2027", "2027-05-03"),
    ],
)
def test_of_what_is_to_come(said: str, text: str, moment: str) -> None:
    dated = absolute(said, AT, ahead=True)
    assert dated.text == text
    assert dated.moment is not None
    assert dated.moment.date().isoformat() == moment


@pytest.mark.parametrize(
    ("said", "text", "moment"),
    [
        ("has learned Spanish for two years", "has learned Spanish since 2024", "2024-01-01"),
        ("has lived there for over ten years", "has lived there since around 2016", "2016-01-01"),
        ("has run for three months now", "has run since February 2026", "2026-02-01"),
        ("has run for the past two weeks", "has run since around 6 May 2026", "2026-05-06"),
    ],
)
def test_of_what_goes_on(said: str, text: str, moment: str) -> None:
    dated = absolute(said, AT, ahead=False, lasting=True)
    assert dated.text == text
    assert dated.moment is not None
    assert dated.moment.date().isoformat() == moment


@pytest.mark.parametrize(
    "text",
    [
        "We use ruff",
        "May is a friend",
        "Alex may visit",
        "The order number is 2019",
        "runs every Friday",
        "runs on Fridays",
        "sings on Friday evenings",
        "moved gym to Monday and Friday",
        "The birthday is on March 3",
        "PostgreSQL 16",
        "the 90s",
        "worked for two years",
        "31 February",
        "in 0 days",
        "moved on 3/4",
        "moved on 31/02",
        "scored 27/12",
        "moved into a flat on the 28th floor",
        "ran from 9 to 3 May",
        "pays on the first Monday of the month",
        "pays on the last Friday of each month",
        "ran on the second Friday",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert absolute(text, AT, ahead=False).moment is None


def test_what_holds_every_year_gets_no_year() -> None:
    assert absolute("swims in winter", AT, ahead=True, timeless=True).text == "swims in winter"
    assert absolute("swims since March", AT, ahead=True, timeless=True).text == "swims since March 2026"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("ran last week", "past"),
        ("ran in 2019", "past"),
        ("runs tomorrow", "future"),
        ("runs in two weeks", "future"),
        ("runs on Friday", "either"),
        ("runs this Friday", "either"),
        ("runs this coming Friday", "future"),
        ("runs in June", "either"),
        ("is on call this week", "now"),
        ("runs", None),
    ],
)
def test_where_dates_lie(text: str, where: str | None) -> None:
    assert direction(text, AT) == where


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Alex moved to Lisbon in May 2026", "Alex moved to Lisbon"),
        ("Alex ran on the weekend of 16 May 2026", "Alex ran"),
        ("Alex quit around 26 March 2024", "Alex quit"),
        ("Alex moved to Rome the week of 4 May 2026", "Alex moved to Rome"),
        ("Alex was in Rome from 3 to 9 May 2026", "Alex was in Rome"),
        ("Alex lived in Paris for five years", "Alex lived in Paris"),
    ],
)
def test_a_text_without_its_dates(text: str, plain: str) -> None:
    assert without_dates(text) == plain


@given(st.text(), st.datetimes(timezones=st.just(UTC)), st.booleans(), st.booleans())
def test_any_text_at_any_time(text: str, at: datetime, ahead: bool, lasting: bool) -> None:
    absolute(text, at, ahead=ahead, lasting=lasting)
    direction(text, at)


@given(
    st.sampled_from(["ran {} ago", "moves in {}", "last {}", "next {}", "for {}"]),
    st.sampled_from(["999 years", "a decade", "two weeks", "month", "year", "weekend", "winter", "Monday", "May"]),
    st.datetimes(timezones=st.just(UTC)),
)
def test_the_ends_of_time(frame: str, words: str, at: datetime) -> None:
    absolute(frame.format(words), at, ahead=True, lasting=True)
    absolute(frame.format(words), at, ahead=False)


SAID = st.from_regex(EXPRESSION, fullmatch=True) | st.from_regex(LASTING, fullmatch=True)


@given(st.lists(SAID.map(str.lower), max_size=3))
def test_a_word_that_is_left_out_with_a_date_could_be_told_by_itself(dates: list[str]) -> None:
    text = f"Ana ran {' with Ben and '.join(dates)} to Lisbon in the week of 3 May"
    left = query_terms(without_dates(text))
    assert all(may_be_of_a_date(word) for term, word in query_terms(text).items() if term not in left)
    assert not any(map(may_be_of_a_date, ("ran", "ana", "lisbon", "ben")))
