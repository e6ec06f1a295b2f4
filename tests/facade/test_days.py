"""What day it is where something is said: "tomorrow" is not the same day everywhere."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

import emberkeep
from emberkeep.config import Config
from emberkeep.errors import ConfigError
from emberkeep.model.interaction import InteractionRecord
from emberkeep.model.moment import at_offset, by_clock, from_micros, offset_of
from emberkeep.storage.schema import items
from emberkeep.testing import FixedClock
from emberkeep.transfer.exporting import exported, jsonl, markdown
from emberkeep.transfer.importing import import_from

from ..conftest import Anywhere

# In Auckland it is the morning of 4 May, in UTC the evening of the 3rd.
MORNING = "2026-05-04T08:00:00+12:00"
EVENING = datetime(2026, 5, 3, 20, tzinfo=UTC)
FLIGHT = "I'm flying to Rome tomorrow."


def about(memory: emberkeep.Memory, item_id: str) -> str:
    """The day that a memory's words are taken to tell of."""
    with memory.database.read() as connection:
        found = connection.execute(select(items.c.about_from).where(items.c.id == item_id)).scalar_one()
    return from_micros(found).date().isoformat()


def test_a_time_is_kept_in_utc_with_how_far_from_it_that_was(memory: emberkeep.Memory) -> None:
    item = memory.add(FLIGHT, occurred_at=MORNING).items[0]
    assert item.occurred_at == EVENING
    assert item.occurred_at.utcoffset() == item.valid_from.utcoffset() == timedelta()
    assert (item.utc_offset, item.said_at.isoformat()) == (720, MORNING)
    assert memory.get(item.id).said_at.isoformat() == MORNING
    assert memory.search("flying to Rome")[0].item.utc_offset == 720
    told = memory.remember("Tomorrow is a holiday", occurred_at=MORNING)
    assert (memory.get(told.id).occurred_at, memory.get(told.id).utc_offset) == (EVENING, 720)
    assert memory.get(memory.add("What else?", occurred_at=EVENING).items[0].id).utc_offset == 0


def test_a_message_may_be_said_elsewhere_than_the_others(memory: emberkeep.Memory) -> None:
    said = [
        {"role": "user", "content": FLIGHT, "timestamp": "2026-05-03T20:00:00-05:00"},
        {"role": "user", "content": "I'm flying to Oslo tomorrow."},
    ]
    added = memory.add(said, occurred_at=MORNING)
    assert [item.utc_offset for item in added.items[:2]] == [-300, 720]
    assert [item.sources[0].occurred_at.utcoffset() for item in added.items[:2]] == [timedelta(), timedelta()]
    kept = memory.capture.get(str(added.interaction_id))
    assert (kept.occurred_at, kept.utc_offset) == (EVENING, 720)
    assert [kept.message_at(place).isoformat() for place in (0, 1)] == ["2026-05-03T20:00:00-05:00", MORNING]


@pytest.mark.parametrize("later", [False, True])
def test_what_is_learned_gives_the_day_it_is_there(memory: emberkeep.Memory, *, later: bool) -> None:
    memory.add(FLIGHT, occurred_at=MORNING, learn="later" if later else True)
    if later:
        assert memory.learn().learned == 1
    (fact,) = (item for item in memory.get_all() if item.kind != "episode")
    assert "5 May 2026" in fact.text
    assert fact.metadata["when"] == "2026-05-05"
    assert fact.utc_offset == 720


def test_what_is_logged_too(memory: emberkeep.Memory) -> None:
    record = InteractionRecord("s", datetime.fromisoformat(MORNING), FLIGHT, [], [], "Bon voyage!")
    memory.capture.log(record)
    memory.learn()
    found = {item.kind: item for item in memory.get_all(kinds=["episode", "fact"]) if "Rome" in item.text}
    assert found["episode"].said_at.isoformat() == MORNING
    assert "5 May 2026" in found["fact"].text


def test_what_happened_on_a_day_holds_from_when_that_began_there(memory: emberkeep.Memory) -> None:
    memory.add("I moved to Lisbon on 3 May 2026.", occurred_at="2026-05-20T10:00:00-05:00")
    (fact,) = (item for item in memory.get_all() if item.kind == "fact")
    assert fact.valid_from == datetime(2026, 5, 3, 5, tzinfo=UTC)
    assert fact.said_at.isoformat() == "2026-05-03T00:00:00-05:00"


def test_a_context_gives_the_day_it_was_there(memory: emberkeep.Memory) -> None:
    memory.add(FLIGHT, occurred_at=MORNING)
    assert "[2026-05-04]" in memory.context("Where am I flying?").text


def test_a_search_takes_the_day_it_was_there(memory: emberkeep.Memory) -> None:
    memory.add("I visited the zoo", occurred_at="2024-03-08T08:00:00+13:00", session_id="a")
    memory.add("I visited the harbour", occurred_at="2024-03-09T08:00:00+13:00", session_id="b")
    memory.add("I visited the castle", occurred_at="2024-03-10T08:00:00+13:00", session_id="c")
    for day, place in ((8, "zoo"), (9, "harbour"), (10, "castle")):
        # Whoever asks may be elsewhere.
        for asked_at in ("2024-04-01T08:00:00Z", "2024-04-01T08:00:00-08:00", "2024-04-01T08:00:00+13:00"):
            hits = memory.search(f"Which place did I visit on {day} March?", asked_at=asked_at)
            assert place in hits[0].text


