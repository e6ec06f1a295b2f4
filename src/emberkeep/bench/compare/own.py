"""Emberkeep in a comparison: in a file or on PostgreSQL; without a learner, since the others only keep messages."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import emberkeep
from emberkeep.bench.compare.entrant import DEPTH, Kept, Note
from emberkeep.bench.dataset import Question
from emberkeep.bench.own import keep
from emberkeep.model.item import Item
from emberkeep.model.scope import EVERYONE
from emberkeep.providers.base import Embedder

_PAGE = 1_000


class Own:
    """A `Kept` over an Emberkeep memory."""

    def __init__(self, target: str, embedder: Embedder) -> None:
        self._memory = emberkeep.open(target, embedder=embedder, learner="none", capture=True)

    @property
    def version(self) -> str:
        """Emberkeep's version."""
        return emberkeep.__version__

    def add(self, notes: Sequence[Note]) -> None:
        """Keep the notes in a single `add`, with their speakers and times."""
        first = notes[0]
        keep(self._memory, first.user, first.message.session, [note.message for note in notes])

    def find(self, user: str, question: Question) -> list[str]:
        """Search with the default plan."""
        hits = self._memory.search(question.text, user_id=user, limit=DEPTH, asked_at=question.time)
        return [source.message_id for hit in hits for source in hit.sources]

    def held(self) -> set[str]:
        """The texts of all episodes."""
        return {item.text for item in self._episodes()}

    def close(self) -> None:
        """Close the memory."""
        self._memory.close()

    def _episodes(self) -> Iterator[Item]:
        cursor: str | None = ""
        while cursor is not None:
            page = self._memory.get_all(user_id=EVERYONE, kinds=["episode"], limit=_PAGE, cursor=cursor or None)
            yield from page
            cursor = page.next


def open_embedded(place: str, embedder: Embedder) -> Kept:
    """Open a memory in a file."""
    return Own(str(Path(place) / "memory.db"), embedder)


def open_on_postgres(place: str, embedder: Embedder) -> Kept:
    """Open a memory in a database."""
    return Own(place, embedder)
