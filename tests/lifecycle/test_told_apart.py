"""What is not the same though it claims the same, or is said in the same words: nothing that was told is lost."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

import emberkeep
from emberkeep.lifecycle.particulars import particulars

Open = Callable[..., emberkeep.Memory]


def texts(memory: emberkeep.Memory) -> set[str]:
    return {item.text for item in memory.get_all(user_id="alex")}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Met Bob on 3 May 2026", "Met Bob on 9 June 2026"),
        ("Alex visited Rome in 2024", "Alex visited Rome in 2025"),
        ("Alex visited Rome in May", "Alex visited Rome in June"),
        ("Alex went to the dentist on Monday", "Alex went to the dentist on Friday"),
        ("The backup ran at 3am on 2026-05-01", "The backup ran at 3am on 2026-05-02"),
        ("Prefers light mode before noon", "Prefers light mode after noon"),
        ("The key is aB3", "The key is AB3"),
        ("Password: Hunter2", "password: hunter2"),
        ("Bob is her boss", "Bob is his boss"),
        ("I like it", "We like it"),
        ("Alex likes people", "Alex likes few people"),
        ("Alex is old", "Alex is too old"),
    ],
)
def test_what_differs_in_a_date_a_number_or_a_turning_word_is_kept_beside_it(
    opened: Open, first: str, second: str
) -> None:
    memory = opened()
    for text in (first, second):
        assert memory.remember(text, user_id="alex").new == 1
    assert texts(memory) == {first, second}
    assert memory.remember(first, user_id="alex").updated == 1
    assert memory.remember(second, user_id="alex").updated == 1
    assert texts(memory) == {first, second}


@pytest.mark.parametrize(
    ("so", "not_so"),
    [
        ("Alex eats meat", "Alex eats no meat"),
        ("Alex likes tea", "Alex likes no tea"),
        ("Alex speaks German", "Alex speaks no German"),
        ("There is milk in the fridge", "There is no milk in the fridge"),
    ],
)
def test_no_such_thing_ends_what_it_denies(opened: Open, so: str, not_so: str) -> None:
    memory = opened()
    memory.remember(so, user_id="alex")
    memory.remember(not_so, user_id="alex")
    assert texts(memory) == {not_so}
    memory.remember(so, user_id="alex")
    assert texts(memory) == {so}


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("Alex met Bob", "Alex met Bob on 3 May 2026", "Alex met Bob on 3 May 2026"),
        ("Alex met Bob on 3 May 2026", "Alex met Bob", "Alex met Bob on 3 May 2026"),
        ("Alex met Bob on 3 May 2026", "Alex met Bob in May 2026", "Alex met Bob on 3 May 2026"),
        ("Alex met Bob on 3 May 2026", "Alex met Bob on May 3rd, 2026", "Alex met Bob on 3 May 2026"),
        ("Alex met Bob on 3 Sept. 2026", "Alex met Bob on 2026-09-03", "Alex met Bob on 3 Sept. 2026"),
        ("Alex likes tea", "Alex likes tea, too", "Alex likes tea"),
        ("Bob loves his dog", "Bob loves their dog", "Bob loves his dog"),
    ],
)
def test_a_date_that_is_told_later_is_a_detail(opened: Open, first: str, second: str, kept: str) -> None:
    memory = opened()
    memory.remember(first, user_id="alex")
    assert memory.remember(second, user_id="alex").updated == 1
    assert texts(memory) == {kept}


@pytest.mark.parametrize(
    ("first", "second"),
    [("Timezone: Europe/Berlin", "Timezone: America/New_York"), ("email = a@x.org", "email = b@x.org")],
)
def test_a_label_of_which_there_is_one_has_the_last_value(opened: Open, first: str, second: str) -> None:
    memory = opened()
    for text in (first, second):
        memory.remember(text, user_id="alex")
    assert texts(memory) == {second}


@pytest.mark.parametrize(
    ("first", "second"), [("Note: call Bob", "Note: call Ann"), ("Timezone: Europe/Berlin", "Shell: fish")]
)
def test_a_label_of_many_keeps_them_all(opened: Open, first: str, second: str) -> None:
    memory = opened()
    for text in (first, second):
        memory.remember(text, user_id="alex")
    assert texts(memory) == {first, second}


def test_of_what_can_be_once_only_the_last_holds(opened: Open) -> None:
    memory = opened()
    memory.remember("Alex moved to Lisbon in May 2024", user_id="alex")
    memory.remember("Alex moved to Lisbon in June 2024", user_id="alex")
    assert texts(memory) == {"Alex moved to Lisbon in June 2024"}


def test_an_earlier_telling_with_another_date_is_no_detail_of_a_later_one(opened: Open) -> None:
    memory = opened()
    memory.remember("Alex met Bob", user_id="alex", occurred_at="2026-05-09T00:00:00Z")
    memory.remember("Alex met Bob on 3 May 2025", user_id="alex", occurred_at="2025-05-09T00:00:00Z")
    assert texts(memory) == {"Alex met Bob", "Alex met Bob on 3 May 2025"}


def test_the_same_words_of_another_day_tell_of_another_time(opened: Open) -> None:
    memory = opened()

    def said(text: str, *days: int) -> int:
        at = [datetime(2026, 5, day, 9, tzinfo=UTC).isoformat() for day in days]
        return memory.add([{"role": "user", "content": text, "timestamp": one} for one in at], user_id="alex").new

    assert said("I ran a marathon today", 3, 3, 10) == 2
    assert said("I ran a marathon today", 10, 17) == 1
    assert said("I like to run", 3, 10) == 1
    assert said("I ran on 1 May 2026", 3, 10) == 1
    (hit,) = memory.search("marathon", user_id="alex", since="2026-05-09T00:00:00Z", until="2026-05-11T00:00:00Z")
    assert hit.item.occurred_at.day == 10
    assert hit.item.access_count == 1


def test_seeds_that_say_what_is_known_in_other_words_change_nothing(opened: Open) -> None:
    memory = opened()
    memory.remember("Alex moved to Lisbon", user_id="alex")
    before = memory.get_all(user_id="alex")
    for _ in range(2):
        report = memory.seed("- Alex lives in Lisbon\n", user_id="alex")
        assert (report.read, report.new, report.known) == (1, 0, 1)
        assert memory.get_all(user_id="alex") == before


def test_seeds_are_counted_as_they_were_kept(opened: Open) -> None:
    memory = opened()
    lines = "- Paid rent in May 2026\n- Paid rent in June 2026\n- Paid rent\n- Met Bob\n- Met Bob on 3 May 2026\n"
    report = memory.seed(lines, user_id="alex")
    assert (report.read, report.new, report.known) == (5, 3, 2)
    assert texts(memory) == {"Paid rent in May 2026", "Paid rent in June 2026", "Met Bob on 3 May 2026"}


def test_whose_it_is_contradicts_only_where_both_say_so() -> None:
    his, her, none, both = map(particulars, ("his dog", "her dog", "a dog", "his and her dog"))
    assert his.contradict(her)
    assert her.contradict(his)
    assert not his.contradict(none)
    assert not both.contradict(his)
    assert not both.contradict(both)
