"""How long `experience.warn` takes beyond embedding the question, and how long storing an execution takes.

python -m benchmarks.experience [--executions 100000] [--rounds 100] [--db URL]
"""

import argparse
import statistics
import tempfile
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

import emberkeep
from benchmarks.texts import KeptEmbedder, Texts
from emberkeep.model.ids import new_id
from emberkeep.model.work import Status, Task
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.work import endings
from emberkeep.work.desk import Desk

AT_MOST_MS = 20.0  # beyond the embedding
BATCH = 1_000  # executions in one transaction


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--executions", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--db", help="an empty PostgreSQL database instead of a file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="emberkeep-bench-") as folder:
        target = options.db or Path(folder) / "experience.db"
        embedder = KeptEmbedder(LocalEmbedder())
        with emberkeep.open(target, tenant="experience", learner="none", embedder=embedder) as memory:
            texts = Texts()
            fill(memory, texts, options.executions)
            measure(memory, texts, options.rounds)


def fill(memory: emberkeep.Memory, texts: Texts, count: int) -> None:
    """Store many executions in one transaction each time; one by one, each would wait for the disk."""
    for start in range(0, count, BATCH):
        said = texts.memories(min(BATCH, count - start))
        desk = memory._desk
        desk.write(partial(_end_all, desk, said=said))
    memory.upkeep()


def _end_all(desk: Desk, connection: Connection, *, said: list[str]) -> None:
    now = datetime.now(UTC)
    for place, text in enumerate(said):
        status: Status = "failed" if place % 5 == 0 else "succeeded"
        task = Task(new_id(now), None, None, None, None, text, status, "", {}, now, now, now, now)
        endings.end(desk, connection, task, type_=f"type{place % 20}")


def measure(memory: emberkeep.Memory, texts: Texts, rounds: int) -> None:
    embedder = LocalEmbedder()
    times: dict[str, list[float]] = {"embedding": [], "warn": []}
    for question in texts.questions(rounds):
        for name, verb in (("embedding", embedder.embed_query), ("warn", memory.experience.warn)):
            began = time.perf_counter()
            verb(question)
            times[name].append((time.perf_counter() - began) * 1e3)
    embedding, warn = (statistics.median(times[name]) for name in ("embedding", "warn"))
    beyond = warn - embedding
    print(f"warn p50 {warn:.1f} ms, embedding {embedding:.1f} ms: {beyond:.1f} ms beyond it (at most {AT_MOST_MS:g})")
    kept = []
    for number, text in enumerate(texts.memories(rounds)):
        began = time.perf_counter()
        memory.experience.store(f"new{number}", text, success=True, task_type="new")
        kept.append((time.perf_counter() - began) * 1e3)
    print(f"store p50 {statistics.median(kept):.1f} ms, longest {max(kept):.1f} ms, looking for patterns included")


if __name__ == "__main__":
    main()
