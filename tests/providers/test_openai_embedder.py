import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.providers.openai_embedder import OpenAIEmbedder

pytestmark = pytest.mark.slow  # waits for a server
KEY = "sk-do-not-print-me"


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    trickle_s: float = 0.0


def vector_of(text: str) -> list[float]:
    return [float(len(text)), 1.0, 2.0]


def answer(texts: list[str]) -> Reply:
    items = [{"index": index, "embedding": vector_of(text)} for index, text in enumerate(texts)]
    return Reply(json.dumps({"object": "list", "data": items[::-1]}).encode())


class Server:
    """A loopback server: plays the scripted replies, then answers properly."""

    def __init__(self) -> None:
        self.script: list[Reply] = []
        self.requests: list[dict[str, Any]] = []
        self.authorization: str | None = None
        self.stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1/"

    def stop(self) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                assert self.path == "/v1/embeddings"
                server.requests.append(request)
                server.authorization = self.headers["Authorization"]
                self.send(server.script.pop(0) if server.script else answer(request["input"]))

            def send(self, reply: Reply) -> None:
                self.send_response(reply.status)
                for name, value in {**reply.headers, "Content-Length": str(len(reply.body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    for byte in reply.body if reply.trickle_s else ():
                        server.stopping.wait(reply.trickle_s)
                        self.wfile.write(bytes([byte]))
                    self.wfile.write(b"" if reply.trickle_s else reply.body)
                except OSError:
                    self.close_connection = True  # the client went away, as it should

            def log_message(self, *_: object) -> None:
                pass

        return Handler


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("emberkeep.providers.openai_http._FIRST_PAUSE_S", 0.01)
    running = Server()
    yield running
    running.stop()


Connect = Callable[..., OpenAIEmbedder]


@pytest.fixture
def connect(server: Server) -> Iterator[Connect]:
    opened: list[OpenAIEmbedder] = []

    def connect(**settings: Any) -> OpenAIEmbedder:
        opened.append(OpenAIEmbedder(server.url, "tiny", api_key=KEY, timeout_s=5.0, **settings))
        return opened[-1]

    yield connect
    for embedder in opened:
        embedder.close()


def test_gives_unit_vectors_in_the_order_of_the_texts(server: Server, connect: Connect) -> None:
    embedder = connect(batch_size=2)
    texts = ["a", "bb", "ccc", "dddd", "eeeee"]

    vectors = embedder.embed(texts)

    expected = np.array([vector_of(text) for text in texts])
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-6)
    assert vectors.dtype == np.float32
    assert [request["input"] for request in server.requests] == [["a", "bb"], ["ccc", "dddd"], ["eeeee"]]
    assert server.requests[0]["model"] == "tiny"
    assert server.authorization == f"Bearer {KEY}"
    np.testing.assert_array_equal(embedder.embed_query("bb"), vectors[1])


def test_the_dimension_is_asked_once(server: Server, connect: Connect) -> None:
    embedder = connect()

    assert (embedder.name, embedder.dimension, embedder.dimension) == ("openai:tiny", 3, 3)
    assert embedder.embed([]).shape == (0, 3)
    assert len(server.requests) == 1


def test_a_configured_dimension_is_not_asked(server: Server, connect: Connect) -> None:
    assert connect(dimension=3).dimension == 3
    assert server.requests == []


@pytest.mark.parametrize("retry_after", [None, "0", "Wed, 21 Oct 2015 07:28:00 GMT", "soon"])
def test_tries_again_after_failures(server: Server, connect: Connect, retry_after: str | None) -> None:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    server.script = [Reply(b"busy", 429, headers), Reply(b"down", 503, headers)]

    assert connect().embed(["a"]).shape == (1, 3)
    assert len(server.requests) == 3


def test_waits_as_long_as_the_server_asks(server: Server, connect: Connect) -> None:
    server.script = [Reply(b"busy", 429, {"Retry-After": "0.2"})]

    start = time.monotonic()
    connect().embed(["a"])

    assert time.monotonic() - start >= 0.2


@pytest.mark.parametrize("deadline", [Deadline.after(3600), None])
def test_does_not_wait_longer_than_makes_sense(server: Server, connect: Connect, deadline: Deadline | None) -> None:
    server.script = [Reply(b"busy", 429, {"Retry-After": "86400"})]

    with pytest.raises(ModelUnavailable, match="gave up after attempt 1: HTTP 429: busy"):
        connect().embed(["a"], deadline=deadline)


def test_gives_up_after_the_last_retry(server: Server, connect: Connect) -> None:
    server.script = [Reply(b"down", 500)] * 5

    with pytest.raises(ModelUnavailable, match="gave up after attempt 3: HTTP 500: down"):
        connect(max_retries=2).embed(["a"])
    assert len(server.requests) == 3


def test_does_not_repeat_a_refused_request(server: Server, connect: Connect) -> None:
    server.script = [Reply(f"no such model for {KEY}".encode() + b" padding" * 100, 400)]

    with pytest.raises(ModelUnavailable, match=r"HTTP 400: no such model for \*\*\*") as raised:
        connect().embed(["a"])
    assert len(server.requests) == 1
    assert len(str(raised.value)) < 300


def data(*items: object) -> bytes:
    return json.dumps({"data": items}).encode()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>welcome</html>", "<html>welcome"),
        (b"\xff\xfe", "nonsense"),
        (b"[" * 100_000, "nonsense"),
        (b"[1, 2]", "no list `data`"),
        (b'{"error": "oh"}', "no list `data`"),
        (data(), "0 vectors for 2 texts"),
        (data(1, 2), "without `index` and `embedding`"),
        (data({"index": 0}, {"index": 1}), "without `index` and `embedding`"),
        (data({"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}), "does not count"),
        (data({"index": 0, "embedding": [1]}, {"index": 7, "embedding": [1]}), "does not count"),
        (data({"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}), "different lengths"),
        (data({"index": 0, "embedding": ["1"]}, {"index": 1, "embedding": [1]}), "than numbers"),
        (data({"index": 0, "embedding": [None]}, {"index": 1, "embedding": [1]}), "than numbers"),
        (data({"index": 0, "embedding": [float("nan")]}, {"index": 1, "embedding": [1]}), "not finite"),
        (data({"index": 0, "embedding": [1e300]}, {"index": 1, "embedding": [1]}), "not finite"),
        (data({"index": 0, "embedding": [0]}, {"index": 1, "embedding": [1]}), "zero"),
        (data({"index": 0, "embedding": []}, {"index": 1, "embedding": []}), "zero|numbers"),
    ],
)
def test_nonsense_is_refused(server: Server, connect: Connect, body: bytes, reason: str) -> None:
    server.script = [Reply(body)]

    with pytest.raises(ModelUnavailable, match=reason) as raised:
        connect().embed(["a", "b"])
    assert len(str(raised.value)) < 500


def test_another_dimension_is_refused_with_the_fix(connect: Connect) -> None:
    with pytest.raises(ModelUnavailable, match="3 dimensions received, 384 expected: set the dimension to 3"):
        connect(dimension=384).embed(["a"])


@pytest.mark.parametrize("trickle_s", [0.04, 10.0])
def test_a_hanging_server_is_left_at_the_deadline(server: Server, connect: Connect, trickle_s: float) -> None:
    server.script = [Reply(b"x" * 1000, trickle_s=trickle_s)] * 4

    start = time.monotonic()
    with pytest.raises(ModelUnavailable, match="ReadTimeout"):
        connect().embed(["a"], deadline=Deadline.after(0.2))
    assert time.monotonic() - start < 1.0


def test_a_passed_deadline_asks_nothing(server: Server, connect: Connect) -> None:
    with pytest.raises(ModelUnavailable, match="the deadline has passed"):
        connect().embed(["a"], deadline=Deadline.after(0))
    assert server.requests == []


def test_a_server_that_is_not_there(server: Server) -> None:
    server.stop()
    embedder = OpenAIEmbedder(server.url, "tiny", max_retries=1)

    with pytest.raises(ModelUnavailable, match=r"tiny at 127\.0\.0\.1: gave up after attempt 2: Connect"):
        embedder.embed(["a"])
    embedder.close()


def test_can_be_closed_and_used_again(connect: Connect) -> None:
    embedder = connect()
    embedder.embed(["a"])
    embedder.close()
    embedder.close()

    assert embedder.embed(["a"]).shape == (1, 3)


@pytest.mark.parametrize("url", ["", "localhost:8000/v1", "ftp://host/v1", "http://", "http://h:x"])
def test_a_wrong_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="base URL"):
        OpenAIEmbedder(url, "tiny")


@pytest.mark.parametrize("key", ["two words", "line\n", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(key: str) -> None:
    with pytest.raises(ConfigError, match="API key") as raised:
        OpenAIEmbedder("http://host/v1", "tiny", api_key=key)
    assert key not in str(raised.value)
