"""How long a context takes, compared with one search in the same memories, in one run.

python -m benchmarks.context [--items 100000] [--rounds 100] [--db URL]
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import emberkeep
from benchmarks.texts import KeptEmbedder, Texts
from emberkeep.providers.local_embedder import LocalEmbedder

USER = "alex"
AT_MOST = 3.0  # times a search


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--db", help="an empty PostgreSQL database instead of a file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="emberkeep-bench-") as folder:
        compare(options.db or Path(folder) / "context.db", options.items, options.rounds)


def compare(target: str | Path, count: int, rounds: int) -> None:
    """Ask the same questions as searches and as contexts, in turn; first of episodes only, then of other kinds too."""
    texts = Texts()
    with emberkeep.open(target, tenant="context", learner="none", embedder=KeptEmbedder(LocalEmbedder())) as memory:
        for start in range(0, count, 10_000):
            memory.add(texts.memories(min(10_000, count - start)), user_id=USER)
        memory.upkeep()
        measure(memory, texts, rounds, f"{count:,} episodes")
        for number in range(50):
            text = f"Manual, page {number}: {texts.memories(1)[0]}. " * 5
            memory.remember(text, kind="knowledge", user_id=USER)
            memory.remember(f"Ran step {number}: {texts.memories(1)[0]}", kind="execution", user_id=USER)
        measure(memory, texts, rounds, f"{count:,} episodes, 50 of knowledge, 50 of work")


def measure(memory: emberkeep.Memory, texts: Texts, rounds: int, label: str) -> None:
    times: dict[str, list[float]] = {"search": [], "context": [], "unrecorded": []}
    for question in texts.questions(rounds):
        verbs: dict[str, Callable[[], object]] = {
            "search": partial(memory.search, question, user_id=USER),
            "context": partial(memory.context, question, user_id=USER),
            "unrecorded": partial(memory.context, question, user_id=USER, record=False),
        }
        for name, verb in verbs.items():
            began = time.perf_counter()
            verb()
            times[name].append(time.perf_counter() - began)
    p50 = {name: statistics.median(values) for name, values in times.items()}
    print(f"{label}: " + ", ".join(f"{name} p50 {value * 1e3:.2f} ms" for name, value in p50.items()))
    for name in ("context", "unrecorded"):
        ratio = p50[name] / p50["search"]
        verdict = "met" if ratio <= AT_MOST else "MISSED"
        print(f"{name + ' / search':<48} {ratio:>8.3f}   wanted at most {AT_MOST:g}   {verdict}", flush=True)


if __name__ == "__main__":
    main()
