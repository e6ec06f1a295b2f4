"""Emberkeep in a comparison: in a file or on PostgreSQL, without a learner, as the others keep messages as they are."""

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
    """A `Kept`."""

    def __init__(self, target: str, embedder: Embedder) -> None:
        self._memory = emberkeep.open(target, embedder=embedder, learner="none", capture=True)

    @property
    def version(self) -> str:
        """Emberkeep's."""
        return emberkeep.__version__

    def add(self, notes: Sequence[Note]) -> None:
        """One `add`, with who said it and when."""
        first = notes[0]
        keep(self._memory, first.user, first.message.session, [note.message for note in notes])

    def find(self, user: str, question: Question) -> list[str]:
        """By the default plan."""
        hits = self._memory.search(question.text, user_id=user, limit=DEPTH, asked_at=question.time)
        return [source.message_id for hit in hits for source in hit.sources]

    def held(self) -> set[str]:
        """All episodes, page by page."""
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
    """In a file."""
    return Own(str(Path(place) / "memory.db"), embedder)


def open_on_postgres(place: str, embedder: Embedder) -> Kept:
    """In a database."""
    return Own(place, embedder)
