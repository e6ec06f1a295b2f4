"""ETags: nothing is sent twice, and nobody writes over what they have not seen."""

import pytest

from emberkeep.entrypoints.http.etags import changes_one, names, reads_one
from emberkeep.memory import Memory
from emberkeep.service.verbs import VERBS

from .client import API, MEMORIES, Client, error


def test_what_did_not_change_is_not_sent_again(client: Client, memory: Memory) -> None:
    path = f"{MEMORIES}/{memory.remember('Likes tea').id}"
    first = client("GET", path)
    etag = first.headers["etag"]
    again = client("GET", path, headers={"if-none-match": f'"other", {etag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    memory.remember("Likes tea")  # warmer now, but it says what it said
    assert client("GET", path).headers["etag"] == etag
    written = client("PATCH", path, json={"text": "Likes coffee"}).headers["etag"]
    assert client("GET", path).headers["etag"] == written
    changed = client("GET", path, headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != etag


def test_nobody_writes_over_what_they_have_not_seen(client: Client, memory: Memory) -> None:
    memory.goals.save("Learn to sail", id="g")
    path = f"{API}/goals/g"
    seen = client("GET", path).headers["etag"]
    assert client("PATCH", path, json={"priority": 2}, headers={"if-match": seen}).status_code == 200
    refused = client("PATCH", path, json={"priority": 3}, headers={"if-match": seen})
    assert error(refused, 412)["code"] == "changed_meanwhile"
    error(client("DELETE", path, headers={"if-match": seen}), 412)
    assert memory.goals.get("g").priority == 2
    now = client("GET", path).headers["etag"]
    assert client("DELETE", path, headers={"if-match": now}).status_code == 200
    error(client("DELETE", path, headers={"if-match": "*"}), 404)


@pytest.mark.parametrize(
    ("path", "body"),
    [("/goals", {"description": "Sail"}), ("/tasks", {"description": "Sail"}), ("/incidents", {"title": "It leaks"})],
)
def test_what_was_made_has_the_etag_that_it_is_read_with(client: Client, path: str, body: dict[str, str]) -> None:
    made = client("POST", API + path, json=body)
    assert made.status_code == 201, made.text
    assert client("GET", f"{API}{path}/{made.json()['id']}").headers["etag"] == made.headers["etag"]


def test_if_match_is_for_one_thing(unchanged: Client) -> None:
    refused = unchanged("POST", MEMORIES, json={"messages": "Hi"}, headers={"if-match": "*"})
    assert "leave it out" in error(refused, 422)["message"]


@pytest.mark.parametrize(
    ("header", "meant"), [("*", True), ('"a"', True), ('"b", W/"a"', True), ("a", False), ("", False), ('"ab"', False)]
)
def test_headers_name_etags(header: str, *, meant: bool) -> None:
    assert names(header, '"a"') is meant


def test_which_verbs_have_them() -> None:
    assert {verb.name for verb in VERBS.values() if reads_one(verb)} >= {"get", "goals.get", "capture.get"}
    changing = {verb.name for verb in VERBS.values() if changes_one(verb)}
    assert changing >= {"update", "delete", "tasks.update", "tasks.finish", "tasks.save", "incidents.resolve"}
    assert not changing & {"add", "get", "goals.save", "preferences.set"}
