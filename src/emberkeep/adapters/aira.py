"""AIRA's memory: tasks, their steps, preferences and persona state, with an async interface.

Change the import and keep the code. Differences from AIRA: a task that is saved again keeps its creation time, which
must be a valid time; there is no `SCHEMA`, since the tables are Emberkeep's own; and the steps of a task that was never
saved are kept under its id, as a task of the Emberkeep memory. `MemoryStore.memory` is that memory, with all its verbs.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import emberkeep
from emberkeep.adapters.statuses import status_of
from emberkeep.errors import Closed, Conflict, InvalidInput, NotFound
from emberkeep.model import checks
from emberkeep.model.checks import MAX_PAGE_LIMIT
from emberkeep.model.work import Task
from emberkeep.work.desk import as_text

MAX_SUMMARY_TOKENS = 2000
CHARS_PER_TOKEN = 4
LEAST_SHOWN = 50  # characters; a summary that would be cut to fewer is left out
FIRST_STATUS = "INIT"
_ALL_TOKENS = 1_000_000  # no cap in tokens: the cap is in characters here
_OURS = "aira"  # the key of a task's metadata for what AIRA saved in its own form
_THEIRS = "metadata"  # below it: what AIRA's own metadata held under the key "aira"
_UNSAVED = "unsaved"  # below it: whether the task was never saved, and only its steps are known
T = TypeVar("T")


class MemoryStore:
    """Keeps what a task runner does."""

    def __init__(self, db_path: Path) -> None:
        self.db_path = Path(db_path)
        self._memory: emberkeep.Memory | None = None
        self._turn = threading.Lock()  # writes of a task read it first: no other write may come in between

    @property
    def memory(self) -> emberkeep.Memory:
        """The open memory."""
        if self._memory is None:
            raise Closed("the store is not open: await init_db() first")
        return self._memory

    async def init_db(self) -> None:
        """Open the file, and create it if it does not exist."""
        self._memory = await asyncio.to_thread(emberkeep.open, self.db_path)

    async def close(self) -> None:
        """Close the file."""
        memory, self._memory = self._memory, None
        if memory is not None:
            await asyncio.to_thread(memory.close)

    async def save_task(self, task_id: str, data: Mapping[str, Any]) -> None:
        """Write a task; saved again, it keeps its steps and its creation time."""
        given = _mapping(data, "data")
        description, summary = _word(given, "description") or "", _word(given, "summary") or ""
        label = _word(given, "status")
        label = FIRST_STATUS if label is None else label
        status, metadata = status_of(label or FIRST_STATUS), checks.metadata(given.get("metadata"))
        made, said = _aware(given.get("created_at")), given.get("created_at")

        def job(memory: emberkeep.Memory) -> None:
            former = _found(memory, task_id)
            ours: dict[str, Any] = {"status": label}
            if not description.strip():
                ours["description"] = description  # Emberkeep takes no task without a description
            if isinstance(said, str) and made is not None:
                ours["created_at"] = said
            elif former is not None and "created_at" in former.metadata.get(_OURS, {}):
                ours["created_at"] = former.metadata[_OURS]["created_at"]
            if _OURS in metadata:
                ours[_THEIRS] = metadata[_OURS]
            memory.tasks.save(
                task_id,
                description if description.strip() else task_id,
                status=status,
                summary=summary,
                metadata={**metadata, _OURS: ours},
                created_at=made,
            )

        await self._in_turn(job)

    async def get_task(self, task_id: str) -> dict[str, Any] | None:
        """One task, or None."""
        if not _is_name(task_id):
            return None
        task = await self._run(lambda memory: _task(memory, task_id))
        return None if task is None else _row(task)

    async def update_task_status(self, task_id: str, status: str, summary: str = "") -> None:
        """Set the status and the summary of a task; nothing happens if there is none."""
        meant = status_of(status)

        def job(memory: emberkeep.Memory) -> None:
            task = _task(memory, task_id)
            if task is None:
                return
            metadata = {**task.metadata, _OURS: {**task.metadata.get(_OURS, {}), "status": status}}
            try:  # an update, so that other fields that another process has just saved stay
                memory.tasks.update(task_id, status=meant, summary=summary, metadata=metadata)
            except Conflict:  # a finished task is reopened
                memory.tasks.save(
                    task_id,
                    task.description,
                    goal_id=task.goal_id,
                    status=meant,
                    summary=summary,
                    metadata=metadata,
                    user_id=task.user_id,
                    agent_id=task.agent_id,
                    session_id=task.session_id,
                )

        await self._in_turn(job)

    async def save_step(self, task_id: str, step_data: Mapping[str, Any]) -> None:
        """Write one tool call of a task, which may be saved only later or never."""
        given = _mapping(step_data, "step_data")

        def job(memory: emberkeep.Memory) -> None:
            tool = _word(given, "tool_name") or ""
            write = partial(
                memory.tasks.step,
                task_id,
                tool,
                parameters=given.get("parameters") or {},
                output=given.get("output", ""),
                success=bool(given.get("success")),
                duration_ms=given.get("duration_ms", 0),
                iteration=given.get("iteration", 0),
            )
            try:
                write()
            except NotFound:
                memory.tasks.save(task_id, task_id, status="running", metadata={_OURS: {_UNSAVED: True}})
                write()

        await self._in_turn(job)

    async def get_recent_summaries(self, limit: int = 3) -> list[str]:
        """The summaries of the latest tasks, in at most 8,000 characters; the one that exceeds the limit is cut."""
        if not isinstance(limit, int):
            raise InvalidInput(f"limit is {limit!r}: pass a whole number")
        if limit == 0:
            return []
        most = MAX_PAGE_LIMIT if limit < 0 else min(limit, MAX_PAGE_LIMIT)
        told = await self._run(lambda memory: memory.tasks.recent_summaries(most, max_tokens=_ALL_TOKENS))
        return _within(told, MAX_SUMMARY_TOKENS * CHARS_PER_TOKEN)

    async def save_preference(self, key: str, value: str) -> None:
        """Set a preference."""
        said = _value(value)
        await self._run(lambda memory: memory.preferences.set(key, said))

    async def get_preference(self, key: str) -> str | None:
        """A preference, or None."""
        if not _is_name(key):
            return None
        return _told(await self._run(lambda memory: memory.preferences.get(key)))

    async def save_persona_state(self, key: str, value: str) -> None:
        """Set a part of the persona's state."""
        said = _value(value)
        await self._run(lambda memory: memory.persona.set(key, said))

    async def get_persona_state(self, key: str) -> str | None:
        """A part of the persona's state, or None."""
        if not _is_name(key):
            return None
        return _told(await self._run(lambda memory: memory.persona.get(key)))

    async def _run(self, work: Callable[[emberkeep.Memory], T]) -> T:
        return await asyncio.to_thread(work, self.memory)

    async def _in_turn(self, work: Callable[[emberkeep.Memory], None]) -> None:
        def job(memory: emberkeep.Memory) -> None:
            with self._turn:
                work(memory)

        await self._run(job)


