"""`emberkeep bench compare`, from its options to a report."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import emberkeep
from emberkeep import wiring
from emberkeep.bench import server
from emberkeep.bench.compare import material
from emberkeep.bench.compare.entrant import Entrant
from emberkeep.bench.compare.entrants import chosen, why_left_out
from emberkeep.bench.compare.material import Material
from emberkeep.bench.compare.own import Own
from emberkeep.bench.compare.standing import Report, Setup, Standing
from emberkeep.bench.compare.trials import TrialFailed, Trials
from emberkeep.bench.compare.vectors import Recorder
from emberkeep.bench.dataset import read_datasets
from emberkeep.bench.run import Progress
from emberkeep.errors import InvalidInput, TimedOut

T = TypeVar("T")
TRIALS = 3  # of each store


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a comparison: its data, stores and embedder."""

    files: tuple[Path, ...] = ()
    items: int | None = None
    db: str | None = None
    only: tuple[str, ...] = ()
    rounds: int = 5
    embedder: str | None = None


@dataclass(frozen=True, slots=True)
class _Given:
    """The files given to every store: the material and its vectors; for a cold start, one question and its vectors."""

    notes: Path
    vectors: Path
    first_question: Path
    first_vectors: Path


class Comparing:
    """A comparison that is ready to run: the constructor raises for any mistake in the options or the files."""

    def __init__(self, options: Options) -> None:
        self._options = options
        has_server = server.is_available(options.db)
        reasons = {one: why_left_out(one, has_server=has_server) for one in chosen(options.only)}
        self._entrants = [one for one, reason in reasons.items() if reason is None]
        self._left_out = {one.name: reason for one, reason in reasons.items() if reason is not None}
        if not self._entrants:
            raise InvalidInput("; ".join(f"{name}: {reason}" for name, reason in self._left_out.items()))
        self._material = _material(options)
        config = emberkeep.Config.load(embedder=options.embedder).changed(pad_vectors_to=0)
        self._embedder = wiring.make_embedder(config)

    @property
    def steps(self) -> int:
        """The number of steps that `run` reports to `progress`."""
        return 1 + TRIALS * len(self._entrants)

    def run(self, progress: Progress) -> Report:
        """Run all trials and return the report."""
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="emberkeep-bench-")))
            needs_server = any(one.in_database for one in self._entrants)
            started = stack.enter_context(server.server(self._options.db)) if needs_server else None
            recorder = Recorder(self._embedder)
            given = self._prepared(recorder, folder)
            progress(1)
            standings = tuple(self._measured(one, given, folder, started, progress) for one in self._entrants)
        return Report(self._setup(recorder), standings, self._left_out)

    def _prepared(self, recorder: Recorder, folder: Path) -> _Given:
        """Write the files that are given to the stores, with the vectors of every text that they will embed."""
        notes, first = folder / "notes.json", folder / "first.json"
        material.write(self._material, notes)
        material.write(Material((), self._material.questions[:1]), first)
        rehearse(self._material, recorder)
        all_vectors, of_questions = folder / "vectors.npy", folder / "questions.npy"
        recorder.write(all_vectors)
        recorder.write(of_questions, texts=False)
        return _Given(notes, all_vectors, first, of_questions)

    def _measured(
        self, entrant: Entrant, given: _Given, folder: Path, started: server.Server | None, progress: Progress
    ) -> Standing:
        failed: list[str] = []

        def tried(trial: Callable[[], T]) -> T | None:
            try:
                return trial()
            except (TrialFailed, TimedOut) as error:
                failed.append(str(error))
                return None
            finally:
                progress(1)

        with TemporaryDirectory(prefix=f"{entrant.name}-", dir=folder) as own:
            trials = Trials(entrant, Path(own), started)
            speed = tried(lambda: trials.speed(given.notes, given.first_question, given.vectors, given.first_vectors))
            killed = tried(lambda: trials.killed(self._options.rounds))
            together = tried(trials.together)
        return Standing(entrant.name, speed, killed, together, tuple(failed))

    def _setup(self, recorder: Recorder) -> Setup:
        return Setup(
            version=emberkeep.__version__,
            embedder=recorder.name,
            items=len(self._material.notes),
            questions=len(self._material.questions),
            embedded_per_s=recorder.per_second,
            query_embedding_ms=recorder.query_ms,
            rounds=self._options.rounds,
        )


def rehearse(given: Material, recorder: Recorder) -> None:
    """Record every vector that a store will ask for, by running Emberkeep too: it rephrases some questions."""
    recorder.embed([note.message.spoken for note in given.notes])
    own = Own(":memory:", recorder)
    try:
        for batch in material.batches(given.notes):
            own.add(batch)
        for user, question in given.questions:
            recorder.embed_query(question.text)
            own.find(user, question)
    finally:
        own.close()


def _material(options: Options) -> Material:
    if options.files:
        return material.of_datasets(read_datasets(options.files), options.items)
    return material.of_nothing(options.items or material.MADE_UP)
