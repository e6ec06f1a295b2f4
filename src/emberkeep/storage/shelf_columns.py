"""The columns of a shelf's index: numbers for each row, and the codes that stand for names in them. No I/O."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emberkeep.language.traits import MACHINE
from emberkeep.model.kinds import KINDS

FOREVER = np.iinfo(np.int64).max  # stands for a time that is not set
KIND_CODES = {kind: code for code, kind in enumerate(KINDS)}
EPISODE = KIND_CODES["episode"]
_TYPES: Mapping[str, Any] = {
    "live": np.bool_,
    "kind": np.int8,
    "agent": np.int32,
    "session": np.int32,
    "occurred_at": np.int64,
    "valid_from": np.int64,
    "valid_to": np.int64,
    "stale_from": np.int64,
    "about_from": np.int64,
    "about_to": np.int64,
    "utc_offset": np.int16,
    "traits": np.int32,
    "speaker": np.int32,
    "subject": np.int32,
    "taught": np.bool_,  # of a message: whether its subject comes from the statements learned from it
    "version": np.bool_,  # whether it is a former version
    "conversation": np.int32,  # the number of its conversation; 0 without a session
    "threaded": np.bool_,  # whether it is a message with a place in its conversation
    "origin": np.int64,  # the row of the message that a statement was learned from
    "length": np.float32,  # how many terms it has
    "print": np.int64,  # a checksum of its terms
    "key": np.int64,  # the revision that wrote its vector; -1 if it has none
}
# Identifies the meaning of the columns: an index that was saved with another layout cannot be read.
LAYOUT = repr((KINDS, {name: np.dtype(dtype).str for name, dtype in _TYPES.items()}))


class Document(NamedTuple):
    """The values of an item that the index holds."""

    item_id: str
    kind: str
    agent_id: str
    session_id: str
    occurred_at: int
    valid_from: int
    valid_to: int | None
    stale_from: int | None
    about_from: int | None
    about_to: int | None
    utc_offset: int | None
    traits: int | None
    speaker: str | None
    version_of: str | None
    subject: str | None
    terms: bytes


class Columns:
    """An array for each column, with room for more rows than there are."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {name: np.zeros(64, dtype) for name, dtype in _TYPES.items()}
        self.codes: dict[str, dict[str, int]] = {"agent": {}, "session": {}, "speaker": {"": 0}, "subject": {"": 0}}

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._arrays[name]

    def arrays(self, rows: int) -> dict[str, NDArray[Any]]:
        """Return the first rows of all columns as arrays, from which `of` restores them if it also gets the codes."""
        return {name: array[:rows] for name, array in self._arrays.items()}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], codes: Mapping[str, list[str]]) -> "Columns":
        """Restore columns from what `arrays` returned, and from the names of each in the order of their codes."""
        made = cls()
        made._arrays = {name: arrays[name] for name in _TYPES}
        made.codes = {column: {name: code for code, name in enumerate(names)} for column, names in codes.items()}
        return made

    @property
    def room(self) -> int:
        """How many rows there is room for."""
        return len(self._arrays["live"])

    def reserve(self, rows: int) -> bool:
        """Make room for this many rows; returns whether there was too little."""
        if rows <= self.room:
            return False
        size = max(rows, 2 * self.room)
        self._arrays = {name: grown(array, size) for name, array in self._arrays.items()}
        return True

    def code(self, column: str, value: str) -> int:
        """Return the code that stands for a name in a column."""
        codes = self.codes[column]
        return codes.setdefault(value, len(codes))

    def describe(self, row: int, document: Document, owner: str) -> None:
        """Write the values of an item; the `owner` is the speaker of messages that name none and are no machine's."""
        columns = self._arrays
        columns["kind"][row] = KIND_CODES[document.kind]  # type: ignore[index]  # only known kinds are stored
        columns["agent"][row] = self.code("agent", document.agent_id)
        columns["session"][row] = self.code("session", document.session_id)
        columns["occurred_at"][row] = document.occurred_at
        columns["valid_from"][row] = document.valid_from
        columns["valid_to"][row] = FOREVER if document.valid_to is None else document.valid_to
        columns["stale_from"][row] = FOREVER if document.stale_from is None else document.stale_from
        columns["about_from"][row] = FOREVER if document.about_from is None else document.about_from
        columns["about_to"][row] = FOREVER if document.about_to is None else document.about_to
        columns["utc_offset"][row] = document.utc_offset or 0
        columns["traits"][row] = document.traits or 0
        columns["version"][row] = document.version_of is not None
        by_owner = document.kind == "episode" and not columns["traits"][row] & MACHINE
        columns["speaker"][row] = self.code("speaker", document.speaker or (owner if by_owner else ""))
        if not columns["taught"][row]:
            columns["subject"][row] = self.code("subject", document.subject or "")


def grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Return a copy of the array with room for this many rows."""
    larger = np.zeros((size, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
