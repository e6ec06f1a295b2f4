"""The speed of the store, as ratios of times from one run, because machines differ and are noisy.

python -m benchmarks.spine [--only capture,add,search,scope,start] [--items 100000] [--database 1000000] [--db URL]

With --db, `add` and `search` use this empty PostgreSQL database instead of a file.
"""

import argparse
import json
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import emberkeep
from benchmarks.texts import KeptEmbedder, MixedEmbedder, Texts
from emberkeep.model.recall import Plan
from emberkeep.providers.local_embedder import LocalEmbedder

EXACT = Plan("exact", exact=True)
USER = "alex"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="capture,add,search,scope,start")
    parser.add_argument("--items", type=int, default=100_000, help="memories in one scope, for search")
    parser.add_argument("--database", type=int, default=1_000_000, help="memories around a scope of 1,000")
    parser.add_argument("--db", help="a PostgreSQL URL, for add and search")
    options = parser.parse_args()
    parts: dict[str, Callable[[Path], None]] = {
        "capture": capture,
        "add": lambda folder: add(options.db or folder / "add.db"),
        "search": lambda folder: search(options.db or folder / "search.db", options.items),
        "scope": lambda folder: scope(folder, options.database),
        "start": start,
    }
    for name in options.only.split(","):
        with _folder() as folder:
            parts[name](folder)


def capture(folder: Path) -> None:
    """Durable writes to the log by one thread and by sixteen, compared with sqlite3 with a commit per insert."""
    rounds: dict[str, list[float]] = {"rollback journal": [], "raw WAL": [], "one thread": [], "16 threads": []}
    for turn in range(3):
        rounds["rollback journal"].append(_raw(folder / f"{turn}-delete.db", "DELETE", 400))
        rounds["raw WAL"].append(_raw(folder / f"{turn}-wal.db", "WAL", 2_000))
        rounds["one thread"].append(_captured(folder / f"{turn}-one.db", 1, 2_000))
        rounds["16 threads"].append(_captured(folder / f"{turn}-many.db", 16, 16_000))
    rate = {name: statistics.median(values) for name, values in rounds.items()}
    for name, value in rate.items():
        print(f"capture: {name:<18} {value:>10,.0f} interactions/s")
    _report("capture, 16 threads / rollback journal", rate["16 threads"] / rate["rollback journal"], at_least=20)
    _report("capture, one thread / raw WAL", rate["one thread"] / rate["raw WAL"], at_least=1)


def add(target: str | Path) -> None:
    """`add` of 1,000 messages, compared with embedding them."""
    embedder = LocalEmbedder()
    ratios = []
    with emberkeep.open(target, tenant="add", learner="none", embedder=embedder) as memory:
        texts = Texts()
        memory.add(texts.memories(50), user_id=USER)
        for _ in range(3):
            alone, together = texts.memories(1_000), texts.memories(1_000)
            ratios.append(
                _seconds(partial(memory.add, together, user_id=USER)) / _seconds(partial(embedder.embed, alone))
            )
    _report("add of 1,000 / embedding 1,000", statistics.median(ratios), at_most=1.15)


def search(target: str | Path, count: int) -> None:
    """`search` in a large scope, compared with embedding the question, and its overlap with an exact search."""
    texts, real = Texts(), LocalEmbedder()
    with emberkeep.open(target, tenant="search", learner="none", embedder=KeptEmbedder(real)) as memory:
        _fill(memory, texts, count, USER)
        memory.upkeep()
        _compare_search(memory, real, texts, USER, f"search in {count:,}")
        overlaps = []
        for question in texts.questions(100):
            found = {hit.id for hit in memory.search(question, user_id=USER)}
            exact = {hit.id for hit in memory.search(question, user_id=USER, plan=EXACT)}
            overlaps.append(len(found & exact) / len(exact))
    _report("top-10 overlap with exact search", statistics.mean(overlaps), at_least=0.97)


