"""One part of a comparison, in a process of its own: `python -m emberkeep.bench.compare.trial TASK.json`.

The result, or the reason of a failure, is written to the file that the task names.
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from emberkeep.bench.compare import material
from emberkeep.bench.compare.entrant import DEPTH, Kept, Note
from emberkeep.bench.compare.entrants import ENTRANTS
from emberkeep.bench.compare.vectors import Known
from emberkeep.bench.measures import fraction_found, percentile
from emberkeep.bench.process import peak_mb
from emberkeep.providers.base import Embedder
from emberkeep.testing import WordEmbedder

SINGLES = 200  # notes that are kept one by one, at most
WAIT_S = 60  # for the signal that all writers are ready
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Task:
    """The work of a trial process: its part, the store and its place, the notes, and when the process was started.

    Without `vectors`, texts are embedded by a word hash: a test for losses needs no model. A writer appends the number
    of each acknowledged note to the file `told`; if it is to write beside another, it waits for the file `go`.
    """

    part: str
    entrant: str
    place: str
    notes: str
    answer: str
    vectors: str | None = None
    told: str | None = None
    go: str | None = None
    started: float = 0.0

    def opened(self) -> Kept:
        """Open the store."""
        embedder: Embedder = WordEmbedder(dimension=384) if self.vectors is None else Known(Path(self.vectors))
        return ENTRANTS[self.entrant].open(self.place, embedder)


def fill(task: Task) -> dict[str, Any]:
    """Keep all notes, the last ones one by one, and ask the questions."""
    given = material.read(Path(task.notes))
    singles = min(SINGLES, max(1, len(given.notes) // 5))
    together, alone = given.notes[:-singles], given.notes[-singles:]
    kept = task.opened()
    try:
        batched = sum(_seconds(partial(kept.add, batch)) for batch in material.batches(together))
        added = sum(_seconds(partial(kept.add, [note])) for note in alone)
        took, found = _asked(kept, given)
        return {
            "version": kept.version,
            "add_per_s": len(alone) / added,
            "batch_per_s": len(together) / batched if together else 0.0,
            "p50_ms": percentile(took, 50) * 1_000,
            "p99_ms": percentile(took, 99) * 1_000,
            "recall": statistics.mean(found) if given.has_gold else None,
            "rss_mb": peak_mb(),
        }
    finally:
        kept.close()


def cold(task: Task) -> dict[str, Any]:
    """Measure the time from the start of the process to the first answer."""
    user, question = material.read(Path(task.notes)).questions[0]
    kept = task.opened()
    try:
        found = kept.find(user, question)
        return {"cold_start_s": time.monotonic() - task.started, "found": len(found)}
    finally:
        kept.close()


def write(task: Task) -> dict[str, Any]:
    """Keep the notes one by one, and report each acknowledged one."""
    notes = material.read(Path(task.notes)).notes
    kept = task.opened()
    try:
        _wait_for_others(task)
        reasons = _acknowledged(kept, notes, Path(task.told or os.devnull))
    finally:
        kept.close()
    return {"errors": len(reasons), "reason": reasons[0] if reasons else None}


def count(task: Task) -> dict[str, Any]:
    """The texts that the store holds, as seen by a new process."""
    kept = task.opened()
    try:
        return {"held": sorted(kept.held())}
    finally:
        kept.close()


PARTS: dict[str, Callable[[Task], dict[str, Any]]] = {"fill": fill, "cold": cold, "write": write, "count": count}


def main() -> None:
    """Run the part that the task names, and write its result."""
    task = Task(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    try:
        found = PARTS[task.part](task)
    except Exception as error:  # noqa: BLE001 - any error of a store is a result
        found = {"failed": reason_of(error)}
    draft = Path(f"{task.answer}.tmp")
    draft.write_text(json.dumps(found), encoding="utf-8")
    draft.replace(task.answer)


def reason_of(error: BaseException) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:LONGEST_REASON]


def _asked(kept: Kept, given: material.Material) -> tuple[list[float], list[float]]:
    """The seconds of each search, and for each question with gold the fraction of it that was found."""
    user, first = given.questions[0]
    kept.find(user, first)  # warm-up
    took, found = [], []
    for user, question in given.questions:
        began = time.perf_counter()
        ranked = kept.find(user, question)
        took.append(time.perf_counter() - began)
        if question.gold:
            found.append(fraction_found(list(dict.fromkeys(ranked)), question.gold, DEPTH))
    return took, found


def _acknowledged(kept: Kept, notes: Sequence[Note], told: Path) -> list[str]:
    """Keep the notes one by one, and log the number of each acknowledged one; returns the errors."""
    reasons = []
    file = os.open(told, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        for number, note in enumerate(notes):
            try:
                kept.add([note])
            except Exception as error:  # noqa: BLE001 - any error of a store is a result
                reasons.append(reason_of(error))
            else:
                os.write(file, f"{number}\n".encode())  # unbuffered, so that a kill loses no acknowledgement
    finally:
        os.close(file)
    return reasons


def _wait_for_others(task: Task) -> None:
    if task.go is not None:
        Path(f"{task.answer}.ready").touch()
        until = time.monotonic() + WAIT_S
        while not Path(task.go).exists() and time.monotonic() < until:
            time.sleep(0.005)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
