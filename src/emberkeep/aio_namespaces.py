"""The namespaces of `AsyncMemory`: those of `Memory`, awaited. The verbs are documented there.

Written by scripts/write_async.py from the namespaces of `Memory`: change those, then run `make reference`.
"""

# ruff: noqa: A002, FBT001, FBT002 - the arguments have the names that they have there

import os
import threading
from builtins import list as listing
from collections.abc import Callable, Generator, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar, Unpack

from emberkeep.access.idempotency import LEASE_S, Answer, Ticket
from emberkeep.access.principal import Principal
from emberkeep.capture.log import Order, Session
from emberkeep.documents.reading import MediaType
from emberkeep.events.bus import Callback
from emberkeep.events.watching import Watch
from emberkeep.learning.embedding import Progress, silent
from emberkeep.memory import Memory
from emberkeep.model.access import LOCAL, ApiKey, AuditEntry, NewKey, Role
from emberkeep.model.collection import ConfigChange, Document, Impact, Imported, Incident, Passage, Procedure
from emberkeep.model.events import Delivered, Event, Undeliverable, Webhook
from emberkeep.model.experience import (
    Caution,
    Cluster,
    Execution,
    PatternType,
    PatternVersion,
    Question,
    Rating,
    SimilarTask,
    TaskContext,
    TaskPattern,
)
from emberkeep.model.interaction import Interaction, InteractionRecord
from emberkeep.model.item import Receipt
from emberkeep.model.many import Listed
from emberkeep.model.operational import ActiveTask, LiveEvent, Metric, Severity, Snapshot
from emberkeep.model.recall import Within
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import AgentState, CachedPattern, Decision, Entry, Found, Goal, Status, Step, Task
from emberkeep.work.cached import MIN_SIMILARITY
from emberkeep.work.experience import SIMILAR
from emberkeep.work.extraction import MIN_SAMPLES
from emberkeep.work.patterns import RELATED
from emberkeep.work.tasks import MAX_SUMMARY_TOKENS

T = TypeVar("T")


class Hop(Protocol):
    """Runs a function on the open memory, in a thread."""

    async def __call__(self, work: Callable[[Memory], T], /) -> T:
        """Run it, and return its result."""
        ...


