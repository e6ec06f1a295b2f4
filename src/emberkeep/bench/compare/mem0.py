"""Mem0 in a comparison: with Qdrant in a folder, its default, and each message kept unchanged (`infer=False`)."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from emberkeep.bench.compare.entrant import DEPTH, SURVIVORS, Kept, Note
from emberkeep.bench.dataset import Question
from emberkeep.bench.peers.mem0 import close_memory, open_memory
from emberkeep.model.message import side_of
from emberkeep.providers.base import Embedder

_MOST = 1_000_000


class Mem0:
    """A `Kept`. Only this process knows the message of each memory: Mem0's `add` takes no ids for a batch."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self._message_of: dict[str, str] = {}

    @property
    def version(self) -> str:
        """Mem0's version."""
        return version("mem0ai")

    def add(self, notes: Sequence[Note]) -> None:
        """Keep the notes in a single `add`."""
        first = notes[0]
        said = [{"role": side_of(one.message.role) or "user", "content": one.message.spoken} for one in notes]
        kept = self._memory.add(said, user_id=first.user, run_id=first.message.session, infer=False)["results"]
        self._message_of.update({one["id"]: note.message.id for one, note in zip(kept, notes, strict=True)})

    def find(self, user: str, question: Question) -> list[str]:
        """Search without Mem0's threshold, which would leave out gold messages."""
        found = self._memory.search(question.text, filters={"user_id": user}, top_k=DEPTH, threshold=0.0)
        return [self._message_of.get(one["id"], "") for one in found["results"]]

    def held(self) -> set[str]:
        """The texts of the notes of `SURVIVORS`: Mem0 cannot list all users' memories."""
        found = self._memory.get_all(filters={"user_id": SURVIVORS}, top_k=_MOST)
        return {one["memory"] for one in found["results"]}

    def close(self) -> None:
        """Close Mem0 and its store."""
        close_memory(self._memory)


def open_mem0(place: str, embedder: Embedder) -> Kept:
    """Open Mem0 in a folder that also holds its history."""
    return Mem0(open_memory(place, embedder, history=f"{place}/history.db"))
