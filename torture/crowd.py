"""Writers and readers of one store, any of which can be killed and replaced."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess

import emberkeep
from torture import ledger, processes, reader, writer
from torture.judge import Fault
from torture.writer import Place, Trouble

A_CYCLE = 12  # acknowledged deeds to wait for, at most
LOOK_EVERY_S = 0.01
PATIENCE_S = 10.0


@dataclass(slots=True)
class Crowd:
    """The running writers and readers. Names are never reused within a store, so each process has its own ledger."""

    place: Place
    seed: str
    writers: int
    readers: int = 0
    patient: bool = False  # whether readers tolerate errors of a store that is down
    trouble: Trouble | None = None
    _running: dict[str, BaseProcess] = field(default_factory=dict)
    _started: int = 0

    def gather(self) -> None:
        """Start the missing writers and readers."""
        while sum(name.startswith("w") for name in self._running) < self.writers:
            name = self._name("w")
            self._running[name] = processes.start(writer.write, self.place, name, f"{self.seed} {name}", self.trouble)
        while sum(name.startswith("r") for name in self._running) < self.readers:
            name = self._name("r")
            bears_with = (emberkeep.StoreError,) if self.patient else ()
            self._running[name] = processes.start(reader.read, self.place, name, f"{self.seed} {name}", bears_with)

    def get_on(self, chance: random.Random, most: int = A_CYCLE) -> None:
        """Wait for a few acknowledged deeds, and a random moment longer, so that a kill may hit any point."""
        until = time.monotonic() + PATIENCE_S
        wanted = ledger.acknowledged(self.place.ledger) + chance.randint(1, most)
        while ledger.acknowledged(self.place.ledger) < wanted and time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
        time.sleep(chance.uniform(0.0, 2 * LOOK_EVERY_S))

    def kill_one(self, chance: random.Random) -> None:
        """Kill a random process."""
        processes.kill(self._running.pop(chance.choice(sorted(self._running))))

    def kill_all(self) -> int:
        """Kill all processes; returns how many there were."""
        killed = len(self._running)
        for process in self._running.values():
            process.kill()
        while self._running:
            self._running.popitem()[1].join()
        return killed

    def ended(self) -> list[tuple[Fault, str]]:
        """Faults for processes that ended by an error that is not Emberkeep's; the latter go to the ledger."""
        gone = {name: one.exitcode for name, one in self._running.items() if one.exitcode is not None}
        self._running = {name: one for name, one in self._running.items() if name not in gone}
        return [("disagreement", f"{name} ended by itself, with {code}") for name, code in gone.items()]

    def _name(self, kind: str) -> str:
        self._started += 1
        return f"{kind}{self._started}"


@contextmanager
def crowd(
    place: Place, seed: str, *, writers: int, readers: int = 0, patient: bool = False, trouble: Trouble | None = None
) -> Iterator[Crowd]:
    """A running crowd; all of its processes are killed at the end of the block."""
    gathered = Crowd(place, seed, writers, readers, patient, trouble)
    try:
        gathered.gather()
        yield gathered
    finally:
        gathered.kill_all()
