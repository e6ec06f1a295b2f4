"""Memories over HTTP: their life, and what is refused."""

from typing import Any

import pytest

import emberkeep
from emberkeep.errors import StoreUnavailable
from emberkeep.memory import Memory

from .client import MEMORIES, Client, error

UNKNOWN = f"{MEMORIES}/01980000-0000-7000-8000-000000000000"


def test_health_needs_no_database(client: Client, memory: Memory) -> None:
    assert client("GET", "/readyz").json() == {"status": "ok"}
    memory.close()
    assert client("GET", "/healthz").json() == {"status": "ok", "version": emberkeep.__version__}
    assert error(client("GET", "/readyz"), 503)["code"] == "closed"
    assert client("HEAD", "/healthz").status_code == 200


def test_whoever_asks_is_not_told_where_the_database_is(
    client: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise StoreUnavailable("postgresql://emberkeep@10.0.0.7/agents: cannot be reached")

    monkeypatch.setattr(memory.database, "read", away)
    refused = error(client("GET", "/readyz"), 503)
    assert refused["code"] == "store_unavailable"
    assert "10.0.0.7" not in refused["message"]


def test_the_life_of_a_memory(client: Client) -> None:
    added = client(
        "POST",
        MEMORIES,
        json={
            "messages": [
                {"role": "user", "content": "I moved to Lisbon in May.", "name": "Alex", "id": "m1"},
                {"role": "assistant", "content": "Noted!"},
            ],
            "user_id": "alex",
            "occurred_at": "2026-05-20T10:00:00Z",
            "metadata": {"channel": "voice", "turn": None},
            "tags": ["home"],
        },
    )
    assert added.status_code == 201
    assert added.json()["new"] == 3
    memory, _, fact = added.json()["memories"]
    assert (fact["kind"], fact["text"]) == ("fact", "Alex moved to Lisbon in May 2026")
    assert memory["occurred_at"] == "2026-05-20T10:00:00Z"
    assert memory["metadata"] == {"channel": "voice", "turn": None}
    assert memory["sources"][0]["message_id"] == "m1"

    question = {"query": "where does Alex live?", "user_id": "alex", "limit": 1, "filters": {"channel": "voice"}}
    (hit,) = client("POST", f"{MEMORIES}/search", json=question).json()["memories"]
    assert hit["id"] == fact["id"]
    assert hit["why"]["evidence"]

    path = f"{MEMORIES}/{memory['id']}"
    assert client("GET", path).json()["text"] == "I moved to Lisbon in May."
    changed = client("PATCH", path, json={"text": "I moved to Porto.", "sacred": True}).json()
    assert (changed["text"], changed["sacred"], changed["tags"]) == ("I moved to Porto.", True, ["home"])
    changes = client("GET", f"{path}/history").json()["changes"]
    assert [change["action"] for change in changes] == ["added", "updated"]
    assert client("DELETE", path).json()["rows"]["items"] >= 1
    assert error(client("GET", path), 404)["code"] == "not_found"


CALL = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ("Hello", ["Hello"]),
        ({"role": "user", "content": "Hello"}, ["Hello"]),
        (["Hello", "you"], ["Hello", "you"]),
        (["Hello", {"role": "user", "content": "you", "name": None}], ["Hello", "you"]),
        ([{"role": "user", "content": [{"type": "text", "text": "Hello"}, {"type": "image_url"}]}], ["Hello"]),
        (["Hello", {"role": "assistant", "content": None, "refusal": None, "tool_calls": [CALL]}], ["Hello", ""]),
        ([{"role": "tool", "content": "noon", "tool_call_id": "c1"}], ["noon"]),
    ],
)
def test_messages_come_in_many_forms(client: Client, memory: Memory, messages: Any, said: list[str]) -> None:
    added = client("POST", MEMORIES, json={"messages": messages}).json()
    logged = memory.capture.recent(1)[0].messages
    assert [message.content for message in logged] == said
    assert len(added["memories"]) == len(list(filter(None, said)))
    assert logged[-1].tool_calls == ((CALL,) if said[-1] == "" else ())
    assert logged[-1].tool_call_id == ("c1" if said == ["noon"] else None)


def test_remember_context_and_stats(client: Client) -> None:
    told = {"text": "Prefers a window seat", "kind": "preference", "user_id": "alex"}
    assert client("POST", f"{MEMORIES}/remember", json=told).status_code == 201
    assert client("POST", f"{MEMORIES}/remember", json=told).json()["updated"] == 1
    task = {"task": "Book a flight", "user_id": "alex", "max_tokens": 200}
    context = client("POST", "/api/v1/contexts", json=task).json()
    assert "window seat" in context["text"]
    assert context["chunks"][0]["memory"]["kind"] == "preference"
    stats = client("GET", "/api/v1/stats").json()
    assert (stats["memories"], stats["memories_by_kind"]) == (1, {"preference": 1})


