"""The interface of a compared store: it is opened at a place, keeps notes and is asked about them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from emberkeep.bench.dataset import Message, Question
from emberkeep.providers.base import Embedder

DEPTH = 10  # hits that a search asks for
SURVIVORS = "survivors"  # the user whose notes are counted after a kill or concurrent writes


@dataclass(frozen=True, slots=True)
class Note:
    """A message, and the user whose memory it belongs to."""

    user: str
    message: Message


class Kept(Protocol):
    """An open store. When `add` returns, the note counts as acknowledged."""

    @property
    def version(self) -> str:
        """The version of the package or server extension."""
        ...

    def add(self, notes: Sequence[Note]) -> None:
        """Keep one note, or several of one user and session in one call."""
        ...

    def find(self, user: str, question: Question) -> list[str]:
        """The ids of the user's messages that a search finds, best first."""
        ...

    def held(self) -> set[str]:
        """The texts of all notes of `SURVIVORS`, the only user of the store when this is called."""
        ...

    def close(self) -> None:
        """Close the store, as a program does that exits normally."""
        ...


@dataclass(frozen=True, slots=True)
class Entrant:
    """A store: its name in the report, the packages it needs, and whether it is in a database or a folder."""

    name: str
    needs: tuple[str, ...]
    in_database: bool
    open: Callable[[str, Embedder], Kept]
