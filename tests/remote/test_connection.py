"""What a client makes of a server that is away, busy, slow, older, or something else altogether."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import emberkeep
from emberkeep import errors
from emberkeep.errors import EmberkeepError
from emberkeep.remote import connection
from emberkeep.remote.connection import Connection
from emberkeep.remote.memory import RemoteMemory
from emberkeep.service.statuses import STATUSES, error_document
from emberkeep.testing import WordEmbedder

STATS: dict[str, Any] = {
    "database": "x", "tenant": "t", "embedder": None, "dimension": None, "memories": 0, "memories_by_kind": {},
    "interactions": 0, "users": 0, "waiting": 0, "failed": 0, "learner": None, "events_waiting": 0, "events_failed": 0,
    "embedding_caches": {},
}  # fmt: skip


@dataclass
class Scripted:
    """A server that answers as it is told, one answer after the other; the last one again and again."""

    answers: list[tuple[int, Any, dict[str, str]]] = field(default_factory=list)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    url: str = ""

    def answer(self, status: int, body: Any, **headers: str) -> None:
        self.answers.append((status, body, {name.replace("_", "-"): value for name, value in headers.items()}))

    def next(self) -> tuple[int, Any, dict[str, str]]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    script = Scripted()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _reply(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            script.asked.append((self.command, self.path, dict(self.headers)))
            status, body, headers = script.next()
            if body is None:  # hang up
                self.close_connection = True
                return
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_PATCH = _reply  # noqa: N815 - the names that are looked for

        def log_message(self, *_: object) -> None:
            """Keep the output of the tests clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        script.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield script
        server.shutdown()


def problem(kind: type[EmberkeepError], message: str = "no") -> tuple[int, dict[str, dict[str, str]]]:
    return STATUSES[kind].http, error_document(STATUSES[kind].code, message)


@pytest.mark.parametrize("kind", STATUSES)
def test_every_error_arrives_as_what_it_was(scripted: Scripted, kind: type[EmberkeepError]) -> None:
    scripted.answer(*problem(kind, "what to do about it"))
    with emberkeep.open(scripted.url, remote_timeout_s=2.5) as memory, pytest.raises(EmberkeepError) as caught:
        memory.stats()
    assert type(caught.value) is kind
    assert str(caught.value) == "what to do about it"


def test_what_passes_is_waited_for_and_a_write_keeps_its_key(scripted: Scripted) -> None:
    scripted.answer(*problem(errors.StoreBusy))
    scripted.answer(0, None)
    scripted.answer(*problem(errors.TooManyRequests), Retry_After="0")
    scripted.answer(*problem(errors.UnderWay, "the same request is under way"))
    scripted.answer(200, {})
    with emberkeep.open(scripted.url, api_key="ek_1") as memory:
        memory.operational.update_metric("a/b", 1.0)
    assert [(method, path) for method, path, _ in scripted.asked] == [("PUT", "/api/v1/operational/metrics/a%2Fb")] * 5
    assert len({headers["Idempotency-Key"] for *_, headers in scripted.asked}) == 1
    assert {headers["Authorization"] for *_, headers in scripted.asked} == {"Bearer ek_1"}


def test_reads_have_no_key_and_other_writes_have_another(scripted: Scripted) -> None:
    scripted.answer(200, STATS)
    scripted.answer(200, {})
    with emberkeep.open(scripted.url) as memory:
        assert memory.stats().tenant == "t"
        memory.operational.update_metric("a", 1.0)
        memory.operational.update_metric("a", 1.0)
    keys = [headers.get("Idempotency-Key") for *_, headers in scripted.asked]
    assert keys[0] is None
    assert None not in keys[1:]
    assert keys[1] != keys[2]


def test_what_will_not_pass_is_said_at_once(scripted: Scripted) -> None:
    scripted.answer(*problem(errors.Conflict, "it is finished"))
    with emberkeep.open(scripted.url) as memory, pytest.raises(errors.Conflict, match="it is finished"):
        memory.tasks.cancel("t")
    assert len(scripted.asked) == 1


