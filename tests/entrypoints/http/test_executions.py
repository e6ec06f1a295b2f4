"""OmoiOS's endpoints, with the examples of its documentation word for word."""

from typing import Any

import pytest

from emberkeep.memory import Memory

from .client import Client, error

STORE = {
    "task_id": "task-123",
    "execution_summary": "Successfully implemented feature",
    "success": True,
    "error_patterns": None,
    "auto_extract_patterns": True,
}
SEARCH = {
    "task_description": "Implement OAuth2 authentication",
    "top_k": 5,
    "similarity_threshold": 0.7,
    "success_only": True,
}
EXTRACT = {"task_type_pattern": ".*authentication.*", "pattern_type": "success", "min_samples": 3}
FEEDBACK = {"helpful": True, "confidence_adjustment": 0.1}


def test_the_documented_examples(client: Client) -> None:
    stored = client("POST", "/api/v1/memory/store", json=STORE)
    assert stored.status_code == 201
    assert stored.json()["task_id"] == "task-123"
    assert (stored.json()["error_patterns"], stored.json()["reused_count"]) == (None, 0)
    for number in range(4):
        summary = f"Implemented OAuth2 authentication for service {number}, validated and tested"
        body = {"task_id": f"auth-{number}", "execution_summary": summary, "success": True}
        assert client("POST", "/api/v1/memory/store", json=body).status_code == 201

    found = client("POST", "/api/v1/memory/search", json=SEARCH).json()
    assert len(found) == 4
    assert {frozenset(one) for one in found} == {
        frozenset({"task_id", "memory_id", "summary", "success", "similarity_score", "reused_count"})
    }
    assert all(one["similarity_score"] >= 0.7 for one in found)

    context = client("GET", "/api/v1/memory/tasks/auth-0/context?top_k=3").json()
    assert context.keys() == {"similar_tasks", "matching_patterns", "recommendations"}
    assert [one.keys() for one in context["similar_tasks"]] == [{"task_id", "summary", "similarity"}] * 3
    assert context["recommendations"]

    pattern = client("POST", "/api/v1/memory/patterns/extract", json=EXTRACT).json()
    assert pattern["task_type_pattern"] == ".*authentication.*"
    listed = client("GET", "/api/v1/memory/patterns?pattern_type=success&limit=10").json()
    assert pattern["pattern_id"] in {one["pattern_id"] for one in listed}
    assert all(one.keys() == pattern.keys() for one in listed)

    rated = client("POST", f"/api/v1/memory/patterns/{pattern['pattern_id']}/feedback", json=FEEDBACK).json()
    assert rated["confidence_score"] > pattern["confidence_score"]

    context = client("GET", "/api/v1/memory/tasks/auth-0/context?top_k=3").json()
    assert [one.keys() for one in context["matching_patterns"][:1]] == [
        {"pattern_id", "pattern_type", "confidence", "success_indicators", "recommended_context"}
    ]


@pytest.mark.parametrize(
    ("errors", "texts"),
    [
        (["timeout"], ["timeout"]),
        ("timeout", ["timeout"]),
        ({"type": "Timeout", "n": 2}, ["type: Timeout", "n: 2"]),
        (["A", {"b": 1}], ["A", '{"b": 1}']),
        (["A", "A"], ["A"]),
        ({}, []),
        ([], []),
    ],
)
def test_errors_come_back_as_they_were_given(client: Client, memory: Memory, errors: Any, texts: list[str]) -> None:
    body = {"task_id": "t", "execution_summary": "It broke", "success": False, "error_patterns": errors}
    stored = client("POST", "/api/v1/memory/store", json=body).json()
    assert stored["error_patterns"] == errors
    kept = memory.experience.get(stored["memory_id"])
    assert (kept.errors, kept.error_patterns) == (tuple(texts), errors)
    read = client("GET", f"/api/v1/experience/{kept.id}").json()
    assert read["metadata"].get("error_patterns", read["errors"]) == errors


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("store", {**STORE, "mood": "sunny"}, "body.mood"),
        ("store", {**STORE, "success": "yes"}, "body.success"),
        ("store", {**STORE, "task_id": ""}, "id"),
        ("store", {**STORE, "execution_summary": " "}, "summary is empty"),
        ("store", {"task_id": "t"}, "body.execution_summary"),
        ("search", {**SEARCH, "top_k": 0}, "top_k is 0"),
        ("search", {**SEARCH, "top_k": None}, "body.top_k"),
        ("search", {**SEARCH, "similarity_threshold": 2.0}, "similarity_threshold"),
        ("patterns/extract", {**EXTRACT, "pattern_type": "luck"}, "body.pattern_type"),
        ("patterns/extract", {**EXTRACT, "task_type_pattern": "("}, "task_type_pattern"),
        ("patterns/extract", EXTRACT, "store more of them"),
        ("patterns/x/feedback", {**FEEDBACK, "confidence_adjustment": 3.0}, "confidence_adjustment"),
    ],
)
def test_what_is_wrong_is_refused(unchanged: Client, path: str, body: Any, said: str) -> None:
    refused = error(unchanged("POST", f"/api/v1/memory/{path}", json=body), 422)
    assert said in refused["message"]


def test_what_is_not_there(unchanged: Client) -> None:
    assert unchanged("POST", "/api/v1/memory/search", json=SEARCH).json() == []
    assert unchanged("GET", "/api/v1/memory/patterns").json() == []
    error(unchanged("GET", "/api/v1/memory/tasks/none/context"), 404)
    error(unchanged("POST", "/api/v1/memory/patterns/none/feedback", json=FEEDBACK), 404)
    error(unchanged("GET", "/api/v1/memory/patterns?limit=0"), 422)
    error(unchanged("GET", "/api/v1/memory/patterns?pattern_type=luck"), 422)
    error(unchanged("GET", "/api/v1/memory/patterns?mood=sunny"), 422)
    error(unchanged("GET", "/api/v1/memory/patterns?limit=1&limit=2"), 422)