def test_an_event_is_looked_up_by_the_clock_of_where_it_was(memory: emberkeep.Memory) -> None:
    for day, text in ((4, "I painted the kitchen"), (7, "We had the storm"), (10, "I painted the fence")):
        memory.add(text, occurred_at=f"2024-03-{day:02}T06:00:00+13:00", session_id=text)
    for side, place in (("before", "kitchen"), ("after", "fence")):
        hits = memory.search(f"What did I paint {side} the storm?", asked_at="2024-04-01T08:00:00-08:00")
        assert next(hit for hit in hits if "paint" in hit.text).text.endswith(place)


def test_the_same_words_on_another_day_there_are_another_memory(memory: emberkeep.Memory) -> None:
    first = memory.add("I ran ten miles today", occurred_at="2026-05-04T08:00:00+12:00")
    same = memory.add("I ran ten miles today", occurred_at="2026-05-04T22:00:00+12:00")
    next_day = memory.add("I ran ten miles today", occurred_at="2026-05-05T01:00:00+12:00")
    assert (first.new, same.new, next_day.new) == (2, 0, 2)  # the message, and what was learned from it


def test_a_new_text_and_a_repair_take_the_same_day(opened: Anywhere, target: str) -> None:
    memory = opened(target)
    item = memory.add(FLIGHT, occurred_at=MORNING).items[0]
    assert about(memory, item.id) == "2026-05-05"
    changed = memory.update(item.id, "I'm flying to Oslo the day after tomorrow.")
    assert changed.utc_offset == 720
    assert about(memory, item.id) == "2026-05-06"
    assert memory.repair(dry_run=True).found == ()
    former = memory.get_all(as_of=datetime(2026, 5, 4, tzinfo=UTC)).items
    assert all(one.utc_offset == 720 for one in former)


def test_what_is_derived_again_is_as_it_was(opened: Anywhere, target: str) -> None:
    memory = opened(target, learner="rules")
    memory.add(FLIGHT, occurred_at=MORNING)
    before = {item.text: item.utc_offset for item in memory.get_all()}
    learned = memory.rebuild().learned
    assert learned is not None
    assert (learned.added, learned.lost, learned.changed) == (0, 0, 0)
    assert {item.text: item.utc_offset for item in memory.get_all()} == before


def test_it_is_exported_and_comes_back(opened: Anywhere, tmp_path: Path) -> None:
    memory = opened(learner="rules")
    memory.add([{"role": "user", "content": FLIGHT, "timestamp": MORNING}], occurred_at=MORNING)
    memory.remember("Likes the window seat", occurred_at=MORNING)
    lines = list(exported(memory))
    assert {line["occurred_at"] for line in lines} == {MORNING}
    assert "- 2026-05-04: Likes the window seat" in "".join(markdown(memory))
    path = tmp_path / "all.jsonl"
    path.write_text("".join(jsonl(memory)), encoding="utf-8")
    other = opened(learner="rules")
    import_from(other, path, "emberkeep")
    other.learn()
    assert sorted(map(_without_ids, exported(other))) == sorted(map(_without_ids, lines))


def _without_ids(line: dict[str, Any]) -> str:
    sources = [{**source, "exchange": ""} for source in line.get("sources", [])]
    return str({**line, "id": "", "sources": sources})


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "UTC", "utc", "local", "America/New_York"])
def test_what_is_given_no_time_is_said_where_the_settings_say(opened: Anywhere, clock: FixedClock, zone: str) -> None:
    clock.move(seconds=(EVENING - clock.now()).total_seconds())
    memory = opened(learner="rules", time_zone=zone)
    item = memory.add(FLIGHT).items[0]
    ahead = {"Pacific/Auckland": 720, "America/New_York": -240}.get(zone, 0)  # tests run in UTC
    assert (item.occurred_at, item.utc_offset) == (EVENING, ahead)
    assert memory.remember("Plays the flute").items[0].utc_offset == ahead
    assert (memory.seed("- Sam plays the cello").new, {one.utc_offset for one in memory.get_all()}) == (1, {ahead})
    facts = [one.text for one in memory.get_all(kinds=["fact"]) if "Rome" in one.text]
    assert ("5 May" if ahead > 0 else "4 May") in facts[0]
    # A time that is passed counts as it was passed.
    assert memory.add("Hello there", occurred_at=EVENING).items[0].utc_offset == 0


def test_what_is_asked_without_a_time_is_asked_there(opened: Anywhere, clock: FixedClock) -> None:
    clock.move(seconds=(EVENING - clock.now()).total_seconds())
    memory = opened(time_zone="Pacific/Auckland")
    memory.add("I visited the zoo", occurred_at="2026-05-02T09:00:00+12:00", session_id="a")
    memory.add("I visited the harbour", occurred_at="2026-05-03T09:00:00+12:00", session_id="b")
    memory.add("I visited the castle", occurred_at="2026-05-04T07:00:00+12:00", session_id="c")
    assert memory.search("Which place did I visit yesterday?")[0].text.endswith("harbour")
    assert memory.search("Which place did I visit?", as_of="0001-01-01T00:00:00Z").hits == ()


@pytest.mark.parametrize("zone", ["Europe/Nowhere", "", "../../etc/passwd", "Europe", "\x7f"])
def test_a_zone_that_is_not_known_is_refused(zone: str) -> None:
    with pytest.raises(ConfigError, match="time_zone is"):
        Config(time_zone=zone).check()


def test_times_at_the_edges_of_the_calendar_stay_as_they_are() -> None:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    assert (at_offset(first, -60), at_offset(last, 60)) == (first, last)
    assert (by_clock(first, 60), by_clock(last, -60)) == (first, last)
    assert Config(time_zone="America/New_York").here(first) == first
    assert offset_of(datetime.fromisoformat("1900-01-01T00:00:00+00:53:28")) == 53
