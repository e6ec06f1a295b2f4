"""The interface of a measured system: it keeps a conversation and is asked about it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from emberkeep.bench.dataset import Message, Question, Store

DEPTH = 50  # hits that a search asks for


@dataclass(frozen=True, slots=True)
class Found:
    """A hit of a search: its text, its score, and the messages it comes from."""

    text: str
    score: float
    message_ids: tuple[str, ...]


Ask = Callable[[Question], list[Found]]
AskSessions = Callable[[Question], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Opened:
    """A fresh memory: `keep` takes the messages of a session, and each of the ways to `ask` has a name.

    `sessions` are the ways to ask for sessions; without one, the sessions of the found messages count, each at its
    first place.
    """

    keep: Callable[[str, Sequence[Message]], None]
    ask: Mapping[str, Ask]
    sessions: Mapping[str, AskSessions] = field(default_factory=dict)


class Contender(Protocol):
    """Opens a fresh memory for each conversation, and removes it afterwards."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the ways in which it is asked."""
        ...

    def opened(self, dataset: str, store: Store) -> AbstractContextManager[Opened]:
        """A memory for one conversation."""
        ...
