"""The results of a run, as values to print: means with their intervals, over all questions and by category."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from emberkeep.bench.answer import Answer
from emberkeep.bench.measures import Estimate, means, percentile
from emberkeep.bench.own import WITHOUT
from emberkeep.bench.run import Outcome, Taken

OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class Latency:
    """Search times in milliseconds, and their median relative to the median time of embedding the question alone."""

    p50_ms: float
    p95_ms: float
    embedding_p50_ms: float
    per_embedding: float


@dataclass(frozen=True, slots=True)
class Group:
    """Results over a group of questions: quality for messages, and for sessions where known, tokens and latency."""

    name: str
    questions: int
    session_questions: int
    messages: Mapping[str, Estimate]
    sessions: Mapping[str, Estimate]
    tokens: Mapping[str, Estimate]
    latency: Latency


@dataclass(frozen=True, slots=True)
class System:
    """The results of one way of asking. `difference` is its quality minus the first way's, paired by question."""

    name: str
    keeping_s: float
    embedding_s: float
    keeping_per_embedding: float
    overall: Group
    categories: tuple[Group, ...]
    difference: Mapping[str, Estimate]

    @property
    def ablated(self) -> bool:
        """Whether it is Emberkeep without one of its channels."""
        return self.name.startswith(WITHOUT)


@dataclass(frozen=True, slots=True)
class SetReport:
    """The results on one dataset."""

    name: str
    stores: int
    messages: int
    questions: int
    without_gold: int
    systems: tuple[System, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """The configuration that was measured."""

    version: str
    database: str
    plan: str
    channels: tuple[str, ...]
    kinds: str
    learner: str
    embedder: str
    reranker: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a run."""

    setup: Setup
    sets: tuple[SetReport, ...]


def summarise(outcome: Outcome) -> SetReport:
    """The report of a dataset."""
    dataset = outcome.dataset
    first = next(iter(outcome.taken.values()))
    return SetReport(
        name=dataset.name,
        stores=len(dataset.stores),
        messages=dataset.messages,
        questions=dataset.questions,
        without_gold=sum(store.without_gold for store in dataset.stores),
        systems=tuple(_system(name, taken, first) for name, taken in outcome.taken.items()),
    )


def _system(name: str, taken: Taken, first: Taken) -> System:
    categories = sorted({answer.question.category for answer in taken.answers})
    return System(
        name=name,
        keeping_s=taken.keeping,
        embedding_s=taken.embedding,
        keeping_per_embedding=taken.keeping / taken.embedding,
        overall=_group(OVERALL, taken.answers),
        categories=tuple(
            _group(category, [one for one in taken.answers if one.question.category == category])
            for category in categories
        ),
        difference={} if taken is first else _difference(taken.answers, first.answers),
    )


def _group(name: str, answers: Sequence[Answer]) -> Group:
    of_sessions = [measured for answer in answers if (measured := answer.session_quality)]
    return Group(
        name=name,
        questions=len(answers),
        session_questions=len(of_sessions),
        messages=means([answer.quality for answer in answers]),
        sessions=means(of_sessions),
        tokens=means([answer.tokens for answer in answers]),
        latency=_latency(answers),
    )


def _latency(answers: Sequence[Answer]) -> Latency:
    times = [answer.seconds * 1_000 for answer in answers]
    median, alone = percentile(times, 50), percentile([answer.embedding * 1_000 for answer in answers], 50)
    return Latency(median, percentile(times, 95), alone, median / alone)


def _difference(answers: Iterable[Answer], others: Iterable[Answer]) -> Mapping[str, Estimate]:
    pairs = ((one.quality, other.quality) for one, other in zip(answers, others, strict=True))
    return means([{name: mine[name] - theirs[name] for name in mine} for mine, theirs in pairs])