class AsyncCapture:
    """Writes and reads the log. Each interaction waits in the backlog until it is learned from."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def log(self, record: InteractionRecord | Mapping[str, Any]) -> str:
        """Log one turn; it is on disk when this returns the interaction's id."""
        return await self._hop(lambda memory: memory.capture.log(record))

    async def get(self, id: str) -> Interaction:
        """One interaction by its id."""
        return await self._hop(lambda memory: memory.capture.get(id))

    async def recent(
        self,
        limit: int = 10,
        *,
        user_id: str | None = EVERYONE,
        agent_id: str | None = None,
        session_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        order: Order = "occurred",
    ) -> list[Interaction]:
        """The latest interactions, latest first: everyone's, or those of one user, agent, session or span of time."""
        return await self._hop(
            lambda memory: memory.capture.recent(
                limit, user_id=user_id, agent_id=agent_id, session_id=session_id, since=since, until=until, order=order
            )
        )

    async def sessions(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> list[Session]:
        """The conversations in the log, the one that was active last first."""
        return await self._hop(lambda memory: memory.capture.sessions(user_id=user_id, limit=limit))


class AsyncOperational:
    """Events, metrics and active tasks. Safe to use from many threads."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def push_event(
        self,
        category: str,
        message: str = "",
        *,
        severity: Severity = "info",
        source: str = "",
        data: object = None,
        at: datetime | str | None = None,
    ) -> LiveEvent:
        """Record an event; `data` may be anything, and values that JSON cannot hold are kept as text."""
        return await self._hop(
            lambda memory: memory.operational.push_event(
                category, message, severity=severity, source=source, data=data, at=at
            )
        )

    async def get_recent(
        self, count: int = 10, category: str | None = None, severity: Severity | None = None
    ) -> list[LiveEvent]:
        """The latest events, latest first, of all categories and severities or of one."""
        return await self._hop(lambda memory: memory.operational.get_recent(count, category, severity))

    async def kept(
        self, limit: int = 100, *, category: str | None = None, since: datetime | str | None = None
    ) -> list[LiveEvent]:
        """Critical events that were written to the store, by this process or another one, latest first."""
        return await self._hop(lambda memory: memory.operational.kept(limit, category=category, since=since))

    async def update_metric(self, key: str, value: float) -> None:
        """Set the current value of a metric."""
        return await self._hop(lambda memory: memory.operational.update_metric(key, value))

    async def get_metric(self, key: str) -> Metric:
        """The latest value of a metric, with its last hundred values."""
        return await self._hop(lambda memory: memory.operational.get_metric(key))

    async def set_active_task(self, id: str, state: object) -> ActiveTask:
        """Set the state of an active task; `state` may be a word or any value."""
        return await self._hop(lambda memory: memory.operational.set_active_task(id, state))

    async def end_active_task(self, id: str) -> bool:
        """Remove a task from the active ones; returns whether it was among them."""
        return await self._hop(lambda memory: memory.operational.end_active_task(id))

    async def active_tasks(self) -> list[ActiveTask]:
        """The active tasks, in the order in which they were begun: those set here, and open ones of `memory.tasks`."""
        return await self._hop(lambda memory: memory.operational.active_tasks())

    async def get_system_snapshot(self, *, stored: bool = True) -> Snapshot:
        """A snapshot of all that is going on; open tasks and goals are left out if not `stored`, or if unreadable."""
        return await self._hop(lambda memory: memory.operational.get_system_snapshot(stored=stored))

    async def flush(self) -> int:
        """Write the critical events that are in memory only to the store; returns how many."""
        return await self._hop(lambda memory: memory.operational.flush())

    async def clear(self) -> None:
        """Clear all events, metrics and active tasks; critical events that are in the store stay there."""
        return await self._hop(lambda memory: memory.operational.clear())

    async def count_unkept(self) -> int:
        """How many critical events are in memory only."""
        return await self._hop(lambda memory: memory.operational.count_unkept())

    async def close(self) -> None:
        """Write the critical events and accept no more; if the store cannot be written to, stay open and raise."""
        return await self._hop(lambda memory: memory.operational.close())

    async def reopen(self) -> None:
        """Accept events again, after the memory could not be closed."""
        return await self._hop(lambda memory: memory.operational.reopen())


class AsyncEvents:
    """Events about changes, for subscribers, followers and webhooks."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def subscribe(self, pattern: str, callback: Callback) -> str:
        """Call back with each event of a type: `memory.stored`, `memory.pattern.*`, or `*` for all."""
        return await self._hop(lambda memory: memory.events.subscribe(pattern, callback))

    async def unsubscribe(self, subscription: str) -> None:
        """End a subscription."""
        return await self._hop(lambda memory: memory.events.unsubscribe(subscription))

    async def publish(self, type: str, payload: Mapping[str, Any] | None = None, *, user_id: str | None = None) -> None:
        """Publish an event of your own, whose type begins with `app.`, in the same way as the memory's own events."""
        return await self._hop(lambda memory: memory.events.publish(type, payload, user_id=user_id))

    async def recent(self, limit: int = 100, *, type: str = "*") -> list[Event]:
        """The latest events that were kept, oldest first."""
        return await self._hop(lambda memory: memory.events.recent(limit, type=type))

    async def follow(
        self, *, type: str = "*", every_s: float = 0.5, stop: threading.Event | None = None
    ) -> Generator[Event, None, None]:
        """Events as they happen, whichever process makes the change, until told to stop."""
        return await self._hop(lambda memory: memory.events.follow(type=type, every_s=every_s, stop=stop))

    async def watch(self, *, type: str = "*", after: str | None = None) -> Watch:
        """Like `follow`, for a program with its own loop, which calls `look` when it likes, and `close` at the end."""
        return await self._hop(lambda memory: memory.events.watch(type=type, after=after))

    async def deliver(self) -> Delivered:
        """Send this tenant's waiting events to the stream and the webhooks now, as a worker does all the time."""
        return await self._hop(lambda memory: memory.events.deliver())

    async def undelivered(self, limit: int = 100) -> list[Undeliverable]:
        """Events whose delivery to a webhook was given up, with the reason, the latest first."""
        return await self._hop(lambda memory: memory.events.undelivered(limit))

    async def add_webhook(self, url: str, *, secret: str | None = None, types: Iterable[str] = ("*",)) -> Webhook:
        """Post events of some types to a URL from now on; the answer holds the secret that signs them: keep it."""
        return await self._hop(lambda memory: memory.events.add_webhook(url, secret=secret, types=types))

    async def webhooks(self) -> list[Webhook]:
        """The webhooks, oldest first, without their secrets."""
        return await self._hop(lambda memory: memory.events.webhooks())

    async def remove_webhook(self, id: str) -> None:
        """Remove a webhook; events that wait for it are not posted any more."""
        return await self._hop(lambda memory: memory.events.remove_webhook(id))


class AsyncGoals:
    """Goals, which may be parts of other goals. The work towards them is in tasks."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def save(
        self,
        description: str,
        *,
        id: str | None = None,
        parent_id: str | None = None,
        status: Status = "running",
        priority: int = 0,
        summary: str = "",
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Goal:
        """Save a goal; saved again under its id, it keeps its creation time and all that belongs to it."""
        return await self._hop(
            lambda memory: memory.goals.save(
                description,
                id=id,
                parent_id=parent_id,
                status=status,
                priority=priority,
                summary=summary,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
            )
        )

    async def get(self, id: str) -> Goal:
        """One goal."""
        return await self._hop(lambda memory: memory.goals.get(id))

    async def update(
        self,
        id: str,
        *,
        status: Status | None = None,
        description: str | None = None,
        priority: int | None = None,
        summary: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        parent_id: str | None = None,
    ) -> Goal:
        """Change some fields of a goal; a finished goal stays finished until `save` reopens it."""
        return await self._hop(
            lambda memory: memory.goals.update(
                id,
                status=status,
                description=description,
                priority=priority,
                summary=summary,
                metadata=metadata,
                parent_id=parent_id,
            )
        )

    async def active(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> listing[Goal]:
        """The goals that are not finished, the most urgent first."""
        return await self._hop(lambda memory: memory.goals.active(user_id=user_id, limit=limit))

    async def list(
        self,
        *,
        status: Status | None = None,
        parent_id: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Goal]:
        """A page of goals, the one that changed last first."""
        return await self._hop(
            lambda memory: memory.goals.list(
                status=status, parent_id=parent_id, user_id=user_id, limit=limit, cursor=cursor
            )
        )

    async def delete(self, id: str) -> Receipt:
        """Remove a goal for good; its tasks, decisions and sub-goals stay, without it."""
        return await self._hop(lambda memory: memory.goals.delete(id))


class AsyncDecisions:
    """The log of decisions."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def log(
        self,
        what: str,
        *,
        who: str = "",
        why: str = "",
        context: str = "",
        alternatives: Iterable[str] = (),
        confidence: float | None = None,
        outcome: str | None = None,
        success: bool | None = None,
        goal_id: str | None = None,
        task_id: str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Decision:
        """Log a decision: who decided what and why, the alternatives, and how confident they were (0 to 1)."""
        return await self._hop(
            lambda memory: memory.decisions.log(
                what,
                who=who,
                why=why,
                context=context,
                alternatives=alternatives,
                confidence=confidence,
                outcome=outcome,
                success=success,
                goal_id=goal_id,
                task_id=task_id,
                id=id,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
            )
        )

    async def set_outcome(self, id: str, outcome: str, *, success: bool | None = None) -> Decision:
        """Say how a decision turned out."""
        return await self._hop(lambda memory: memory.decisions.set_outcome(id, outcome, success=success))

    async def get(self, id: str) -> Decision:
        """One decision."""
        return await self._hop(lambda memory: memory.decisions.get(id))

    async def similar(self, context: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Decision]]:
        """Decisions in situations like this one, best first, including decisions learned from what was said."""
        return await self._hop(lambda memory: memory.decisions.similar(context, limit=limit, **within))

    async def list(
        self,
        *,
        who: str | None = None,
        task_id: str | None = None,
        goal_id: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Decision]:
        """Decisions, the latest first."""
        return await self._hop(
            lambda memory: memory.decisions.list(
                who=who, task_id=task_id, goal_id=goal_id, user_id=user_id, limit=limit, cursor=cursor
            )
        )

    async def delete(self, id: str) -> Receipt:
        """Remove a decision for good; a summary that tells of it goes too, and the next upkeep writes it anew."""
        return await self._hop(lambda memory: memory.decisions.delete(id))


