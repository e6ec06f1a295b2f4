"""How much the service takes on: sizes, times, numbers; and requests that are none."""

import json
import select
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.http.gate import MOST_ARRIVING
from emberkeep.entrypoints.http.limits import Limits
from emberkeep.entrypoints.http.wire import GuardedProtocol
from emberkeep.memory import Memory

from .client import API, MEMORIES, Client, error, served, talk

pytestmark = pytest.mark.slow  # waits for limits
SEARCH = f"{MEMORIES}/search"
JSON = {"content-type": "application/json"}


class Impatient(GuardedProtocol):
    head_s = 0.3
    most = 5


def small(memory: Memory, **limits: Any) -> Client:
    return Client(create_app(memory, limits=Limits(**limits)))


def test_a_body_that_is_too_large_is_refused_before_it_is_read(memory: Memory) -> None:
    client = small(memory, body_bytes=1_000)
    read: list[bytes] = []

    async def parts() -> Any:
        for _ in range(1_000):
            read.append(b"x" * 100)
            yield read[-1]

    body = b'{"query": "' + b"x" * 1_000 + b'"}'
    assert error(client("POST", SEARCH, content=body, headers=JSON), 413)["code"] == "too_large"
    assert "max_body_mb" in error(client("POST", SEARCH, content=parts(), headers=JSON), 413)["message"]
    assert len(read) <= 12
    assert client("POST", SEARCH, json={"query": "x" * 900}).status_code == 200


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"query": "x", "filters": {"a": NaN}}', "NaN is not JSON"),
        (b'{"query": "x", "deadline_ms": Infinity}', "Infinity is not JSON"),
        (b'{"query": ' + b"[" * 100_000, "nested over 100 deep"),
        (b'{"query": "x", "filters": ' + b'{"a":' * 200 + b"1" + b"}" * 201, "nested over 100 deep"),
        (b'{"query": ' + b"[" * 200 + b"]" * 200 + b"}", "nested over 100 deep"),
        (b'{"query": ' + b"9" * 10_000 + b"}", "too long"),
        (b'{"query": "x"', "not JSON"),
        (b'{"query": "\xff"}', "not UTF-8"),
    ],
)
def test_what_is_json_to_python_alone_is_refused(unchanged: Client, body: bytes, said: str) -> None:
    refused = error(unchanged("POST", SEARCH, content=body, headers=JSON), 422)
    assert refused["code"] == "invalid_input"
    assert said in refused["message"]


def test_json_may_be_wide(unchanged: Client) -> None:
    body = {"query": "x", "tags": ["a"], "filters": {f"key{number}": number for number in range(500)}}
    assert unchanged("POST", SEARCH, json=body).status_code == 200


