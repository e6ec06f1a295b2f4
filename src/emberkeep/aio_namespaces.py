"""The namespaces of `AsyncMemory`: those of `Memory`, awaited. What the verbs do is said there.

Written by scripts/write_async.py from the namespaces of `Memory`: change those, then run `make reference`.
"""

# ruff: noqa: A002 - the arguments are called what they are called there

from builtins import list as listing
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar, Unpack

from emberkeep.capture.log import Order, Session
from emberkeep.memory import Memory
from emberkeep.model.interaction import Interaction, InteractionRecord
from emberkeep.model.item import Receipt
from emberkeep.model.recall import Within
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import AgentState, CachedPattern, Decision, Entry, Found, Goal, Status, Step, Task
from emberkeep.work.patterns import MIN_SIMILARITY
from emberkeep.work.tasks import MAX_SUMMARY_TOKENS

T = TypeVar("T")


class Hop(Protocol):
    """Does something with the open memory in a thread."""

    async def __call__(self, work: Callable[[Memory], T], /) -> T:
        """Await what comes of it."""
        ...


class AsyncCapture:
    """Writes and reads the log. What is written waits in the backlog until it is learned from."""

    def __init__(self, hop: Hop) -> None:
        self._hop = hop

    async def log(self, record: InteractionRecord | Mapping[str, Any]) -> str:
        """Write one turn down; it is on disk when this returns the interaction's id."""
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
        """The latest interactions, latest first: everyone's, or of one user, agent or session, in a span of time."""
        return await self._hop(
            lambda memory: memory.capture.recent(
                limit, user_id=user_id, agent_id=agent_id, session_id=session_id, since=since, until=until, order=order
            )
        )

    async def sessions(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> list[Session]:
        """The conversations in the log, the one that was active last first."""
        return await self._hop(lambda memory: memory.capture.sessions(user_id=user_id, limit=limit))


class AsyncGoals:
    """Goals, which may be parts of others. What is done for them are tasks."""

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
        """Set a goal, or set it anew: saved again, it keeps the time when it was made and all that belongs to it."""
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
        """Change some of a goal. What is finished stays so: `save` it to take it up again."""
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

    async def active(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> list[Goal]:
        """The goals that are not finished, the most urgent first."""
        return await self._hop(lambda memory: memory.goals.active(user_id=user_id, limit=limit))

    async def list(
        self,
        *,
        status: Status | None = None,
        parent_id: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
    ) -> list[Goal]:
        """Goals, the one that changed last first."""
        return await self._hop(
            lambda memory: memory.goals.list(status=status, parent_id=parent_id, user_id=user_id, limit=limit)
        )

    async def delete(self, id: str) -> Receipt:
        """Remove a goal for good. Its tasks and parts stay, without it."""
        return await self._hop(lambda memory: memory.goals.delete(id))


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
        """Write a task as it is. Saved again, it keeps its steps and when it was made; what is finished reopens."""
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
        """Change some of a task. What is finished stays so: `save` it to take it up again."""
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
        """Write down one call of a tool. Of an output over 20,000 characters the beginning is kept, the cut marked."""
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
        """The steps of a task, in order; of more than `limit` the last ones."""
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
    ) -> listing[Task]:
        """Tasks, the one that changed last first; `archived` tells those in long-term memory from the others."""
        return await self._hop(
            lambda memory: memory.tasks.list(
                status=status, goal_id=goal_id, user_id=user_id, agent_id=agent_id, archived=archived, limit=limit
            )
        )

    async def recent_summaries(
        self, limit: int = 3, *, max_tokens: int = MAX_SUMMARY_TOKENS, user_id: str | None = EVERYONE
    ) -> listing[str]:
        """What came of the latest tasks, in at most so many tokens."""
        return await self._hop(
            lambda memory: memory.tasks.recent_summaries(limit, max_tokens=max_tokens, user_id=user_id)
        )

    async def relevant(self, task: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Task | Decision]]:
        """Tasks and decisions that have to do with a task, best first."""
        return await self._hop(lambda memory: memory.tasks.relevant(task, limit=limit, **within))

    async def delete(self, id: str) -> Receipt:
        """Remove a task with its steps for good. Decisions that belong to it stay, without it."""
        return await self._hop(lambda memory: memory.tasks.delete(id))


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
        """Write a decision down: who decided what and why, what else there was, and how sure they were (0 to 1)."""
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
        """Decisions in situations like this one, best first; those that were learned from what was said too."""
        return await self._hop(lambda memory: memory.decisions.similar(context, limit=limit, **within))

    async def list(
        self,
        *,
        who: str | None = None,
        task_id: str | None = None,
        goal_id: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
    ) -> listing[Decision]:
        """Decisions, the latest first."""
        return await self._hop(
            lambda memory: memory.decisions.list(
                who=who, task_id=task_id, goal_id=goal_id, user_id=user_id, limit=limit
            )
        )

    async def delete(self, id: str) -> Receipt:
        """Remove a decision for good."""
        return await self._hop(lambda memory: memory.decisions.delete(id))


class AsyncPreferences:
    """What a user wants, by name. Searches find it too."""

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
    """The state of a persona, by name: its mood, its voice, what it is up to."""

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
        """The whole state by name."""
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

    async def list(self, *, status: str | None = None) -> list[AgentState]:
        """What all agents, or those with a status, are doing."""
        return await self._hop(lambda memory: memory.agents.list(status=status))

    async def delete(self, agent_id: str) -> Receipt:
        """Remove what is known of an agent's state."""
        return await self._hop(lambda memory: memory.agents.delete(agent_id))


class AsyncPatterns:
    """Cached patterns: a trigger, what was done, and how often that went well."""

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
        """Remember what to do at a trigger. Stored again under its id, a pattern keeps its record of success."""
        return await self._hop(
            lambda memory: memory.patterns.store(
                trigger, action, id=id, metadata=metadata, user_id=user_id, agent_id=agent_id, session_id=session_id
            )
        )

    async def find(
        self, trigger: str, *, min_similarity: float = MIN_SIMILARITY, **within: Unpack[Within]
    ) -> CachedPattern | None:
        """The pattern whose trigger is this one or most like it; nothing if none is alike enough."""
        return await self._hop(lambda memory: memory.patterns.find(trigger, min_similarity=min_similarity, **within))

    async def used(self, id: str, *, success: bool) -> CachedPattern:
        """Count a use of a pattern, and whether it went well."""
        return await self._hop(lambda memory: memory.patterns.used(id, success=success))

    async def get(self, id: str) -> CachedPattern:
        """One pattern."""
        return await self._hop(lambda memory: memory.patterns.get(id))

    async def list(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> listing[CachedPattern]:
        """Patterns, the one that was stored last first."""
        return await self._hop(lambda memory: memory.patterns.list(user_id=user_id, limit=limit))

    async def delete(self, id: str) -> Receipt:
        """Remove a pattern for good."""
        return await self._hop(lambda memory: memory.patterns.delete(id))


class AsyncNamespaces:
    """All that an `AsyncMemory` has beside its verbs."""

    def __init__(self, hop: Hop) -> None:
        self.capture = AsyncCapture(hop)
        self.goals = AsyncGoals(hop)
        self.tasks = AsyncTasks(hop)
        self.decisions = AsyncDecisions(hop)
        self.preferences = AsyncPreferences(hop)
        self.persona = AsyncPersona(hop)
        self.agents = AsyncAgents(hop)
        self.patterns = AsyncPatterns(hop)
