"""`memory.tasks`: pieces of work, their steps, and their outcomes."""

from builtins import list as listing
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.context.summaries import cap_summaries
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.experience import Execution
from emberkeep.model.item import Receipt
from emberkeep.model.many import Listed
from emberkeep.model.recall import Within
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import (
    FINISHED,
    MAX_OUTPUT_CHARS,
    OPEN,
    Decision,
    Found,
    Status,
    Step,
    Task,
    capped,
    check_move,
    status_named,
    still_finished,
)
from emberkeep.storage import archive, records, schema, steps
from emberkeep.storage.records import DECISIONS, EXECUTIONS, GOALS, TASKS
from emberkeep.work import endings
from emberkeep.work.desk import MORE, Desk, added, as_text
from emberkeep.work.patterns import Patterns, learn_if_possible
from emberkeep.work.retelling import untell

MAX_SUMMARY_TOKENS = 2_000
MAX_PARAMETER_CHARS = 65_536
MAX_ITERATION = 2**31 - 1


class Tasks:
    """Tasks with their steps. A task goes from pending, running or blocked to succeeded, failed or cancelled."""

    def __init__(self, desk: Desk, patterns: Patterns) -> None:
        self._desk = desk
        self._patterns = patterns

    def start(
        self,
        description: str,
        *,
        id: str | None = None,  # noqa: A002 - as in the other verbs
        goal_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Task:
        """Begin a task: it is running from now on."""
        return self.save(
            self._desk.identity(id),
            description,
            goal_id=goal_id,
            status="running",
            metadata=metadata,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
        )

    def save(
        self,
        id: str,  # noqa: A002 - as in the other verbs
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
        desk, now = self._desk, self._desk.now()
        scope = desk.scope(user_id, agent_id, session_id)
        if id is None:
            raise InvalidInput("id is missing: pass one, or `start` the task to get one")
        task = Task(
            id=desk.identity(id),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            goal_id=checks.scope_id(goal_id, name="goal_id"),
            description=desk.text(description, "description"),
            status=status_named(status),
            summary=desk.words(summary, "summary"),
            metadata=desk.metadata(metadata),
            created_at=checks.moment(created_at, name="created_at") or now,
            updated_at=now,
            started_at=None if status == "pending" else now,
            finished_at=now if status in FINISHED else None,
        )

        def kept(former: Task) -> Task:
            return replace(
                still_finished(former, task),
                created_at=former.created_at if created_at is None else task.created_at,
                started_at=former.started_at or task.started_at,
            )

        def job(connection: Connection) -> tuple[Task, listing[Kept]]:
            desk.hold(connection, scope)  # first, so that what is read below is what gets replaced
            desk.own(connection, GOALS, task.goal_id, task.user_id)
            former = records.get(connection, TASKS, desk.tenant, task.id)
            saved = desk.saved(connection, TASKS, task, kept)
            return saved, self._told(connection, saved, "pending" if former is None else former.status)

        return self._learned(desk.write_told(job))

    def get(self, id: str) -> Task:  # noqa: A002 - as in the other verbs
        """One task."""
        return self._desk.get(TASKS, id)

    def update(
        self,
        id: str,  # noqa: A002 - as in the other verbs
        *,
        status: Status | None = None,
        description: str | None = None,
        summary: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Task:
        """Change some fields of a task; a finished task stays finished until `save` reopens it."""
        desk, now = self._desk, self._desk.now()
        changes = desk.checked(
            status=(status, status_named),
            description=(description, partial(desk.text, name="description")),
            summary=(summary, partial(desk.words, name="summary")),
            metadata=(metadata, desk.metadata),
        )
        if not changes:
            raise InvalidInput("nothing to update: pass a status, description, summary or metadata")

        def job(connection: Connection) -> tuple[Task, listing[Kept]]:
            former = desk.held(connection, TASKS, id)
            if status is not None:
                check_move("task", id, former.status, status)
            began = former.started_at or (now if status not in (None, "pending") else None)
            ended = now if status in FINISHED else former.finished_at
            changed = replace(former, **changes, updated_at=now, started_at=began, finished_at=ended)
            return desk.replaced(connection, TASKS, changed), self._told(connection, changed, former.status)

        return self._learned(desk.write_told(job))

    def finish(self, id: str, *, success: bool, summary: str = "") -> Task:  # noqa: A002 - as in the other verbs
        """Say how a task ended, and what came of it."""
        status: Status = "succeeded" if checks.flag(success, "success") else "failed"
        return self.update(id, status=status, summary=_said(summary))

    def cancel(self, id: str, *, summary: str = "") -> Task:  # noqa: A002 - as in the other verbs
        """Give a task up."""
        return self.update(id, status="cancelled", summary=_said(summary))

    def step(
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
        """Log one call of a tool; an output over 20,000 characters is cut at the end, and the cut marked.

        If the task was archived in long-term memory, the next upkeep writes its summary anew.
        """
        desk = self._desk
        said, chars = self._output(output)
        step = Step(
            task_id=checks.storable(task_id, name="task_id"),
            number=0,
            iteration=0,
            tool=desk.words(tool, "tool"),
            parameters=_small(desk.plain({} if parameters is None else parameters)),
            output=said,
            output_chars=chars,
            success=checks.flag(success, "success"),
            duration_ms=_duration(duration_ms),
            created_at=desk.now(),
        )
        wanted = None if iteration is None else _iteration(iteration)

        def job(connection: Connection) -> Step:
            number = steps.next_number(connection, desk.tenant, step.task_id)
            if number is None:
                raise NotFound(f"no task {task_id!r}: save the task before its steps")
            numbered = replace(step, number=number, iteration=number if wanted is None else wanted)
            steps.put(connection, desk.tenant, numbered)
            archive.unmark(connection, TASKS.table, desk.tenant, step.task_id)
            return numbered

        return desk.write(job)

    def steps(self, task_id: str, *, limit: int = 1_000) -> listing[Step]:
        """The steps of a task, in order; if there are more than `limit`, the last of them."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        self.get(task_id)
        with self._desk.parts.database.read() as connection:
            return steps.of_task(connection, self._desk.tenant, task_id, limit)

    def active(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> listing[Task]:
        """The tasks that are not finished."""
        return self._desk.listed(TASKS, {"status": OPEN, "user_id": user_id}, limit)

    def list(
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
        where: dict[str, Any] = {"goal_id": goal_id, "user_id": user_id, "agent_id": agent_id}
        where["status"] = None if status is None else status_named(status)
        if archived is not None:
            column = schema.tasks.c.archived_at
            where["archived_at"] = column.is_not(None) if checks.flag(archived, "archived") else column.is_(None)
        return self._desk.listed(TASKS, where, limit, cursor=cursor)

    def recent_summaries(
        self, limit: int = 3, *, max_tokens: int = MAX_SUMMARY_TOKENS, user_id: str | None = EVERYONE
    ) -> listing[str]:
        """The summaries of the latest tasks, in at most `max_tokens` tokens together."""
        most = checks.limit(max_tokens, most=1_000_000, name="max_tokens")
        told = self._desk.listed(TASKS, {"summary": schema.tasks.c.summary != "", "user_id": user_id}, limit)
        return cap_summaries([task.summary for task in told], most, self._desk.parts.count_tokens)

    def relevant(self, task: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Task | Decision]]:
        """Tasks and decisions that are relevant to a task, best first."""
        limit = checks.limit(limit, most=checks.MAX_SEARCH_LIMIT)
        more = min(MORE * limit, checks.MAX_SEARCH_LIMIT)  # several records may belong to the same task
        found = self._desk.find(("execution", "decision"), [TASKS, EXECUTIONS, DECISIONS], task, more, within)
        return self._as_tasks(found)[:limit]

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a task for good, with its steps and executions; decisions that belong to it stay, without it.

        The summary of its goal, if archived, goes too, and the next upkeep writes it anew.
        """

        def let_go(connection: Connection) -> dict[str, int]:
            task = self._desk.existing(connection, TASKS, id)
            records.let_go(connection, schema.decisions.c.task_id, self._desk.tenant, id)
            rows = {"steps": steps.remove(connection, self._desk.tenant, id)}
            rows = added(rows, endings.erase(self._desk, connection, id))
            return added(rows, untell(self._desk, connection, GOALS, task.goal_id, task))

        return self._desk.delete(TASKS, id, let_go)

    def _learned(self, task: Task) -> Task:
        """The task itself, after learning patterns if it succeeded or failed."""
        if task.success is not None:
            learn_if_possible(self._patterns, task.user_id)
        return task

    def _as_tasks(self, found: listing[Found[Any]]) -> listing[Found[Task | Decision]]:
        """The found records with executions replaced by their tasks, each record once."""
        ids = [one.record.task_id for one in found if isinstance(one.record, Execution)]
        with self._desk.parts.database.read() as connection:
            tasks = records.fetch(connection, TASKS, self._desk.tenant, ids)
        seen: dict[tuple[type, str], Found[Task | Decision]] = {}
        for one in found:
            record = tasks.get(one.record.task_id) if isinstance(one.record, Execution) else one.record
            if record is not None:
                seen.setdefault((type(record), record.id), replace(one, record=record))
        return listing(seen.values())

    def _output(self, output: object) -> tuple[str, int]:
        """An output as it is stored, and its whole length; the end that is cut anyway is not searched for secrets."""
        whole = as_text(output)
        start = self._desk.plain(whole[: 2 * MAX_OUTPUT_CHARS])
        chars = len(whole) - 2 * MAX_OUTPUT_CHARS + len(start) if len(whole) > 2 * MAX_OUTPUT_CHARS else len(start)
        return capped(start, chars), chars

    def _told(self, connection: Connection, task: Task, former: Status) -> listing[Kept]:
        """Write the item of an open task, or the execution of one that succeeded or failed."""
        if task.success is not None and former in FINISHED:
            return endings.corrected(self._desk, connection, task)
        if task.success is not None:
            return endings.end(self._desk, connection, task)[1]
        about = {"task_id": task.id, "status": task.status}
        draft = self._desk.draft(f"task:{task.id}", "execution", task.told, task, at=task.created_at, about=about)
        return self._desk.told(connection, draft)


def _small(parameters: Any) -> Any:
    said = as_text(parameters)
    return parameters if len(said) <= MAX_PARAMETER_CHARS else {"cut": f"{said[:MAX_OUTPUT_CHARS]}…"}


def _said(summary: object) -> str | None:
    """The checked summary, or `None` if it is empty."""
    return checks.storable(summary, name="summary") or None


def _duration(value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1e12:  # noqa: PLR2004 - enough
        raise InvalidInput(f"duration_ms is {value!r}: pass milliseconds, zero or more")
    return float(value)


def _iteration(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_ITERATION:
        raise InvalidInput(f"iteration is {value!r}: pass a whole number, zero or more")
    return value