class AsyncPreferences:
    """A user's preferences by name. Searches find them too."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def set(self, key: str, value: Any, *, user_id: str | None = None, agent_id: str | None = None) -> Entry:
        """Set a preference; the former value stays in its history."""
        return await self._hop(lambda memory: memory.preferences.set(key, value, user_id=user_id, agent_id=agent_id))

    async def get(
        self, key: str, default: Any = None, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Any:
        """The value of a preference, or the default."""
        return await self._hop(lambda memory: memory.preferences.get(key, default, user_id=user_id, agent_id=agent_id))

    async def all(self, *, user_id: str | None = None, agent_id: str | None = None) -> dict[str, Any]:
        """All preferences by name."""
        return await self._hop(lambda memory: memory.preferences.all(user_id=user_id, agent_id=agent_id))

    async def delete(self, key: str, *, user_id: str | None = None, agent_id: str | None = None) -> Receipt:
        """Remove a preference for good."""
        return await self._hop(lambda memory: memory.preferences.delete(key, user_id=user_id, agent_id=agent_id))


class AsyncPersona:
    """The state of a persona by name: its mood, its voice, what it is up to."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def set(self, key: str, value: Any, *, agent_id: str | None = None, user_id: str | None = None) -> Entry:
        """Set a part of the state."""
        return await self._hop(lambda memory: memory.persona.set(key, value, agent_id=agent_id, user_id=user_id))

    async def get(
        self, key: str, default: Any = None, *, agent_id: str | None = None, user_id: str | None = None
    ) -> Any:
        """A part of the state, or the default."""
        return await self._hop(lambda memory: memory.persona.get(key, default, agent_id=agent_id, user_id=user_id))

    async def all(self, *, agent_id: str | None = None, user_id: str | None = None) -> dict[str, Any]:
        """The whole state, by name."""
        return await self._hop(lambda memory: memory.persona.all(agent_id=agent_id, user_id=user_id))

    async def delete(self, key: str, *, agent_id: str | None = None, user_id: str | None = None) -> Receipt:
        """Remove a part of the state for good."""
        return await self._hop(lambda memory: memory.persona.delete(key, agent_id=agent_id, user_id=user_id))