def test_a_context_is_on_record_and_can_be_rated(client: Client) -> None:
    client("POST", f"{MEMORIES}/remember", json={"text": "Prefers a window seat", "user_id": "alex"})
    task = {
        "task": "Book a flight",
        "user_id": "alex",
        "format": "messages",
        "tiers": ["longterm"],
        "shares": {"record": 0.9, "floors": {"longterm": 0.5}},
    }
    context = client("POST", "/api/v1/contexts", json=task).json()
    assert [message["role"] for message in context["messages"]] == ["system", "user"]
    assert context["entries"][0]["fate"] == "chosen"
    path = f"/api/v1/contexts/{context['id']}"
    assert client("GET", path).json()["settings"]["shares"]["record"] == 0.9
    assert client("POST", f"{path}/feedback", json={"helpful": True, "note": "good"}).json() == {}
    rated = client("GET", path).json()
    assert (rated["helpful"], rated["note"]) == (True, "good")
    assert client("GET", path).json() == rated
    assert error(client("GET", "/api/v1/contexts/nothing"), 404)["code"] == "not_found"


def test_the_list_has_pages_and_filters(client: Client, memory: Memory) -> None:
    for number in range(3):
        memory.remember(f"fruit number {number}", user_id="alex", metadata={"number": number}, tags=["fruit"])
    first = client("GET", MEMORIES, params={"user_id": "alex", "limit": 2}).json()
    rest = client("GET", MEMORIES, params={"user_id": "alex", "limit": 2, "cursor": first["next"]}).json()
    assert [len(first["memories"]), len(rest["memories"]), rest["next"]] == [2, 1, None]
    narrow = {"user_id": "alex", "filters": "number=1", "kinds": ["fact", "decision"], "tags": "fruit"}
    (found,) = client("GET", MEMORIES, params=narrow).json()["memories"]
    assert found["text"] == "fruit number 1"


WRONG: list[tuple[str, str, Any, str]] = [
    ("POST", MEMORIES, {"messages": "Hi", "mood": "sunny"}, "body.mood"),
    ("POST", MEMORIES, {"messages": [{"role": "user", "content": "Hi", "mood": "sunny"}]}, "mood"),
    ("POST", MEMORIES, {"messages": [{"role": "user"}]}, "content"),
    ("POST", MEMORIES, {"messages": [{"role": "user", "content": None}]}, "content is empty"),
    ("POST", MEMORIES, {"messages": [{"role": "user", "content": 7}]}, "content"),
    ("POST", MEMORIES, {"messages": {"content": "Hi"}}, "role"),
    ("POST", MEMORIES, {"messages": 7}, "messages"),
    ("POST", MEMORIES, {"messages": None}, "messages"),
    ("POST", MEMORIES, {"messages": []}, "messages is empty"),
    ("POST", MEMORIES, {"messages": " "}, "is empty"),
    ("POST", MEMORIES, {"messages": "Hi", "learn": "never"}, "learn"),
    ("POST", MEMORIES, {"messages": "Hi", "tags": "home"}, "body.tags"),
    ("POST", MEMORIES, {"messages": "Hi", "user_id": "*"}, "means everyone"),
    ("POST", MEMORIES, {"messages": "Hi", "occurred_at": "noon"}, "ISO 8601"),
    ("POST", MEMORIES, {}, "messages"),
    ("POST", MEMORIES, [], "body"),
    ("POST", f"{MEMORIES}/remember", {"text": "x", "kind": "gossip"}, "body.kind"),
    ("POST", f"{MEMORIES}/remember", {"text": "x", "sacred": "yes"}, "body.sacred"),
    ("POST", f"{MEMORIES}/remember", {"text": 7}, "body.text"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "limit": 0}, "limit is 0"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "limit": -1}, "limit is -1"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "limit": 10**9}, "limit is 1000000000"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "limit": "5"}, "body.limit"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "limit": True}, "body.limit"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "kinds": ["gossip"]}, "body.kinds"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "filters": {"user_id": "a"}}, "unknown filter"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "filters": {"a": {"$gt": 1}}}, "unknown filter"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "deadline_ms": 0}, "deadline_ms"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "plan": "psychic"}, "unknown plan"),
    ("POST", f"{MEMORIES}/search", {"query": "x", "qurey": "x"}, "body.qurey"),
    ("POST", "/api/v1/contexts", {"task": "x", "max_tokens": 1}, "max_tokens is 1"),
    ("POST", "/api/v1/contexts", {"task": "x", "tiers": ["attic"]}, "body.tiers"),
    ("POST", "/api/v1/contexts", {"task": "x", "format": "yaml"}, "body.format"),
    ("POST", "/api/v1/contexts", {"task": "x", "shares": {"record": 2.0}}, "from 0 to 1"),
    ("POST", "/api/v1/contexts/x/feedback", {"helpful": "yes"}, "body.helpful"),
    ("PATCH", UNKNOWN, {}, "nothing to update"),
    ("PATCH", UNKNOWN, {"id": "x"}, "body.id"),
]


