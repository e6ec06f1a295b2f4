"""The real Mem0 against a server on loopback that answers as a model would."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, ModelUnavailable, UnusableReply
from emberkeep.model.finding import Exchange, Finding, Spent
from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message
from emberkeep.model.scope import Scope
from emberkeep.providers import mem0
from emberkeep.providers.mem0 import Mem0Learner
from emberkeep.testing import FixedClock

pytestmark = [
    pytest.mark.slow,
    # Qdrant's client leaves a connection to its own files open, which Python tells since 3.13.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.skipif(find_spec("mem0") is None, reason="Mem0 is an extra: pip install 'emberkeep[mem0]'"),
]

MOMENT = datetime(2026, 5, 20, 10, tzinfo=UTC)
KEY = "sk-do-not-print-me"
ALEX = [
    Message("user", "Hello! My name is Alex. I live in Lisbon, 3.5 km from the sea."),
    Message("assistant", "Nice to meet you Alex! You could visit the Gulbenkian museum and the oceanarium."),
    Message("user", "I prefer Python over Java."),
]


class Server(ThreadingHTTPServer):
    """Says what its `answer` makes of a conversation, and remembers what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: Callable[[str], str] = lambda _: facts()
        self.status = 200
        self.pause = threading.Event()
        self.pause.set()
        self.prompts: list[str] = []
        self.embedded: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.pause.wait(10)
        if self.server.status != 200:
            self.reply({"error": {"message": f"no, not with {KEY}"}}, self.server.status)
        elif self.path == "/v1/embeddings":
            self.server.embedded += request["input"]
            vectors = [{"index": at, "embedding": vector(text)} for at, text in enumerate(request["input"])]
            self.reply({"data": vectors, "model": "tiny", "object": "list", "usage": {}})
        else:
            assert self.path == "/v1/chat/completions"
            self.server.prompts.append(request["messages"][-1]["content"])
            message = {"role": "assistant", "content": self.server.answer(self.server.prompts[-1])}
            usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self.reply({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage})

    def reply(self, answer: object, status: int = 200) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def vector(text: str) -> list[float]:
    return [float(sum(text.encode()[at::4]) % 97 + 1) for at in range(4)]


def facts(*texts: str) -> str:
    """An answer in the form that Mem0 asks its model for."""
    return json.dumps({"memory": [{"id": str(at), "text": text} for at, text in enumerate(texts)]})


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.pause.set()
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def own_folders(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MEM0_DIR", str(home / "mem0"))
    for name in ("OPENROUTER_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)


def config_for(server: Server, **more: Any) -> dict[str, Any]:
    settings = {"model": "qwen", "openai_base_url": server.url, "api_key": KEY}
    return {"llm": {"provider": "openai", "config": settings}, **more}


def embedder_of(server: Server) -> dict[str, Any]:
    settings = {"model": "tiny", "openai_base_url": server.url, "api_key": KEY, "embedding_dims": 4}
    return {"provider": "openai", "config": settings}


def exchange(*messages: Message, user: str | None = "alex") -> Exchange:
    return Exchange(Interaction("1", Scope("default", user), messages, MOMENT, MOMENT))


# What is learned.


def test_it_learns_what_the_users_words_bear_out(server: Server) -> None:
    server.answer = lambda _: facts(
        "User prefers Python over Java",
        "User's name is Alex and they live in Lisbon, 3.5 km from the sea",
        "Assistant recommended the Gulbenkian museum and the oceanarium to the user",
        "User owns a sailing boat called Marisol",
    )
    lesson = Mem0Learner(config_for(server)).learn(exchange(*ALEX))
    assert lesson.findings == (
        Finding(
            "User's name is Alex and they live in Lisbon, 3.5 km from the sea",
            "fact",
            0,
            "I live in Lisbon, 3.5 km from the sea.",
        ),
        Finding("User prefers Python over Java", "preference", 2, "I prefer Python over Java."),
    )
    assert lesson.spent == Spent(11, 7, 1)


def test_it_has_a_name_that_says_which_model(server: Server) -> None:
    version, model = Mem0Learner(config_for(server)).name.removeprefix("mem0:").split(":")
    assert version.startswith("2.")
    assert model == "qwen"


def test_the_model_sees_who_spoke_and_when_but_no_prompts_or_tools(server: Server) -> None:
    Mem0Learner(config_for(server, custom_instructions="Skip the weather.")).learn(
        exchange(
            Message("system", "You are a pirate"),
            Message("Caroline", "I moved to Porto last month"),
            Message("user", "So did I", name="Mel"),
            Message("tool", "secret output"),
            Message("assistant", "Great"),
        )
    )
    asked = server.prompts[0]
    assert "user: Caroline: I moved to Porto last month\nuser: Mel: So did I\nassistant: Great" in asked
    assert "took place on 2026-05-20" in asked
    assert "Skip the weather." in asked
    assert "pirate" not in asked
    assert "secret" not in asked


def test_without_a_users_words_nobody_is_asked(server: Server) -> None:
    learner = Mem0Learner(config_for(server))
    assert learner.learn(exchange(Message("assistant", "The capital of France is Paris."))).findings == ()
    assert server.prompts == []


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("東京に住んでいます。猫が好きです。", "ユーザーは東京に住んでいます"),
        ("Ich bin nach Zürich gezogen.", "User ist nach Zürich gezogen"),
        ("Живу в Лиссабоне", "User живу в Лиссабоне"),
    ],
)
def test_other_languages_and_scripts(server: Server, said: str, fact: str) -> None:
    server.answer = lambda _: facts(fact)
    (finding,) = Mem0Learner(config_for(server)).learn(exchange(Message("user", said))).findings
    assert finding.text == fact
    assert finding.quote in said


