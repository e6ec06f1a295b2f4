"""What the service costs and carries: a search over HTTP beside one in process, and many clients at once.

python -m benchmarks.service [--items 2000] [--requests 300] [--db URL] [--only cost,load,flood]

The clients are another process, which speaks HTTP over loopback with the standard library. Figures of one run on one
machine: compare them with each other.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import emberkeep
from benchmarks.texts import Texts

USER = "alex"
ADDED_MS = 3.0  # what HTTP may add to a search
MIX = ("search",) * 7 + ("add",) * 2 + ("context",)
CROWDS = (1, 4, 16, 64)
ROOM, CROWD = 4, 64  # requests that a small server takes at once, and those that come
Call = Callable[[str, str], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=2_000)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--db", help="an empty PostgreSQL database instead of a file")
    parser.add_argument("--only", default="cost,load,flood")
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--crowd", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.client:
        print(json.dumps(ask_all(options.client, options.crowd, options.requests)))
        return
    with tempfile.TemporaryDirectory(prefix="emberkeep-bench-") as folder:
        target = options.db or str(Path(folder) / "service.db")
        print(f"{target.partition('://')[0] if options.db else 'SQLite'}, {options.items:,} memories, load {load()}")
        with emberkeep.open(target, learner="none") as memory:
            memory.add(Texts().memories(options.items), user_id=USER)
            wanted = options.only.split(",")
            if "cost" in wanted:
                cost(memory, target, options.requests)
            if "load" in wanted:
                carry(memory, target, options.requests)
        if "flood" in wanted:
            flood(target, options.requests)


def cost(memory: emberkeep.Memory, target: str, rounds: int) -> None:
    """The same searches in process and over HTTP by one client, in turn."""
    times: dict[str, list[float]] = {"in process": [], "over HTTP": [], "nothing (healthz)": []}
    processor: dict[str, float] = dict.fromkeys(times, 0.0)
    with served(target) as (url, pid), Connection(url) as client:
        for question in Texts().questions(rounds):
            calls: dict[str, Callable[[], object]] = {
                "in process": lambda question=question: memory.search(question, user_id=USER),  # type: ignore[misc]
                "over HTTP": lambda question=question: client.call("search", question),  # type: ignore[misc]
                "nothing (healthz)": client.alive,
            }
            for name, call in calls.items():
                server, began, own = processor_s(pid), time.perf_counter(), time.process_time()
                call()
                times[name].append(time.perf_counter() - began)
                processor[name] += processor_s(pid) - server + time.process_time() - own
    p50 = {name: statistics.median(found) * 1e3 for name, found in times.items()}
    for name, found in times.items():
        least = sorted(found)[rounds // 10] * 1e3  # what it takes while nothing else runs, on a machine with other work
        spent = processor[name] / rounds * 1e3
        print(f"search {name:<20} p50 {p50[name]:8.2f} ms   p10 {least:8.2f} ms   processor {spent:8.2f} ms")
    added = p50["over HTTP"] - p50["in process"]
    verdict = "met" if added <= ADDED_MS else "MISSED"
    print(f"{'HTTP adds (p50)':<48} {added:>8.2f} ms   wanted at most {ADDED_MS:g} ms   {verdict}", flush=True)


def carry(memory: emberkeep.Memory, target: str, requests: int) -> None:
    """Searches, additions and contexts mixed, by more and more clients, beside as many threads in process."""
    with served(target) as (url, _):
        for crowd in CROWDS:
            command = [sys.executable, "-m", "benchmarks.service", "--client", url, "--crowd", str(crowd)]
            said = subprocess.run([*command, "--requests", str(requests)], check=True, capture_output=True, text=True)
            over_http, within = json.loads(said.stdout), in_process(memory, crowd, requests)
            for name, found in (("over HTTP", over_http), ("in process", within)):
                print(
                    f"{crowd:>3} {'clients' if name == 'over HTTP' else 'threads'} {name:<10} {found['per_s']:8.1f}/s"
                    f"   p50 {found['p50']:8.1f} ms   p99 {found['p99']:8.1f} ms   {found['statuses']}",
                    flush=True,
                )


def flood(target: str, requests: int) -> None:
    """Many more clients than a server has room for: turned away at once, and told when to come again."""
    with served(target, EMBERKEEP_MAX_REQUESTS=str(ROOM)) as (url, _):
        found = ask_all(url, CROWD, requests)
    patient = found["statuses"].get("503 with Retry-After", 0)
    refused = sum(count for status, count in found["statuses"].items() if status.startswith(("429", "503")))
    print(f"{CROWD} clients, room for {ROOM}: {found['statuses']}, longest answer {found['longest']:.0f} ms")
    verdict = "met" if refused == patient and sum(found["statuses"].values()) == requests else "MISSED"
    print(f"{'turned away with Retry-After, none unanswered':<48} {patient:>8}      of {refused} refused   {verdict}")


def ask_all(url: str, crowd: int, requests: int) -> dict[str, Any]:
    """Ask so often, by so many at once, each on a connection of its own."""
    own = threading.local()

    def call(verb: str, text: str) -> str:
        if not hasattr(own, "connection"):
            own.connection = Connection(url)
        connection: Connection = own.connection
        return connection.call(verb, text)

    return measured(call, crowd, requests)


def in_process(memory: emberkeep.Memory, crowd: int, requests: int) -> dict[str, Any]:
    verbs: dict[str, Callable[[str], object]] = {
        "search": lambda text: memory.search(text, user_id=USER),
        "add": lambda text: memory.add(text, user_id=USER, learn=False),
        "context": lambda text: memory.context(text, user_id=USER, max_tokens=1_000),
    }

    def call(verb: str, text: str) -> str:
        verbs[verb](text)
        return "done"

    return measured(call, crowd, requests)


def measured(call: Call, crowd: int, requests: int) -> dict[str, Any]:
    texts, times, statuses = Texts(), [0.0] * requests, ["failed"] * requests
    questions = texts.questions(requests)
    order = random.Random(7)
    verbs = [order.choice(MIX) for _ in range(requests)]

    def one(number: int) -> None:
        began = time.perf_counter()
        statuses[number] = str(call(verbs[number], questions[number]))
        times[number] = time.perf_counter() - began

    began = time.perf_counter()
    with ThreadPoolExecutor(crowd) as pool:
        list(pool.map(one, range(requests)))
    took = time.perf_counter() - began
    ranked = sorted(times)
    return {
        "per_s": requests / took,
        "p50": statistics.median(ranked) * 1e3,
        "p99": ranked[int(requests * 0.99) - 1] * 1e3,
        "longest": ranked[-1] * 1e3,
        "statuses": dict(Counter(statuses)),
    }


class Connection:
    """A connection that is kept, as a client's is."""

    def __init__(self, url: str) -> None:
        self._http = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def call(self, verb: str, text: str) -> str:
        bodies: dict[str, tuple[str, dict[str, Any]]] = {
            "search": ("/api/v1/memories/search", {"query": text}),
            "add": ("/api/v1/memories", {"messages": text, "learn": False}),
            "context": ("/api/v1/contexts", {"task": text, "max_tokens": 1_000}),
        }
        path, body = bodies[verb]
        said = json.dumps({**body, "user_id": USER})
        return self._asked("POST", path, said)

    def alive(self) -> str:
        return self._asked("GET", "/healthz", None)

    def _asked(self, method: str, path: str, body: str | None) -> str:
        self._http.request(method, path, body, {"Content-Type": "application/json"})
        answer = self._http.getresponse()
        json.loads(answer.read())
        return f"{answer.status} with Retry-After" if answer.getheader("Retry-After") else str(answer.status)


@contextmanager
def served(target: str, **environ: str) -> Iterator[tuple[str, int]]:
    """A server in a process of its own."""
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--no-worker", "--db", target]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environ}
    ) as server:
        assert server.stdout is not None
        try:
            url = server.stdout.readline().removeprefix("serving: ").strip()
            with Connection(url) as first:
                for text in Texts().questions(5):
                    first.call("search", text)
            yield url, server.pid
        finally:
            server.terminate()


def processor_s(pid: int) -> float:
    """How much of a processor's time another process took so far."""
    parts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def load() -> str:
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