def test_what_takes_too_long_is_answered_and_goes_on(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    go, gone = threading.Event(), threading.Event()

    def slow(**_: Any) -> None:
        go.wait(30)
        gone.set()

    monkeypatch.setattr(memory, "spending", slow)
    client = small(memory, timeout_s=0.05, requests=1)
    refused = error(client("GET", f"{API}/spending"), 504)
    assert refused["code"] == "timed_out"
    assert "request_timeout_s" in refused["message"]
    busy = client("GET", f"{API}/stats")  # its thread is still at work
    assert error(busy, 503)["code"] == "overloaded"
    assert busy.headers["retry-after"] == "1"
    assert client("GET", "/healthz").status_code == 200
    go.set()
    assert gone.wait(30)
    while client("GET", f"{API}/stats").status_code == 503:
        pass


def test_more_requests_than_the_limit_are_told_to_come_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    go, begun = threading.Event(), threading.Semaphore(0)

    def slow(**_: Any) -> list[Any]:
        begun.release()
        go.wait(30)
        return []

    monkeypatch.setattr(memory, "spending", slow)
    with served(create_app(memory, limits=Limits(requests=2))) as (host, port):
        url = f"http://{host}:{port}{API}"
        answers: list[int] = []
        asking = [
            threading.Thread(target=lambda: answers.append(httpx.get(f"{url}/spending", timeout=60).status_code))
            for _ in range(2)
        ]
        for one in asking:
            one.start()
        assert all(begun.acquire(timeout=30) for _ in asking)
        refused = httpx.get(f"{url}/stats")
        assert error(refused, 503)["code"] == "overloaded"
        assert refused.headers["retry-after"] == "1"
        assert httpx.get(f"http://{host}:{port}/healthz").status_code == 200
        go.set()
        for one in asking:
            one.join(30)
        assert answers == [200, 200]
        assert httpx.get(f"{url}/stats").status_code == 200


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """A server with little patience."""
    import emberkeep  # noqa: PLC0415 - not before the environment is clean
    from emberkeep.testing import WordEmbedder  # noqa: PLC0415

    with (
        emberkeep.open(tmp_path_factory.mktemp("served") / "agent.db", embedder=WordEmbedder()) as memory,
        served(create_app(memory, limits=Limits(body_s=0.3, body_bytes=1_000)), Impatient) as where,
    ):
        yield where


def document(said: bytes) -> Any:
    head, _, body = said.partition(b"\r\n\r\n")
    assert b"application/json" in head
    return int(head.split()[1]), json.loads(body)["error"]["code"]


@pytest.mark.parametrize(
    "sent",
    [
        [],
        [b"GET /healthz HTTP/1.1\r\n"],
        [b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", b"X-Slow: 1\r\n"],
    ],
)
def test_a_request_that_never_comes_is_not_waited_for(place: tuple[str, int], sent: list[bytes]) -> None:
    assert document(talk(place, *sent)) == (408, "request_timeout")


def test_a_second_request_that_never_comes_is_not_waited_for_either(place: tuple[str, int]) -> None:
    said = talk(place, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /heal")
    assert said.startswith(b"HTTP/1.1 200 OK")
    assert b"HTTP/1.1 408" in said


@pytest.mark.parametrize(
    "body", [b"Content-Length: 100\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"], ids=["length", "chunks"]
)
def test_a_body_that_never_comes_is_not_waited_for(place: tuple[str, int], body: bytes) -> None:
    head = f"POST {SEARCH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    assert document(talk(place, head + body)) == (408, "request_timeout")


def test_bodies_that_arrive_slowly_keep_nobody_out(memory: Memory) -> None:
    head = f"POST {SEARCH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    with served(create_app(memory, limits=Limits(requests=2))) as place:
        slow = [socket.create_connection(place, timeout=20) for _ in range(8)]
        for one in slow:
            one.sendall(head + b"Content-Length: 15\r\nConnection: close\r\n\r\n{")
        assert httpx.get(f"http://{place[0]}:{place[1]}{API}/stats").status_code == 200
        for one in slow:
            one.sendall(b'"query":"tea"}')
            assert one.recv(65_536).startswith(b"HTTP/1.1 200 OK")
            one.close()


def test_all_that_arrives_together_has_a_size(memory: Memory) -> None:
    head = f"POST {SEARCH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    with served(create_app(memory, limits=Limits(body_bytes=1_000))) as place:
        slow = [socket.create_connection(place, timeout=20) for _ in range(MOST_ARRIVING + 1)]
        for one in slow:
            one.sendall(head + b"Content-Length: 1000\r\n\r\n" + b" " * 999)
        (refused,) = select.select(slow, [], [], 20)[0]
        assert document(b"".join(iter(lambda: refused.recv(65_536), b""))) == (503, "overloaded")
        for one in slow:
            one.close()
        assert httpx.get(f"http://{place[0]}:{place[1]}{API}/stats").status_code == 200


def test_a_request_says_its_length_in_one_way(place: tuple[str, int]) -> None:
    head = f"POST {SEARCH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n".encode()
    smuggled = b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert document(talk(place, head + smuggled)) == (400, "bad_request")


def test_a_body_that_nobody_reads_is_no_way_in(memory: Memory) -> None:
    client = Client(create_app(memory))
    for path in (f"{API}/events/stream", "/readyz"):
        error(client("GET", path, content=b"x" * 20_000), 413)


def test_chunks_without_end_are_refused(place: tuple[str, int]) -> None:
    head = f"POST {SEARCH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    chunk = b"200\r\n" + b" " * 512 + b"\r\n"  # the second is too much, and nothing comes after it that would be unread
    assert document(talk(place, head + b"Transfer-Encoding: chunked\r\n\r\n", chunk, chunk)) == (413, "too_large")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000,
        b"GET /" + b"x" * 100_000,
        b"\x16\x03\x01\x02\x00\x01",
        b"\x00" * 1_000 + b"\r\n\r\n",
        b"GET /healthz HTTP/9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    ],
)
def test_what_is_no_request_is_answered_in_the_one_shape(place: tuple[str, int], sent: bytes) -> None:
    try:
        said = talk(place, sent)
    except ConnectionError:  # it closed the connection while we were still talking
        return
    assert document(said)[0] in {400, 408}
    assert httpx.get(f"http://{place[0]}:{place[1]}/healthz").status_code == 200


def test_requests_may_be_sent_without_waiting_for_answers(place: tuple[str, int]) -> None:
    one = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    said = talk(place, (one + b"\r\n") * 9 + one + b"Connection: close\r\n\r\n")
    assert said.count(b"HTTP/1.1 200 OK") == 10


def test_connections_have_a_number(place: tuple[str, int]) -> None:
    several = [socket.create_connection(place, timeout=20) for _ in range(8)]
    try:
        said = [b"".join(iter(lambda one=one: one.recv(65_536), b"")) for one in several]  # type: ignore[misc]
    finally:
        for one in several:
            one.close()
    assert {document(one) for one in said} == {(503, "overloaded"), (408, "request_timeout")}
