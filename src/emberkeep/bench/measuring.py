"""`emberkeep bench recall`, from its options to a report."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import emberkeep
from emberkeep import wiring
from emberkeep.bench import own
from emberkeep.bench.answer import line
from emberkeep.bench.contender import Contender
from emberkeep.bench.dataset import Dataset, read_datasets
from emberkeep.bench.peers import make_peers
from emberkeep.bench.report import Report, Setup, summarise
from emberkeep.bench.run import Progress, Record, Run
from emberkeep.errors import InvalidInput
from emberkeep.model.recall import plan_named
from emberkeep.providers.wordpiece import WordPiece


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a measurement."""

    files: tuple[Path, ...]
    db: str | None = None
    plan: str = "balanced"
    kinds: Literal["episode", "all"] = "episode"
    learner: Literal["rules", "none"] = "rules"
    embedder: str | None = None
    reranker: str | None = None
    ablate: bool = False
    compare: tuple[str, ...] = ()
    limit: int | None = None
    out: Path | None = None


class Measuring:
    """A measurement that is ready to run: the constructor raises for any mistake in the options or the files."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._plan = plan_named(options.plan)
        self._place = own.place(options.db)
        # Without padding, which a memory adds by itself if it is set to.
        config = emberkeep.Config.load(embedder=options.embedder, reranker=options.reranker).changed(pad_vectors_to=0)
        self._embedder = wiring.make_embedder(config)
        self._reranker = wiring.make_reranker(config)
        if self._reranker is None:
            channels = tuple(name for name in self._plan.channels if name != "rerank")
            self._plan = replace(self._plan, channels=channels)
        plans = own.variants(self._plan, ablate=options.ablate)
        self._contenders: list[Contender] = [
            own.Own(
                place=self._place,
                embedder=self._embedder,
                learner=options.learner,
                plans=plans,
                kinds=() if options.kinds == "all" else ("episode",),
                reranker=self._reranker,
            ),
            *make_peers(options.compare, self._embedder),
        ]
        self._datasets = read_datasets(options.files)
        if options.limit is not None:
            self._datasets = [_limited(dataset, options.limit) for dataset in self._datasets]

    @property
    def steps(self) -> int:
        """The number of steps that `run` reports to `progress`."""
        ways = sum(len(one.names) for one in self._contenders)
        return sum(one.messages * len(self._contenders) + one.questions * ways for one in self._datasets)

    def run(self, progress: Progress) -> Report:
        """Measure, and return the report."""
        count_tokens = WordPiece.from_vocabulary().count
        with _lines(self._options) as record:
            run = Run(self._contenders, self._embedder, count_tokens, progress, record)
            found = tuple(summarise(run.measure(dataset)) for dataset in self._datasets)
        return Report(self._setup(), found)

    def _setup(self) -> Setup:
        return Setup(
            version=emberkeep.__version__,
            database="postgresql" if self._place.erased else "sqlite",
            plan=self._plan.name,
            channels=self._plan.channels,
            kinds=self._options.kinds,
            learner=self._options.learner,
            embedder=self._embedder.name,
            reranker=self._reranker.name if self._reranker else None,
        )


def _limited(dataset: Dataset, count: int) -> Dataset:
    limited = dataset.limited(count)
    if not limited.questions:
        raise InvalidInput(f"{dataset.name}: no question with gold in the first {count}: raise --limit")
    return limited


@contextmanager
def _lines(options: Options) -> Iterator[Record]:
    """A function that writes each answer as a line of JSON, or does nothing without `out`."""
    if options.out is None:
        yield lambda *_: None
        return
    if any(options.out.absolute() == file.absolute() for file in options.files):
        raise InvalidInput(f"{options.out} holds the data: write the answers to another file")
    try:
        file = options.out.open("w", encoding="utf-8", buffering=1)
    except OSError as error:
        raise InvalidInput(f"{options.out}: cannot be written ({error.strerror})") from None
    with file:
        yield lambda dataset, system, answer: print(
            json.dumps({"set": dataset, "system": system, **line(answer)}, ensure_ascii=False), file=file
        )
