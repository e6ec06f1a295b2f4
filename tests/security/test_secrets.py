"""Keys and passwords are in nothing that is logged, printed, raised or counted, with all logging on that there is."""

import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from io import StringIO
from typing import Any

import httpx
import pytest
from tests.serving import answering_at
from typer.testing import CliRunner

import emberkeep
from emberkeep.config import Config, discreet
from emberkeep.entrypoints.cli import app
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.logs import JsonLines
from emberkeep.entrypoints.serving import server_of
from emberkeep.errors import EmberkeepError
from emberkeep.memory import Memory
from emberkeep.testing import WordEmbedder

MODEL, LOGIN, DATABASE, QUERY, REDIS, HOOK = (f"hush-{name}-5f3a9c" for name in "abcdef")
HOOK = f"{HOOK}-long-enough-to-be-one"
PATHS = ["/metrics", "/readyz", *(f"/api/v1/{noun}" for noun in ("stats", "keys", "webhooks", "users"))]
GIVEN = [MODEL, LOGIN, DATABASE, QUERY, REDIS, HOOK]


class Rude(BaseHTTPRequestHandler):
    """A model's server that answers with the key it was shown, as some do in their errors."""

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.dumps({"error": f"no such key: {self.headers.get('Authorization')}"}).encode()
        self.send_response(401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = _answer  # noqa: N815 - as it asks for them

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def rude_server() -> Iterator[str]:
    with answering_at(Rude) as address:
        yield address


@pytest.fixture
def log() -> Iterator[StringIO]:
    """All that is logged, by whom and at which level so ever: as most programs write it, and as ours may at most."""
    stream = StringIO()
    plain, ours = logging.StreamHandler(stream), logging.StreamHandler(stream)
    plain.setFormatter(logging.Formatter("%(name)s %(message)s"))
    ours.setFormatter(JsonLines(texts=True))
    loggers = [logging.getLogger(), logging.getLogger("sqlalchemy")]  # the latter says little unless it is told to
    levels = [one.level for one in loggers]
    for one in loggers:
        one.setLevel(logging.DEBUG)
    for handler in (plain, ours):
        loggers[0].addHandler(handler)
    yield stream
    for handler in (plain, ours):
        loggers[0].removeHandler(handler)
    for one, level in zip(loggers, levels, strict=True):
        one.setLevel(level)


@pytest.fixture
def settings(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Settings with a secret wherever one can be; nobody is where the Redis and the webhook lead."""
    monkeypatch.setenv("THE_KEY", MODEL)
    with socket.create_server(("127.0.0.1", 0)) as free:
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
    with rude_server() as model:
        url = postgres_url.replace("postgres:@", f"postgres:{DATABASE}@")
        assert DATABASE in url
        yield {
            "db": f"{url}&sslpassword={QUERY}",
            "learner": "llm",
            "llm_model": "rude",
            "llm_url": f"http://alex:{LOGIN}@{model}/v1",
            "llm_key_env": "THE_KEY",
            "events_url": f"redis://alex:{REDIS}@{nobody}/0",
            "embedding_cache_url": f"redis://:{REDIS}@{nobody}/1",
            "webhook_private": True,
        }


def said_by(*calls: Any) -> str:
    """What errors say, and all that they came from."""
    said = []
    for call in calls:
        try:
            call()
        except Exception as error:  # noqa: BLE001 - of any kind
            chain: BaseException | None = error
            while chain is not None and isinstance(chain, EmberkeepError):
                said += [str(chain), repr(chain)]
                chain = chain.__cause__
    return "\n".join(said)


def assert_untold(everything: str, *secrets: str) -> None:
    assert not [line for line in everything.splitlines() for secret in secrets if secret in line]


def served(memory: Memory, key: str) -> str:
    """What a server that has keys tells to one with a key, one with a wrong key, and one with none."""
    told = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = server_of(create_app(memory))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        with httpx.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}") as client:
            for shown in (key, key[:-1] + "x", ""):
                headers = {"Authorization": f"Bearer {shown}"} if shown else {}
                told += [client.get(path, headers=headers).text for path in PATHS]
        server.should_exit = True
        thread.join(20)
    return "\n".join(told)


@pytest.mark.slow
def test_a_whole_journey_tells_no_secret(settings: dict[str, Any], log: StringIO) -> None:
    config = Config().changed(**settings)
    with emberkeep.open(config=config, embedder=WordEmbedder()) as memory:
        key = memory.keys.create("the tests", role="admin").secret
        hook = memory.events.add_webhook("http://127.0.0.1:9/hook", secret=HOOK)
        made = memory.events.add_webhook("http://127.0.0.1:9/", types=["app.*"])
        added = memory.add("I moved to Lisbon in May.", user_id="alex")
        memory.learn()
        memory.events.publish("app.opened", {"at": "noon"})
        memory.events.deliver()
        told = [repr(memory.search("Lisbon", user_id="alex")), repr(added.reasons), repr(memory.backlog())]
        told += [repr(memory.config), str(memory.config), repr(memory.stats()), repr(memory.events.webhooks())]
        told += [repr(memory.events.undelivered()), repr(memory.audit_log.list()), repr(memory.keys.list())]
        told.append(served(memory, key))
        told.append(said_by(memory.upkeep, lambda: memory.keys.verify(key[:-1] + "x"), memory.rebuild))
    everything = "\n".join([*told, log.getvalue()])
    assert "HTTP 401" in everything  # it was shown the keys, and answered
    assert "sqlalchemy.engine" in log.getvalue()
    assert hook.secret == HOOK
    assert_untold(everything, *GIVEN, key, made.secret, made.secret.removeprefix("whsec_"))


@pytest.mark.slow
def test_commands_tell_no_secret(settings: dict[str, Any], log: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emberkeep.wiring.make_embedder", lambda *_: WordEmbedder())
    environ = {f"EMBERKEEP_{name.upper()}": str(value) for name, value in settings.items()}
    run = CliRunner()
    made = run.invoke(app, ["keys", "create", "bot", "--json"], env=environ).stdout
    key: str = json.loads(made)["secret"]
    commands = [
        "doctor",
        "stats",
        "search x",
        "add hello",
        "keys list",
        "audit-log",
        "learn",
        "webhooks list",
        "upkeep",
        "migrate",
    ]
    said = [
        run.invoke(app, [*command.split(), *more], env=environ).output
        for command in commands
        for more in ([], ["--json"])
    ]
    wrong = settings["db"].replace("/test_", "/nobody_")
    broken = [
        "postgresql://alex:hush-a-5f3a9c",
        f"postgresql://alex:{DATABASE}@[",
        f"redis://{REDIS}@",
        f"http://a:{LOGIN}@h/",
    ]
    for url in (wrong, *broken):
        said += [run.invoke(app, ["stats", "--db", url, *more], env=environ).output for more in ([], ["--json"])]
    said += [run.invoke(app, ["doctor"], env=environ | {"EMBERKEEP_EVENTS_URL": f"rediss://a:{REDIS}@:x"}).output]
    everything = "\n".join([*said, log.getvalue()])
    assert "401" in everything or "refuses the key" in everything
    assert_untold(everything, *GIVEN, key)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://alex:hush@host/db", "postgresql://alex:***@host/db"),
        ("postgresql://alex:hu/sh@host/db", "postgresql://alex:hu/sh@host/db"),
        ("redis://:hush@host", "redis://:***@host"),
        ("https://host/v1?api_key=hush&x=1", "https://host/v1?api_key=***&x=1"),
        ("postgresql:///db?host=/tmp&password=hush", "postgresql:///db?host=/tmp&password=***"),
        ("postgresql://alex@host/db", "postgresql://alex@host/db"),
        ("agent.db", "agent.db"),
    ],
)
def test_a_url_is_shown_without_its_password(url: str, shown: str) -> None:
    assert discreet(url) == shown
    assert f"db={shown!r}" in repr(Config().changed(db=url))