def test_a_long_conversation_is_asked_in_parts(server: Server) -> None:
    server.answer = lambda asked: facts("User adopted a cat") if "adopted" in asked.split("# New")[1] else facts()
    long = [Message("user", f"{word} " * 1_000) for word in ("sun", "rain", "snow")]
    lesson = Mem0Learner(config_for(server)).learn(exchange(*long, Message("user", "I adopted a cat."), *long))
    assert [finding.position for finding in lesson.findings] == [3]
    assert len(server.prompts) == 3
    assert lesson.spent == Spent(33, 21, 3)


@pytest.mark.parametrize("event", ["DELETE", "NONE"])
def test_only_what_was_added_or_updated_counts(event: str) -> None:
    said = [Message("user", "I live in Lisbon")]
    kept = {"memory": "User lives in Lisbon", "event": "UPDATE"}
    results = [{"memory": "User lives in Lisbon now", "event": event}, kept, {"event": "ADD"}, "nonsense", kept]
    assert [finding.text for finding in mem0._supported(results, said)] == ["User lives in Lisbon"]


# In a memory.


def test_a_memory_learns_through_it_and_warms_what_is_told_again(server: Server) -> None:
    server.answer = lambda _: facts("User prefers Python over Java", "Short")
    with emberkeep.open(":memory:", learner=Mem0Learner(config_for(server))) as memory:
        told = [{"role": "user", "content": "I prefer Python over Java. Short."}]
        first = memory.add(told, user_id="alex").learned
        again = memory.add(told, user_id="alex").learned
        assert [item.text for item in first] == ["User prefers Python over Java"]
        assert [item.id for item in again] == [first[0].id]
        assert again[0].temperature == first[0].temperature + 5
        assert memory.spending()[0].spent == Spent(22, 14, 2)


def test_two_users_and_odd_names_stay_apart(server: Server) -> None:
    server.answer = lambda asked: facts("User likes tea") if "tea" in asked else facts()
    with emberkeep.open(":memory:", learner=Mem0Learner(config_for(server))) as memory:
        assert memory.add("I like tea", user_id="Ana María & co").learned
        assert not memory.add("Hello there", user_id="joe").learned
    assert "tea" not in server.prompts[1]


def test_settings_name_it(server: Server, tmp_path: Path) -> None:
    server.answer = lambda _: facts("User prefers Python over Java")
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps(config_for(server)))
    with emberkeep.open(":memory:", learner="mem0", mem0_config=str(file)) as memory:
        assert memory.add("I prefer Python over Java").learned[0].metadata["learner"].startswith("mem0:2.")


# Its own store.


def test_what_it_is_given_to_store_it_forgets(server: Server, tmp_path: Path) -> None:
    server.answer = lambda _: facts("User prefers Python over Java")
    store = {"provider": "qdrant", "config": {"path": str(tmp_path / "qdrant"), "collection_name": "voxaos"}}
    learner = Mem0Learner(config_for(server, vector_store=store, embedder=embedder_of(server)))
    for _ in range(2):
        assert learner.learn(exchange(*ALEX)).findings
    assert "User prefers Python over Java" in server.embedded
    left = [path for path in tmp_path.rglob("*") if path.is_file() and b"prefer" in path.read_bytes()]
    assert left == []