@pytest.mark.parametrize(("method", "path", "body", "said"), WRONG)
def test_a_wrong_body_is_refused(unchanged: Client, method: str, path: str, body: object, said: str) -> None:
    refused = error(unchanged(method, path, json=body), 422)
    assert refused["code"] == "invalid_input"
    assert said in refused["message"]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"user": "alex"}, "query.user"),
        ({"limit": "ten"}, "query.limit"),
        ({"limit": "0"}, "limit is 0"),
        ({"limit": "1000000000"}, "limit is 1000000000"),
        ({"kinds": "gossip"}, "query.kinds"),
        ({"filters": "number"}, "write key=value"),
        ({"filters": "user_id=alex"}, "unknown filter"),
        ({"cursor": "nonsense"}, "cursor"),
        ({"since": "yesterday"}, "ISO 8601"),
        ({"user_id": ["alex", "bo"]}, "user_id is given 2 times"),
    ],
)
def test_a_wrong_query_is_refused(unchanged: Client, params: dict[str, Any], said: str) -> None:
    refused = error(unchanged("GET", MEMORIES, params=params), 422)
    assert refused["code"] == "invalid_input"
    assert said in refused["message"]


def test_a_query_where_there_is_a_body_is_refused(unchanged: Client) -> None:
    refused = unchanged("POST", f"{MEMORIES}/search?limit=5", json={"query": "x"})
    assert "send it in the body" in error(refused, 422)["message"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"null", b"\xff\xfe", b'{"query": "\\ud800"}', b'{"\\ud800": 1, "query": "x"}', b"NaN"]
)
def test_a_body_that_is_no_json_object_is_refused(unchanged: Client, content: bytes) -> None:
    response = unchanged("POST", f"{MEMORIES}/search", content=content, headers={"content-type": "application/json"})
    assert response.status_code in {400, 422}
    error(response, response.status_code)


def test_a_body_must_say_that_it_is_json(unchanged: Client) -> None:
    """Otherwise any web page could write to a server on its reader's machine."""
    response = unchanged("POST", MEMORIES, content=b'{"messages": "Hi"}', headers={"content-type": "text/plain"})
    error(response, 422)


def test_only_the_first_of_many_problems_are_listed(unchanged: Client) -> None:
    body = {"messages": "Hi", "tags": [1] * 100}
    assert "more" in error(unchanged("POST", MEMORIES, json=body), 422)["message"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", UNKNOWN), ("DELETE", UNKNOWN), ("GET", f"{UNKNOWN}/history"), ("GET", f"{MEMORIES}/%00x")],
)
def test_an_unknown_memory(unchanged: Client, method: str, path: str) -> None:
    response = unchanged(method, path)
    assert error(response, response.status_code)["code"] in {"not_found", "invalid_input"}


def test_an_unknown_route_and_method(unchanged: Client) -> None:
    assert error(unchanged("GET", "/api/v2/memories"), 404)["code"] == "not_found"
    response = unchanged("PUT", MEMORIES)
    assert error(response, 405)["code"] == "method_not_allowed"
    assert response.headers["allow"] == "GET, POST"


def test_a_bug_of_ours_shows_nothing_of_itself(client: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("the secret inner workings")

    monkeypatch.setattr(memory, "stats", broken)
    refused = error(client("GET", "/api/v1/stats"), 500)
    assert refused["code"] == "internal"
    assert "secret" not in refused["message"]


def test_the_schema_is_served_and_shows_the_error_shape(unchanged: Client) -> None:
    schema = unchanged("GET", "/api/v1/openapi.json").json()
    for path, methods in schema["paths"].items():
        for operation in methods.values():
            if path.startswith("/api/"):
                shape = operation["responses"]["422"]["content"]["application/json"]["schema"]
                assert shape == {"$ref": "#/components/schemas/ErrorDocument"}


def test_a_body_that_is_not_said_to_be_json_is_refused_with_the_header_it_lacks(unchanged: Client) -> None:
    refused = unchanged(
        "POST", f"{MEMORIES}/search", content=b'{"query": "tea"}', headers={"Content-Type": "text/plain"}
    )
    assert "send it with the header Content-Type: application/json" in error(refused, 422)["message"]