def test_nobody_waits_longer_than_they_have(scripted: Scripted) -> None:
    scripted.answer(*problem(errors.TooManyRequests, "slower"), Retry_After="1000")
    with emberkeep.open(scripted.url) as memory, pytest.raises(errors.TooManyRequests) as caught:
        memory.stats()
    assert caught.value.retry_after_s == 1000
    assert len(scripted.asked) == 1


def test_a_server_that_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with emberkeep.open(f"http://127.0.0.1:{port}") as memory:
        with pytest.raises(errors.StoreUnavailable, match=f"cannot reach http://127.0.0.1:{port} .*emberkeep serve"):
            memory.stats()
        with pytest.raises(errors.StoreUnavailable, match="cannot reach"):
            memory.events.subscribe("*", print)


def test_a_server_that_does_not_answer() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as mute,
        emberkeep.open(f"http://127.0.0.1:{mute.getsockname()[1]}", remote_timeout_s=0.2) as memory,
        pytest.raises(errors.TimedOut, match="did not answer stats in time"),
    ):
        memory.stats()


@pytest.mark.parametrize(
    ("status", "body", "kind", "said"),
    [
        (200, b"<html>Welcome</html>", EmberkeepError, "is not Emberkeep .*HTTP 200, text/html: <html>Welcome"),
        (404, b"<html>?</html>", EmberkeepError, "is not Emberkeep .*check the URL"),
        (302, b"", EmberkeepError, "is not Emberkeep .*HTTP 302"),
        (502, b"<html>Bad gateway</html>", errors.StoreUnavailable, "no Emberkeep behind"),
        (200, b"[]", EmberkeepError, "is not Emberkeep"),
        (200, b'{"memories": 1}', EmberkeepError, "cannot be read: it runs another version"),
        (
            404,
            error_document("not_found", "Not Found"),
            EmberkeepError,
            "does not know stats: it runs an older version",
        ),
        (500, error_document("internal", "see the log"), EmberkeepError, "see the log"),
        (418, error_document("teapot", "short and stout"), EmberkeepError, "short and stout"),
    ],
)
def test_what_is_not_ours_is_said_to_be_so(
    scripted: Scripted, status: int, body: Any, kind: type[EmberkeepError], said: str
) -> None:
    scripted.answer(status, body, Content_Type="text/html")
    with emberkeep.open(scripted.url) as memory, pytest.raises(EmberkeepError, match=said) as caught:
        memory.stats()
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "https://user:secret@host",
        "http://host:port",
        "http://host?x=1",
        "http://host/#x",
        "http://user:secret@host:port",
        "http://user:secret@host:99999",
        "http://user:secret@[::1",
        "http://secret\x00",
        "http:/secret",
        "https:secret",
        "postgresql:/secret",
    ],
)
def test_a_url_that_names_no_server(url: str) -> None:
    with pytest.raises(errors.ConfigError) as caught:
        emberkeep.open(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("host", ["xn--", "a" * 300])
def test_a_name_that_no_host_can_have(host: str) -> None:
    with emberkeep.open(f"http://{host}") as memory, pytest.raises(errors.StoreUnavailable, match="cannot reach"):
        memory.stats()


@pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY"])
def test_this_machine_is_not_asked_through_a_proxy(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    scripted.answer(200, STATS)
    monkeypatch.setenv(name, "http://127.0.0.1:9")  # where nobody is
    with emberkeep.open(scripted.url, api_key="ek_1", remote_timeout_s=5.0) as memory:
        assert memory.stats().tenant == "t"


def test_a_write_whose_server_died_may_be_done(scripted: Scripted) -> None:
    scripted.answer(0, None)
    scripted.answer(*problem(errors.UnderWay, "the same request is under way"))
    with emberkeep.open(scripted.url) as memory, pytest.raises(errors.TimedOut, match="may be done all the same"):
        memory.operational.update_metric("a", 1.0)
    assert len({headers["Idempotency-Key"] for *_, headers in scripted.asked}) == 1


def test_an_answer_without_end_is_not_read_to_it(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_BYTES", 1_000)
    scripted.answer(200, b" " * 100_000)
    with emberkeep.open(scripted.url) as memory, pytest.raises(errors.TooLarge, match="ask for less"):
        memory.stats()


@pytest.mark.parametrize("body", [b"<html>", b"data: {\n\n", b"data: {}\n\n", b"data: [[1]]\n\n"])
def test_what_is_no_stream_of_events(scripted: Scripted, body: bytes) -> None:
    kind = "text/html" if b"html" in body else "text/event-stream"
    scripted.answer(200, body, Content_Type=kind)
    with (
        emberkeep.open(scripted.url) as memory,
        pytest.raises(EmberkeepError, match=r"(not a stream of events|not an event): check the URL"),
    ):
        next(memory.events.follow())


@pytest.mark.parametrize("key", ["a b", "line\nbreak", "schlüssel"])
def test_a_key_that_is_none_is_not_quoted(key: str) -> None:
    with pytest.raises(errors.ConfigError) as caught:
        emberkeep.open("http://127.0.0.1:1", api_key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"embedder": "local"}, "embedder is for whoever runs the server"),
        ({"embedder": WordEmbedder()}, "embedder is for whoever runs the server"),
        ({"learner": "none"}, "learner is for"),
        ({"count_tokens": len}, "count_tokens is for"),
        ({"redact": True}, "redact is for"),
        ({"tenant": "acme"}, "the key decides whose memory"),
    ],
)
def test_what_only_the_server_can_choose_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(errors.ConfigError, match=said):
        emberkeep.open("http://127.0.0.1:1", **given)


