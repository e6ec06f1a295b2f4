"""Memories as files that people and other programs read: JSON lines, or Markdown."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from emberkeep.errors import InvalidInput
from emberkeep.learning.embedding import Progress, silent
from emberkeep.memory import Memory
from emberkeep.model import checks
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Item
from emberkeep.model.message import Message
from emberkeep.model.scope import EVERYONE
from emberkeep.transfer.archive import put_in_place

PAGE = 1_000
_UNREADABLE = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")
AT_ONCE = checks.MAX_PAGE_LIMIT // 2  # exchanges: the rest of a page is room for those written meanwhile


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The numbers of memories and of logged exchanges that were written."""

    memories: int = 0
    exchanges: int = 0


def write_export(
    memory: Memory, path: Path, form: str = "jsonl", *, user_id: str | None = EVERYONE, progress: Progress = silent
) -> ExportReport:
    """Write memories to a new file that only its owner may read."""
    if form not in ("jsonl", "markdown"):
        raise InvalidInput(f"format is {form!r}: use jsonl or markdown")
    counts = Counter[str]()
    with put_in_place(path) as file:
        for line in (jsonl if form == "jsonl" else markdown)(memory, user_id=user_id):
            file.write(line.encode())
            counts[_sort_of(line)] += 1
            progress(1)
    return ExportReport(counts["memory"], counts["exchange"])


def exported(memory: Memory, *, user_id: str | None = EVERYONE) -> Iterator[dict[str, Any]]:
    """The log, then the memories that hold now, each as an object that `import` understands.

    Memories that stand for a record, such as a task or a document, are left out; a backup has them.
    """
    for one in interactions(memory, user_id=user_id):
        yield {
            "messages": [_message(message) for message in one.messages],
            "occurred_at": one.said_at.isoformat(),
            "user_id": one.scope.user_id,
            "agent_id": one.scope.agent_id,
            "session_id": one.scope.session_id,
            "tags": list(one.tags),
            "metadata": dict(one.metadata),
            "id": one.id,
            **({} if one.details is None else {"details": asdict(one.details)}),
        }
    for item in memories(memory, user_id=user_id):
        yield {
            "text": item.text,
            "kind": item.kind,
            "occurred_at": item.said_at.isoformat(),
            "user_id": item.user_id,
            "agent_id": item.agent_id,
            "session_id": item.session_id,
            "tags": list(item.tags),
            "metadata": dict(item.metadata),
            "sacred": item.sacred,
            "sources": [
                {"exchange": one.interaction_id, "message": one.position, "quote": one.quote} for one in item.sources
            ],
        }


def jsonl(memory: Memory, *, user_id: str | None = EVERYONE) -> Iterator[str]:
    """The export as JSON lines, one object per line."""
    for one in exported(memory, user_id=user_id):
        yield json.dumps(one, ensure_ascii=False) + "\n"


def markdown(memory: Memory, *, user_id: str | None = EVERYONE) -> Iterator[str]:
    """A line for each memory, under its user and kind; `seed` reads it back. The log is left out."""
    by_owner: dict[tuple[str, str], list[Item]] = {}
    for item in memories(memory, user_id=user_id):
        by_owner.setdefault((item.user_id or "", item.kind), []).append(item)
    last = None
    for (owner, kind), mine in sorted(by_owner.items()):
        if owner != last:
            yield f"# {_readable(owner) or 'Of no user'}\n\n"
            last = owner
        yield f"## {kind}\n\n"
        for item in sorted(mine, key=lambda one: (one.occurred_at, one.id)):
            yield f"- {item.said_at:%Y-%m-%d}: {_readable(item.text)}\n"
        yield "\n"


def memories(memory: Memory, *, user_id: str | None) -> Iterator[Item]:
    """The memories that were learned or told, without episodes and records, latest first."""
    cursor = None
    while True:
        page = memory.get_all(limit=PAGE, cursor=cursor, user_id=user_id)
        yield from (item for item in page if item.record is None and item.kind != "episode")
        if page.next is None:
            return
        cursor = page.next


def interactions(memory: Memory, *, user_id: str | None) -> Iterator[Interaction]:
    """The log, oldest exchange first, so that an import writes it in the same order."""
    ends: list[datetime | None] = [None]  # the times at which pages end, from the latest to the earliest
    while True:
        page = memory.capture.recent(AT_ONCE, user_id=user_id, until=ends[-1])
        if len(page) < AT_ONCE or page[-1].occurred_at == ends[-1]:
            break
        ends.append(page[-1].occurred_at)
    seen: set[str] = set()  # ids at the exact time at which the last page ended, which the next page repeats
    since: datetime | None = None
    for until in reversed(ends):
        page = memory.capture.recent(checks.MAX_PAGE_LIMIT, user_id=user_id, since=since, until=until)
        yield from (one for one in reversed(page) if one.id not in seen)
        seen = {one.id for one in page if one.occurred_at == until}
        since = until


def _readable(text: str) -> str:
    """A text on one line, without control characters and without marks that change the direction of text."""
    return " ".join(_UNREADABLE.sub(" ", text).split())


def _sort_of(line: str) -> str:
    if line.startswith('{"messages"'):
        return "exchange"
    return "memory" if line.startswith(("{", "- ")) else "heading"


def _message(message: Message) -> dict[str, Any]:
    at = None if message.timestamp is None else message.timestamp.isoformat()
    value = {
        "role": message.role,
        "content": message.content,
        "name": message.name,
        "id": message.id,
        "timestamp": at,
        "tool_calls": list(message.tool_calls),
        "tool_call_id": message.tool_call_id,
    }
    return {name: one for name, one in value.items() if one not in (None, [])}