class AsyncAgents:
    """What each agent is doing."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def save(self, agent_id: str, status: str = "idle", state: Mapping[str, Any] | None = None) -> AgentState:
        """Say what an agent is doing, and what it keeps in mind."""
        return await self._hop(lambda memory: memory.agents.save(agent_id, status, state))

    async def get(self, agent_id: str) -> AgentState:
        """What one agent is doing."""
        return await self._hop(lambda memory: memory.agents.get(agent_id))

    async def list(self, *, status: str | None = None) -> listing[AgentState]:
        """What all agents, or those with a status, are doing."""
        return await self._hop(lambda memory: memory.agents.list(status=status))

    async def delete(self, agent_id: str) -> Receipt:
        """Remove what is known of an agent's state."""
        return await self._hop(lambda memory: memory.agents.delete(agent_id))


class AsyncPatterns:
    """Learned patterns, each with its evidence; and cached patterns, which say what to do at a trigger."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def store(
        self,
        trigger: str,
        action: str,
        *,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> CachedPattern:
        """Remember what to do at a trigger; stored again under its id, a pattern keeps its record of success."""
        return await self._hop(
            lambda memory: memory.patterns.store(
                trigger, action, id=id, metadata=metadata, user_id=user_id, agent_id=agent_id, session_id=session_id
            )
        )

    async def find(
        self, trigger: str, *, min_similarity: float = MIN_SIMILARITY, **within: Unpack[Within]
    ) -> CachedPattern | None:
        """The pattern whose trigger is the same or most similar; `None` if none reaches `min_similarity`."""
        return await self._hop(lambda memory: memory.patterns.find(trigger, min_similarity=min_similarity, **within))

    async def used(self, id: str, *, success: bool) -> CachedPattern:
        """Count a use of a pattern, and whether it went well."""
        return await self._hop(lambda memory: memory.patterns.used(id, success=success))

    async def get_cached(self, id: str) -> CachedPattern:
        """One cached pattern."""
        return await self._hop(lambda memory: memory.patterns.get_cached(id))

    async def list_cached(
        self, *, user_id: str | None = EVERYONE, limit: int = 100, cursor: str | None = None
    ) -> Listed[CachedPattern]:
        """Cached patterns, the latest first."""
        return await self._hop(lambda memory: memory.patterns.list_cached(user_id=user_id, limit=limit, cursor=cursor))

    async def extract(
        self,
        task_type_pattern: str | None = None,
        *,
        pattern_type: PatternType | None = None,
        min_samples: int = MIN_SAMPLES,
        user_id: str | None = None,
    ) -> list[TaskPattern]:
        """Learn patterns from how tasks ended: those that a regular expression matches, or all, by type or by topic."""
        return await self._hop(
            lambda memory: memory.patterns.extract(
                task_type_pattern, pattern_type=pattern_type, min_samples=min_samples, user_id=user_id
            )
        )

    async def learn_from(self, user_id: str | None, task_type: str = "") -> list[TaskPattern]:
        """Learn again from a user's tasks of a type, or without one, if there are enough more than the last time."""
        return await self._hop(lambda memory: memory.patterns.learn_from(user_id, task_type))

    async def search(
        self,
        task_type: str | None = None,
        *,
        pattern_type: PatternType | None = None,
        limit: int = 10,
        retired: bool = False,
        user_id: str | None = EVERYONE,
    ) -> list[TaskPattern]:
        """Patterns for a type of task, those with the highest confidence first."""
        return await self._hop(
            lambda memory: memory.patterns.search(
                task_type, pattern_type=pattern_type, limit=limit, retired=retired, user_id=user_id
            )
        )

    async def match(
        self, description: str, *, task_type: str = "", limit: int = 5, **within: Unpack[Within]
    ) -> list[TaskPattern]:
        """Patterns that fit a task, by their regular expression, their indicator words or their meaning."""
        return await self._hop(
            lambda memory: memory.patterns.match(description, task_type=task_type, limit=limit, **within)
        )

    async def feedback(
        self,
        pattern_id: str,
        *,
        helpful: bool | None = None,
        confidence_adjustment: float = 0.0,
        note: str | None = None,
    ) -> TaskPattern:
        """Rate a pattern: a vote counts as much as a task, an adjustment moves the confidence within bounds."""
        return await self._hop(
            lambda memory: memory.patterns.feedback(
                pattern_id, helpful=helpful, confidence_adjustment=confidence_adjustment, note=note
            )
        )

    async def ratings(self, pattern_id: str) -> list[Rating]:
        """The feedback given on a pattern, oldest first."""
        return await self._hop(lambda memory: memory.patterns.ratings(pattern_id))

    async def evolution(self, pattern_id: str) -> list[PatternVersion]:
        """The changes of a pattern over time, oldest first."""
        return await self._hop(lambda memory: memory.patterns.evolution(pattern_id))

    async def ask(self, limit: int = 5, *, user_id: str | None = EVERYONE) -> list[Question]:
        """The questions whose answers would tell most: about patterns that are used but have little evidence."""
        return await self._hop(lambda memory: memory.patterns.ask(limit, user_id=user_id))

    async def clusters(self, *, user_id: str | None = EVERYONE, min_similarity: float = RELATED) -> list[Cluster]:
        """Related patterns, as clusters within clusters."""
        return await self._hop(lambda memory: memory.patterns.clusters(user_id=user_id, min_similarity=min_similarity))

    async def get(self, id: str) -> TaskPattern:
        """One learned pattern."""
        return await self._hop(lambda memory: memory.patterns.get(id))

    async def delete(self, id: str) -> Receipt:
        """Remove a pattern, learned or cached, for good, with its history."""
        return await self._hop(lambda memory: memory.patterns.delete(id))


