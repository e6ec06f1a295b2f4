"""The time that a question asks about."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.language.periods import Asked, asked
from emberkeep.language.spotting import LONGEST

AT = datetime(2026, 5, 20, 10, tzinfo=UTC)  # a Wednesday


def span(asks: Asked | None) -> str | None:
    return f"{asks.period.first}..{asks.period.last}" if asks and asks.period else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did I do last May?", "2025-05-01..2025-05-31"),
        ("What did I do in may?", "2026-05-01..2026-05-31"),
        ("What happened in 2025-07?", "2025-07-01..2025-07-31"),
        ("What happened in 12/2025?", "2025-12-01..2025-12-31"),
        ("20/07/2025", "2025-07-20..2025-07-20"),
        ("2025-07?", "2025-07-01..2025-07-31"),
        ("What did I do in the week of 5 June?", "2025-06-02..2025-06-08"),
        ("Where was I on 31 Dec 2023?", "2023-12-31..2023-12-31"),
        ("What did we talk about in the spring of 2024?", "2024-03-01..2024-05-31"),
        ("How much did I spend between March and May?", "2026-03-01..2026-05-31"),
        ("What have I read since last summer?", "2025-06-01..2026-05-20"),
        ("What changed from March on?", "2026-03-01..2026-05-20"),
        ("What did I cook over the past two weeks?", "2026-05-06..2026-05-20"),
        ("What did I eat in the last month?", "2026-04-20..2026-05-20"),
        ("How many books did I read in March?", "2026-03-01..2026-03-31"),
        ("What did I do in March and April?", "2026-03-01..2026-04-30"),
        ("What did I do on Friday?", "2026-05-15..2026-05-15"),
        ("What did I do on Friday last week?", "2026-05-15..2026-05-15"),
        ("What did I do in March last year?", "2025-03-01..2025-03-31"),
        ("What did I do the day before yesterday?", "2026-05-18..2026-05-18"),
        ("What did I watch the weekend before last?", "2026-05-09..2026-05-10"),
        ("What did I do this March?", "2026-03-01..2026-03-31"),
        ("What did I do this winter?", "2025-12-01..2026-02-28"),
        ("What am I doing this summer?", "2026-06-01..2026-08-31"),
        ("What do I have to pack this winter?", "2026-12-01..2027-02-28"),
        ("Did I book anything this December?", "2026-12-01..2026-12-31"),
        ("Where did we decide to go this winter?", "2026-12-01..2027-02-28"),
        ("When is my flight this March?", "2027-03-01..2027-03-31"),
        ("What have I read this winter?", "2025-12-01..2026-02-28"),
        ("What will I do this March?", "2027-03-01..2027-03-31"),
        ("What did I do last Christmas?", "2025-12-25..2025-12-25"),
        ("What was in yesterday’s mail?", "2026-05-19..2026-05-19"),
        ("How old was I in 2010?", "2010-01-01..2010-12-31"),
        ("How long was I in Rome in 2019?", "2019-01-01..2019-12-31"),
        ("What did I do in 2019, before the wedding?", "2019-01-01..2019-12-31"),
        ("What did I do the week before Christmas?", "2025-12-18..2025-12-24"),
        ("What did I do the day after 7 May 2023?", "2023-05-08..2023-05-08"),
        ("What did I do two weeks after Christmas?", "2026-01-05..2026-01-11"),
        ("What did I do on Sept. 3, 1988?", "1988-09-03..1988-09-03"),
        ("Where did I live in Dec. 2018?", "2018-12-01..2018-12-31"),
        ("What happened on Mon. 4 May?", "2026-05-04..2026-05-04"),
        ("Where was I from Jan. to Mar. 2019?", "2019-01-01..2019-03-31"),
    ],
)
def test_in_a_period(text: str, expected: str) -> None:
    asks = asked(text, AT)
    assert span(asks) == expected
    assert asks is not None
    assert (asks.event, asks.side, asks.reach) == (None, "during", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did I do three days ago?", "2026-05-17..2026-05-17"),
        ("What did I do ten days ago?", "2026-05-08..2026-05-12"),
        ("Which book did I finish a week ago?", "2026-05-11..2026-05-15"),
        ("I was at an event two weeks ago. Where was that?", "2026-05-03..2026-05-09"),
        ("What did I buy 2 months ago?", "2026-03-05..2026-04-04"),
        ("What did I do about two months ago?", "2026-03-05..2026-04-04"),
        ("Where did I live three years ago?", "2022-11-18..2023-11-19"),
        ("What did I tell you a few months ago?", "2026-01-07..2026-04-05"),
        ("What did I do a year and a half ago?", "2024-07-04..2025-04-04"),
        ("What did I do on the Wednesday two weeks ago?", "2026-05-06..2026-05-06"),
        ("What did I do on the Wednesday two months ago?", "2026-03-11..2026-04-01"),
        ("What did I do around 5 June?", "2025-06-02..2025-06-08"),
        ("What did I do about 5 June?", "2025-06-02..2025-06-08"),
        ("Around March, what was I working on?", "2026-02-22..2026-04-07"),
    ],
)
def test_around_a_time(text: str, expected: str) -> None:
    asks = asked(text, AT)
    assert span(asks) == expected
    assert asks is not None
    assert asks.side == "during"


@pytest.mark.parametrize(
    ("text", "expected", "side"),
    [
        ("Where did I live before 2020?", "2020-01-01..2020-12-31", "before"),
        ("What had I learned by March?", "2026-03-01..2026-03-31", "before"),
        ("Where did I work until last May?", "2025-05-01..2025-05-31", "before"),
        ("What did I do after Christmas?", "2025-12-25..2025-12-25", "after"),
    ],
)
def test_on_one_side_of_a_date(text: str, expected: str, side: str) -> None:
    asks = asked(text, AT)
    assert span(asks) == expected
    assert asks is not None
    assert (asks.event, asks.side) == (None, side)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What are my plans for next week?", "2026-05-25..2026-05-31"),
        ("What am I going to do on Friday?", "2026-05-22..2026-05-22"),
        ("What have I planned for June?", "2026-06-01..2026-06-30"),
        ("What is upcoming in June?", "2026-06-01..2026-06-30"),
        ("Where will I be on 3 March?", "2027-03-03..2027-03-03"),
        ("What did I eat next in March?", "2026-03-01..2026-03-31"),
    ],
)
def test_of_what_is_to_come(text: str, expected: str) -> None:
    assert span(asked(text, AT)) == expected


@pytest.mark.parametrize(
    ("text", "event", "side", "days"),
    [
        ("What did I do the week before my birthday?", "my birthday", "before", 7),
        ("Where did I work before I moved?", "I moved", "before", None),
        ("How did I sleep after we got the dog?", "we got the dog", "after", None),
        ("What did Anna say the day after the wedding?", "the wedding", "after", 1),
        ("What did I say the night before the exam?", "the exam", "before", 1),
        ("What did I do two weeks after the wedding?", "the wedding", "after", 17),
        ("What have I earned since I started at Acme?", "I started at Acme", "after", None),
        ("Where did I live until I met Kate?", "I met Kate", "before", None),
        ("What was I reading when I broke my leg?", "I broke my leg", "during", None),
        ("When I was in Rome, what did I eat?", "I was in Rome", "during", None),
        ("What did he do while I was away?", "I was away", "during", None),
        ("What happened during my trip to Japan?", "my trip to Japan", "during", None),
        ("What did I get on my birthday?", "my birthday", "during", None),
        ("What happened the week of my wedding?", "my wedding", "during", 7),
        ("What happened the day I moved?", "I moved", "during", 1),
        ("Do you remember what I did after the wedding?", "the wedding", "after", None),
        ("After the wedding, where did we go?", "the wedding", "after", None),
        ("After the wedding where did we go?", "the wedding", "after", None),
        ("What book did I read after Sapiens?", "Sapiens", "after", None),
        ("Where did we go right after graduating?", "graduating", "after", 7),
        ("What did I do shortly after I met Dr. Smith?", "I met Dr. Smith", "after", 31),
        ("What did I do after Zoë’s party?", "Zoë’s party", "after", None),
    ],
)
def test_by_an_event(text: str, event: str, side: str, days: int | None) -> None:
    asks = asked(text, AT)
    assert asks is not None
    assert (asks.period, asks.event, asks.side) == (None, event, side)
    assert (asks.reach.days if asks.reach else None) == days


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("What did Ana paint in July 2023?", "What did Ana paint?"),
        ("What did Ana play 5 Jan 2024?", "What did Ana play?"),
        ("What did I read in March last year, and why?", "What did I read, and why?"),
        ("On 7 May, what did I buy?", "what did I buy?"),
        ("Last week I ran. Why?", "I ran. Why?"),
        ("What did I do from March to May 2023 in Rome?", "What did I do in Rome?"),
        ("What did I do in March and April at work?", "What did I do at work?"),
        ("What did I say yesterday I would do?", "What did I say I would do?"),
        ("I ran a race two weeks ago. Where was that?", "I ran a race. Where was that?"),
        ("What did I say in May about the trip in October 2023?", "What did I say about the trip in October 2023?"),
        ("Which hotel was it in July 2023, not July 2022?", "Which hotel was it, not July 2022?"),
        (f"What did I eat in 2023? {'So much. ' * 500} Tell me.", f"What did I eat? {'So much. ' * 500} Tell me."),
    ],
)
def test_the_question_without_its_time(text: str, rest: str) -> None:
    asks = asked(text, AT)
    assert asks is not None
    assert asks.rest == rest


@pytest.mark.parametrize(
    "text",
    [
        "What did I cook last Christmas?",
        "Who flew with me on Valentine's Day?",
        "What did I eat between Christmas and New Year's Eve at home?",
        "Did we watch Friday the 13th at the cinema?",
        "What did I eat on Good Friday at church?",
        "What did I buy in the Black Friday sale?",
        "Who plays Wednesday Addams?",
        "Who sang 'December 1963' there?",
        'Who sang "Late December 1963" there?',
        "Who sang “Late December 1963” there?",
        "Did I like Before Tomorrow?",
        "What was decided in yesterday's meeting?",
        "What was in yesterday’s mail?",
        "What did I do in the week of 5 June?",
        "What did I do the day after 7 May 2023?",
        "What did I do on the evening of 7 July 2023?",
        "İ: what did I do in May?",
        "What did I do after I moved to Rome in 2019?",
    ],
)
def test_what_may_be_more_than_a_time_stays_in_the_question(text: str) -> None:
    asks = asked(text, AT)
    assert asks is not None
    assert asks.rest is None


def test_by_an_event_that_has_a_date() -> None:
    asks = asked("What did I do after I moved to Rome in 2019?", AT)
    assert asks is not None
    assert (span(asks), asks.event, asks.side) == ("2019-01-01..2019-12-31", "I moved to Rome in 2019", "after")
    asks = asked("What did I do before I left last May?", AT)
    assert asks is not None
    assert (span(asks), asks.event, asks.side) == ("2025-05-01..2025-05-31", "I left last May", "before")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "Where does Alex live?",
        "When did Kate visit the cafe?",
        "When is my birthday?",
        "Do you remember when I moved to Rome?",
        "May I ask you something?",
        "May Alex come?",
        "Is it May?",
        "Who is April's brother?",
        "Did Alex march in the parade?",
        "Wait a second, who is that?",
        "Which was the second?",
        "Have I told you before?",
        "Have I told you this before, or not?",
        "Did it work after all?",
        "Who is my dog named after?",
        "Who was looking after the cat?",
        "Where did I live before that?",
        "What do I eat before a run?",
        "What does Alex do after work?",
        "What should I do after I wake up?",
        "What do I do when I am sad?",
        "What do I do on Fridays?",
        "What do I do every Friday?",
        "How many days passed since I moved?",
        "How long after the wedding did we move?",
        "How many days before Christmas did I fly?",
        "How many weeks ago did I start?",
        "Did I see Anna before or after Ben?",
        "Should I take an umbrella since it is raining?",
        "Since when do I live here?",
        "What day of the week did I go?",
        "It has been a while, how are you?",
        "Who came first, Anna or Ben?",
        "What is the order number 2019?",
        "Где живёт Алекс?",
    ],
)
def test_at_no_time(text: str) -> None:
    assert asked(text, AT) is None


@pytest.mark.parametrize("word", ["before ", "when did ", "on my ", "after the ", "how many days before ", "the week "])
def test_a_huge_question_is_cut(word: str) -> None:
    text = word * 100_000
    assert asked(text, AT) == asked(text[:LONGEST], AT)


WORDS = """
what did I do when before after since until the week day two zero weeks ago last may march christmas yesterday around
about and or from to between my birthday in on 2019 wednesday months a few half next , ? how many days past
""".split()


@given(st.lists(st.sampled_from(WORDS), max_size=14), st.datetimes(timezones=st.just(UTC)))
def test_any_words_at_any_time(words: list[str], at: datetime) -> None:
    asks = asked(" ".join(words), at)
    assert asks is None or asks.event or asks.period
    assert asks is None or asks.period is None or asks.period.first <= asks.period.last


@given(st.text(), st.datetimes(timezones=st.just(UTC)))
def test_any_text_at_any_time(text: str, at: datetime) -> None:
    asked(text, at)


@pytest.mark.parametrize(
    "text", ["Which query answers in 2000 ms?", "Who ran in 2000 steps?", "What has from 1990 bytes?"]
)
def test_a_number_of_something_is_no_year(text: str) -> None:
    assert asked(text, AT) is None
