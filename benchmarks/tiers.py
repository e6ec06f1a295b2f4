"""How fast live events are pushed, and how fast work and cold items move from tier to tier.

python -m benchmarks.tiers [--events 500000] [--tasks 300] [--items 5000]

Pushes are also measured in processor time of the thread, which other work on the machine does not affect.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import emberkeep
from benchmarks.texts import Texts
from emberkeep.testing import FixedClock, WordEmbedder

ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=500_000, help="events pushed in a round")
    parser.add_argument("--tasks", type=int, default=300, help="finished tasks to archive")
    parser.add_argument("--items", type=int, default=5_000, help="messages to grow cold")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="emberkeep-bench-") as folder:
        push(Path(folder) / "push.db", options.events)
        archive(Path(folder) / "archive.db", options.tasks)
        cool(Path(folder) / "cool.db", options.items)


def push(path: Path, count: int) -> None:
    """Push events into a full buffer, by one thread and by four, with the real clock."""
    with emberkeep.open(path, embedder=WordEmbedder(), learner="none") as memory:
        live = memory.operational

        def plain(many: int) -> None:
            for _ in range(many):
                live.push_event("tool", "it is done", severity="warning", source="agent")

        def with_data(many: int) -> None:
            data = {"tool": "bash", "seconds": 1.5}
            for _ in range(many):
                live.push_event("tool", "it is done", data=data)

        def measure(many: int) -> None:
            for _ in range(many):
                live.update_metric("load", 1.5)

        def critical(many: int) -> None:
            for _ in range(many):
                live.push_event("tool", "it failed", severity="critical")

        def threads(many: int) -> None:
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(plain, [many // 4] * 4))

        print(f"pushes/s on one thread            {_rates(plain, count)}   wanted at least 500,000")
        print(f"  with data                       {_rates(with_data, count)}")
        print(f"  critical ones, kept meanwhile   {_rates(critical, min(count, 5_000))}")
        print(f"  four threads together           {_rates(threads, count)}")
        print(f"metrics/s                         {_rates(measure, count)}")
        first, second = _timed(live.get_system_snapshot), _timed(live.get_system_snapshot)
        print(f"a snapshot of a full buffer       {first:.1f} ms, the next one {second:.1f} ms")
        kept = live.flush()
        print(f"critical events that waited       {kept:,}")


def archive(path: Path, count: int) -> None:
    """Archive finished tasks with ten steps each as summaries, without a language model."""
    clock = FixedClock()
    with emberkeep.open(path, embedder=WordEmbedder(), clock=clock, learner="none") as memory:
        for number in range(count):
            task = memory.tasks.start(f"Task number {number}", user_id="alex")
            for step in range(10):
                memory.tasks.step(task.id, "bash", output="ok", success=bool(step % 3))
            memory.tasks.finish(task.id, success=True, summary="It is done")
        clock.move(days=31)
        began = time.perf_counter()
        moved = memory._migration.run("default")
        print(f"tasks archived/s                  {moved.tasks / (time.perf_counter() - began):,.0f}")


def cool(path: Path, count: int) -> None:
    """Demote cold messages, and compare searches before and after."""
    clock = FixedClock()
    with emberkeep.open(path, embedder=WordEmbedder(), clock=clock, learner="none") as memory:
        for text in Texts().memories(2 * count)[:count]:
            memory.add(text, user_id="alex")
        hot = _search(memory, include_cold=False)
        clock.move(days=250)
        began = time.perf_counter()
        moved = memory._migration.run("default")
        print(f"messages demoted/s                {moved.demoted / (time.perf_counter() - began):,.0f}")
        rest, cold = _search(memory, include_cold=False), _search(memory, include_cold=True)
        print(f"search p50, all warm / all cold / all cold with include_cold   {hot:.2f} / {rest:.2f} / {cold:.2f} ms")


def _search(memory: emberkeep.Memory, *, include_cold: bool) -> float:
    times = []
    for text in Texts().memories(60):
        began = time.perf_counter()
        memory.search(text, user_id="alex", include_cold=include_cold)
        times.append(time.perf_counter() - began)
    return statistics.median(times[10:]) * 1e3


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def _rates(work: Callable[[int], object], count: int) -> str:
    wall, own = [], []
    for _ in range(ROUNDS):
        began, began_here = time.perf_counter(), time.thread_time()
        work(count)
        wall.append(count / (time.perf_counter() - began))
        own.append(count / max(time.thread_time() - began_here, 1e-9))
    here = statistics.median(own)
    by_thread = f"{here:>10,.0f} by the thread's own time" if here < 1e7 else ""
    return f"{statistics.median(wall):>10,.0f} {by_thread}"


if __name__ == "__main__":
    main()
