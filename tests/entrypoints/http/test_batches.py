"""Many calls in one request."""

from typing import Any

import pytest

from emberkeep.memory import Memory

from .client import API, Client, error

BATCH = f"{API}/batch"


def test_calls_are_done_in_order_each_for_itself(client: Client, memory: Memory) -> None:
    calls = [
        {"verb": "remember", "arguments": {"text": "Likes tea", "user_id": "alex"}},
        {"verb": "get", "arguments": {"id": "nothing"}},
        {"verb": "remember", "arguments": {"text": "Likes plums", "kind": "gossip"}},
        {"verb": "tasks.save", "arguments": {"id": "t", "description": "Water the plants"}},
        {"verb": "tasks.get", "arguments": {"id": "t"}},
        {"verb": "worship"},
        {"verb": "stats"},
        {"verb": "get_all", "arguments": {"user_id": "alex", "limit": "many"}},
        {"verb": "delete", "arguments": {}},
        {"verb": "search", "arguments": {"query": "tea", "user_id": "alex", "mood": 1}},
    ]
    results = client("POST", BATCH, json={"calls": calls}).json()["results"]
    assert [one["status"] for one in results] == [201, 404, 422, 200, 200, 422, 200, 422, 422, 422]
    assert results[0]["body"]["new"] == 1
    assert results[1]["body"]["error"]["code"] == "not_found"
    assert "arguments.kind" in results[2]["body"]["error"]["message"]
    assert results[4]["body"]["description"] == "Water the plants"
    assert "no verb 'worship'" in results[5]["body"]["error"]["message"]
    assert "arguments.limit" in results[7]["body"]["error"]["message"]
    assert "arguments.id" in results[8]["body"]["error"]["message"]
    assert [item.text for item in memory.get_all(user_id="alex")] == ["Likes tea"]


def test_a_bug_in_one_shows_nothing_and_ends_nothing(
    client: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("the secret inner workings")

    monkeypatch.setattr(memory, "audit", broken)
    results = client("POST", BATCH, json={"calls": [{"verb": "audit"}, {"verb": "backlog"}]}).json()["results"]
    assert [one["status"] for one in results] == [500, 200]
    assert "secret" not in str(results)
    assert "secret" in caplog.text


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"calls": []},
        {"calls": [{"verb": "stats"}] * 101},
        {"calls": [{}]},
        {"calls": [{"verb": 7}]},
        {"calls": [{"verb": "stats", "arguments": []}]},
        {"calls": [{"verb": "stats", "mood": 1}]},
        {"calls": "stats"},
    ],
)
def test_what_is_no_batch_is_refused(unchanged: Client, body: Any) -> None:
    error(unchanged("POST", BATCH, json=body), 422)