def test_its_store_may_be_in_postgresql(server: Server, empty_postgres_url: str) -> None:
    server.answer = lambda _: facts("User prefers Python over Java")
    settings = {"connection_string": empty_postgres_url, "collection_name": "mem0_memories"}
    store = {"provider": "pgvector", "config": settings}
    learner = Mem0Learner(config_for(server, vector_store=store, embedder=embedder_of(server)))
    for _ in range(2):
        (found,) = learner.learn(exchange(*ALEX)).findings
        assert found.text == "User prefers Python over Java"
    with psycopg.connect(empty_postgres_url) as connection:
        assert connection.execute("SELECT count(*) FROM mem0_memories").fetchone() == (0,)


def test_a_store_without_an_embedder_gets_vectors_that_fit(server: Server, tmp_path: Path) -> None:
    server.answer = lambda _: facts("User prefers Python over Java")
    store = {"config": {"path": str(tmp_path / "qdrant")}}
    assert Mem0Learner(config_for(server, vector_store=store)).learn(exchange(*ALEX)).findings
    assert server.embedded == []


@pytest.mark.parametrize("own_store", [True, False])
def test_many_threads_may_ask(server: Server, tmp_path: Path, own_store: bool) -> None:
    server.answer = lambda _: facts("User prefers Python over Java")
    more = {"vector_store": {"config": {"path": str(tmp_path / "qdrant")}}} if own_store else {}
    learner = Mem0Learner(config_for(server, **more))
    with ThreadPoolExecutor(4) as pool:
        lessons = list(pool.map(lambda _: learner.learn(exchange(*ALEX)), range(8)))
    assert [len(lesson.findings) for lesson in lessons] == [1] * 8


# When it goes wrong.


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
def test_a_model_that_is_down_is_unavailable(server: Server, status: int) -> None:
    server.status = status
    with pytest.raises(ModelUnavailable, match="mem0:2") as raised:
        Mem0Learner(config_for(server)).learn(exchange(*ALEX))
    assert not isinstance(raised.value, UnusableReply)
    assert KEY not in str(raised.value)


def test_an_embedder_that_is_down_is_unavailable(server: Server) -> None:
    broken = embedder_of(server)
    broken["config"]["openai_base_url"] = "http://127.0.0.1:9/v1"
    with pytest.raises(ModelUnavailable):
        Mem0Learner(config_for(server, embedder=broken)).learn(exchange(*ALEX))


@pytest.mark.parametrize("answer", ["", "Sure! Here you go.", '{"facts": ["a"]}', '{"memory": ["a", "b"]}', "{[}"])
def test_nonsense_is_an_unusable_reply(server: Server, answer: str) -> None:
    server.answer = lambda _: answer
    with pytest.raises(UnusableReply) as raised:
        Mem0Learner(config_for(server)).learn(exchange(*ALEX))
    assert (raised.value.tokens_in, raised.value.calls) == (11, 1)


def test_an_exchange_that_the_server_refuses_is_not_asked_for_ever(server: Server) -> None:
    server.status = 400
    with pytest.raises(UnusableReply):
        Mem0Learner(config_for(server)).learn(exchange(*ALEX))


def test_a_model_that_hangs_is_given_up(server: Server) -> None:
    server.pause.clear()
    with pytest.raises(ModelUnavailable):
        Mem0Learner(config_for(server), timeout_s=0.1).learn(exchange(*ALEX))


def test_a_deadline_that_has_passed(server: Server) -> None:
    with pytest.raises(ModelUnavailable, match="no time left"):
        Mem0Learner(config_for(server)).learn(exchange(*ALEX), deadline=Deadline.after(-1))
    assert server.prompts == []


def test_nothing_is_lost_while_it_is_down(server: Server, clock: FixedClock) -> None:
    server.status = 503
    with emberkeep.open(":memory:", learner=Mem0Learner(config_for(server)), clock=clock) as memory:
        added = memory.add("I prefer Python over Java", user_id="alex")
        assert added.errors == 1
        assert not added.learned
        assert memory.search("Python", user_id="alex")
        server.status, server.answer = 200, lambda _: facts("User prefers Python over Java")
        clock.move(hours=1)
        assert memory.learn().new == 1