class AsyncTasks:
    """Tasks with their steps. A task goes from pending, running or blocked to succeeded, failed or cancelled."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def start(
        self,
        description: str,
        *,
        id: str | None = None,
        goal_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Task:
        """Begin a task: it is running from now on."""
        return await self._hop(
            lambda memory: memory.tasks.start(
                description,
                id=id,
                goal_id=goal_id,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
            )
        )

    async def save(
        self,
        id: str,
        description: str,
        *,
        goal_id: str | None = None,
        status: Status = "pending",
        summary: str = "",
        metadata: Mapping[str, Any] | None = None,
        created_at: datetime | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Task:
        """Save a task; saved again it keeps its steps and creation time, and an open status reopens a finished task."""
        return await self._hop(
            lambda memory: memory.tasks.save(
                id,
                description,
                goal_id=goal_id,
                status=status,
                summary=summary,
                metadata=metadata,
                created_at=created_at,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
            )
        )

    async def get(self, id: str) -> Task:
        """One task."""
        return await self._hop(lambda memory: memory.tasks.get(id))

    async def update(
        self,
        id: str,
        *,
        status: Status | None = None,
        description: str | None = None,
        summary: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Task:
        """Change some fields of a task; a finished task stays finished until `save` reopens it."""
        return await self._hop(
            lambda memory: memory.tasks.update(
                id, status=status, description=description, summary=summary, metadata=metadata
            )
        )

    async def finish(self, id: str, *, success: bool, summary: str = "") -> Task:
        """Say how a task ended, and what came of it."""
        return await self._hop(lambda memory: memory.tasks.finish(id, success=success, summary=summary))

    async def cancel(self, id: str, *, summary: str = "") -> Task:
        """Give a task up."""
        return await self._hop(lambda memory: memory.tasks.cancel(id, summary=summary))

    async def step(
        self,
        task_id: str,
        tool: str,
        *,
        parameters: object = None,
        output: object = "",
        success: bool = True,
        duration_ms: float | None = None,
        iteration: int | None = None,
    ) -> Step:
        """Log one call of a tool; an output over 20,000 characters is cut at the end, and the cut marked."""
        return await self._hop(
            lambda memory: memory.tasks.step(
                task_id,
                tool,
                parameters=parameters,
                output=output,
                success=success,
                duration_ms=duration_ms,
                iteration=iteration,
            )
        )

    async def steps(self, task_id: str, *, limit: int = 1_000) -> listing[Step]:
        """The steps of a task, in order; if there are more than `limit`, the last of them."""
        return await self._hop(lambda memory: memory.tasks.steps(task_id, limit=limit))

    async def active(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> listing[Task]:
        """The tasks that are not finished."""
        return await self._hop(lambda memory: memory.tasks.active(user_id=user_id, limit=limit))

    async def list(
        self,
        *,
        status: Status | None = None,
        goal_id: str | None = None,
        user_id: str | None = EVERYONE,
        agent_id: str | None = None,
        archived: bool | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Task]:
        """Tasks, the one that changed last first; `archived` selects those in long-term memory, or the others."""
        return await self._hop(
            lambda memory: memory.tasks.list(
                status=status,
                goal_id=goal_id,
                user_id=user_id,
                agent_id=agent_id,
                archived=archived,
                limit=limit,
                cursor=cursor,
            )
        )

    async def recent_summaries(
        self, limit: int = 3, *, max_tokens: int = MAX_SUMMARY_TOKENS, user_id: str | None = EVERYONE
    ) -> listing[str]:
        """The summaries of the latest tasks, in at most `max_tokens` tokens together."""
        return await self._hop(
            lambda memory: memory.tasks.recent_summaries(limit, max_tokens=max_tokens, user_id=user_id)
        )

    async def relevant(self, task: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Task | Decision]]:
        """Tasks and decisions that are relevant to a task, best first."""
        return await self._hop(lambda memory: memory.tasks.relevant(task, limit=limit, **within))

    async def delete(self, id: str) -> Receipt:
        """Remove a task for good, with its steps and executions; decisions that belong to it stay, without it."""
        return await self._hop(lambda memory: memory.tasks.delete(id))


class AsyncExperience:
    """Executions: one for each time that a task ended, with its outcome, found by what was done."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def store(
        self,
        task_id: str,
        summary: str,
        success: bool,
        error_patterns: object = None,
        auto_extract_patterns: bool = True,
        *,
        task_type: str = "",
        description: str | None = None,
        code: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Execution:
        """Store how a task ended as an execution; a known task is finished by it, and storing again adds another."""
        return await self._hop(
            lambda memory: memory.experience.store(
                task_id,
                summary,
                success,
                error_patterns,
                auto_extract_patterns,
                task_type=task_type,
                description=description,
                code=code,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
            )
        )

    async def search_similar(
        self,
        description: str,
        top_k: int = 5,
        similarity_threshold: float = SIMILAR,
        success_only: bool = False,
        **within: Unpack[Within],
    ) -> listing[SimilarTask]:
        """Tasks like this one and how they ended, the most similar first."""
        return await self._hop(
            lambda memory: memory.experience.search_similar(
                description, top_k, similarity_threshold, success_only, **within
            )
        )

    async def get_task_context(
        self,
        description: str | None = None,
        top_k: int = 3,
        *,
        task_id: str | None = None,
        task_type: str = "",
        **within: Unpack[Within],
    ) -> TaskContext:
        """What is known before a task: similar tasks, matching patterns, and advice with numbers."""
        return await self._hop(
            lambda memory: memory.experience.get_task_context(
                description, top_k, task_id=task_id, task_type=task_type, **within
            )
        )

    async def warn(self, action: str, *, min_similarity: float = SIMILAR, **within: Unpack[Within]) -> Caution:
        """Whether something like this failed here before: how often, with what errors, and what fixed it."""
        return await self._hop(lambda memory: memory.experience.warn(action, min_similarity=min_similarity, **within))

    async def used(self, memory_ids: Iterable[str]) -> None:
        """Count a use of each of these executions."""
        return await self._hop(lambda memory: memory.experience.used(memory_ids))

    async def get(self, id: str) -> Execution:
        """One execution."""
        return await self._hop(lambda memory: memory.experience.get(id))

    async def list(
        self,
        *,
        success: bool | None = None,
        task_id: str | None = None,
        task_type: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Execution]:
        """Executions, the latest first."""
        return await self._hop(
            lambda memory: memory.experience.list(
                success=success, task_id=task_id, task_type=task_type, user_id=user_id, limit=limit, cursor=cursor
            )
        )

    async def delete(self, id: str) -> Receipt:
        """Remove an execution for good; the task stays."""
        return await self._hop(lambda memory: memory.experience.delete(id))


