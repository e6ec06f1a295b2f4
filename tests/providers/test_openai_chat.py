"""Against a real server on loopback that misbehaves as scripted."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, ModelUnavailable, UnusableReply
from emberkeep.providers.base import Completion
from emberkeep.providers.openai_chat import OpenAIChat

pytestmark = pytest.mark.slow  # waits for a server
KEY = "sk-do-not-print-me"
SCHEMA = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"kind": {"enum": ["a", "b"]}, "n": {"type": "integer"}, "ok": {"type": "boolean"}},
            },
        },
        "when": {"type": ["string", "null"]},
    },
}


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pause_s: float = 0.0
    drip_s: float = 0.0
    drip_headers: bool = False
    half_closed: bool = False


def completion(message: object, finish_reason: str = "stop", **more: object) -> Reply:
    usage = {"usage": {"prompt_tokens": 11, "completion_tokens": 7}}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return Reply(json.dumps({"choices": [choice], **usage, **more}).encode())


def saying(content: object, finish_reason: str = "stop", **more: object) -> Reply:
    return completion({"role": "assistant", "content": content}, finish_reason, **more)


class Handler(BaseHTTPRequestHandler):
    owner: "Server"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.path == "/v1/chat/completions"
        self.owner.requests.append(request)
        self.owner.authorization = self.headers["Authorization"]
        try:
            self.send(self.owner.script.pop(0) if self.owner.script else saying("hello"))
        except OSError:
            self.close_connection = True  # the client went away, as it should

    def send(self, reply: Reply) -> None:
        self.owner.stopping.wait(reply.pause_s)
        if reply.drip_headers:
            self.drip(b"HTTP/1.1 200 OK\r\n" + b"X-Padding: yes\r\n" * 100, reply.drip_s)
            return
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.half_closed:
            self.wfile.write(reply.body[: len(reply.body) // 2])
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
        elif reply.drip_s:
            self.drip(reply.body, reply.drip_s)
        else:
            self.wfile.write(reply.body)

    def drip(self, body: bytes, drip_s: float) -> None:
        for byte in body:
            if self.owner.stopping.wait(drip_s):
                return
            self.wfile.write(bytes([byte]))

    def log_message(self, *_: object) -> None:
        pass


class Server:
    """Plays the scripted replies, then says hello."""

    def __init__(self) -> None:
        self.script: list[Reply] = []
        self.requests: list[dict[str, Any]] = []
        self.authorization: str | None = None
        self.stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"owner": self}))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def stop(self) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("emberkeep.providers.openai_http._FIRST_PAUSE_S", 0.01)
    running = Server()
    yield running
    running.stop()


Connect = Callable[..., OpenAIChat]


@pytest.fixture
def connect(server: Server) -> Iterator[Connect]:
    opened: list[OpenAIChat] = []

    def connect(**settings: Any) -> OpenAIChat:
        opened.append(OpenAIChat(server.url, "tiny", **{"api_key": KEY, "timeout_s": 10.0, **settings}))
        return opened[-1]

    yield connect
    for chat in opened:
        chat.close()


def test_asks_and_answers(server: Server, connect: Connect) -> None:
    chat = connect(max_tokens=50, temperature=0.5, options={"seed": 3})

    assert chat.name == "tiny"
    assert chat.complete("Be brief.", "Hi") == Completion("hello", 11, 7, "stop")
    assert server.requests == [
        {
            "model": "tiny",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}],
            "max_tokens": 50,
            "temperature": 0.5,
            "seed": 3,
        }
    ]
    assert server.authorization == f"Bearer {KEY}"


def test_what_is_none_is_left_out(server: Server, connect: Connect) -> None:
    connect(max_tokens=None, temperature=None, api_key=None).complete("", "Hi")

    assert server.requests == [{"model": "tiny", "messages": [{"role": "user", "content": "Hi"}]}]
    assert server.authorization is None


def test_a_schema_is_asked_for_strictly(server: Server, connect: Connect) -> None:
    connect().complete("s", "u", schema=SCHEMA)

    (request,) = server.requests
    assert request["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
    }
    assert request["messages"][0]["content"] == "s"


def shapes(server: Server) -> list[str | None]:
    return [request.get("response_format", {}).get("type") for request in server.requests]


def test_falls_back_to_what_the_server_takes_and_remembers(server: Server, connect: Connect) -> None:
    server.script = [
        Reply(b"response_format.type: json_schema is not supported", 400),
        Reply(b'{"detail": [{"loc": ["body", "response_format"]}]}', 422),
    ]
    chat = connect()

    assert chat.complete("s", "u", schema=SCHEMA).text == "hello"
    assert shapes(server) == ["json_schema", "json_object", None]
    for request in server.requests[1:]:
        told = request["messages"][0]["content"]
        assert told.startswith("s\n\nAnswer with one JSON object")
        assert '{"facts": [{"kind": "a|b", "n": 1, "ok": true}], "when": "..."}' in told
    chat.complete("s", "u", schema=SCHEMA)
    assert shapes(server)[3:] == [None]


def test_an_unexplained_refusal_is_taken_for_one_of_the_form(server: Server, connect: Connect) -> None:
    server.script = [Reply(b"Bad Request", 400)]
    chat = connect()

    chat.complete("s", "u", schema=SCHEMA)
    chat.complete("s", "u", schema=SCHEMA)

    assert shapes(server) == ["json_schema", "json_object", "json_object"]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, "This model's maximum context length is 4096 tokens"),
        (400, "the model `tiny` does not exist"),
        (422, "max_tokens must be less than 100"),
        (400, "json_validate_failed: Failed to generate JSON"),
        (404, "response_format? there is nothing here"),
    ],
)
def test_a_refusal_of_something_else_is_not_repeated(
    server: Server, connect: Connect, status: int, reason: str
) -> None:
    server.script = [Reply(reason.encode(), status)]

    with pytest.raises(ModelUnavailable, match=f"HTTP {status}"):
        connect().complete("s", "u", schema=SCHEMA)
    assert len(server.requests) == 1


@pytest.mark.parametrize(("status", "is_about_the_prompt"), [
    (400, True), (413, True), (422, True), (401, False), (403, False), (404, False), (429, False), (500, False),
])  # fmt: skip
@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_a_refused_prompt_is_told_from_a_model_that_is_down(
    server: Server, connect: Connect, status: int, is_about_the_prompt: bool, schema: dict[str, Any] | None
) -> None:
    server.script = [Reply(b"content_filter", status)] * 3

    with pytest.raises(ModelUnavailable, match=f"HTTP {status}") as raised:
        connect(max_retries=0).complete("s", "u", schema=schema)
    assert isinstance(raised.value, UnusableReply) == is_about_the_prompt
    assert raised.value.calls == is_about_the_prompt


def test_a_server_that_refuses_every_form_is_asked_strictly_again(server: Server, connect: Connect) -> None:
    server.script = [Reply(b"Bad Request", 400)] * 3
    chat = connect()

    with pytest.raises(UnusableReply, match="HTTP 400: Bad Request"):
        chat.complete("s", "u", schema=SCHEMA)
    chat.complete("s", "u", schema=SCHEMA)

    assert shapes(server) == ["json_schema", "json_object", None, "json_schema"]


@pytest.mark.parametrize(
    ("reply", "text", "end"),
    [
        (saying(None), "", "stop"),
        (saying(None, "length"), "", "length"),
        (completion({"role": "assistant"}), "", "stop"),
        (completion({"content": None, "reasoning_content": "Hmm."}, "length"), "", "length"),
        (completion({"content": "yes", "reasoning_content": "Hmm."}), "yes", "stop"),
        (saying([{"type": "text", "text": "a"}, {"type": "image"}, 5, {"text": "b"}]), "ab", "stop"),
        (saying([{"type": "thinking", "thinking": [{"text": "x"}]}, {"type": "text", "text": "b"}]), "b", "stop"),
        (saying('{"facts": [', "length"), '{"facts": [', "length"),
        (saying("", "content_filter"), "", "refused"),
        (completion({"content": None, "refusal": "I can't help with that."}), "I can't help with that.", "refused"),
        (completion({"content": "yes", "refusal": None}), "yes", "stop"),
        (saying("Grüße 🎉"), "Grüße 🎉", "stop"),
    ],
)
def test_reads_every_kind_of_content(server: Server, connect: Connect, reply: Reply, text: str, end: str) -> None:
    server.script = [reply]

    answer = connect().complete("s", "u")

    assert (answer.text, answer.end) == (text, end)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "many", "completion_tokens": 1}, [1]])
def test_tokens_are_estimated_when_they_are_not_told(server: Server, connect: Connect, usage: object) -> None:
    server.script = [saying("x" * 10, usage=usage)]

    answer = connect().complete("s" * 40, "u" * 40)

    assert (answer.tokens_in, answer.tokens_out) == (20, 3)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>welcome</html>",
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b"[1]",
        b'{"error": "oh"}',
        b'{"choices": []}',
        b'{"choices": [{"text": "old style"}]}',
        b'{"choices": [{"message": {"content": 5}}]}',
    ],
)
def test_nonsense_is_refused(server: Server, connect: Connect, body: bytes) -> None:
    server.script = [Reply(body)]

    with pytest.raises(UnusableReply, match=r"tiny at 127\.0\.0\.1: nonsense in the reply") as raised:
        connect().complete("s", "u")
    assert len(str(raised.value)) < 500


def test_tries_again_after_failures(server: Server, connect: Connect) -> None:
    server.script = [Reply(b"down", 500), Reply(b"busy", 429, {"Retry-After": "0.2"}), Reply(b"down", 503)]

    start = time.monotonic()
    assert connect().complete("s", "u").text == "hello"

    assert time.monotonic() - start >= 0.2
    assert len(server.requests) == 4


def test_a_retry_that_comes_after_the_deadline_is_not_waited_for(server: Server, connect: Connect) -> None:
    server.script = [Reply(b"busy", 429, {"Retry-After": "100"})]

    with pytest.raises(ModelUnavailable, match="gave up after attempt 1: HTTP 429: busy"):
        connect().complete("s", "u", deadline=Deadline.after(50))


def test_gives_up_after_the_last_retry(server: Server, connect: Connect) -> None:
    server.script = [Reply(b"down", 500)] * 5

    with pytest.raises(ModelUnavailable, match="gave up after attempt 2: HTTP 500: down"):
        connect(max_retries=1).complete("s", "u")


@pytest.mark.parametrize("limited_by", ["deadline", "timeout"])
@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"x", pause_s=30),
        Reply(b"x" * 1000, drip_s=0.05),
        Reply(drip_headers=True, drip_s=0.05),
    ],
    ids=["hangs", "drips", "drips headers"],
)
def test_a_slow_server_is_left_when_the_time_is_up(
    server: Server, connect: Connect, reply: Reply, limited_by: str
) -> None:
    server.script = [reply] * 4
    chat = connect(timeout_s=0.3) if limited_by == "timeout" else connect()

    start = time.monotonic()
    with pytest.raises(ModelUnavailable, match="gave up after attempt 1: ReadTimeout"):
        chat.complete("s", "u", deadline=None if limited_by == "timeout" else Deadline.after(0.3))
    assert time.monotonic() - start < 3.0


def test_a_stream_that_ends_half_way_is_tried_again(server: Server, connect: Connect) -> None:
    server.script = [Reply(saying("hello").body, half_closed=True)]

    assert connect().complete("s", "u").text == "hello"
    assert len(server.requests) == 2


def test_a_stream_that_always_ends_half_way_is_an_error(server: Server, connect: Connect) -> None:
    server.script = [Reply(saying("hello").body, half_closed=True)] * 2

    with pytest.raises(ModelUnavailable, match="gave up after attempt 2: RemoteProtocolError"):
        connect(max_retries=1).complete("s", "u")


def test_an_endless_reply_is_cut(server: Server, connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emberkeep.providers.openai_http._MOST_BYTES", 1_000)
    server.script = [saying("x" * 100_000)]

    with pytest.raises(ModelUnavailable, match="ReadError"):
        connect(max_retries=0).complete("s", "u")


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_told_without_showing_it(server: Server, connect: Connect, status: int) -> None:
    server.script = [Reply(f"Incorrect API key provided: {KEY}.".encode(), status)]

    with pytest.raises(ModelUnavailable, match=rf"HTTP {status} \(check the API key\): .*\*\*\*") as raised:
        connect().complete("s", "u", schema=SCHEMA)
    assert KEY not in str(raised.value)
    assert len(server.requests) == 1


def test_a_server_that_is_not_there(server: Server) -> None:
    server.stop()
    chat = OpenAIChat(server.url, "tiny", max_retries=0)

    with pytest.raises(ModelUnavailable, match="ConnectError"):
        chat.complete("s", "u")
    chat.close()


def test_can_be_closed_and_used_again(connect: Connect) -> None:
    chat = connect()
    chat.close()
    chat.close()
    assert chat.complete("s", "u").text == "hello"


def test_a_wrong_url_is_refused() -> None:
    with pytest.raises(ConfigError, match="base URL"):
        OpenAIChat("localhost:8000/v1", "tiny")
