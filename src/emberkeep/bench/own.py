"""Emberkeep as a measured system: through its public interface, with a user for each conversation."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import emberkeep
from emberkeep.bench.contender import DEPTH, Found, Opened
from emberkeep.bench.dataset import Message, Question, Store
from emberkeep.bench.measures import DEPTHS
from emberkeep.errors import InvalidInput, ModelUnavailable
from emberkeep.model.item import spoken
from emberkeep.model.kinds import Kind
from emberkeep.model.recall import Plan, plan_named
from emberkeep.model.scope import EVERYONE
from emberkeep.providers.base import Embedder, Reranker

NAME = "emberkeep"
WITHOUT = "without"  # followed by the name of the channel left out


@dataclass(frozen=True, slots=True)
class Place:
    """The database of a run's memories, and whether they are erased after use."""

    target: str | None  # None: a temporary file for each memory
    tenant: str | None
    erased: bool


def place(db: str | None) -> Place:
    """The place for a `--db`: on a server, a new tenant that is erased afterwards; a file must be new, and is kept."""
    if db is None or db == ":memory:":
        return Place(db, None, erased=False)
    if "://" in db:
        return Place(db, f"bench-{uuid4().hex}", erased=True)
    if Path(db).expanduser().exists():
        raise InvalidInput(f"{db} exists already: name a new file, or leave out --db")
    return Place(db, None, erased=False)


@dataclass(frozen=True, slots=True)
class Own:
    """A `Contender`: asked with a plan and, for an ablation, with the plan without each of its channels in turn."""

    place: Place
    embedder: Embedder
    learner: str
    plans: Mapping[str, Plan]
    kinds: tuple[Kind, ...] = ("episode",)
    reranker: Reranker | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the plan, and one for each channel left out."""
        return tuple(self.plans)

    @contextmanager
    def opened(self, dataset: str, store: Store) -> Iterator[Opened]:
        """A memory for one conversation."""
        user = str(zlib.crc32(f"{dataset}:{store.id}".encode()))  # hashed: the names must not help the search
        with (
            TemporaryDirectory(prefix="emberkeep-bench-") as folder,
            emberkeep.open(
                self.place.target or Path(folder) / "memory.db",
                tenant=self.place.tenant,
                embedder=self.embedder,
                learner=self.learner,
                reranker=self.reranker or "none",
                capture=True,
            ) as memory,
        ):
            try:
                ask = {name: partial(self._ask, memory, user, plan) for name, plan in self.plans.items()}
                sessions = {name: partial(self._ask_sessions, memory, user, plan) for name, plan in self.plans.items()}
                yield Opened(partial(keep, memory, user), ask, sessions)
            finally:
                if self.place.erased:
                    memory.delete_all(user_id=EVERYONE)

    def _ask(self, memory: emberkeep.Memory, user: str, plan: Plan, question: Question) -> list[Found]:
        hits = memory.search(
            question.text, user_id=user, limit=DEPTH, plan=plan, kinds=self.kinds, asked_at=question.time
        )
        if hits.degraded:
            raise ModelUnavailable(f"the measurement was broken off: {'; '.join(hits.degraded)}")
        return [
            Found(spoken(hit.item.speaker, hit.text), hit.score, tuple(source.message_id for source in hit.sources))
            for hit in hits
        ]

    def _ask_sessions(self, memory: emberkeep.Memory, user: str, plan: Plan, question: Question) -> tuple[str, ...]:
        found = memory.search(
            question.text, user_id=user, limit=max(DEPTHS), plan=plan, asked_at=question.time, group="session"
        )
        return tuple(session.session_id for session in found if session.session_id is not None)


def variants(plan: Plan, *, ablate: bool) -> dict[str, Plan]:
    """The plan by its name in the report and, to ablate, the plan without each of its channels."""
    if not ablate:
        return {NAME: plan}
    if len(plan.channels) == 1:
        raise InvalidInput(f"the plan {plan.name!r} has one channel only: leave out --ablate, or take another plan")
    plans = {NAME: plan}
    for left_out in plan.channels:
        others = tuple(channel for channel in plan.channels if channel != left_out)
        plans[f"{WITHOUT} {left_out}"] = plan_named(replace(plan, channels=others))
    return plans


def keep(memory: emberkeep.Memory, user: str, session: str, messages: Sequence[Message]) -> None:
    """Keep a session as a caller would: its messages with who said them and when."""
    said = [
        {
            "id": message.id,
            "role": message.role,
            "name": message.name,
            "content": message.text,
            "timestamp": message.time,
        }
        for message in messages
    ]
    added = memory.add(said, user_id=user, session_id=session, occurred_at=messages[0].time)
    if added.errors:
        raise ModelUnavailable(f"the measurement was broken off: {'; '.join(added.reasons)}")
