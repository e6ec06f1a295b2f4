"""Messages as JSON and back."""

import math
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given as drawn
from hypothesis import strategies as st

from emberkeep.entrypoints.grpc.generated import memories_pb2 as memories
from emberkeep.entrypoints.grpc.generated import tasks_pb2 as tasks
from emberkeep.entrypoints.grpc.generated import values_pb2 as values
from emberkeep.entrypoints.grpc.messages import EXACT, filled, given, parsed, told
from emberkeep.errors import InvalidInput

texts = st.text(max_size=8)
numbers = st.integers(-EXACT + 1, EXACT - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(texts, inside, max_size=3),
    max_leaves=8,
)


@drawn(JSON)
def test_any_json_value_comes_back(value: Any) -> None:
    entry = filled(values.Entry(), {"key": "k", "value": value})
    again = values.Entry.FromString(entry.SerializeToString())
    assert told(again)["value"] == value


@drawn(st.dictionaries(texts, JSON, max_size=3))
def test_metadata_come_back(metadata: dict[str, Any]) -> None:
    request = filled(memories.MemoriesRememberRequest(), {"metadata": metadata})
    assert given(parsed(memories.MemoriesRememberRequest, request.SerializeToString())) == {"metadata": metadata}


def test_whole_numbers_are_integers_where_a_struct_has_only_floats() -> None:
    request = memories.MemoriesRememberRequest()
    request.metadata.update({"n": 5, "f": 0.5, "m": [1, {"k": 2}]})
    read = given(request)["metadata"]
    assert read == {"n": 5, "f": 0.5, "m": [1, {"k": 2}]}
    assert type(read["n"]) is type(read["m"][0]) is int


def test_what_is_not_given_is_not_there_and_what_is_empty_is() -> None:
    assert given(memories.MemoriesUpdateRequest()) == {}
    assert given(memories.MemoriesUpdateRequest(id="", text="")) == {"id": "", "text": ""}
    assert given(memories.MemoriesUpdateRequest(tags=values.StringList())) == {"tags": []}
    assert given(memories.MemoriesRememberRequest(tags=[])) == {}
    assert given(tasks.TasksFinishRequest(success=False)) == {"success": False}
    shares = values.Shares(floors={"working": 0.5})
    assert given(memories.MemoriesContextRequest(shares=shares)) == {"shares": {"floors": {"working": 0.5}}}


def test_a_message_that_says_nothing_is_one() -> None:
    request = memories.MemoriesAddRequest(messages=[values.Message(role="user")])
    assert given(request)["messages"] == [{"role": "user", "content": "", "tool_calls": []}]


def test_times_go_to_the_microsecond() -> None:
    request = filled(memories.MemoriesRememberRequest(), {"occurred_at": "2026-05-20T10:00:00.123456Z"})
    assert given(request) == {"occurred_at": "2026-05-20T10:00:00.123456Z"}
    negative = memories.MemoriesRememberRequest(occurred_at=Timestamp(seconds=-1))
    assert given(negative) == {"occurred_at": "1969-12-31T23:59:59Z"}


@pytest.mark.parametrize("seconds", [10**12, -(10**12), 2**63 - 1])
def test_a_time_that_is_none_is_refused(seconds: int) -> None:
    with pytest.raises(InvalidInput, match="occurred_at"):
        given(memories.MemoriesRememberRequest(occurred_at=Timestamp(seconds=seconds)))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_is_refused(number: float) -> None:
    with pytest.raises(InvalidInput, match="deadline_ms"):
        given(memories.MemoriesSearchRequest(deadline_ms=number))
    request = memories.MemoriesRememberRequest()
    request.metadata.fields["n"].number_value = number
    with pytest.raises(InvalidInput, match="metadata"):
        given(request)


def test_bytes_that_are_no_message_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"emberkeep\.v1\.MemoriesGetRequest"):
        parsed(memories.MemoriesGetRequest, b"\xff\xff")


def test_of_several_sorts_of_record_the_right_one_is_sent() -> None:
    decision = told(values.Decision(id="d", what="Fly"))
    found = filled(values.FoundTaskOrDecision(), {"record": decision, "relevance": 1.0})
    assert found.WhichOneof("record") == "decision"
    assert told(found)["record"] == decision
    assert told(found)["similarity"] is None
