"""AIOS's three memory tiers, with the methods of its design in Python, and its context assembler.

Change the imports and keep the code. All tiers may share one Emberkeep memory: pass the same path, or the open memory.
If they use several, a context is assembled from all that are open, in the order in which they were opened.
Differences from AIOS: vectors live in the store, so `chroma_path` is not used; AIOS's status names ("active",
"completed") are accepted and mapped to Emberkeep's; searches go through recall instead of matching strings.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import emberkeep
from emberkeep.adapters import aios_context
from emberkeep.adapters.aios_context import AssembledContext, ContextChunk, assemble_context, use
from emberkeep.adapters.statuses import status_of
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.model import checks, collection, work
from emberkeep.model.collection import Impact
from emberkeep.model.operational import LiveEvent, Severity, Snapshot

__all__ = [
    "AssembledContext", "ContextChunk", "Decision", "Event", "Goal", "Incident", "LongTermMemory", "OperationalMemory",
    "Pattern", "Procedure", "SearchResult", "TaskRecord", "TaskState", "WorkingMemory", "assemble_context", "use",
]  # fmt: skip
Target = str | os.PathLike[str] | emberkeep.Memory
_LABEL = "aios_status"  # the metadata key for AIOS's name of a status
_RECORD = "aios_record"  # the metadata key for the uses that a pattern was stored with, and those counted here before
T = TypeVar("T")


@dataclass
class Event:
    """Something that happened."""

    category: str
    message: str = ""
    severity: Severity = "info"
    source: str = ""
    data: Any = None

    def is_critical(self) -> bool:
        """Whether it must not be lost."""
        return self.severity == "critical"


@dataclass
class TaskState:
    """What a task is doing now."""

    id: str
    status: str = "running"
    detail: str = ""


@dataclass
class Goal:
    """A goal to be reached."""

    id: str
    description: str
    status: str = "active"
    priority: int = 0
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class TaskRecord:
    """A piece of work for a goal. `relevance` is only set on search results."""

    id: str
    description: str
    goal_id: str | None = None
    status: str = "pending"
    summary: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    relevance: float | None = None


@dataclass
class Decision:
    """Who decided what and why. `relevance` is only set on search results."""

    agent: str
    decision: str
    reasoning: str = ""
    context: str = ""
    alternatives: list[str] = field(default_factory=list)
    confidence: float | None = None
    outcome: str | None = None
    goal_id: str | None = None
    task_id: str | None = None
    id: str | None = None
    relevance: float | None = None

    @property
    def summary(self) -> str:
        """What was decided, and why."""
        return f"{self.decision} because {self.reasoning}" if self.reasoning else self.decision


@dataclass
class Pattern:
    """What to do when something happens."""

    id: str
    trigger: str
    action: str
    hits: int = 0
    success_rate: float | None = None


@dataclass
class Procedure:
    """The steps by which something is done."""

    id: str
    name: str
    description: str
    steps: list[Any] = field(default_factory=list)


@dataclass
class Incident:
    """What went wrong, and what was done about it."""

    id: str
    title: str
    description: str
    severity: Impact = "medium"
    cause: str = ""
    resolution: str = ""


@dataclass
class SearchResult:
    """A search result: its content, its similarity to the query, and the collection it is from."""

    content: str
    metadata: dict[str, Any]
    relevance: float
    collection: str
    id: str = ""


class _Tier:
    def __init__(self, target: Target) -> None:
        self._given = isinstance(target, emberkeep.Memory)
        self.memory = target if isinstance(target, emberkeep.Memory) else emberkeep.open(_place(target))
        aios_context.opened(self)

    async def close(self) -> None:
        """Close the memory, if this tier opened it."""
        aios_context.closed(self)
        if not self._given:
            aios_context.forget(self.memory)
            await asyncio.to_thread(self.memory.close)

    async def _run(self, job: Callable[[emberkeep.Memory], T]) -> T:
        return await asyncio.to_thread(job, self.memory)


class OperationalMemory:
    """The live state: recent events, metrics and active tasks, held in RAM."""

    def __init__(self, memory: emberkeep.Memory) -> None:
        self._now = memory.operational
        aios_context.live_in(memory)

    def push_event(self, event: Event | Mapping[str, Any]) -> None:
        """Record an event."""
        told = _event(event)
        self._now.push_event(told.category, told.message, severity=told.severity, source=told.source, data=told.data)

    def update_metric(self, key: str, value: float) -> None:
        """Set the latest value of a metric."""
        self._now.update_metric(key, value)

    def get_recent(self, count: int, category: str | None = None) -> Sequence[LiveEvent]:
        """The latest events, newest first: at most `count`, and none for a count below 1."""
        wanted: object = count
        if isinstance(wanted, int) and wanted < 1:
            return []
        most = min(count, checks.MAX_PAGE_LIMIT) if isinstance(wanted, int) else count
        return self._now.get_recent(most, category)

    def set_active_task(self, task: TaskState) -> None:
        """Set the state of an active task."""
        self._now.set_active_task(task.id, {"status": task.status, "detail": task.detail})

    async def get_system_snapshot(self) -> Snapshot:
        """The current live state as a whole."""
        return await asyncio.to_thread(self._now.get_system_snapshot)


class WorkingMemory(_Tier):
    """The work in progress: goals, tasks, decisions, cached patterns."""

    @classmethod
    async def init(cls, path: Target) -> "WorkingMemory":
        """Open the tier."""
        return await asyncio.to_thread(cls, path)

    async def store_goal(self, goal: Goal) -> None:
        """Write a goal."""
        about = _labelled(goal.metadata, goal.status)
        await self._run(
            lambda memory: memory.goals.save(
                goal.description, id=goal.id, status=status_of(goal.status), priority=goal.priority, metadata=about
            )
        )

    async def update_goal(self, id: str, status: str) -> None:  # noqa: A002 - its name there
        """Set the status of a goal."""

        def job(memory: emberkeep.Memory) -> None:
            goal = memory.goals.get(id)
            memory.goals.save(
                goal.description,
                id=id,
                parent_id=goal.parent_id,
                status=status_of(status),
                priority=goal.priority,
                summary=goal.summary,
                metadata=_labelled(goal.metadata, status),
                user_id=goal.user_id,
                agent_id=goal.agent_id,
                session_id=goal.session_id,
            )

        await self._run(job)

    async def get_active_goals(self) -> list[Goal]:
        """The goals that are not finished, the most urgent first."""
        return [_goal(one) for one in await self._run(lambda memory: memory.goals.active(limit=1_000))]

    async def store_task(self, task: TaskRecord) -> None:
        """Write a task."""
        await self._run(
            lambda memory: memory.tasks.save(
                task.id,
                task.description,
                goal_id=task.goal_id,
                status=status_of(task.status),
                summary=task.summary,
                metadata=_labelled(task.metadata, task.status),
            )
        )

    async def get_tasks_for_goal(self, goal_id: str) -> list[TaskRecord]:
        """The tasks of a goal, oldest first."""
        found = await self._run(lambda memory: memory.tasks.list(goal_id=goal_id, limit=10_000))
        return [_task(one) for one in sorted(found, key=lambda task: (task.created_at, task.id))]

    async def log_decision(self, decision: Decision) -> None:
        """Write down who decided what and why."""
        await self._run(
            lambda memory: memory.decisions.log(
                decision.decision,
                id=decision.id,
                who=decision.agent,
                why=decision.reasoning,
                context=decision.context,
                alternatives=decision.alternatives,
                confidence=decision.confidence,
                outcome=decision.outcome,
                goal_id=decision.goal_id,
                task_id=decision.task_id,
            )
        )

    async def find_similar_decisions(self, context: str, limit: int = 5) -> list[Decision]:
        """Decisions in situations like this one, best first."""
        found = await self._run(lambda memory: memory.decisions.similar(context, limit=limit))
        return sorted((_decision(one.record, _relevance(one)) for one in found), key=_least_relevant)

    async def find_relevant(self, description: str, limit: int = 5) -> list[TaskRecord | Decision]:
        """Tasks and decisions relevant to a task, best first. A task without a summary has its description as one."""
        found = await self._run(lambda memory: memory.tasks.relevant(description, limit=limit))
        read = (
            _decision(one.record, _relevance(one))
            if isinstance(one.record, work.Decision)
            else _described(_task(one.record, _relevance(one)))
            for one in found
        )
        return sorted(read, key=_least_relevant)

    async def store_pattern(self, pattern: Pattern) -> None:
        """Store a pattern. Stored again without `hits` and `success_rate`, it keeps the uses it has."""

        def job(memory: emberkeep.Memory) -> None:
            former = _cached(memory, pattern.id)
            if pattern.hits or pattern.success_rate is not None:
                counted = (former.successes, former.failures) if former else (0, 0)
                uses = {"hits": pattern.hits, "success_rate": pattern.success_rate, "counted": counted}
            else:
                uses = former.metadata.get(_RECORD, {}) if former else {}
            memory.patterns.store(
                pattern.trigger, pattern.action, id=pattern.id, metadata={_RECORD: uses} if uses else None
            )

        await self._run(job)

    async def find_pattern(self, trigger: str) -> Pattern | None:
        """The pattern with this trigger, or with the most similar one."""
        found = await self._run(lambda memory: memory.patterns.find(trigger))
        return None if found is None else _pattern(found)

    async def update_pattern_stats(self, id: str, success: bool) -> None:  # noqa: A002, FBT001 - as it is there
        """Count a use of a pattern."""
        await self._run(lambda memory: memory.patterns.used(id, success=success))

    async def migrate_old_entries(self, cutoff: datetime) -> int:
        """Summarise work finished before a time (UTC if naive) into long-term memory; returns the number archived."""
        before = cutoff if cutoff.tzinfo else cutoff.replace(tzinfo=UTC)
        report = await self._run(lambda memory: memory.upkeep(archive_before=before))
        return sum(report.archived.values())

    async def vacuum(self) -> None:
        """Tidy the database, without moving, learning or forgetting anything."""
        await self._run(lambda memory: memory.tidy())


class LongTermMemory(_Tier):
    """Long-term memory: procedures, incidents, decisions and knowledge, searched by meaning."""

    def __init__(self, db_path: Target, chroma_path: str | None = None) -> None:
        super().__init__(db_path)
        self.chroma_path = chroma_path

    async def semantic_search(
        self, query: str, collections: list[str] | None = None, n_results: int = 5
    ) -> list[SearchResult]:
        """Search across collections, most similar first; decisions, incidents and procedures if none are named."""
        return await self._run(
            lambda memory: [_result(memory, one) for one in memory.semantic_search(query, collections, n_results)]
        )

    async def store_procedure(self, procedure: Procedure) -> None:
        """Store a procedure."""
        await self._run(
            lambda memory: memory.procedures.save(
                procedure.name, procedure.description, steps=procedure.steps, id=procedure.id
            )
        )

    async def store_incident(self, incident: Incident) -> None:
        """Store an incident."""
        await self._run(
            lambda memory: memory.incidents.report(
                incident.title,
                incident.description,
                severity=incident.severity,
                cause=incident.cause,
                resolution=incident.resolution,
                id=incident.id,
            )
        )

    async def store_knowledge(self, title: str, text: str, source: str = "") -> None:
        """Store a document."""
        await self._run(lambda memory: memory.knowledge.add(text, title=title, origin=source))


def _event(given: object) -> Event:
    if isinstance(given, Event):
        return given
    names = [one.name for one in fields(Event)]
    if not isinstance(given, Mapping):
        raise InvalidInput(f"event is {type(given).__name__}: pass an Event, or a mapping with {', '.join(names)}")
    if "category" not in given:
        raise InvalidInput("the event has no category: say what sort of event it is")
    if unknown := [key for key in given if key not in names]:
        raise InvalidInput(f"unknown field {unknown[0]!r} of an event: use {', '.join(names)}")
    return Event(**given)


def _result(memory: emberkeep.Memory, found: collection.SearchResult) -> SearchResult:
    """A search result in AIOS's form: metadata with the record's id, and of a procedure its name and description."""
    content, metadata = found.content, {**found.metadata, "id": found.id}
    if found.collection == "procedures":
        procedure = memory.procedures.get(found.id)
        content, metadata = f"{procedure.name}: {procedure.description}", {"id": procedure.id, "name": procedure.name}
    return SearchResult(content, metadata, found.relevance, found.collection, found.id)


def _relevance(found: work.Found[Any]) -> float:
    """The similarity of a result; without one, its relevance relative to the best result."""
    return found.relevance if found.similarity is None else max(0.0, found.similarity)


def _least_relevant(one: TaskRecord | Decision) -> float:
    return -(one.relevance or 0.0)


def _labelled(metadata: Mapping[str, Any] | None, status: str) -> dict[str, Any]:
    """The metadata with AIOS's name of a status."""
    return {**checks.metadata(metadata), _LABEL: status}


