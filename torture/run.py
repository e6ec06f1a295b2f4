"""One run of a scenario: its folder, its random seed, its time limit, and its results."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torture.judge import Verdict, judge
from torture.writer import Place


class NotHere(Exception):
    """The scenario cannot be run on this machine; the message says why."""


@dataclass(slots=True)
class Tally:
    """The results of a scenario."""

    cycles: int = 0
    kills: int = 0
    verdicts: int = 0
    verdict: Verdict = field(default_factory=Verdict)
    seconds: float = 0.0
    skipped: str = ""
    notes: list[str] = field(default_factory=list)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.cycles + other.cycles,
            self.kills + other.kills,
            self.verdicts + other.verdicts,
            self.verdict + other.verdict,
            self.seconds + other.seconds,
        )


@dataclass(slots=True)
class Run:
    """A run of a scenario: its own folder, its random seed, and the number of cycles."""

    folder: Path
    seed: str
    cycles: int
    tally: Tally = field(default_factory=Tally)
    deadline: float = float("inf")

    @property
    def chance(self) -> random.Random:
        """A new random generator, the same for the same seed."""
        return random.Random(self.seed)

    def goes_on(self) -> Iterator[int]:
        """Yield the numbers of the cycles, until all are done or the time is up."""
        for cycle in range(self.cycles):
            if time.monotonic() > self.deadline:
                self.tally.notes.append(f"time was up after {cycle} of {self.cycles} cycles")
                return
            self.tally.cycles += 1
            yield cycle

    def place(self, name: str, target: str | None = None, **settings: Any) -> Place:
        """A new store with a ledger beside it."""
        folder = self.folder / name
        (folder / "ledger").mkdir(parents=True)
        return Place(target or str(folder / "store" / "agent.db"), folder / "ledger", settings)

    def look(self, place: Place) -> None:
        """Judge a store that will be used further: only faults are added, as the last verdict brings the counts."""
        self.tally.verdict.faults += judge(place, seed=self.seed).faults
        self.tally.verdicts += 1

    def judge(self, place: Place) -> None:
        """Judge a store for the last time."""
        self.tally.verdict += judge(place, seed=self.seed)
        self.tally.verdicts += 1


Scenario = Callable[[Run], None]


def run(
    scenario: Scenario, seed: str, cycles: int, *, folder: Path | None = None, seconds: float | None = None
) -> Tally:
    """Run a scenario in a temporary folder, and return its results."""
    begun = time.monotonic()
    with _folder(folder) as own:
        deadline = float("inf") if seconds is None else begun + seconds
        one = Run(own, seed, cycles, deadline=deadline)
        try:
            scenario(one)
        except NotHere as reason:
            one.tally.skipped = str(reason)
    one.tally.seconds = time.monotonic() - begun
    return one.tally


@contextmanager
def _folder(parent: Path | None) -> Iterator[Path]:
    where = parent or in_memory()
    with tempfile.TemporaryDirectory(prefix="torture-", dir=where, ignore_cleanup_errors=True) as name:
        yield Path(name)


def in_memory() -> Path | None:
    """A folder in RAM, or None: what reached the kernel survives a kill, and syncing costs nothing there."""
    shared = Path("/dev/shm")  # noqa: S108 - only used for temporary folders with random names
    return shared if shared.is_dir() else None
