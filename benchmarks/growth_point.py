"""One point of `benchmarks.growth`. Each of its parts has a process of its own: fill, upkeep, open, measure.

python -m benchmarks.growth_point PART '{"target": …, "series": …, "items": …, "per_user": …, "before": …}'
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import NamedTuple

import emberkeep
from benchmarks.texts import SummedEmbedder
from emberkeep.bench.measures import percentile
from emberkeep.bench.process import peak_mb
from emberkeep.bench.texts import Texts

AT_ONCE = 1_000  # messages in one `add`
RATE_OVER = 10_000  # the last messages, by which the rate of adding at this size is measured
OTHERS = 20  # users who are searched for the first time
QUESTIONS = 200  # searches with each plan; the other numbers are shares of it
CONTEXTS = 0.15
ADDS = 0.5
AFTER = 0.1  # searches right after an `add`
OTHER_TEXTS = 1_000_003  # a seed that no user has
Found = dict[str, float | None]


class Taken(NamedTuple):
    """The seconds that something took, by the clock and in processor time of this process."""

    seconds: float
    processor: float


@dataclass(frozen=True, slots=True)
class Point:
    """A number of memories, with `per_user` for each user, in a store that holds `before` of them already."""

    target: str
    items: int
    per_user: int
    before: int = 0
    questions: int = QUESTIONS
    started: float = 0.0  # when the process was started, by the monotonic clock

    @property
    def users(self) -> int:
        return self.items // self.per_user

    def opened(self) -> emberkeep.Memory:
        return emberkeep.open(self.target, embedder=SummedEmbedder(), learner="none")


def main() -> None:
    part, point = sys.argv[1], Point(**json.loads(sys.argv[2]))
    parts: dict[str, Callable[[Point], Found]] = {
        "fill": fill,
        "upkeep": upkeep,
        "open": first_answer,
        "measure": measure,
    }
    print(json.dumps(parts[part](point)))


def fill(point: Point) -> Found:
    """Add the missing memories, and measure the rate of the last ones."""
    taken: list[Taken] = []
    with point.opened() as memory:
        done = 0
        for user in range(point.users):
            first, texts = done, Texts(seed=user)
            while done < first + point.per_user:
                count = min(AT_ONCE, first + point.per_user - done)
                said = texts.memories(count)
                done += count
                if done > point.before:
                    taken.append(_taken(partial(memory.add, said, user_id=name_of(user))))
    last = taken[-max(1, RATE_OVER // AT_ONCE) :]
    added = min(AT_ONCE, point.per_user) * len(last)
    return {
        "fill_s": sum(one.seconds for one in taken),
        "bulk_add_per_s": added / sum(one.seconds for one in last),
        "bulk_add_per_cpu_s": added / sum(one.processor for one in last),
    }


def upkeep(point: Point) -> Found:
    """Measure the upkeep after adding, which builds large indexes, and another one with nothing to do."""
    with point.opened() as memory:
        first, again = _taken(memory.upkeep), _taken(memory.upkeep)
    return {"first_upkeep_s": first.seconds, "first_upkeep_cpu_s": first.processor, "upkeep_s": again.seconds}


def first_answer(point: Point) -> Found:
    """Measure the time from the start of the process, and from opening the store, to the first answer."""
    question = Texts(seed=OTHER_TEXTS).questions(1)[0]
    began, used = time.monotonic(), time.process_time()
    with point.opened() as memory:
        found = memory.search(question, user_id=name_of(0))
        answered = time.monotonic()
        assert found
    return {
        "open_s": answered - began,
        "open_cpu_s": time.process_time() - used,
        "start_s": answered - point.started,
        "open_rss_mb": peak_mb(),
    }


def measure(point: Point) -> Found:
    """Measure searches, additions and contexts in the first user's memory."""
    texts = Texts(seed=OTHER_TEXTS)
    mine = name_of(0)

    def share(part: float) -> int:
        return max(1, round(part * point.questions))

    with point.opened() as memory:
        ask = partial(memory.search, user_id=mine)
        ask("where?")
        others = [name_of(user) for user in range(1, min(point.users, OTHERS + 1))]
        first = [_taken(partial(memory.search, "where?", user_id=one, plan="fast")) for one in others]
        fast = [_taken(partial(ask, one, plan="fast")) for one in texts.questions(point.questions)]
        balanced = [_taken(partial(ask, one)) for one in texts.questions(point.questions)]
        contexts = [_taken(partial(memory.context, one, user_id=mine)) for one in texts.questions(share(CONTEXTS))]
        adds = [_taken(partial(memory.add, one, user_id=mine)) for one in texts.memories(share(ADDS))]
        after = []
        for said, question in zip(texts.memories(share(AFTER)), texts.questions(share(AFTER)), strict=True):
            memory.add(said, user_id=mine)
            after.append(_taken(partial(ask, question)))
    return {
        "first_search_ms": _ms(first),
        **_percentiles("fast", fast),
        **_percentiles("balanced", balanced),
        **_percentiles("context", contexts),
        **_percentiles("add", adds),
        "search_after_add_ms": _ms(after),
        "rss_mb": peak_mb(),
    }


def name_of(user: int) -> str:
    """A user's id."""
    return f"user-{user}"


def arguments(point: Point) -> str:
    """The point, for the command line."""
    return json.dumps(asdict(point))


def _percentiles(name: str, taken: list[Taken]) -> Found:
    return {
        f"{name}_p50_ms": _ms(taken),
        f"{name}_p95_ms": percentile([one.seconds for one in taken], 95) * 1e3,
        f"{name}_cpu_ms": statistics.median(one.processor for one in taken) * 1e3,
    }


def _ms(taken: list[Taken]) -> float | None:
    return statistics.median(one.seconds for one in taken) * 1e3 if taken else None


def _taken(work: Callable[[], object]) -> Taken:
    began, used = time.perf_counter(), time.process_time()
    work()
    return Taken(time.perf_counter() - began, time.process_time() - used)


if __name__ == "__main__":
    main()
