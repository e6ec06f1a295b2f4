"""Trials of one store, each in processes of its own: its speed, and what it loses to a kill or a second writer."""

import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from emberkeep.bench.compare import material
from emberkeep.bench.compare.entrant import SURVIVORS, Entrant, Note
from emberkeep.bench.compare.material import Material
from emberkeep.bench.compare.standing import Speed, Survival
from emberkeep.bench.compare.trial import Task
from emberkeep.bench.server import Server, size_of
from emberkeep.errors import EmberkeepError, TimedOut

STARTED = 3  # cold starts, of which the median counts
WRITTEN = 200  # notes that a process writes, unless it is killed
KILLED_AFTER = (20, 120)  # acknowledgements, a random number in this range
LONGEST_S = 1_800
SEED = 20_261_115


class TrialFailed(EmberkeepError):
    """A store could not do its part; the message quotes its error."""


@dataclass(frozen=True, slots=True)
class Trials:
    """The trials of one store. `folder` holds the tasks of the processes and their answers."""

    entrant: Entrant
    folder: Path
    server: Server | None

    def speed(self, notes: Path, first_question: Path, vectors: Path, first_vectors: Path) -> Speed:
        """Fill the store and ask the questions, then measure several cold starts."""
        with self._place() as place:
            empty = self._size(place)
            filled = self._run(self._task("fill", place, notes, vectors))
            starting = self._task("cold", place, first_question, first_vectors)
            starts = [self._run(starting)["cold_start_s"] for _ in range(STARTED)]
            disk = self._size(place) - empty
        return Speed(**filled, disk_bytes=disk, cold_start_s=statistics.median(starts))

    def killed(self, rounds: int) -> Survival:
        """Kill the writing process at a random moment, in each round; a new process then reads what is there."""
        chance = random.Random(SEED)  # noqa: S311 - nothing secret
        notes = _numbered(rounds * WRITTEN)
        acknowledged: set[str] = set()
        reasons: list[str] = []
        with self._place() as place:
            for number in range(rounds):
                batch = notes[number * WRITTEN : (number + 1) * WRITTEN]
                with self._begun(self._writing(place, f"round-{number}", batch)) as (process, task):
                    _wait_until_told(process, task, chance.randint(*KILLED_AFTER))
                    time.sleep(chance.random() / 100)
                    process.kill()
                acknowledged |= _told(task, batch)
            held = self._held(place, notes, reasons)
        return Survival(len(acknowledged), len(acknowledged - held), len(reasons), _first(reasons))

    def together(self) -> Survival:
        """Two processes write at the same time; a third one then reads what is there."""
        notes = _numbered(2 * WRITTEN)
        halves = {"one": notes[:WRITTEN], "two": notes[WRITTEN:]}
        acknowledged: set[str] = set()
        reasons: list[str] = []
        errors = 0
        with self._place() as place:
            go = self.folder / "go"
            with ExitStack() as stack:
                begun = {
                    name: stack.enter_context(self._begun(self._writing(place, name, half, go)))
                    for name, half in halves.items()
                }
                _wait_until_ready(list(begun.values()))
                go.touch()
                for name, (process, task) in begun.items():
                    answer = _answer(process, task)
                    errors += answer.get("errors", 1)
                    reasons += [reason for key in ("reason", "failed") if (reason := answer.get(key))]
                    acknowledged |= _told(task, halves[name])
            told_of = len(reasons)
            held = self._held(place, notes, reasons)
        return Survival(len(acknowledged), len(acknowledged - held), errors + len(reasons) - told_of, _first(reasons))

    def _held(self, place: str, notes: tuple[Note, ...], reasons: list[str]) -> set[str]:
        """The texts that a new process finds; none if it cannot open the store, with the error added to `reasons`."""
        try:
            return set(self._run(self._task("count", place, self._written("all", notes)))["held"])
        except TrialFailed as error:
            reasons.append(str(error))
            return set()

    def _task(self, part: str, place: str, notes: Path, vectors: Path | None = None) -> Task:
        answer = Path(tempfile.mkdtemp(prefix=f"{part}-", dir=self.folder)) / "answer.json"
        known = None if vectors is None else str(vectors)
        return Task(part, self.entrant.name, place, str(notes), str(answer), known)

    def _writing(self, place: str, name: str, notes: tuple[Note, ...], go: Path | None = None) -> Task:
        task = self._task("write", place, self._written(name, notes))
        return replace(task, told=str(self.folder / f"told-{name}"), go=None if go is None else str(go))

    def _run(self, task: Task) -> dict[str, Any]:
        Path(task.answer).unlink(missing_ok=True)
        with self._begun(task) as (process, begun):
            answer = _answer(process, begun)
        if "failed" in answer:
            raise TrialFailed(f"{task.part}: {answer['failed']}")
        answer.pop("found", None)
        return answer

    @contextmanager
    def _begun(self, task: Task) -> Iterator[tuple[subprocess.Popen[bytes], Task]]:
        """A process that runs the task, and is killed on leaving the context."""
        file = Path(task.answer).with_name("task.json")
        begun = replace(task, started=time.monotonic())
        file.write_text(json.dumps(asdict(begun)), encoding="utf-8")
        with Path(task.answer).with_name("stderr").open("wb") as errors:
            command = [sys.executable, "-m", "emberkeep.bench.compare.trial", str(file)]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)  # noqa: S603 - our own
            try:
                yield process, begun
            finally:
                process.kill()
                process.wait()

    def _written(self, name: str, notes: tuple[Note, ...]) -> Path:
        file = self.folder / f"{name}.json"
        material.write(Material(notes, ()), file)
        return file

    @contextmanager
    def _place(self) -> Iterator[str]:
        """A new database or an empty folder, removed afterwards."""
        if self.entrant.in_database:
            if self.server is None:
                raise TrialFailed("it needs a PostgreSQL: name one in --db")
            with self.server.database() as url:
                yield url
            return
        folder = tempfile.mkdtemp(prefix="store-", dir=self.folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder)

    def _size(self, place: str) -> int:
        if self.entrant.in_database:
            return size_of(place)
        return sum(file.stat().st_size for file in Path(place).rglob("*") if file.is_file())


