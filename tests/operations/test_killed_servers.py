"""Two servers and two workers on one PostgreSQL, some of which are killed: what was acknowledged is there, once."""

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import httpx
import pytest

import emberkeep

WRITERS = 4
WRITES = 8  # each
PATIENCE = 20  # how often to be told that the same is under way, before looking whether it died with its server
PLACES = "Lisbon Porto Rome Oslo Vienna Madrid Berlin Dublin Prague Warsaw Athens Helsinki".split()


class Program:
    """A server or a worker, which can be killed and started again."""

    def __init__(self, *command: str) -> None:
        self._command = [sys.executable, "-m", "emberkeep", *command]
        self.url = ""
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if "serve" in self._command:
            assert self._process.stdout is not None
            self.url = self._process.stdout.readline().removeprefix("serving: ").strip()

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    def stop(self) -> int:
        self._process.terminate()
        self._process.communicate(timeout=60)
        return self._process.returncode


@contextmanager
def running(*command: str) -> Iterator[Program]:
    program = Program(*command)
    try:
        yield program
    finally:
        program.kill()


@dataclass
class Ledger:
    """What the servers acknowledged, kept by whoever asked them."""

    servers: list[Program]
    kept: dict[str, str] = field(default_factory=dict)  # how it is known, by its text
    lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, writer: int) -> None:
        with httpx.Client(timeout=30) as client:
            for number in range(WRITES):
                text = f"I moved to {PLACES[number]} with friend {writer} of {WRITERS}."
                later = "later" if number % 2 else True
                body = {"messages": text, "user_id": f"user-{writer}", "learn": later, "tags": ["killed"]}
                kept = self._sent_until_it_is_taken(client, body, f"write-{writer}-{number}")
                with self.lock:
                    self.kept[text] = kept

    def _sent_until_it_is_taken(self, client: httpx.Client, body: Mapping[str, object], key: str) -> str:
        under_way = 0
        for attempt in range(600):
            server = self.servers[attempt % len(self.servers)]
            named = {"Idempotency-Key": f"{key}-{under_way // PATIENCE}"}
            try:
                answer = client.post(f"{server.url}/api/v1/memories", json=body, headers=named)
                if answer.status_code == 201:
                    return "acknowledged"
                assert answer.status_code in {409, 503}, answer.text
                under_way += answer.status_code == 409
                if under_way and under_way % PATIENCE == 0 and self._is_there(client, server, body):
                    return "found"  # the server died between writing it and saying so
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise AssertionError("no server took it")

    def _is_there(self, client: httpx.Client, server: Program, body: Mapping[str, object]) -> bool:
        query = {"user_id": str(body["user_id"]), "limit": "1000"}
        listed = client.get(f"{server.url}/api/v1/interactions", params=query)
        return str(body["messages"]) in listed.text


@pytest.mark.slow
def test_every_acknowledged_write_is_there_once(postgres_url: str) -> None:
    serve = ("serve", "--port", "0", "--no-worker", "--db", postgres_url)
    work = ("worker", "--every", "0.2", "--db", postgres_url)
    with ExitStack() as stack:
        servers = [stack.enter_context(running(*serve)) for _ in range(2)]
        workers = [stack.enter_context(running(*work)) for _ in range(2)]
        ledger = Ledger(servers)
        writers = [threading.Thread(target=ledger.write, args=(number,), daemon=True) for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        for turn, victim in enumerate((servers[0], workers[0], servers[1], workers[1])):
            _wait_for(ledger, (turn + 1) * WRITERS * WRITES // 6)
            victim.kill()
            victim.start()
        for writer in writers:
            writer.join(timeout=180)
        _search_everywhere(servers)
        assert [server.stop() for server in servers] == [0, 0]
        # One that was started again just now may be told to stop before it listens for that.
        assert {worker.stop() for worker in workers} <= {0, -signal.SIGTERM}
    with emberkeep.open(postgres_url) as memory:
        memory.learn(retry_failed=True)  # what a killed worker held is leased for a while yet
        assert len(ledger.kept) == WRITERS * WRITES
        found = Counter(one.text for one in memory.get_all(user_id="*", kinds=["episode"], limit=1_000))
        assert found == dict.fromkeys(ledger.kept, 1)


def _wait_for(ledger: Ledger, writes: int) -> None:
    for _ in range(6_000):
        if len(ledger.kept) >= writes:
            return
        time.sleep(0.02)
    raise AssertionError(f"after two minutes {len(ledger.kept)} of {writes} are written")


def _search_everywhere(servers: list[Program]) -> None:
    for server in servers:
        body = {"query": "Where did they move?", "user_id": "user-1"}
        found = httpx.post(f"{server.url}/api/v1/memories/search", json=body, timeout=30)
        assert found.json()["memories"], found.text
