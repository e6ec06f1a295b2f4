"""A run: every contender keeps the same conversations and is asked the same questions, timed beside the embedder."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from emberkeep.bench.answer import Answer, rank_messages, rank_sessions
from emberkeep.bench.contender import Ask, AskSessions, Contender, Opened
from emberkeep.bench.dataset import Dataset, Store
from emberkeep.providers.base import Embedder

T = TypeVar("T")
Progress = Callable[[int], None]
Record = Callable[[str, str, Answer], None]


@dataclass(slots=True)
class Taken:
    """The results of one way of asking: the answers, and the seconds of keeping, and of embedding alone."""

    keeping: float = 0.0
    embedding: float = 0.0
    answers: list[Answer] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The measurements on a dataset, by the name of each way of asking."""

    dataset: Dataset
    taken: dict[str, Taken] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """The contenders, and the tools to measure them. `record` gets each answer, with the dataset and way of asking."""

    contenders: Sequence[Contender]
    embedder: Embedder
    count_tokens: Callable[[str], int]
    progress: Progress
    record: Record

    def measure(self, dataset: Dataset) -> Outcome:
        """Keep every conversation of a dataset, and ask its questions."""
        outcome = Outcome(dataset)
        self.embedder.embed(["so that the model is loaded before anything is timed"])
        for store in dataset.stores:
            for contender in self.contenders:
                self._measure(contender, store, outcome)
        return outcome

    def _measure(self, contender: Contender, store: Store, outcome: Outcome) -> None:
        with contender.opened(outcome.dataset.name, store) as memory:
            keeping, embedding = self._keep(memory, store)
            for name, ask in memory.ask.items():
                way = outcome.taken.setdefault(name, Taken())
                way.keeping += keeping
                way.embedding += embedding
                for answer in self._answers(ask, memory.sessions.get(name), store):
                    way.answers.append(answer)
                    self.record(outcome.dataset.name, name, answer)
                    self.progress(1)

    # The embedder alone is timed next to the operation it is compared with, because a machine's speed varies, and after
    # it, so that an embedder with a cache does not make the operation look fast.

    def _keep(self, memory: Opened, store: Store) -> tuple[float, float]:
        keeping, embedding = 0.0, 0.0
        for session, messages in store.sessions():
            keeping += _timed(partial(memory.keep, session, messages))[0]
            embedding += _timed(partial(self.embedder.embed, [message.spoken for message in messages]))[0]
            self.progress(len(messages))
        return keeping, embedding

    def _answers(self, ask: Ask, ask_sessions: AskSessions | None, store: Store) -> Iterator[Answer]:
        session_of = {message.id: message.session for message in store.messages}
        for question in store.questions:
            seconds, found = _timed(partial(ask, question))
            embedding, _ = _timed(partial(self.embedder.embed_query, question.text))
            ranked = rank_messages(found, self.count_tokens)
            sessions = rank_sessions(ranked, session_of)
            if ask_sessions is not None and question.gold_sessions:
                sessions = ask_sessions(question)
            yield Answer(store.id, question, ranked, sessions, seconds, embedding)


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result
