"""The story as it is written, before any memory hears it."""

import inspect
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from operator import attrgetter

import pytest

import emberkeep
from emberkeep.demo.loading import story
from emberkeep.demo.scene import DAYS, Moment, told_at
from emberkeep.demo.screenplay import scenes_of
from emberkeep.demo.script import endings_of
from emberkeep.testing import WordEmbedder

NOW = datetime(2026, 6, 18, 15, 30, tzinfo=UTC)  # a Thursday


def test_moments_are_of_the_month_that_ends_now() -> None:
    assert Moment.parse("28", "09:30").seen_from(NOW) == datetime(2026, 6, 17, 9, 30, tzinfo=UTC)
    assert Moment.parse("1", "00:00").seen_from(NOW) == datetime(2026, 5, 21, tzinfo=UTC)
    assert Moment.parse("ago", "2:30").seen_from(NOW) == NOW - timedelta(minutes=150)
    assert Moment.parse("ago", "2:30").later(10).seen_from(NOW) == NOW - timedelta(minutes=140)


def test_days_ahead_are_said_as_one_would() -> None:
    said = {"messages": [{"content": "On <+3>, or on <+10>."}], "at": Moment(28, 60), "n": 3}
    assert told_at(said, NOW, NOW) == {
        "messages": [{"content": "On Sunday, or on 28 June."}],
        "at": datetime(2026, 6, 17, 1, tzinfo=UTC),
        "n": 3,
    }


def test_a_play_becomes_exchanges_and_turns_of_a_voice_assistant() -> None:
    heading, first = "About.\n\n== 3 14:10 devi forge lamps", "Devi: Hi.\nForge: Hello."
    play = f'{heading}\n{first}\n\nDevi: Light!\n> lamp.on {{"n": 1}} = ok\nForge: On.\n'
    said, done = scenes_of(play)
    assert (said.verb, said.at) == ("add", Moment(3, 850))
    assert [one["role"] for one in said.given["messages"]] == ["user", "assistant"]
    assert (done.verb, done.at) == ("capture.log", Moment(3, 852))
    assert done.given["record"]["tool_calls"] == [{"name": "lamp.on", "args": {"n": 1}, "result": "ok"}]
    assert done.given["record"]["session_id"] == "lamps"


def test_an_ending_becomes_a_task_with_steps() -> None:
    scenes = list(
        endings_of("About.\n\n3 11:00 | deploy | Deploy it | build roll_out | Rolled back | Timeout: 0 of 4\n")
    )
    assert [one.verb for one in scenes] == ["tasks.start", "tasks.step", "tasks.step", "experience.store"]
    assert [one.given.get("success") for one in scenes] == [None, True, False, False]
    assert scenes[2].given["output"] == "Timeout: 0 of 4"


def test_it_is_a_month_of_three_people_in_order() -> None:
    scenes = story()
    moments = [one.at.seen_from(NOW) for one in scenes]
    assert moments == sorted(moments)
    assert {one.at.day for one in scenes} == {*range(DAYS + 1)}  # 0 for today
    said = [one.given for one in scenes if one.verb == "add"]
    said += [one.given["record"] for one in scenes if one.verb == "capture.log"]
    assert 60 <= len(said) <= 120
    assert {one["user_id"] for one in said} == {"mara", "tom", "devi"}
    assert {one["agent_id"] for one in said} == {"hestia", "forge"}


@pytest.mark.parametrize("hour", [0, 4, 23])
def test_the_order_is_the_same_whenever_it_is_told(hour: int) -> None:
    now = NOW.replace(hour=hour, minute=1)
    moments = [one.at.seen_from(now) for one in story()]
    assert moments == sorted(moments)
    assert moments[-1] < now


def test_every_verb_is_there_and_takes_what_it_is_given() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        for scene in story():
            inspect.signature(attrgetter(scene.verb)(memory)).bind(**scene.given)


def test_ids_of_tasks_are_given_once() -> None:
    begun = Counter(one.given["id"] for one in story() if one.verb in {"tasks.start", "tasks.save"})
    assert set(begun.values()) == {1}


def test_phone_numbers_and_addresses_are_nobodys() -> None:
    texts = " ".join(str(one.given) for one in story())
    assert all("555" in number for number in re.findall(r"\d{3}-\d{3}-\d{4}|\d{3}-\d{4}", texts))
    assert "@" not in texts