def test_the_key_may_come_from_the_environment_and_is_not_shown(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.answer(200, STATS)
    monkeypatch.setenv("EMBERKEEP_API_KEY", "ek_environment")
    monkeypatch.setenv("EMBERKEEP_DB", f"{scripted.url}/behind/a/proxy/")
    monkeypatch.setenv("EMBERKEEP_LEARNER", "none")  # of the store on this machine, which is not meant
    with emberkeep.open() as memory:
        memory.stats()
    ((_, path, headers),) = scripted.asked
    assert path == "/behind/a/proxy/api/v1/stats"
    assert headers["Authorization"] == "Bearer ek_environment"
    assert "ek_environment" not in repr(emberkeep.Config.load())


def test_what_stays_on_the_other_side_says_so(scripted: Scripted) -> None:
    with emberkeep.open(scripted.url) as memory:
        refused: dict[str, Callable[[], object]] = {
            "emberkeep worker": memory.worker,
            "upkeep": memory.tidy,
            "the key decides": lambda: memory.of_tenant("acme"),
            "operational.close": memory.operational.close,
        }
        for said, verb in refused.items():
            with pytest.raises(errors.InvalidInput, match=said):
                verb()
    assert scripted.asked == []


def test_once_closed_it_stays_closed(scripted: Scripted) -> None:
    memory = emberkeep.open(scripted.url)
    memory.close()
    memory.close()
    with pytest.raises(errors.Closed):
        memory.stats()
    with pytest.raises(errors.Closed):
        next(memory.events.follow())


def test_it_is_a_memory_with_the_signatures_of_one(scripted: Scripted) -> None:
    memory = RemoteMemory(Connection(scripted.url))
    assert isinstance(memory, emberkeep.Memory)
    assert isinstance(memory.goals, type(memory.goals).__mro__[2])
    wrong: list[Callable[[], object]] = [
        lambda: memory.get(),  # type: ignore[call-arg]  # noqa: PLW0108 - called without what it needs
        lambda: memory.add("a", mood="sunny"),  # type: ignore[call-arg]
        lambda: memory.goals.save("a", "b"),  # type: ignore[call-arg]
    ]
    for call in wrong:
        with pytest.raises(TypeError):
            call()
    memory.close()
    assert scripted.asked == []


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "%2F", "ü?#&=", "  ", "\x00", "\ud800", 7])
def test_any_name_leads_where_it_should(scripted: Scripted, name: Any) -> None:
    scripted.answer(*problem(errors.NotFound))
    with emberkeep.open(scripted.url) as memory, pytest.raises((errors.NotFound, errors.InvalidInput)):
        memory.get(name)
    for _, path, _ in scripted.asked:
        assert path.startswith("/api/v1/memories/")
        assert path.count("/") == 4