def _is_name(key: object) -> bool:
    """Whether the key is a text that is not blank, so that something can be stored under it."""
    return isinstance(key, str) and not checks.is_blank(key)


def _mapping(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name} is {type(value).__name__}: pass a mapping, such as a dict")
    return value


def _word(given: Mapping[str, Any], name: str) -> str | None:
    """The text under a key of a mapping, or None."""
    value = given.get(name)
    return None if value is None else checks.storable(value, name=name)


def _value(value: object) -> str:
    """A value as AIRA's text column stores it: a number becomes its text, and a bool is a number."""
    return str(+value) if isinstance(value, int | float) else checks.storable(value, name="value")


def _told(value: object) -> str | None:
    """A stored value as text: other users of the memory may have set it to any JSON value."""
    return None if value is None else as_text(value)


def _within(summaries: list[str], most: int) -> list[str]:
    """The first summaries that fit in `most` characters; the next one is cut, if enough of it would remain."""
    kept: list[str] = []
    for summary in summaries:
        left = most - sum(map(len, kept))
        if len(summary) > left:
            return [*kept, f"{summary[:left]}..."] if left > LEAST_SHOWN else kept
        kept.append(summary)
    return kept


def _found(memory: emberkeep.Memory, task_id: str) -> Task | None:
    try:
        return memory.tasks.get(task_id)
    except NotFound:
        return None


def _task(memory: emberkeep.Memory, task_id: str) -> Task | None:
    """A task that was saved; None for one of which only steps are known."""
    task = _found(memory, task_id)
    return None if task is None or task.metadata.get(_OURS, {}).get(_UNSAVED) else task


def _row(task: Task) -> dict[str, Any]:
    ours = task.metadata.get(_OURS, {})
    theirs = {_OURS: ours[_THEIRS]} if _THEIRS in ours else {}
    return {
        "task_id": task.id,
        "description": ours.get("description", task.description),
        "status": ours.get("status", task.status),
        "created_at": ours.get("created_at", task.created_at.isoformat()),
        "updated_at": task.updated_at.isoformat(),
        "summary": task.summary,
        "metadata": {key: value for key, value in task.metadata.items() if key != _OURS} | theirs,
    }


def _aware(value: object) -> datetime | None:
    """Parse a time as AIRA writes it; one without a zone is UTC."""
    if not value:
        return None
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        raise InvalidInput(f"created_at is {value!r}: pass ISO 8601, such as 2026-05-20T10:00:00+00:00") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