def scope(folder: Path, count: int) -> None:
    """`search` in a scope of 1,000 memories: alone in its database, and among many others."""
    texts, real = Texts(), LocalEmbedder()
    embedder = MixedEmbedder(real, texts)
    own = texts.memories(1_000)
    with (
        emberkeep.open(folder / "alone.db", learner="none", embedder=embedder) as alone,
        emberkeep.open(folder / "among.db", learner="none", embedder=embedder) as among,
    ):
        for memory in (alone, among):
            memory.add(own, user_id=USER)
        for user in range(count // 1_000 - 1):
            _fill(among, texts, 1_000, f"user-{user}")
        times: dict[str, list[float]] = {"alone": [], "among": []}
        for question in texts.questions(400):
            for name, memory in (("alone", alone), ("among", among)):
                times[name].append(_seconds(partial(memory.search, question, user_id=USER)))
    ratio = statistics.median(times["among"]) / statistics.median(times["alone"])
    _report(f"scope of 1,000 in {count:,} / alone", ratio, at_most=1.2)


def start(_: Path) -> None:
    """The time of the import, and the peak memory with the model loaded."""
    code = "import time; t = time.perf_counter(); import emberkeep; print(time.perf_counter() - t)"
    _report("import of emberkeep, s", min(float(_python(code)) for _ in range(3)), at_most=0.3)
    code = (
        "import emberkeep\n"
        "from emberkeep.bench.process import peak_mb\n"
        "with emberkeep.open(':memory:') as memory:\n"
        "    memory.add(['I moved to Lisbon in May.'] + [f'Note {n} about the garden' for n in range(200)])\n"
        "    memory.search('where do I live?')\n"
        "print(peak_mb())"
    )
    _report("peak resident memory with the model, MB", float(_python(code)), at_most=350)


def _compare_search(memory: emberkeep.Memory, real: LocalEmbedder, texts: Texts, user: str, label: str) -> None:
    asking, embedding = [], []
    for question, other in zip(texts.questions(400), texts.questions(400), strict=True):
        embedding.append(_seconds(partial(real.embed_query, other)))
        asking.append(_seconds(partial(memory.search, question, user_id=user)))
    p50, alone = statistics.median(asking), statistics.median(embedding)
    print(f"{label}: p50 {p50 * 1e3:.2f} ms; embedding the question {alone * 1e3:.2f} ms")
    _report(f"{label} / embedding the question", p50 / alone, at_most=1.5)


def _fill(memory: emberkeep.Memory, texts: Texts, count: int, user: str) -> None:
    for start_at in range(0, count, 10_000):
        memory.add(texts.memories(min(10_000, count - start_at)), user_id=user)


def _raw(path: Path, journal: str, count: int) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE log (tenant TEXT, id TEXT, user TEXT, agent TEXT, session TEXT, occurred INTEGER, "
        "recorded INTEGER, messages TEXT, tags TEXT, metadata TEXT, PRIMARY KEY (tenant, id))"
    )
    connection.execute("CREATE INDEX log_by_session ON log (tenant, user, session, id)")
    began = time.perf_counter()
    for number in range(count):
        said = json.dumps([{"role": "user", "content": f"This is message number {number} of a long conversation."}])
        row = ("default", f"{number:032x}", USER, "", "s", number, number, said, "[]", "{}")
        connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    taken = time.perf_counter() - began
    connection.close()
    return count / taken


def _captured(path: Path, threads: int, count: int) -> float:
    with emberkeep.open(path) as memory:

        def work(first: int) -> None:
            for number in range(first, count, threads):
                said = f"This is message number {number} of a long conversation."
                memory.add([{"role": "user", "content": said}], user_id=USER, session_id="s", learn="later")

        workers = [threading.Thread(target=work, args=(first,)) for first in range(threads)]
        began = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return count / (time.perf_counter() - began)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def _report(label: str, value: float, *, at_least: float | None = None, at_most: float | None = None) -> None:
    met = (at_least is None or value >= at_least) and (at_most is None or value <= at_most)
    wanted = f"at least {at_least:g}" if at_least is not None else f"at most {at_most:g}"
    print(f"{label:<48} {value:>8.3f}   wanted {wanted:<14} {'met' if met else 'MISSED'}", flush=True)


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="emberkeep-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