class AsyncProcedures:
    """Procedures: each has a name, a description, and steps."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def save(
        self,
        name: str,
        description: str = "",
        *,
        steps: Iterable[Any] = (),
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Procedure:
        """Save a procedure, replacing the one with this id; a step is a text, or any JSON value."""
        return await self._hop(
            lambda memory: memory.procedures.save(
                name,
                description,
                steps=steps,
                id=id,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
            )
        )

    async def get(self, id: str) -> Procedure:
        """One procedure."""
        return await self._hop(lambda memory: memory.procedures.get(id))

    async def find(self, query: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Procedure]]:
        """Procedures relevant to a query, best first."""
        return await self._hop(lambda memory: memory.procedures.find(query, limit=limit, **within))

    async def list(
        self, *, name: str | None = None, user_id: str | None = EVERYONE, limit: int = 100, cursor: str | None = None
    ) -> Listed[Procedure]:
        """Procedures, the one that changed last first."""
        return await self._hop(
            lambda memory: memory.procedures.list(name=name, user_id=user_id, limit=limit, cursor=cursor)
        )

    async def delete(self, id: str) -> Receipt:
        """Remove a procedure for good."""
        return await self._hop(lambda memory: memory.procedures.delete(id))


class AsyncIncidents:
    """Incidents: open from when they are reported until they are resolved."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def report(
        self,
        title: str,
        description: str = "",
        *,
        severity: Impact = "medium",
        cause: str = "",
        resolution: str = "",
        occurred_at: datetime | str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Incident:
        """Report an incident; it is open, unless its resolution is known already."""
        return await self._hop(
            lambda memory: memory.incidents.report(
                title,
                description,
                severity=severity,
                cause=cause,
                resolution=resolution,
                occurred_at=occurred_at,
                id=id,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
            )
        )

    async def resolve(self, id: str, resolution: str, *, cause: str | None = None) -> Incident:
        """Say what was done about an incident, and its cause if that is known only now."""
        return await self._hop(lambda memory: memory.incidents.resolve(id, resolution, cause=cause))

    async def get(self, id: str) -> Incident:
        """One incident."""
        return await self._hop(lambda memory: memory.incidents.get(id))

    async def similar(self, query: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Incident]]:
        """Incidents like this one, best first."""
        return await self._hop(lambda memory: memory.incidents.similar(query, limit=limit, **within))

    async def list(
        self,
        *,
        open: bool | None = None,
        severity: Impact | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Incident]:
        """Incidents, the latest first; `open=True` leaves out those that are resolved, `open=False` the others."""
        return await self._hop(
            lambda memory: memory.incidents.list(
                open=open, severity=severity, user_id=user_id, limit=limit, cursor=cursor
            )
        )

    async def delete(self, id: str) -> Receipt:
        """Remove an incident for good."""
        return await self._hop(lambda memory: memory.incidents.delete(id))


