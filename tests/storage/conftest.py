"""Other processes to share a store with, and a look at its tables for what must always be true of them."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, select, text

import emberkeep
from emberkeep.config import Config
from emberkeep.model.item import spoken
from emberkeep.model.sameness import content_hash
from emberkeep.storage import schema, shelves, spaces, terms, vectors
from emberkeep.storage.database import Database
from emberkeep.testing import WordEmbedder
from emberkeep.wiring import open_database

from .replicas import Pair, new_pair

Open = Callable[..., emberkeep.Memory]
Start = Callable[..., "Process"]

OBEY = """
import sys
import emberkeep
from emberkeep.testing import WordEmbedder
settings = eval(sys.argv[2])
with emberkeep.open(sys.argv[1], embedder=WordEmbedder(), **settings) as memory:
    for line in sys.stdin:
        print(repr(eval(line)), flush=True)
"""


@pytest.fixture(autouse=True)
def _nobody_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Storage is tested with the items that a test makes, here and in the processes that it starts."""
    monkeypatch.setenv("EMBERKEEP_LEARNER", "none")


class Process:
    """A Python of its own, which reads lines and prints lines."""

    def __init__(self, script: str, *arguments: str) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )

    def tell(self, line: str) -> None:
        assert self.popen.stdin is not None
        self.popen.stdin.write(line + "\n")
        self.popen.stdin.flush()

    def hear(self) -> str:
        assert self.popen.stdout is not None
        return self.popen.stdout.readline().rstrip("\n")

    def ask(self, expression: str) -> str:
        self.tell(expression)
        return self.hear()

    def finish(self) -> str:
        """Let it come to its end, and give what it printed last."""
        said, _ = self.popen.communicate(timeout=60)
        assert self.popen.returncode == 0
        return said

    def kill(self) -> list[str]:
        """End it where it stands, and give the whole lines that it printed."""
        self.popen.kill()
        said, _ = self.popen.communicate(timeout=10)
        return said.split("\n")[:-1]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts processes that end with the test at the latest."""
    started: list[Process] = []

    def one(script: str, *arguments: str) -> Process:
        started.append(Process(script, *arguments))
        return started[-1]

    yield one
    for process in started:
        if process.popen.poll() is None:
            process.popen.kill()
        process.popen.communicate(timeout=10)


@pytest.fixture
def another_process(start: Start) -> Callable[..., Process]:
    """A process that has the store open as `memory`, and evaluates the lines it is told."""

    def one(target: str, **settings: object) -> Process:
        return start(OBEY, target, repr(settings))

    return one


@pytest.fixture(scope="session")
def one_pair() -> Iterator[Pair]:
    pair = new_pair()
    yield pair
    pair.stop()


@pytest.fixture
def pair(one_pair: Pair) -> Iterator[Pair]:
    """A primary and its replica, in step when a test begins."""
    one_pair.catch_up()
    yield one_pair
    one_pair.resume()


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens memories with a cheap embedder, and closes them after the test."""
    memories: list[emberkeep.Memory] = []

    def one(target: str, **settings: Any) -> emberkeep.Memory:
        memories.append(emberkeep.open(target, **{"embedder": WordEmbedder(), **settings}))
        return memories[-1]

    yield one
    for memory in memories:
        memory.close()


@pytest.fixture
def database() -> Iterator[Callable[[str], Database]]:
    """The bare database under a store."""
    databases: list[Database] = []

    def one(target: str) -> Database:
        databases.append(open_database(Config(db=target)))
        return databases[-1]

    yield one
    for each in databases:
        each.close()


@pytest.fixture
def check_whole(database: Callable[[str], Database]) -> Callable[[str], None]:
    """Looks for anything half-written in a store."""

    def check(target: str) -> None:
        with database(target).read() as connection:
            if connection.dialect.name == "sqlite":
                assert connection.execute(text("PRAGMA integrity_check")).scalars().all() == ["ok"]
                assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
            _check_items(connection)
            _check_vectors(connection)
            _check_log(connection)
            _check_revisions(connection)

    return check


def _check_items(connection: Connection) -> None:
    told: dict[tuple[str, str], set[bytes]] = {}
    for row in connection.execute(select(schema.attributes)):
        told.setdefault((row.tenant, row.item_id), set()).add(row.attribute)
    rows = connection.execute(select(schema.items)).all()
    known = {(row.tenant, row.id) for row in rows}
    for row in rows:
        assert row.terms == terms.pack(spoken(row.speaker, row.text)).tobytes()
        assert row.content_hash == content_hash(row.text, row.record or row.speaker)
        assert told.get((row.tenant, row.id), set()) == {_digest(one) for one in [*row.tags, *row.metadata.items()]}
        assert row.version_of is None or (row.tenant, row.version_of) in known
        assert 0.0 <= row.temperature <= 100.0
    for row in connection.execute(select(schema.history)):
        assert (row.tenant, row.item_id) in known or row.action in {"added", "deleted"}


def _digest(attribute: object) -> bytes:
    return hashlib.sha256(json.dumps(attribute, ensure_ascii=False).encode()).digest()[:16]


def _check_vectors(connection: Connection) -> None:
    items = {(row.tenant, row.id): row for row in connection.execute(select(schema.items))}
    numbers = {(row.tenant, row.user_id): row.number for row in connection.execute(select(schema.shelves))}
    space = spaces.active_space(connection)
    embedded = set()
    for row in connection.execute(select(schema.vectors)):
        item = items[row.tenant, row.item_id]
        assert row.embedded_hash == vectors.embedded_hash(spoken(item.speaker, item.text))
        number = numbers[row.tenant, item.user_id]
        assert row.shelf == (shelves.cold_number(number) if item.cold else number)
        if space is not None and row.space == space.id:
            assert len(row.embedding) == space.dimension
            embedded.add((row.tenant, row.item_id))
    assert {key for key, item in items.items() if not item.unembedded} == embedded


def _check_log(connection: Connection) -> None:
    held = {
        (row.tenant, row.id, position)
        for row in connection.execute(select(schema.interactions).where(schema.interactions.c.episodes))
        for position, message in enumerate(row.messages)
        if message is not None
    }
    pointed = {(row.tenant, row.interaction_id, row.position) for row in connection.execute(select(schema.sources))}
    assert pointed == held


def _check_revisions(connection: Connection) -> None:
    last = {(row.tenant, row.user_id): row.revision for row in connection.execute(select(schema.shelves))}
    shelf_of = {row.number: (row.tenant, row.user_id) for row in connection.execute(select(schema.shelves))}
    shelf_of |= {shelves.cold_number(number): owner for number, owner in shelf_of.items()}
    taken = [
        ((row.tenant, row.user_id), row.revision)
        for table in (schema.items, schema.tombstones)
        for row in connection.execute(select(table.c.tenant, table.c.user_id, table.c.revision))
    ]
    taken += [
        (shelf_of[row.shelf], row.revision)  # an item's vectors in several spaces may share one
        for row in connection.execute(select(*schema.vectors.c["shelf", "item_id", "revision"]).distinct())
    ]
    assert [pair for pair, times in Counter(taken).items() if times > 1] == []
    assert all(revision <= last[shelf] for shelf, revision in taken)