# Settings.


def test_no_file_says_what_to_set() -> None:
    with pytest.raises(ConfigError, match="mem0_config"):
        emberkeep.open(":memory:", learner="mem0")


def test_a_file_that_is_missing_or_no_json(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Mem0Learner.from_file(str(tmp_path / "nowhere.json"))
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(ConfigError, match="not valid JSON"):
        Mem0Learner.from_file(str(tmp_path / "bad.json"))
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(ConfigError, match="must be an object"):
        Mem0Learner.from_file(str(tmp_path / "list.json"))


def test_without_mem0_it_says_how_to_get_it(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(mem0, "version", missing)
    with pytest.raises(ConfigError, match=r"pip install 'emberkeep\[mem0\]'"):
        Mem0Learner(config_for(server))
    monkeypatch.setitem(sys.modules, "mem0", None)
    with pytest.raises(ConfigError, match=r"pip install 'emberkeep\[mem0\]'"):
        mem0.import_mem0()


def test_settings_that_would_send_texts_elsewhere_are_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"api\.openai\.com"):
        Mem0Learner({})
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-or")
    with pytest.raises(ConfigError, match="OPENROUTER_API_KEY"):
        Mem0Learner(config_for(server))


# Nothing leaves the machine, and the home folder stays as it was.

ALONE = """
import socket, sys
reached = set()
def noted(verb):
    def call(self, address, *rest):
        reached.add(address)
        return verb(self, address, *rest)
    return call
class Noted(socket.socket):
    connect, connect_ex = noted(socket.socket.connect), noted(socket.socket.connect_ex)
    sendto = noted(socket.socket.sendto)
look_up = socket.getaddrinfo
def looked_up(host, *rest, **more):
    reached.add((host, None))
    return look_up(host, *rest, **more)
socket.socket = socket.SocketType = Noted
socket.getaddrinfo = looked_up

import emberkeep
assert "mem0" not in sys.modules
if sys.argv[2:] == ["imported before"]:
    import mem0
with emberkeep.open(learner="mem0", mem0_config=sys.argv[1]) as memory:
    assert sys.argv[2:] or "mem0" not in sys.modules
    added = memory.add("I prefer Python over Java", user_id="alex")
    assert len(added.learned) == 1, added.reasons
assert not sys.modules["mem0.memory.telemetry"].MEM0_TELEMETRY
assert {host for host, _ in reached} == {"127.0.0.1"}, reached
"""


FETCHING = """
import pathlib
def fetch(*_, **__):
    pathlib.Path("fetched").touch()
    raise OSError
"""
# Packages that Mem0 uses if they are there, and lets download models.
FETCHERS = {
    "spacy/__init__.py": "class util:\n    is_package = staticmethod(lambda name: False)\n",
    "spacy/cli.py": FETCHING + "download = fetch\n",
    "fastembed.py": FETCHING + "SparseTextEmbedding = fetch\n",
}


@pytest.mark.parametrize("before", [[], ["imported before"]])
def test_nothing_is_sent_elsewhere_or_written_outside_the_data_folder(
    server: Server, tmp_path: Path, before: list[str]
) -> None:
    server.answer = lambda _: facts("User prefers Python over Java")
    folders = {name: tmp_path / name for name in ("home_of_user", "work", "scratch", "data")}
    for folder in folders.values():
        folder.mkdir()
    for name, code in FETCHERS.items():
        (tmp_path / "fetchers" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fetchers" / name).write_text(code)
    settings = tmp_path / "data" / "mem0.json"
    settings.write_text(json.dumps(config_for(server, embedder=embedder_of(server))))
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MEM0_"))}
    environ |= {"HOME": str(folders["home_of_user"]), "TMPDIR": str(folders["scratch"]), "MEM0_TELEMETRY": "True"}
    environ |= {
        "EMBERKEEP_HOME": str(folders["data"]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(tmp_path / "fetchers"),
    }
    ran = subprocess.run(
        [sys.executable, "-c", ALONE, settings, *before],
        cwd=folders["work"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    own = "home_of_user/.mem0/config.json" if before else "data/mem0/config.json"  # written by the import
    assert written - {f"fetchers/{name}" for name in FETCHERS} == {"data/mem0.json", "data/memory.db", own}