class AsyncConfigs:
    """Configuration changes: the key, the old and the new value, who changed it, why and when."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def record(
        self,
        key: str,
        old: Any,
        new: Any,
        *,
        who: str = "",
        why: str = "",
        occurred_at: datetime | str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> ConfigChange:
        """Write down that a key changed; `None` stands for no value, before it was set or after it was removed."""
        return await self._hop(
            lambda memory: memory.configs.record(
                key,
                old,
                new,
                who=who,
                why=why,
                occurred_at=occurred_at,
                id=id,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
            )
        )

    async def get(self, id: str) -> ConfigChange:
        """One change."""
        return await self._hop(lambda memory: memory.configs.get(id))

    async def history(self, key: str, *, user_id: str | None = EVERYONE, limit: int = 100) -> listing[ConfigChange]:
        """The changes of a key, oldest first; if there are more than `limit`, the latest of them."""
        return await self._hop(lambda memory: memory.configs.history(key, user_id=user_id, limit=limit))

    async def current(
        self, key: str, *, as_of: datetime | str | None = None, user_id: str | None = EVERYONE
    ) -> ConfigChange | None:
        """The change that set a key's current value, or its value at the time `as_of`; `None` if none is known."""
        return await self._hop(lambda memory: memory.configs.current(key, as_of=as_of, user_id=user_id))

    async def list(
        self,
        *,
        key: str | None = None,
        who: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[ConfigChange]:
        """Changes, the latest first."""
        return await self._hop(
            lambda memory: memory.configs.list(key=key, who=who, user_id=user_id, limit=limit, cursor=cursor)
        )

    async def delete(self, id: str) -> Receipt:
        """Remove a change for good."""
        return await self._hop(lambda memory: memory.configs.delete(id))


class AsyncKnowledge:
    """Documents, each kept in chunks that searches find."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def add(
        self,
        text: str,
        *,
        title: str | None = None,
        origin: str = "",
        media_type: MediaType = "text/markdown",
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        progress: Progress = silent,
    ) -> Imported:
        """Keep a document, Markdown unless `media_type` says otherwise."""
        return await self._hop(
            lambda memory: memory.knowledge.add(
                text,
                title=title,
                origin=origin,
                media_type=media_type,
                id=id,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
                progress=progress,
            )
        )

    async def import_file(
        self,
        source: str | os.PathLike[str] | bytes,
        *,
        media_type: str | None = None,
        title: str | None = None,
        origin: str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        progress: Progress = silent,
    ) -> Imported:
        """Keep the text of a file: Markdown, plain text, HTML or PDF, by its path, or its bytes and `media_type`."""
        return await self._hop(
            lambda memory: memory.knowledge.import_file(
                source,
                media_type=media_type,
                title=title,
                origin=origin,
                id=id,
                metadata=metadata,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
                progress=progress,
            )
        )

    async def get(self, id: str) -> Document:
        """One document, without its text."""
        return await self._hop(lambda memory: memory.knowledge.get(id))

    async def text(self, id: str) -> str:
        """The whole text of a document."""
        return await self._hop(lambda memory: memory.knowledge.text(id))

    async def list(
        self, *, origin: str | None = None, user_id: str | None = EVERYONE, limit: int = 100, cursor: str | None = None
    ) -> Listed[Document]:
        """Documents, the one that changed last first."""
        return await self._hop(
            lambda memory: memory.knowledge.list(origin=origin, user_id=user_id, limit=limit, cursor=cursor)
        )

    async def search(self, query: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Passage]]:
        """Passages of documents that answer a question, best first; `filters={"document_id": …}` searches one."""
        return await self._hop(lambda memory: memory.knowledge.search(query, limit=limit, **within))

    async def delete(self, id: str) -> Receipt:
        """Remove a document for good, with the former versions of its text."""
        return await self._hop(lambda memory: memory.knowledge.delete(id))


class AsyncKeys:
    """Manages the keys of a tenant, and verifies the keys of any tenant."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def create(
        self,
        name: str,
        *,
        role: Role = "write",
        user_id: str | None = None,
        expires_at: datetime | str | None = None,
        who: str = LOCAL,
    ) -> NewKey:
        """Make a key for this tenant; the answer holds its secret, which is shown only this once: keep it."""
        return await self._hop(
            lambda memory: memory.keys.create(name, role=role, user_id=user_id, expires_at=expires_at, who=who)
        )

    async def list(self, limit: int = 100) -> listing[ApiKey]:
        """The tenant's keys, the latest first, including revoked and expired ones."""
        return await self._hop(lambda memory: memory.keys.list(limit))

    async def exist(self) -> bool:
        """Whether there is any key, of any tenant, including revoked and expired ones."""
        return await self._hop(lambda memory: memory.keys.exist())

    async def revoke(self, id: str, *, who: str = LOCAL) -> ApiKey:
        """Revoke one of the tenant's keys: here it takes effect at once, in other processes within five seconds."""
        return await self._hop(lambda memory: memory.keys.revoke(id, who=who))

    async def verify(self, presented: str | None) -> Principal:
        """The principal of a presented key, of any tenant; raises `Unauthenticated` unless it is known and valid."""
        return await self._hop(lambda memory: memory.keys.verify(presented))


