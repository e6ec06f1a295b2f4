"""How a growing store behaves: each measure at several sizes, on both engines, every point in its own processes.

python -m benchmarks.growth [--sizes 1000,10000,100000,1000000] [--users 1,10,100,1000,10000]
    [--engines sqlite,postgres] [--series items,one,users] [--db URL] [--opens 3] [--questions 200]
    [--out growth.json] [--folder FOLDER]

    items  more and more memories, of users who have 1,000 each
    one    more and more memories, all of one user
    users  more and more users, who have 100 memories each

The store of a series grows from point to point, by `add` of up to 1,000 messages at a time: the fastest way to add them
with their vectors. Only the store of `one` is filled anew for each point, so that its index is built in one go.
An interrupted run goes on where it was: points that are in the file --out are not measured again.
PostgreSQL is the one of --db, or a temporary one. `python -m benchmarks.plot_growth growth.json` draws the results.
"""

import argparse
import json
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import emberkeep
from benchmarks.growth_point import QUESTIONS, Point, arguments
from benchmarks.texts import SummedEmbedder
from emberkeep.bench.server import Server, server, size_of

OF_A_USER = {"items": 1_000, "users": 100}
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Store:
    """The store of a series, and its size on disk when it was empty."""

    target: str
    empty: int = 0

    @property
    def bytes(self) -> int:
        if "://" in self.target:
            return size_of(self.target)
        return sum(file.stat().st_size for file in Path(self.target).parent.rglob("*") if file.is_file())


class Often(NamedTuple):
    """How often a store is opened and searched at each point."""

    opens: int
    questions: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=_numbers, default=[1_000, 10_000, 100_000, 1_000_000], help="memories")
    parser.add_argument("--users", type=_numbers, default=[1, 10, 100, 1_000, 10_000], help="users of 100 memories")
    parser.add_argument("--engines", type=_names, default=["sqlite", "postgres"])
    parser.add_argument("--series", type=_names, default=["items", "one", "users"])
    parser.add_argument("--db", help="a PostgreSQL on which databases may be made")
    parser.add_argument("--out", type=Path, default=Path("growth.json"))
    parser.add_argument("--opens", type=int, default=3, help="how often it is opened anew, of which the median counts")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="how often it is searched at each point")
    parser.add_argument("--folder", type=Path, help="for the stores, which need 5 GB a million memories")
    options = parser.parse_args()
    if any(size > 1_000 and size % 1_000 for size in options.sizes):
        parser.error("sizes above 1,000 go by thousands: users have 1,000 memories each")
    sizes = {"items": options.sizes, "one": options.sizes, "users": [users * 100 for users in options.users]}
    found = Findings(options.out)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the server and the stores are removed
    with ExitStack() as stack:
        started = stack.enter_context(server(options.db)) if "postgres" in options.engines else None
        for engine in options.engines:
            for series in options.series:
                missing = [size for size in sorted(sizes[series]) if not found.has(engine, series, size)]
                # One user's memories are loaded anew at each size: an existing index would take them one by one.
                for together in [[size] for size in missing] if series == "one" else [missing] if missing else []:
                    with _store(engine, started, options.folder) as store:
                        often = Often(options.opens, options.questions)
                        grow(store, engine, series, together, found, often=often)


def grow(store: Store, engine: str, series: str, sizes: Sequence[int], found: "Findings", *, often: Often) -> None:
    """Measure a store at each size."""
    before = 0
    for size in sizes:
        began = time.perf_counter()
        point = Point(store.target, size, min(size, OF_A_USER.get(series, size)), before, often.questions)
        measured: Found = {"engine": engine, "series": series, "items": size, "users": point.users}
        for part in ("fill", "upkeep"):
            measured |= _run(part, point)
        opened = [_run("open", point) for _ in range(often.opens)]
        measured |= {name: statistics.median(one[name] for one in opened) for name in opened[0]}
        measured |= _run("measure", point)
        measured["disk_bytes_per_item"] = (store.bytes - store.empty) / size
        measured["took_s"] = time.perf_counter() - began
        found.keep(measured)
        before = size
        print(f"{engine:<9} {series:<6} {size:>10,} memories in {measured['took_s']:>8,.1f} s", flush=True)


class Findings:
    """What was measured so far, in a file that is rewritten after each point."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._points: list[Found] = json.loads(file.read_text())["points"] if file.exists() else []

    def has(self, engine: str, series: str, items: int) -> bool:
        """Whether a point was measured already."""
        wanted = (engine, series, items)
        return any((one["engine"], one["series"], one["items"]) == wanted for one in self._points)

    def keep(self, point: Found) -> None:
        """Add a point, and write the file."""
        self._points.append(point)
        draft = self._file.with_suffix(".tmp")
        draft.write_text(json.dumps({"setup": _setup(), "points": self._points}, indent=1) + "\n")
        draft.replace(self._file)


def _setup() -> Found:
    return {
        "emberkeep": emberkeep.__version__,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "measured": f"{datetime.now(UTC):%Y-%m-%d}",
    }


def _run(part: str, point: Point) -> Found:
    """Run a part in a process of its own."""
    begun = arguments(replace(point, started=time.monotonic()))
    command = [sys.executable, "-m", "benchmarks.growth_point", part, begun]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    answer: Found = json.loads(done.stdout)
    return answer


@contextmanager
def _store(engine: str, started: Server | None, folder: Path | None) -> Iterator[Store]:
    if started is not None and engine == "postgres":
        with started.database() as url:
            yield _made(url)
        return
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="emberkeep-growth-", dir=folder))
    try:
        yield _made(str(made / "memory.db"))
    finally:
        shutil.rmtree(made)


def _made(target: str) -> Store:
    emberkeep.open(target, learner="none", embedder=SummedEmbedder()).close()
    return Store(target, Store(target).bytes)


def _numbers(given: str) -> list[int]:
    return [int(one.replace("_", "")) for one in given.split(",")]


def _names(given: str) -> list[str]:
    return given.split(",")


if __name__ == "__main__":
    main()