def _place(target: str | os.PathLike[str]) -> str | Path:
    named = os.fspath(target)
    return named if named == ":memory:" or "://" in named else Path(named).expanduser()


def _goal(goal: work.Goal) -> Goal:
    label, metadata = _label(goal.metadata, goal.status)
    return Goal(goal.id, goal.description, label, goal.priority, metadata)


def _task(task: work.Task, relevance: float | None = None) -> TaskRecord:
    label, metadata = _label(task.metadata, task.status)
    return TaskRecord(task.id, task.description, task.goal_id, label, task.summary, metadata, relevance)


def _described(task: TaskRecord) -> TaskRecord:
    return replace(task, summary=task.summary or task.description)


def _cached(memory: emberkeep.Memory, pattern_id: str) -> work.CachedPattern | None:
    try:
        return memory.patterns.get_cached(pattern_id)
    except NotFound:
        return None


def _pattern(found: work.CachedPattern) -> Pattern:
    """A pattern with the uses that it was stored with plus those counted since."""
    uses = found.metadata.get(_RECORD, {"hits": 0, "success_rate": None, "counted": (0, 0)})
    rate, (successes, failures) = uses["success_rate"], uses["counted"]
    since = found.hits - successes - failures
    known = 0 if rate is None else uses["hits"]
    if since:
        rate = (known * (rate or 0.0) + found.successes - successes) / (known + since)
    return Pattern(found.id, found.trigger, found.action, uses["hits"] + since, rate)


def _decision(one: work.Decision, relevance: float) -> Decision:
    return Decision(
        agent=one.who,
        decision=one.what,
        reasoning=one.why,
        context=one.context,
        alternatives=list(one.alternatives),
        confidence=one.confidence,
        outcome=one.outcome,
        goal_id=one.goal_id,
        task_id=one.task_id,
        id=one.id,
        relevance=relevance,
    )


def _label(metadata: Mapping[str, Any], status: str) -> tuple[str, dict[str, Any]]:
    """AIOS's name of a status, and the metadata without it."""
    return metadata.get(_LABEL, status), {key: value for key, value in metadata.items() if key != _LABEL}
