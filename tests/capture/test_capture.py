"""The verbatim log as a user of the facade sees it, on every store."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import emberkeep
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.model.interaction import InteractionRecord
from emberkeep.testing import FixedClock, WordEmbedder

NOW = datetime(2026, 5, 20, 10, tzinfo=UTC)


@pytest.fixture
def memory(anywhere: Callable[..., emberkeep.Memory], clock: FixedClock) -> emberkeep.Memory:
    return anywhere(clock=clock, embedder=WordEmbedder())


def record(number: int = 0, **more: Any) -> InteractionRecord:
    fields: dict[str, Any] = {
        "session_id": "s-1",
        "timestamp": NOW + timedelta(minutes=number),
        "user_transcript": f"question {number}",
        "llm_messages": [{"role": "user", "content": f"question {number}"}],
        "tool_calls": [{"name": "clock", "args": {}, "result": 12}],
        "assistant_response": f"answer {number}",
        "skill_used": "time",
        "latency_ms": {"llm": 120.5},
        "user_id": "alex",
        "agent_id": "voxa",
        "metadata": {"room": "kitchen"},
    }
    return InteractionRecord(**{**fields, **more})


def test_every_field_comes_back(memory: emberkeep.Memory) -> None:
    found = memory.capture.get(memory.capture.log(record()))
    assert (found.user_transcript, found.assistant_response) == ("question 0", "answer 0")
    assert (found.session_id, found.user_id, found.agent_id, found.occurred_at) == ("s-1", "alex", "voxa", NOW)
    assert found.details is not None
    assert found.details.llm_messages == ({"role": "user", "content": "question 0"},)
    assert found.details.tool_calls == ({"name": "clock", "args": {}, "result": 12},)
    assert (found.details.skill_used, found.details.latency_ms) == ("time", {"llm": 120.5})
    assert found.metadata == {"room": "kitchen"}


def test_recent_is_by_user_session_and_time(memory: emberkeep.Memory) -> None:
    for number in range(4):
        memory.capture.log(record(number, session_id=f"s-{number % 2}", user_id="alex" if number < 3 else "sam"))
    said = [found.user_transcript for found in memory.capture.recent(2)]
    assert said == ["question 3", "question 2"]
    assert [found.user_transcript for found in memory.capture.recent(user_id="sam")] == ["question 3"]
    assert len(memory.capture.recent(session_id="s-0")) == 2
    assert len(memory.capture.recent(since=NOW + timedelta(minutes=2))) == 2
    assert len(memory.capture.recent(until="2026-05-20T10:01:00Z", agent_id="voxa")) == 2
    assert memory.capture.recent(agent_id="other") == []


def test_sessions(memory: emberkeep.Memory) -> None:
    for number in range(3):
        memory.capture.log(record(number, session_id="one" if number < 2 else "two"))
    memory.capture.log(record(9, session_id=None))
    first, second = memory.capture.sessions()
    assert (first.session_id, first.interactions, first.user_id) == ("two", 1, "alex")
    assert (second.session_id, second.interactions) == ("one", 2)
    assert (second.first_at, second.last_at) == (NOW, NOW + timedelta(minutes=1))
    assert memory.capture.sessions(user_id="sam") == []


def test_what_was_logged_is_learned_later(memory: emberkeep.Memory) -> None:
    memory.capture.log(record(user_transcript="My favourite colour is green."))
    assert memory.search("colour", user_id="alex") == emberkeep.Hits(())
    report = memory.learn()
    assert (report.derived, report.learned, report.new) == (1, 1, 1)
    assert memory.search("favourite colour", user_id="alex", kinds=["preference", "fact"])[0].sources


def test_what_json_cannot_hold_is_written_down_as_text(memory: emberkeep.Memory) -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    loop: dict[str, Any] = {}
    loop["self"] = loop
    calls = [{"at": NOW, "set": {1}, "bytes": b"\xff", "odd": Odd(), "nan": float("nan"), 3: "key", "nul": "\0\ud800"}]
    found = memory.capture.get(memory.capture.log(record(tool_calls=calls, llm_messages=[loop])))
    assert found.details is not None
    assert "datetime" in str(found.details.tool_calls)
    assert "self" in str(found.details.llm_messages)


def test_objects_and_mappings_will_do(memory: emberkeep.Memory) -> None:
    @dataclass
    class Theirs:
        session_id: str = "s"
        timestamp: datetime = NOW
        user_transcript: str = "hello"
        llm_messages: list[Any] = field(default_factory=list)
        tool_calls: list[Any] = field(default_factory=list)
        assistant_response: str = ""
        metadata: object = field(default_factory=object)  # as classes that map tables have one

    assert memory.capture.get(memory.capture.log(Theirs())).user_transcript == "hello"  # type: ignore[arg-type]
    plain = {"timestamp": NOW, "user_transcript": "", "assistant_response": "hi"}
    assert memory.capture.get(memory.capture.log(plain)).assistant_response == "hi"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"timestamp": datetime(2026, 5, 20)}, "no time zone"),  # noqa: DTZ001 - what is refused
        ({"user_transcript": 7}, "user_transcript"),
        ({"assistant_response": b"hi"}, "assistant_response must be a string"),
        ({"user_transcript": "x" * 500_001}, "user_transcript"),
        ({"session_id": "s" * 300}, "session_id"),
        ({"user_id": "*"}, "user_id"),
        ({"metadata": [1]}, "metadata must be a mapping"),
    ],
)
def test_bad_records_are_refused_and_nothing_is_written(
    memory: emberkeep.Memory, change: dict[str, Any], says: str
) -> None:
    with pytest.raises(InvalidInput, match=says):
        memory.capture.log(record(**change))
    assert memory.capture.recent() == []


@pytest.mark.parametrize("nothing", [None, "", "  \n", "\u200b"])
def test_a_turn_in_which_only_one_speaks(memory: emberkeep.Memory, nothing: str | None) -> None:
    found = memory.capture.get(memory.capture.log(record(user_transcript=nothing)))
    assert (found.user_transcript, found.assistant_response) == ("", "answer 0")
    found = memory.capture.get(memory.capture.log(record(assistant_response=nothing)))
    assert (found.user_transcript, found.assistant_response) == ("question 0", "")


def test_a_turn_in_which_nobody_speaks(memory: emberkeep.Memory) -> None:
    logged = memory.capture.log(record(user_transcript=" ", assistant_response=""))
    found = memory.capture.get(logged)
    assert (found.messages, found.user_transcript, found.assistant_response) == ((), "", "")
    assert found.details is not None
    assert found.details.skill_used == "time"
    report = memory.learn()
    assert (report.derived, report.learned, report.new, report.reasons) == (1, 1, 0, ())
    assert memory.capture.recent() == [found]
    assert memory.capture.sessions()[0].interactions == 1
    rebuilt = memory.rebuild().learned
    assert rebuilt is not None
    assert (rebuilt.added, rebuilt.lost, rebuilt.switched) == (0, 0, True)


def test_what_no_database_holds_is_replaced(memory: emberkeep.Memory) -> None:
    heard = "a\0b \ud800 \ud83d\ude00 ✓"
    found = memory.capture.get(memory.capture.log(record(user_transcript=heard, assistant_response="\udfff")))
    assert (found.user_transcript, found.assistant_response) == ("a\ufffdb \ufffd 😀 ✓", "\ufffd")


def test_recent_by_what_happened_and_by_what_was_written(memory: emberkeep.Memory, clock: FixedClock) -> None:
    for number in (2, 0, 1):
        memory.capture.log(record(number))
        clock.move(seconds=-60)
    assert [found.user_transcript[-1] for found in memory.capture.recent()] == ["2", "1", "0"]
    assert [found.user_transcript[-1] for found in memory.capture.recent(order="recorded")] == ["1", "0", "2"]
    assert [found.user_transcript[-1] for found in memory.capture.recent(1, order="recorded")] == ["1"]
    with pytest.raises(InvalidInput, match=r"occurred'? or '?recorded"):
        memory.capture.recent(order="newest")  # type: ignore[arg-type]


def test_incomplete_and_unknown_records(memory: emberkeep.Memory) -> None:
    with pytest.raises(InvalidInput, match="needs timestamp, user_transcript, assistant_response"):
        memory.capture.log({})
    with pytest.raises(InvalidInput, match="unknown field 'mood'"):
        memory.capture.log({"mood": 1})
    with pytest.raises(InvalidInput, match="needs timestamp"):
        memory.capture.log(7)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        memory.capture.get("no-such-id")
    with pytest.raises(InvalidInput):
        memory.capture.recent(0)


def test_secrets_are_cut_out(target: str) -> None:
    key = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    with emberkeep.open(target, embedder=WordEmbedder(), redact=True) as memory:
        memory.capture.log(
            record(
                user_transcript=f"my key is {key}",
                tool_calls=[{"api_key": "s3cr3t-v4lue"}],
                llm_messages=[{"c": key}],
                metadata={"password": "s3cr3t-v4lue"},
            )
        )
        everything = str(memory.capture.recent())
    assert key not in everything
    assert "s3cr3t" not in everything


def test_capture_can_be_switched_off(target: str) -> None:
    with (
        emberkeep.open(target, embedder=WordEmbedder(), capture=False) as memory,
        pytest.raises(InvalidInput, match="capture is switched off"),
    ):
        memory.capture.log(record())


def test_tenants_see_only_their_own(durable_target: str) -> None:
    with (
        emberkeep.open(durable_target, embedder=WordEmbedder(), tenant="a") as one,
        emberkeep.open(durable_target, embedder=WordEmbedder(), tenant="b") as other,
    ):
        logged = one.capture.log(record())
        assert other.capture.recent() == []
        assert other.capture.sessions() == []
        with pytest.raises(NotFound):
            other.capture.get(logged)