class AsyncAuditLog:
    """Administrative actions on a store: keys made and revoked, and whatever else a service records."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def record(
        self, action: str, what: Mapping[str, Any] | None = None, *, who: str = LOCAL, user_id: str | None = None
    ) -> AuditEntry:
        """Record that someone (a key's id, or "local") took an action such as `memory.erased`."""
        return await self._hop(lambda memory: memory.audit_log.record(action, what, who=who, user_id=user_id))

    async def list(
        self, limit: int = 100, *, action: str | None = None, since: datetime | str | None = None
    ) -> listing[AuditEntry]:
        """The entries, latest first; only those of one action, or since a time, if given."""
        return await self._hop(lambda memory: memory.audit_log.list(limit, action=action, since=since))


class AsyncIdempotency:
    """Requests that are executed once, however often they are sent."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def begin(
        self,
        principal: Principal,
        key: str,
        fingerprint: bytes,
        *,
        user_id: str | None = None,
        lease_s: float = LEASE_S,
    ) -> Ticket | Answer:
        """Begin a request: returns a ticket to execute it, or the answer that it was given before."""
        return await self._hop(
            lambda memory: memory.idempotency.begin(principal, key, fingerprint, user_id=user_id, lease_s=lease_s)
        )

    async def finish(self, ticket: Ticket, status: int, body: str) -> bool:
        """Keep the answer for 24 hours; returns whether the ticket was still valid."""
        return await self._hop(lambda memory: memory.idempotency.finish(ticket, status, body))

    async def abandon(self, ticket: Ticket) -> None:
        """Give up a request that failed, such as when the store was busy; sent again, it is tried again."""
        return await self._hop(lambda memory: memory.idempotency.abandon(ticket))


class AsyncNamespaces:
    """The namespaces that an `AsyncMemory` has beside its own verbs."""

    def __init__(self, hop: Hop) -> None:
        self.capture = AsyncCapture(hop)
        self.operational = AsyncOperational(hop)
        self.events = AsyncEvents(hop)
        self.goals = AsyncGoals(hop)
        self.decisions = AsyncDecisions(hop)
        self.preferences = AsyncPreferences(hop)
        self.persona = AsyncPersona(hop)
        self.agents = AsyncAgents(hop)
        self.patterns = AsyncPatterns(hop)
        self.tasks = AsyncTasks(hop)
        self.experience = AsyncExperience(hop)
        self.procedures = AsyncProcedures(hop)
        self.incidents = AsyncIncidents(hop)
        self.configs = AsyncConfigs(hop)
        self.knowledge = AsyncKnowledge(hop)
        self.keys = AsyncKeys(hop)
        self.audit_log = AsyncAuditLog(hop)
        self.idempotency = AsyncIdempotency(hop)
