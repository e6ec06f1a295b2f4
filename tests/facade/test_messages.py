"""What may be handed to `add`, and what becomes of it."""

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

import emberkeep
from emberkeep import InvalidInput, Message
from emberkeep.model.message import MAX_MESSAGES, parse_messages
from emberkeep.testing import FixedClock, WordEmbedder

NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)


@pytest.fixture
def memory(clock: FixedClock) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), clock=clock) as opened:
        yield opened


def parsed(value: object) -> tuple[Message, ...]:
    return parse_messages(value, max_chars=100)


@pytest.mark.parametrize(
    "value",
    [
        "Hello",
        {"role": "user", "content": "Hello"},
        Message("user", "Hello"),
        ["Hello"],
        ("Hello",),
        [{"role": "user", "content": "Hello", "name": None, "id": None, "timestamp": None}],
        [Message("user", "Hello")],
        (text for text in ["Hello"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_one_message_may_be_written_in_many_ways(value: object) -> None:
    assert parsed(value) == (Message("user", "Hello"),)


def test_a_list_may_mix_them_and_keeps_their_order() -> None:
    mixed = ["one", {"role": "assistant", "content": "two", "id": "m2"}, Message("tool", "three", name="clock")]
    assert parsed(mixed) == (
        Message("user", "one"),
        Message("assistant", "two", id="m2"),
        Message("tool", "three", name="clock"),
    )


def test_content_may_come_in_parts_of_which_the_texts_are_kept() -> None:
    picture = {"type": "image_url", "image_url": {"url": "x.png"}}
    parts = [{"type": "text", "text": "Look"}, picture, {"type": "text", "text": "at this"}]
    assert parsed({"role": "user", "content": parts}) == (Message("user", "Look\nat this"),)


def test_a_message_that_only_calls_tools_needs_no_content() -> None:
    call = {"id": "c1", "function": {"name": "clock"}}
    assert parsed({"role": "assistant", "content": None, "tool_calls": [call]}) == (
        Message("assistant", "", tool_calls=(call,)),
    )
    answer = {"role": "tool", "content": "noon", "tool_call_id": "c1"}
    assert parsed(answer) == (Message("tool", "noon", tool_call_id="c1"),)


@pytest.mark.parametrize(
    "content",
    [None, "", " \n\t", [], [{"type": "image_url", "image_url": {"url": "x.png"}}], [{"type": "text", "text": " "}]],
    ids=str,
)
def test_one_without_words_is_kept_beside_one_with_words(memory: emberkeep.Memory, content: object) -> None:
    added = memory.add([{"role": "user", "content": content, "id": "m0"}, "Hello"])
    logged = memory.capture.get(added.interaction_id or "")
    assert logged.messages == (Message("user", "", id="m0"), Message("user", "Hello"))
    assert [(item.text, item.sources[0].position) for item in added.items] == [("Hello", 1)]
    with pytest.raises(InvalidInput, match=r"messages\[0\].content is empty"):
        memory.add([{"role": "user", "content": content}, {"role": "assistant", "content": ""}, " "])


@pytest.mark.parametrize(
    "part",
    [{"type": "output_text", "text": "Hello"}, {"type": "input_text", "text": "Hello"}, {"text": "Hello"}],
    ids=str,
)
def test_texts_go_by_many_names(part: object) -> None:
    assert parsed({"role": "user", "content": [part]}) == (Message("user", "Hello"),)


def test_what_sdks_add_is_left_out() -> None:
    added: dict[str, object] = {
        "refusal": None,
        "annotations": [],
        "audio": None,
        "function_call": None,
        "reasoning": "Hm.",
    }
    more = {"reasoning_content": "Hm.", "cache_control": {}, "status": "completed", "type": "message", "phase": 1}
    answer = {"role": "assistant", "content": "Hello", **added, **more, "index": 0, "logprobs": None}
    assert parsed(answer) == (Message("assistant", "Hello"),)
    assert parsed(["Hi", {"role": "assistant", "refusal": "No."}]) == (Message("user", "Hi"), Message("assistant", ""))


@pytest.mark.parametrize("content", ["a\0b", "\0", "\ud800"])
def test_what_no_database_keeps_is_refused_also_beside_others(content: str) -> None:
    with pytest.raises(InvalidInput, match=r"messages\[1\].content holds a"):
        parsed(["Hello", {"role": "user", "content": content}])


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ([], "at least one message"),
        (7, "a string or a list"),
        (None, "a string or a list"),
        ([7], r"messages\[0\] must be a string or a mapping, not int"),
        (b"bytes", "messages must be a string or a list"),
        (["fine", b"bytes"], r"messages\[1\] must be a string or a mapping, not bytes"),
        ({"role": "user"}, "needs both role and content"),
        ({"content": "Hello"}, "needs both role and content"),
        ({"role": "user", "content": "x", "mood": 1, "Name": 2}, "unknown fields Name, mood: use content, id, name"),
        ({"role": None, "content": "Hello"}, "needs both role and content"),
        ({"role": "", "content": "x"}, r"messages\[0\].role is blank: say whose words these are"),
        ({"role": 7, "content": "x"}, r"messages\[0\].role must be a string"),
        ({"role": "user", "content": "x", "id": 7}, r"messages\[0\].id must be a string"),
        ({"role": "user", "content": "x" * 101}, "101 characters, the limit is 100"),
        ({"role": "user", "content": 7}, r"messages\[0\].content must be a string"),
        (["Hello", {"role": "user", "content": ["Hello"]}], r"messages\[1\].content must be a string"),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {}}]}, r"messages\[0\].content is empty"),
        ({"role": "user", "content": None}, r"messages\[0\].content"),
        ({"role": "assistant", "tool_calls": "now"}, r"messages\[0\].tool_calls must be a list"),
        ({"role": "user", "content": "x", "timestamp": "2026-05-20T12:00:00"}, "no time zone"),
        ({"role": "user", "content": "x", "timestamp": 1_779_000_000}, "ISO 8601"),
        (Message("user", "x", timestamp="soon"), "ISO 8601"),  # type: ignore[arg-type]
        (Message("user", ""), r"messages\[0\].content is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(value: object, advice: str) -> None:
    with pytest.raises(InvalidInput, match=advice):
        parsed(value)


def test_a_call_takes_ten_thousand_messages_and_no_more(memory: emberkeep.Memory) -> None:
    with pytest.raises(InvalidInput, match="more than 10,000 messages in one call: add them in parts"):
        memory.add([f"line {n}" for n in range(MAX_MESSAGES + 1)])
    assert memory.stats().interactions == 0
    assert len(parsed([f"line {n}" for n in range(MAX_MESSAGES)])) == MAX_MESSAGES


def test_sources_are_listed_in_the_order_in_which_it_was_said(memory: emberkeep.Memory, clock: FixedClock) -> None:
    first = memory.add(["tea?", {"role": "user", "content": "Tea!", "id": "a"}, "no"])
    clock.move(seconds=1)
    second = memory.add([{"role": "user", "content": "tea!", "id": "b"}, {"role": "user", "content": "TEA", "id": "c"}])
    sources = memory.get(second.id).sources
    assert [source.message_id for source in sources] == ["a", "b", "c"]
    assert [source.position for source in sources] == [1, 0, 1]
    assert [source.interaction_id for source in sources] == [first.interaction_id, *[second.interaction_id] * 2]


@pytest.mark.parametrize(
    "stamp",
    [
        "2026-05-20T12:00:00Z",
        "2026-05-20T14:00:00+02:00",
        "2026-05-20T06:30:00-05:30",
        "20260520T120000Z",
        NOON,
        NOON.astimezone(timezone(timedelta(hours=-11))),
    ],
    ids=str,
)
def test_times_with_any_offset_are_kept_in_utc(memory: emberkeep.Memory, stamp: str | datetime) -> None:
    message = {"role": "user", "content": "Lunch", "timestamp": stamp}
    item = memory.get(memory.add([message, "Dessert"], occurred_at="2026-05-21T00:00:00Z").id)
    assert (item.occurred_at, item.sources[0].occurred_at) == (NOON, NOON)
    assert item.occurred_at.tzinfo is UTC
    (dessert,) = memory.get_all(since="2026-05-20T20:00:00-03:00")
    assert dessert.occurred_at == datetime(2026, 5, 21, tzinfo=UTC)


def test_without_a_time_it_happened_now(memory: emberkeep.Memory, clock: FixedClock) -> None:
    assert memory.add("Hello").items[0].occurred_at == clock.now()


def test_an_endless_stream_of_messages_is_refused(memory: emberkeep.Memory) -> None:
    with pytest.raises(emberkeep.InvalidInput, match="in parts"):
        memory.add(f"line {number}" for number in itertools.count())  # type: ignore[arg-type]
    assert memory.stats().items == 0


@pytest.mark.parametrize(
    ("role", "name", "kept"),
    [
        ("user", "user", None),
        ("user", "Human", None),
        ("assistant", "Assistant", None),
        ("assistant", "AI", None),
        ("tool", "tool", None),
        ("user", "Alex", "Alex"),
        ("assistant", "Voxa", "Voxa"),
        ("user", "Assistant", "Assistant"),  # it is somebody else's
        ("tool", "get_weather", "get_weather"),
    ],
)
def test_a_name_that_says_no_more_than_the_role_is_none(role: str, name: str, kept: str | None) -> None:
    (message,) = parsed([{"role": role, "content": "Hello", "name": name}])
    assert message.name == kept


def test_what_a_user_without_a_name_says_is_learned_of_the_user(memory: emberkeep.Memory) -> None:
    (fact,) = memory.add([{"role": "user", "name": "user", "content": "I moved to Lisbon."}]).learned
    assert fact.text == "The user moved to Lisbon"
