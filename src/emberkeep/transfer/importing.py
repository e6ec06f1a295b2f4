"""Importing parcels into a memory by its public verbs, so that it may be on a server. Known ones are left unchanged."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from emberkeep.capture.redact import redact_value
from emberkeep.errors import InvalidInput
from emberkeep.learning.embedding import Progress, silent
from emberkeep.memory import Memory
from emberkeep.model import checks
from emberkeep.model.message import parse_messages
from emberkeep.transfer.parcels import Exchange, Parcel, Told, Written
from emberkeep.transfer.reading import MAX_ELEMENT
from emberkeep.transfer.sources import READERS

SEEDS_AT_ONCE = 200
Said = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What `import` read: memories, exchanges and documents; `new` of them were kept, `known` ones left unchanged."""

    memories: int = 0
    exchanges: int = 0
    documents: int = 0
    new: int = 0
    known: int = 0
    dry_run: bool = False

    @property
    def read(self) -> int:
        """The total number read."""
        return self.memories + self.exchanges + self.documents


def read(path: str | Path, source: str) -> Iterator[Parcel]:
    """The parcels in a file or folder."""
    if source not in READERS:
        raise InvalidInput(f"cannot import from {source!r}: use {', '.join(READERS)}")
    return READERS[source](Path(path).expanduser())


def survey(path: str | Path, source: str) -> ImportReport:
    """Read everything and keep nothing: counts the parcels, and raises an error for the first mistake."""
    counts = {Told: 0, Exchange: 0, Written: 0}
    for parcel in read(path, source):
        counts[type(parcel)] += 1
    return ImportReport(counts[Told], counts[Exchange], counts[Written], dry_run=True)


def import_from(
    memory: Memory,
    path: str | Path,
    source: str,
    *,
    user_id: str | None = None,
    progress: Progress = silent,
    surveyed: ImportReport | None = None,
) -> ImportReport:
    """Import a file or folder, with its dates. If it has a mistake, it is refused before anything is kept.

    `user_id` is the owner of whatever names none in the file. Exchanges are logged, and learned from by the next
    `learn()`. What was imported before is left unchanged.
    """
    owner = checks.owner_id(user_id)
    found = surveyed or survey(path, source)
    taking, new, told = _Taking(memory), 0, []
    ids: dict[str, str] = {}  # from the id of an exchange in the file to its id in the log
    for parcel in read(path, source):
        if isinstance(parcel, Written):
            new += _document(memory, parcel, owner)
            progress(1)
            continue
        mine = parcel if parcel.user_id is not None else replace(parcel, user_id=owner)
        if isinstance(mine, Exchange):
            here, is_new = taking.take(mine)
            new += is_new
            ids |= {} if mine.id is None or here is None else {mine.id: here}
            progress(1)
        else:
            known = (one._replace(exchange=ids[one.exchange]) for one in mine.sources if one.exchange in ids)
            told.append(replace(mine, sources=tuple(known)))
            if len(told) == SEEDS_AT_ONCE:
                new += _tell(memory, told, progress)
                told = []
    new += _tell(memory, told, progress)
    return replace(found, new=new, known=found.read - new, dry_run=False)


class _Taking:
    """Adds the exchanges that are not in the log yet."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._session: tuple[str | None, str] | None = None
        self._known: dict[Said, str | None] = {}

    def take(self, exchange: Exchange) -> tuple[str | None, bool]:
        """Log an exchange unless it is known; returns its id in the log (None without capture) and if it is new."""
        in_log = self._in_log(exchange)
        # With redaction, the log holds the exchange without its secrets.
        for said in (_said(exchange.messages), _said(redact_value(list(exchange.messages))[0])):
            if said in in_log:
                return in_log[said], False
        added = self._memory.add(
            [dict(message) for message in exchange.messages],
            user_id=exchange.user_id,
            agent_id=exchange.agent_id,
            session_id=exchange.session_id,
            occurred_at=exchange.occurred_at,
            metadata=exchange.metadata,
            tags=exchange.tags,
            learn="later" if exchange.learn else False,
        )
        self._known[_said(exchange.messages)] = added.interaction_id
        return added.interaction_id, True

    def _in_log(self, exchange: Exchange) -> dict[Said, str | None]:
        """The logged exchanges of the same session, or if it has none, of the same time."""
        at = exchange.occurred_at
        if exchange.session_id is None:
            self._session = None
            found = self._memory.capture.recent(checks.MAX_PAGE_LIMIT, user_id=exchange.user_id, since=at, until=at)
            self._known = {_said(one.messages): one.id for one in found}
        elif self._session != (exchange.user_id, exchange.session_id):
            self._session = (exchange.user_id, exchange.session_id)
            found = self._memory.capture.recent(
                checks.MAX_PAGE_LIMIT, user_id=exchange.user_id, session_id=exchange.session_id
            )
            self._known = {_said(one.messages): one.id for one in found}
        return self._known


def _said(messages: Sequence[Any]) -> Said:
    """The identity of an exchange: its messages' ids, or their contents and tool calls where they have no id."""
    said = parse_messages(list(messages), max_chars=MAX_ELEMENT)
    return tuple((one.role, one.id or (one.content, json.dumps(one.tool_calls, sort_keys=True))) for one in said)


def _tell(memory: Memory, told: Sequence[Told], progress: Progress) -> int:
    if not told:
        return 0
    lines = [json.dumps(_seed(one), default=str) for one in told]
    report = memory.seed("\n".join(lines), form="jsonl")
    progress(len(told))
    return report.new


def _seed(one: Told) -> dict[str, Any]:
    at = None if one.occurred_at is None else one.occurred_at.isoformat()
    sources = [source._asdict() for source in one.sources]
    values = {**asdict(one), "occurred_at": at, "sources": sources or None}
    return {name: value for name, value in values.items() if value is not None}


def _document(memory: Memory, written: Written, owner: str | None) -> bool:
    kept = memory.knowledge.import_file(written.path, origin=written.origin, user_id=owner)
    return kept.change != "unchanged"
