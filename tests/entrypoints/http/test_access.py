"""Who calls: keys, roles, tenants, users, hosts and how often."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import emberkeep
from emberkeep.access.limits import RateLimiter
from emberkeep.config import Config
from emberkeep.entrypoints import serving
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.http.hosts import LOOPBACK, Hosts
from emberkeep.errors import ConfigError
from emberkeep.memory import Memory
from emberkeep.service import door as doors
from emberkeep.service.door import Door
from emberkeep.testing import FixedClock, WordEmbedder

from .client import API, MEMORIES, Client, error


@pytest.fixture
def memory(durable_target: str) -> Iterator[Memory]:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), learner="none") as memory:
        yield memory


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def test_without_keys_nobody_needs_one_and_with_keys_everybody(
    client: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "LOOK_EVERY_S", 0.0)
    assert client("GET", f"{API}/stats").status_code == 200
    made = client("POST", f"{API}/keys", json={"name": "the bot", "role": "read"})
    assert made.status_code == 201
    refused = client("GET", f"{API}/stats")
    assert error(refused, 401)["code"] == "unauthenticated"
    assert refused.headers["www-authenticate"] == "Bearer"
    assert client("GET", f"{API}/stats", headers=bearer(made.json()["secret"])).status_code == 200
    assert client("GET", f"{API}/stats", headers={"X-API-Key": made.json()["secret"]}).status_code == 200
    assert client("GET", "/healthz").status_code == client("GET", "/readyz").status_code == 200
    memory.keys.revoke(made.json()["key"]["id"])
    error(client("GET", f"{API}/stats"), 401)  # a store that had keys does not open up again


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer ek_x"},
        {"Authorization": "Basic YTpi"},
        {"Authorization": ""},
        {"X-API-Key": "nonsense"},
        {"Authorization": "Bearer " + "x" * 10_000},
        {"X-API-Key": "ek_" + "0" * 16 + "_" + "0" * 64},
    ],
)
def test_what_is_no_key_is_refused(client: Client, headers: dict[str, str]) -> None:
    error(client("GET", f"{API}/stats", headers=headers), 401)


def test_a_role_may_do_so_much(client: Client, memory: Memory) -> None:
    reader, writer, admin = (bearer(memory.keys.create(role, role=role).secret) for role in ("read", "write", "admin"))
    told = {"text": "Likes tea", "user_id": "alex"}
    assert error(client("POST", f"{MEMORIES}/remember", json=told, headers=reader), 403)["code"] == "forbidden"
    assert client("POST", f"{MEMORIES}/remember", json=told, headers=writer).status_code == 201
    assert client("GET", MEMORIES, params={"user_id": "alex"}, headers=reader).json()["memories"]
    calls = {"calls": [{"verb": "remember", "arguments": told}, {"verb": "stats"}]}
    results = client("POST", f"{API}/batch", json=calls, headers=reader).json()["results"]
    assert [one["status"] for one in results] == [403, 200]
    error(client("POST", f"{API}/keys", json={"name": "mine"}, headers=writer), 403)
    error(client("GET", f"{API}/audit-log", headers=writer), 403)
    assert client("POST", f"{API}/keys", json={"name": "mine"}, headers=admin).status_code == 201
    assert client("POST", f"{API}/erase", json={"user_id": "alex"}, headers=writer).status_code == 200
    error(client("POST", f"{API}/erase", json={}, headers=writer), 403)
    entries = client("GET", f"{API}/audit-log", headers=admin).json()["entries"]
    keys = {one.id: one.name for one in memory.keys.list()}
    assert [(one["action"], keys.get(one["who"])) for one in entries[:2]] == [
        ("delete_all", "write"),
        ("key.created", "admin"),
    ]
    error(client("POST", f"{API}/keys", json={"name": "x", "who": "someone"}, headers=admin), 422)


NAMED = [
    ("GET", "/memories/{}", None),
    ("PATCH", "/memories/{}", {"text": "Likes coffee"}),
    ("DELETE", "/memories/{}", None),
    ("GET", "/memories/{}/history", None),
    ("GET", "/tasks/{}", None),
    ("PATCH", "/tasks/{}", {"summary": "Mine now"}),
    ("POST", "/tasks/{}/finish", {"success": True}),
    ("GET", "/tasks/{}/steps", None),
    ("POST", "/tasks/{}/steps", {"tool": "drill"}),
    ("DELETE", "/tasks/{}", None),
    ("GET", "/goals/{}", None),
    ("GET", "/contexts/{}", None),
    ("GET", "/interactions/{}", None),
    ("GET", "/memory/tasks/{}/context", None),
]


def filled(memory: Memory, user_id: str) -> dict[str, str]:
    """Something of each sort that is known by an id."""
    memory.goals.save("Learn to sail", id="g-1", user_id=user_id)
    memory.tasks.start("Buy a boat", id="t-1", user_id=user_id)
    added = memory.add("I like boats.", user_id=user_id)
    return {
        "memories": added.items[0].id,
        "tasks": "t-1",
        "memory": "t-1",
        "goals": "g-1",
        "contexts": str(memory.context("Buy a boat", user_id=user_id).id),
        "interactions": added.items[0].sources[0].interaction_id,
    }


@pytest.mark.parametrize("whose", ["tenant", "user"])
def test_what_is_anothers_is_as_absent_as_what_is_nobodys(client: Client, memory: Memory, whose: str) -> None:
    mine = memory.of_tenant("acme") if whose == "tenant" else memory
    ids = filled(memory, "bo")
    key = bearer(mine.keys.create("the bot", user_id=None if whose == "tenant" else "alex").secret)
    key |= {"X-Request-ID": "the-same"}
    before = memory.stats()
    for method, path, body in NAMED:
        taken = ids[path.split("/")[1]]
        absent = f"{taken[:-1]}{'1' if taken[-1] == '0' else '0'}"
        options: dict[str, Any] = {"headers": key} if body is None else {"headers": key, "json": body}
        others = client(method, API + path.format(taken), **options)
        nobodys = client(method, API + path.format(absent), **options)
        error(others, 404)
        assert others.text.replace(taken, absent) == nobodys.text, path
        assert {**others.headers} == {**nobodys.headers}, path
    assert memory.stats() == before


def test_a_tenant_has_its_own(client: Client, memory: Memory) -> None:
    mine, theirs = (
        bearer(memory.of_tenant(name).keys.create("the bot", role="admin").secret) for name in ("acme", "globex")
    )
    client("POST", f"{MEMORIES}/remember", json={"text": "Likes tea"}, headers=mine)
    client("PUT", f"{API}/tasks/t", json={"description": "Ours"}, headers=mine)
    assert client("PUT", f"{API}/tasks/t", json={"description": "Theirs"}, headers=theirs).status_code == 200
    assert client("GET", f"{API}/tasks/t", headers=mine).json()["description"] == "Ours"
    assert (
        client("POST", f"{MEMORIES}/search", json={"query": "tea", "kinds": ["fact"]}, headers=theirs).json()[
            "memories"
        ]
        == []
    )
    assert client("GET", f"{API}/stats", headers=theirs).json()["tenant"] == "globex"
    assert [one["name"] for one in client("GET", f"{API}/keys", headers=mine).json()["keys"]] == ["the bot"]
    assert client("GET", f"{API}/keys", headers=mine).json() != client("GET", f"{API}/keys", headers=theirs).json()


def test_a_key_of_one_user_has_that_users_alone(client: Client, memory: Memory) -> None:
    memory.remember("Likes plums", user_id="bo")
    key = bearer(memory.keys.create("phone", role="write", user_id="alex").secret)
    client("POST", f"{MEMORIES}/remember", json={"text": "Likes tea"}, headers=key)
    assert [item.text for item in memory.get_all(user_id="alex")] == ["Likes tea"]
    found = client("GET", MEMORIES, headers=key).json()["memories"]
    assert [one["text"] for one in found] == ["Likes tea"]
    for user in ("bo", "*"):
        error(client("GET", MEMORIES, params={"user_id": user}, headers=key), 403)
    error(client("GET", f"{API}/stats", headers=key), 403)
    store = {"task_id": "t", "execution_summary": "Done", "success": True}
    assert client("POST", f"{API}/memory/store", json=store, headers=key).status_code == 201
    assert memory.tasks.get("t").user_id == "alex"


def test_a_key_that_asks_too_often_waits(memory: Memory, clock: FixedClock) -> None:
    limiter = RateLimiter(clock, per_s=0.5, burst=3)
    client = Client(create_app(memory, door=Door(memory, keyless=True, limiter=limiter)))
    one, other = (bearer(memory.keys.create(name).secret) for name in ("one", "other"))
    assert [client("GET", MEMORIES, headers=one).status_code for _ in range(3)] == [200] * 3
    refused = client("GET", MEMORIES, headers=one)
    assert error(refused, 429)["code"] == "too_many_requests"
    assert refused.headers["retry-after"] == "2"
    calls = {"calls": [{"verb": "get_all"}] * 5}
    results = client("POST", f"{API}/batch", json=calls, headers=other).json()["results"]
    assert [result["status"] for result in results] == [200, 200, 200, 429, 429]
    clock.move(seconds=2)
    assert client("GET", MEMORIES, headers=one).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "localhost"}, 200),
        ({"Host": "LOCALHOST:8787"}, 200),
        ({"Host": "127.0.0.1:1"}, 200),
        ({"Host": "[::1]:8787"}, 200),
        ({"Host": "memory.example:8787"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "localhost.evil.example"}, 403),
        ({"Host": "localhost@evil.example"}, 403),
        ({"Host": "evil.example:8787"}, 403),
        ({"Host": "169.254.169.254"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "[::1"}, 403),
        ({"Host": "localhost:8787", "Origin": "http://localhost:8787"}, 200),
        ({"Host": "localhost:8787", "Origin": "http://memory.example"}, 200),
        ({"Host": "localhost:8787", "Origin": "http://evil.example"}, 403),
        ({"Host": "localhost:8787", "Origin": "null"}, 403),
        ({"Host": "localhost:8787", "Origin": "http://[::1"}, 403),
    ],
)
def test_a_page_in_a_browser_does_not_get_in(memory: Memory, headers: dict[str, str], status: int) -> None:
    client = Client(create_app(memory, hosts=Hosts([*LOOPBACK, "memory.example"])))
    answer = client("GET", f"{API}/stats", headers=headers)
    assert answer.status_code == status
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert client("GET", "/healthz", headers=headers).status_code == 200


def test_where_any_name_is_answered_pages_of_others_are_not(memory: Memory) -> None:
    client = Client(create_app(memory, hosts=Hosts()))
    assert client("GET", f"{API}/stats", headers={"Host": "10.0.0.7"}).status_code == 200
    same = {"Host": "memory.example", "Origin": "https://memory.example"}
    assert client("GET", f"{API}/stats", headers=same).status_code == 200
    error(client("GET", f"{API}/stats", headers={**same, "Origin": "https://evil.example"}), 403)
    error(client("GET", f"{API}/stats", headers={"Host": "", "Origin": "null"}), 403)


def test_nobody_listens_elsewhere_without_keys(memory: Memory) -> None:
    with serving.listening("0.0.0.0", 0) as listener:  # noqa: S104 - that is what is refused
        with pytest.raises(ConfigError, match="keys create"):
            serving.door_of(memory, listener, Config())
        memory.keys.create("the bot")
        door = serving.door_of(memory, listener, Config())
        with pytest.raises(emberkeep.Unauthenticated):
            door.admit(None)
    with serving.listening("127.0.0.1", 0) as listener, pytest.raises(emberkeep.Unauthenticated):
        serving.door_of(memory, listener, Config()).admit(None)


def test_an_error_says_no_secret(client: Client, memory: Memory) -> None:
    secret = memory.keys.create("the bot", role="read").secret
    for response in (
        client("POST", f"{API}/keys", json={"name": "x"}, headers=bearer(secret)),
        client("GET", f"{API}/stats", headers=bearer(secret[:-1] + ("0" if secret[-1] != "0" else "1"))),
    ):
        assert isinstance(response, httpx.Response)
        assert secret[-20:] not in response.text
