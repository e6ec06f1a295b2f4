"""How long `add(learn="later")` takes compared with the durable write alone, and how long learning by rules takes.

python -m benchmarks.learning [--count 2000]
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import emberkeep
from benchmarks.texts import Texts
from emberkeep.clock import SystemClock
from emberkeep.learning.rules import RuleLearner
from emberkeep.model.finding import Exchange
from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message
from emberkeep.model.scope import Scope


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2_000)
    count = parser.parse_args().count
    with tempfile.TemporaryDirectory(prefix="emberkeep-bench-") as folder:
        later(Path(folder), count)
    rules(count)


def later(folder: Path, count: int) -> None:
    """Compare `add(learn="later")` with inserting the same row into the same table by sqlite3, in turn."""
    with emberkeep.open(folder / "agent.db") as memory:
        memory.add("warm up", user_id="alex", learn="later")
        raw = _same_table(folder)
        row = list(raw.execute("SELECT * FROM interactions").fetchone())
        insert = f"INSERT INTO interactions VALUES ({', '.join('?' * len(row))})"
        adding, writing = [], []
        for number in range(count):
            said = f"This is message number {number} of a long conversation."
            row[1] = f"{number:032x}"
            writing.append(_seconds(partial(raw.execute, insert, tuple(row))))
            adding.append(_seconds(partial(memory.add, said, user_id="alex", session_id="s", learn="later")))
        raw.close()
    p50, alone = statistics.median(adding), statistics.median(writing)
    print(f'add(learn="later") p50 {p50 * 1e6:,.0f} us; the durable write alone {alone * 1e6:,.0f} us')
    print(f'add(learn="later") / the durable write alone     {p50 / alone:.2f}   wanted at most 1.5')


def rules(count: int) -> None:
    """Measure how long the rules take for a message."""
    learner, texts = RuleLearner(), Texts().memories(count)
    now = SystemClock().now()
    times = []
    for text in texts:
        exchange = Exchange(Interaction("i", Scope("t"), (Message("user", text),), now, now))
        times.append(_seconds(partial(learner.learn, exchange)))
    print(f"learning by rules, p50 of a message              {statistics.median(times) * 1e3:.2f} ms")


def _same_table(folder: Path) -> sqlite3.Connection:
    """Copy the database, so that both have the same table, indexes and settings."""
    with sqlite3.connect(folder / "agent.db") as source, sqlite3.connect(folder / "raw.db") as copy:
        source.backup(copy)
    copy.close()
    source.close()
    raw = sqlite3.connect(folder / "raw.db", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        raw.execute(f"PRAGMA {pragma}")
    return raw


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
