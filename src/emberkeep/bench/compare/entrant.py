"""What is compared: a store that is opened at a place, keeps notes and is asked about them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from emberkeep.bench.dataset import Message, Question
from emberkeep.providers.base import Embedder

DEPTH = 10  # how many are asked for
SURVIVORS = "survivors"  # the user whose notes are counted after something went wrong


@dataclass(frozen=True, slots=True)
class Note:
    """A message of someone."""

    user: str
    message: Message


class Kept(Protocol):
    """An open store. When `add` returns, the note counts as acknowledged."""

    @property
    def version(self) -> str:
        """Which version it is of what a user installs or runs."""
        ...

    def add(self, notes: Sequence[Note]) -> None:
        """Keep one note, or several of one user and session in one call."""
        ...

    def find(self, user: str, question: Question) -> list[str]:
        """The messages of a user that a search finds, by their ids, best first."""
        ...

    def held(self) -> set[str]:
        """The texts of all that it holds of `SURVIVORS`, who then have it to themselves."""
        ...

    def close(self) -> None:
        """Let go of it, as a program that ends in order does."""
        ...


@dataclass(frozen=True, slots=True)
class Entrant:
    """A store by its name in the report, the packages it needs, and whether it lives in a database or a folder."""

    name: str
    needs: tuple[str, ...]
    in_database: bool
    open: Callable[[str, Embedder], Kept]