def _numbered(count: int) -> tuple[Note, ...]:
    return tuple(replace(note, user=SURVIVORS) for note in material.made_up(count, seed=2))


def _answer(process: subprocess.Popen[bytes], task: Task) -> dict[str, Any]:
    """The answer of a trial process; if it ended without one, the failure with its last line of stderr."""
    try:
        process.wait(LONGEST_S)
    except subprocess.TimeoutExpired:
        raise TimedOut(f"{task.entrant} did not finish {task.part} in {LONGEST_S // 60} minutes") from None
    answer = Path(task.answer)
    if answer.exists():
        found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        return found
    said = answer.with_name("stderr").read_text(encoding="utf-8", errors="replace").split("\n")
    last = next((line for line in reversed(said) if line.strip()), "it said nothing")
    return {"failed": f"the process ended with {process.returncode}: {last.strip()}"}


def _wait_until_told(process: subprocess.Popen[bytes], task: Task, count: int) -> None:
    until = time.monotonic() + LONGEST_S
    told = Path(task.told or "")
    while process.poll() is None and time.monotonic() < until:
        if told.is_file() and told.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.002)


def _wait_until_ready(begun: Sequence[tuple[subprocess.Popen[bytes], Task]]) -> None:
    """Wait until each process has opened the store, or has ended because it could not."""
    until = time.monotonic() + LONGEST_S
    while time.monotonic() < until:
        if all(process.poll() is not None or Path(f"{task.answer}.ready").exists() for process, task in begun):
            return
        time.sleep(0.005)


def _told(task: Task, notes: tuple[Note, ...]) -> set[str]:
    """The texts that were acknowledged."""
    told = Path(task.told or "")
    lines = told.read_text().split("\n") if told.is_file() else []
    return {notes[int(line)].message.text for line in lines if line}


def _first(reasons: list[str]) -> str | None:
    return reasons[0] if reasons else None
