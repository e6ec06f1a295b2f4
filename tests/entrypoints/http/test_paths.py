"""Ids in paths: whatever they hold, they reach the verb as they are."""

from urllib.parse import quote

import pytest

from emberkeep.entrypoints.http.paths import marked, unmarked
from emberkeep.memory import Memory

from .client import API, Client, error


@pytest.mark.parametrize(
    "name", ["a/b", "100%", "%2F", "a%2Fb", "..", ".", "~", "a b", "ä/ö", "?x=1", "#", "a+b", "/", "//", "steps", "%"]
)
def test_an_id_is_what_was_sent(client: Client, memory: Memory, name: str) -> None:
    path = f"{API}/tasks/{quote(name, safe='').replace('.', '%2E')}"
    saved = client("PUT", path, json={"description": "Water the plants"})
    assert saved.json()["id"] == name
    assert memory.tasks.get(name).description == "Water the plants"
    assert client("GET", path).json()["id"] == name
    assert client("POST", f"{path}/finish", json={"success": True}).json()["status"] == "succeeded"
    assert client("DELETE", path).status_code == 200


@pytest.mark.parametrize("part", ["a/b", "%", "%2F", "%25", "100%", "/", ""])
def test_what_is_marked_is_unmarked(part: str) -> None:
    assert unmarked(marked(quote(part, safe="").encode())) == part
    assert "/" not in marked(quote(part, safe="").encode())


def test_a_letter_may_be_encoded_too(unchanged: Client) -> None:
    assert unchanged("GET", "/api/v1/m%65mories").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("//api/v1/memories", 404),
        ("/api/v1//memories", 404),
        ("/api/v1/memories/", 404),
        ("/api/v1/memories//history", 404),
        ("/api/v1%2Fmemories", 404),
        ("/api/v1/memories/%00", 422),
        ("/api/v1/tasks/%00", 422),
        ("/api/v1/tasks/%FF", 422),
        ("/api/v1/tasks/%ED%A0%80", 422),
        ("/api/v1/memories/%2e%2e%2f%2e%2e%2fetc", 404),
        ("/api/v1/tasks/" + "x" * 10_000, 404),
    ],
)
def test_tricks_lead_nowhere(unchanged: Client, path: str, status: int) -> None:
    response = unchanged("GET", path)
    if response.status_code != status:
        assert response.status_code in {404, 422}
    error(response, response.status_code)
