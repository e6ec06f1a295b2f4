"""The audit counts what is wrong with what was learned, on a user's own data."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

import emberkeep
from emberkeep.model.finding import Exchange, Finding, Lesson
from emberkeep.testing import FixedClock

from .conftest import Opened, Parrot


def as_told(exchange: Exchange) -> Lesson:
    """Learns what the metadata of an exchange says, whatever it is."""
    interaction = exchange.interaction
    told = interaction.metadata["learn"]
    return Lesson((Finding(told, "fact", 0, interaction.messages[0].content, tags=interaction.tags),))


def test_a_clean_memory_has_no_faults(opened: Opened) -> None:
    memory = opened()
    memory.add("I live in Lisbon. I like green tea.", user_id="alex")
    report = memory.audit()
    assert report.examined == 2
    assert {name: fault.count for name, fault in report.faults.items()} == {
        "junk": 0, "duplicate": 0, "stale": 0, "unsupported": 0,
    }  # fmt: skip


def test_nothing_at_all(opened: Opened) -> None:
    assert opened().audit().examined == 0


def test_each_fault_is_found_with_examples(opened: Opened, clock: FixedClock) -> None:
    memory = opened(learner=Parrot(as_told))
    memory.remember("what is the question?", user_id="alex")
    memory.remember("She is a nurse at the hospital", user_id="alex")
    memory.remember("Alex has a cat", user_id="alex")
    memory.remember("Alex has a cat", user_id="alex", agent_id="other")  # another agent's own copy is none
    memory.add("the plan", user_id="alex", tags=["plan"], metadata={"learn": "the plan is made", "when": "2020-01-01"})
    memory.add("it was said", user_id="alex", metadata={"learn": "Somebody said it was so"})

    def rewrite(connection: object) -> None:
        connection.execute(text("UPDATE sources SET quote = 'never said' WHERE quote = 'it was said'"))  # type: ignore[attr-defined]

    memory._parts.database.write(rewrite)
    report = memory.audit(examples=1)
    assert report.faults["junk"].count == 2
    assert len(report.faults["junk"].examples) == 1
    assert report.faults["duplicate"].count == 0
    assert report.faults["stale"].examples == ("the plan is made",)
    assert report.faults["unsupported"].examples == ("Somebody said it was so",)
    assert report.faults["junk"].rate == round(2 / report.examined, 4)


def test_one_users_faults_are_their_own(opened: Opened) -> None:
    memory = opened(learner="none")
    memory.remember("what is the question?", user_id="alex")
    memory.remember("Sam lives in Lisbon", user_id="sam")
    assert memory.audit(user_id="sam").faults["junk"].count == 0
    assert memory.audit().faults["junk"].count == 1


def test_a_file_of_seeds_can_be_read_again_and_again(opened: Opened, clock: FixedClock) -> None:
    memory = opened(learner="none")
    lines = "# About Alex\n- 2026-05-20: Alex lives in Lisbon\n- Alex likes tea\n- Alex likes tea\n"
    first = memory.seed(lines, user_id="alex", tags=["seeded"])
    assert (first.read, first.new, first.known) == (3, 2, 1)
    before = {item.id: item for item in memory.get_all(user_id="alex")}
    clock.move(days=1)
    assert memory.seed(lines, user_id="alex", tags=["seeded"]).new == 0
    assert {item.id: item.access_count for item in memory.get_all(user_id="alex")} == dict.fromkeys(before, 0)
    home = next(item for item in before.values() if "Lisbon" in item.text)
    assert (home.occurred_at, home.tags) == (datetime(2026, 5, 20, tzinfo=UTC), ("seeded",))
    memory.remember("Alex lives in Berlin", user_id="alex", occurred_at="2026-05-30T00:00:00Z")
    assert memory.seed(lines, user_id="alex").new == 0  # what has changed since is not seeded back
    assert "Alex lives in Lisbon" not in [item.text for item in memory.get_all(user_id="alex")]


def test_seeds_of_many_users(opened: Opened) -> None:
    memory = opened(learner="none")
    lines = '{"text": "likes tea", "user_id": "sam", "kind": "preference"}\n{"text": "a shared thing", "sacred": true}'
    assert memory.seed(lines, user_id="tribe").new == 2
    assert memory.get_all(user_id="sam")[0].kind == "preference"
    assert memory.get_all(user_id="tribe")[0].sacred
    found = memory.search("shared thing", user_id="sam", shared=["tribe"])
    assert found[0].text == "a shared thing"


def test_a_bad_line_seeds_nothing(opened: Opened) -> None:
    memory = opened(learner="none")
    with pytest.raises(emberkeep.InvalidInput, match="line 2"):
        memory.seed('{"text": "good"}\n{"text": 7}')
    assert list(memory.get_all()) == []
