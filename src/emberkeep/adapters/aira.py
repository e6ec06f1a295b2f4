"""AIRA's memory: tasks, their steps, preferences and persona state, awaited.

Change the import and keep the code. What is other than there: saving a task again keeps its steps and the time when it
was made, a step of an unknown task is an error, and summaries are capped by a tokenizer too, not by characters alone.
`MemoryStore.memory` is the open Emberkeep memory, with all the rest.
"""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import emberkeep
from emberkeep.adapters.statuses import status_of
from emberkeep.context.summaries import cap_summaries
from emberkeep.errors import Closed, InvalidInput, NotFound
from emberkeep.model import checks
from emberkeep.model.checks import MAX_PAGE_LIMIT
from emberkeep.model.work import Task

MAX_SUMMARY_TOKENS = 2000
CHARS_PER_TOKEN = 4
_OURS = "aira"  # the key of a task's metadata under which its own words for things are
_THEIRS = "metadata"  # among these, what metadata have under that very key
_CUT = " …"  # where a summary was cut
T = TypeVar("T")


class MemoryStore:
    """Keeps what a task runner does."""

    def __init__(self, db_path: Path) -> None:
        self.db_path = Path(db_path)
        self._memory: emberkeep.Memory | None = None

    @property
    def memory(self) -> emberkeep.Memory:
        """The open memory."""
        if self._memory is None:
            raise Closed("the store is not open: await init_db() first")
        return self._memory

    async def init_db(self) -> None:
        """Open the file, and make it if need be."""
        self._memory = await asyncio.to_thread(emberkeep.open, self.db_path)

    async def close(self) -> None:
        """Let go of the file."""
        memory, self._memory = self._memory, None
        if memory is not None:
            await asyncio.to_thread(memory.close)

    async def save_task(self, task_id: str, data: Mapping[str, Any]) -> None:
        """Write a task; saved again, it keeps its steps and the time when it was made."""
        given = _mapping(data, "data")
        label, description = _word(given, "status") or "INIT", _word(given, "description")
        status, metadata = status_of(label), checks.metadata(given.get("metadata"))
        theirs = {_THEIRS: metadata[_OURS]} if _OURS in metadata else {}
        await self._run(
            lambda memory: memory.tasks.save(
                task_id,
                description if description.strip() else task_id,
                status=status,
                summary=_word(given, "summary"),
                metadata={**metadata, _OURS: {"status": label, "description": description, **theirs}},
                created_at=_aware(given.get("created_at")),
            )
        )

    async def get_task(self, task_id: str) -> dict[str, Any] | None:
        """One task, or nothing."""
        task = await self._run(lambda memory: _task(memory, task_id))
        return None if task is None else _row(task)

    async def update_task_status(self, task_id: str, status: str, summary: str = "") -> None:
        """Set the status and the summary of a task; nothing happens if there is none."""
        meant = status_of(status)
        task = await self._run(lambda memory: _task(memory, task_id))
        if task is None:
            return
        ours = {**task.metadata.get(_OURS, {}), "status": status}
        await self._run(
            lambda memory: memory.tasks.save(
                task_id,
                task.description,
                goal_id=task.goal_id,
                status=meant,
                summary=summary,
                metadata={**task.metadata, _OURS: ours},
                user_id=task.user_id,
                agent_id=task.agent_id,
                session_id=task.session_id,
            )
        )

    async def save_step(self, task_id: str, step_data: Mapping[str, Any]) -> None:
        """Write down one call of a tool."""
        given = _mapping(step_data, "step_data")
        await self._run(
            lambda memory: memory.tasks.step(
                task_id,
                _word(given, "tool_name"),
                parameters=given.get("parameters") or {},
                output=given.get("output", ""),
                success=bool(given.get("success")),
                duration_ms=given.get("duration_ms", 0),
                iteration=given.get("iteration", 0),
            )
        )

    async def get_recent_summaries(self, limit: int = 3) -> list[str]:
        """What came of the latest tasks, in at most 2,000 tokens, however they are counted."""
        if not isinstance(limit, int):
            raise InvalidInput(f"limit is {limit!r}: pass a whole number")
        if limit < 1:
            return []
        most = min(limit, MAX_PAGE_LIMIT)
        told = await self._run(lambda memory: memory.tasks.recent_summaries(most, max_tokens=MAX_SUMMARY_TOKENS))
        capped = cap_summaries(told, MAX_SUMMARY_TOKENS, lambda text: len(text) // CHARS_PER_TOKEN)
        return [f"{one.removesuffix(_CUT)}..." if one.endswith(_CUT) else one for one in capped]

    async def save_preference(self, key: str, value: str) -> None:
        """Set a preference."""
        await self._run(lambda memory: memory.preferences.set(key, value))

    async def get_preference(self, key: str) -> str | None:
        """A preference, or nothing."""
        found: str | None = await self._run(lambda memory: memory.preferences.get(key))
        return found

    async def save_persona_state(self, key: str, value: str) -> None:
        """Set a part of the persona's state."""
        await self._run(lambda memory: memory.persona.set(key, value))

    async def get_persona_state(self, key: str) -> str | None:
        """A part of the persona's state, or nothing."""
        found: str | None = await self._run(lambda memory: memory.persona.get(key))
        return found

    async def _run(self, work: Callable[[emberkeep.Memory], T]) -> T:
        return await asyncio.to_thread(work, self.memory)


def _mapping(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name} is {type(value).__name__}: pass a mapping, such as a dict")
    return value


def _word(given: Mapping[str, Any], name: str) -> str:
    """A text of a mapping; what is missing or nothing is empty."""
    value = given.get(name)
    return "" if value is None else checks.storable(value, name=name)


def _task(memory: emberkeep.Memory, task_id: str) -> Task | None:
    try:
        return memory.tasks.get(task_id)
    except NotFound:
        return None


def _row(task: Task) -> dict[str, Any]:
    ours = task.metadata.get(_OURS, {})
    theirs = {_OURS: ours[_THEIRS]} if _THEIRS in ours else {}
    return {
        "task_id": task.id,
        "description": ours.get("description", task.description),
        "status": ours.get("status", task.status),
        "created_at": task.created_at.isoformat(),
        "updated_at": task.updated_at.isoformat(),
        "summary": task.summary,
        "metadata": {key: value for key, value in task.metadata.items() if key != _OURS} | theirs,
    }


def _aware(value: object) -> datetime | None:
    """A time as AIRA writes it down; one without a zone is UTC."""
    if not value:
        return None
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        raise InvalidInput(f"created_at is {value!r}: pass ISO 8601, such as 2026-05-20T10:00:00+00:00") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
