"""Moving between tiers: finished work and old events stay and get a summary, cold items leave the index.

Each move is a transaction of its own that checks again whether it is due, so that a run may be broken off, started
again, or happen twice at once.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from emberkeep.clock import Deadline
from emberkeep.errors import EmberkeepError, ModelUnavailable, UnusableReply
from emberkeep.flows.backlog import Backlog
from emberkeep.flows.cooling import Cooling
from emberkeep.learning.embedding import Progress, silent
from emberkeep.lifecycle import summary
from emberkeep.lifecycle.filing import tell
from emberkeep.lifecycle.keep import Kept
from emberkeep.model.events import Migrated
from emberkeep.model.finding import Gist, Spent
from emberkeep.model.item import Draft
from emberkeep.model.scope import Scope
from emberkeep.model.work import Decision, Goal, Task
from emberkeep.providers.base import Summarizer
from emberkeep.storage import archive, outbox, records, shelves, steps
from emberkeep.storage.archive import Day, Ids
from emberkeep.storage.records import DECISIONS, GOALS, TASKS, Noun
from emberkeep.storage.vectors import Unembedded
from emberkeep.wiring import Parts

_logger = logging.getLogger(__name__)
T = TypeVar("T")
R = TypeVar("R")
AT_ONCE = 100
MOST_STEPS = 2_000
MOST_RECORDS = 1_000  # decisions of a task, tasks of a goal
MOST_EVENTS = 5_000
EXTRACT = "extract"  # recorded as the summariser if no model wrote the summary


@dataclass(slots=True)
class Moved:
    """What a run moved so far, and whether it was broken off (`more`)."""

    tasks: int = 0
    goals: int = 0
    decisions: int = 0
    events: int = 0
    demoted: int = 0
    more: bool = False

    @property
    def archived(self) -> dict[str, int]:
        """How much went to long-term memory, by kind of record."""
        return {"tasks": self.tasks, "goals": self.goals, "decisions": self.decisions, "events": self.events}


@dataclass(frozen=True, slots=True)
class Told:
    """A summary to write: its scope, the record it is about, the time, an extract, and an account for a model."""

    scope: Scope
    record: str
    at: datetime
    about: dict[str, Any]
    brief: str
    account: str


class Migration:
    """Moves what is due, for one tenant after the other."""

    def __init__(self, parts: Parts, backlog: Backlog) -> None:
        self._parts = parts
        self._accounts = backlog  # for the caps and the ledger of spending

    def due(self, tenant: str, before: datetime | None = None) -> Moved:
        """Count what a run would move now."""
        before = before or self._before()
        with self._parts.database.read() as connection:
            alone, along = archive.due_decisions(tenant, before), archive.decisions_of_due_tasks(tenant, before)
            moved = Moved(
                tasks=archive.count(connection, archive.due_tasks(tenant, before)),
                goals=archive.count(connection, archive.due_goals(tenant, before)),
                decisions=archive.count(connection, alone) + archive.count(connection, along),
                events=sum(waiting for _, waiting in archive.due_days(connection, tenant, before)),
            )
        cooling = Cooling(self._parts, tenant)
        moved.demoted = sum(len(page) for page in cooling.pages())
        return moved

    def run(
        self,
        tenant: str,
        *,
        before: datetime | None = None,
        stop: threading.Event | None = None,
        deadline: Deadline | None = None,
        progress: Progress = silent,
    ) -> Moved:
        """Move what is due, until all is moved, `stop` is set or the deadline passes.

        Work is due if it was finished `before` that time; by default that is as long ago as `archive_after_days` says.
        """
        is_over = partial(_is_over, stop, deadline)
        return _Run(self._parts, self._accounts, tenant, before or self._before(), is_over, progress).all()

    def _before(self) -> datetime:
        return self._parts.clock.now() - timedelta(days=self._parts.config.archive_after_days)


def _is_over(stop: threading.Event | None, deadline: Deadline | None) -> bool:
    return (stop is not None and stop.is_set()) or (deadline is not None and deadline.passed)


class _Run:
    """One run for one tenant."""

    def __init__(  # noqa: PLR0917 - as `Migration.run` has them
        self,
        parts: Parts,
        accounts: Backlog,
        tenant: str,
        before: datetime,
        is_over: Callable[[], bool],
        progress: Progress,
    ) -> None:
        self._parts = parts
        self._accounts = accounts
        self._tenant = tenant
        self._before = before
        self._is_over = is_over
        self._progress = progress
        self._ask_model = True
        self._wanting: list[Unembedded] = []
        self._moved = Moved()

    def all(self) -> Moved:
        """Move tasks, then the goals that wait for them, then other decisions, events, and cold items."""
        tenant, before, moved = self._tenant, self._before, self._moved
        try:
            for task_id in self._each(archive.due_tasks(tenant, before)):
                decisions = self._archive_task(task_id)
                moved.tasks += decisions is not None
                moved.decisions += decisions or 0
            for goal_id in self._each(archive.due_goals(tenant, before)):
                moved.goals += self._archive_goal(goal_id) is not None
            for ids in self._pages(due := archive.due_decisions(tenant, before)):
                moved.decisions += self._parts.database.write(
                    partial(archive.mark_due, tenant=tenant, due=due, ids=ids, at=self._now())
                )
            with self._parts.database.read() as connection:
                days = [day for day, _ in archive.due_days(connection, tenant, before)]
            for day in self._until_over(days):
                moved.events += self._archive_day(day) or 0
            cooling = Cooling(self._parts, tenant)
            for page in self._until_over(cooling.pages()):
                moved.demoted += cooling.demote(page)
        finally:
            self._embed()
        return moved

    # What is due, a page at a time.

    def _pages(self, due: Ids) -> Iterator[list[str]]:
        after = ""
        while not (over := self._is_over()):
            with self._parts.database.read() as connection:
                ids = archive.page(connection, due, after=after, limit=AT_ONCE)
            if not ids:
                break
            after = ids[-1]
            yield ids
            self._embed()
        self._moved.more = self._moved.more or over

    def _each(self, due: Ids) -> Iterator[str]:
        for ids in self._pages(due):
            yield from self._until_over(ids)

    def _until_over(self, found: Iterable[T]) -> Iterator[T]:
        for one in found:
            if self._is_over():
                self._moved.more = True
                return
            yield one
            self._progress(1)

    # Single moves; each returns `None` if it was not due any more.

    def _archive_task(self, task_id: str) -> int | None:
        """Archive a task; returns how many decisions went with it."""
        due = archive.due_tasks(self._tenant, self._before)
        with self._parts.database.read() as connection:
            task = records.get(connection, TASKS, self._tenant, task_id)
            if task is None or not archive.is_due(connection, due, task_id):
                return None
            done = steps.outline(connection, self._tenant, task_id, MOST_STEPS, chars=2 * summary.EXCERPT_CHARS)
            decided = self._of(connection, DECISIONS, user_id=task.user_id, task_id=task_id)
        about = {"task_id": task_id, "status": task.status, "steps": len(done)}
        told = self._told(task, f"task:{task_id}", about, partial(summary.task_account, task, done, decided))
        at = max(self._now(), task.updated_at)

        def mark(connection: Connection) -> int:
            archive.mark(connection, TASKS.table, self._tenant, [task_id], at)
            waiting = [one.id for one in decided if one.archived_at is None]
            return archive.mark(connection, DECISIONS.table, self._tenant, waiting, at)

        def still(connection: Connection) -> bool:
            after = (done[-1].number if done else 0) + 1
            return (
                self._unchanged(TASKS, task, due, connection)
                and self._of(connection, DECISIONS, user_id=task.user_id, task_id=task_id) == decided
                and steps.next_number(connection, self._tenant, task_id) == after
            )

        return self._archive(told, still, mark)

    def _archive_goal(self, goal_id: str) -> int | None:
        due = archive.due_goals(self._tenant, self._before)
        with self._parts.database.read() as connection:
            goal = records.get(connection, GOALS, self._tenant, goal_id)
            if goal is None or not archive.is_due(connection, due, goal_id):
                return None
            tasks, decided = self._parts_of(connection, goal)
        about = {"goal_id": goal_id, "status": goal.status, "tasks": len(tasks)}
        told = self._told(goal, f"goal:{goal_id}", about, partial(summary.goal_account, goal, tasks, decided))
        at = max(self._now(), goal.updated_at)
        mark = partial(archive.mark, table=GOALS.table, tenant=self._tenant, ids=[goal_id], at=at)

        def still(connection: Connection) -> bool:
            return self._unchanged(GOALS, goal, due, connection) and self._parts_of(connection, goal) == (
                tasks,
                decided,
            )

        return self._archive(told, still, mark)

    def _archive_day(self, day: Day) -> int | None:
        """Archive one day's events of a category; returns how many were not archived yet."""
        with self._parts.database.read() as connection:
            found, count = archive.events_of(connection, self._tenant, day, MOST_EVENTS)
        if not found:
            return None
        say = partial(summary.events_account, day.category, day.day, found, count)
        about = {"category": day.category, "day": day.day.isoformat(), "events": count}
        told = Told(Scope(self._tenant), day.record, found[0].at, about, say(), say(summary.ACCOUNT_CHARS))

        def still(connection: Connection) -> bool:
            return archive.events_of(connection, self._tenant, day, 1)[1] == count and archive.is_due_day(
                connection, self._tenant, day
            )

        mark = partial(archive.mark_day, tenant=self._tenant, day=day, at=self._now())
        return self._archive(told, still, mark)

    def _archive(
        self, told: Told, still: Callable[[Connection], bool], mark: Callable[[Connection], int]
    ) -> int | None:
        """Write the summary and mark the record in one transaction, unless it changed or was archived meanwhile."""
        gist = self._gist(told)
        about = {**told.about, "summarizer": gist.by}
        draft = Draft(told.scope, "summary", gist.text, told.at, metadata=about, told=True, record=told.record)
        now = self._now()

        def job(connection: Connection) -> tuple[list[Kept], int | None]:
            self._accounts.book(connection, told.scope, gist.spent)
            shelves.claim(connection, self._tenant, told.scope.shelf, 0)  # locks the shelf for this transaction
            if not still(connection):
                return [], None
            kept, marked = tell(connection, draft, self._parts.thermal, now), mark(connection)
            moved = Migrated(record=told.record, summary_id=kept[0].item.id if kept else None)
            outbox.tell(connection, self._tenant, told.scope.user_id, "memory.migrated", moved)
            return kept, marked

        kept, marked = self._parts.database.write(job)
        self._wanting += [
            Unembedded(one.item.id, one.revision, one.item.spoken) for one in kept if one.revision is not None
        ]
        return marked

    def _unchanged(self, noun: Noun[R], record: R, due: Ids, connection: Connection) -> bool:
        record_id: str = record.id  # type: ignore[attr-defined]  # every record has one
        return archive.is_due(connection, due, record_id) and (
            records.get(connection, noun, self._tenant, record_id) == record
        )

    # Summaries.

    def _told(self, work: Task | Goal, record: str, about: dict[str, Any], say: Callable[..., str]) -> Told:
        scope = Scope(self._tenant, work.user_id, work.agent_id, work.session_id)
        at = work.finished_at or work.updated_at
        return Told(scope, record, at, about, say(), say(most=summary.ACCOUNT_CHARS))

    def _gist(self, told: Told) -> Gist:
        """The model's summary if there is a model to ask, else the extract."""
        learner: object = self._parts.learner
        extract = Gist(told.brief, EXTRACT)
        if not isinstance(learner, Summarizer) or not self._ask_model or self._accounts.over_the_cap(told.scope):
            return extract
        try:
            return learner.summarize(told.account)
        except ModelUnavailable as error:
            _logger.warning("%s is summarised without the model: %s", told.record, error)
            self._ask_model = isinstance(error, UnusableReply)  # then the next record may fare better
            return replace(extract, spent=Spent(error.tokens_in, error.tokens_out, error.calls))
        except EmberkeepError:
            raise
        except Exception:  # a learner may be anyone's code
            _logger.exception("%s is summarised without the model", told.record)
            self._ask_model = False
            return extract

    def _parts_of(self, connection: Connection, goal: Goal) -> tuple[list[Task], list[Decision]]:
        """The tasks of a goal, and the decisions that belong to it alone."""
        tasks = self._of(connection, TASKS, user_id=goal.user_id, goal_id=goal.id)
        decided = self._of(connection, DECISIONS, user_id=goal.user_id, goal_id=goal.id)
        return tasks, [one for one in decided if one.task_id is None]

    def _of(self, connection: Connection, noun: Noun[R], **where: str | None) -> list[R]:
        """The records that belong to another, oldest first; of its user only, with whom the summary is deleted."""
        by = [noun.table.c.created_at, noun.table.c.id]
        return records.listed(connection, noun, self._tenant, where, MOST_RECORDS, by=by)[::-1]

    def _now(self) -> datetime:
        return self._parts.clock.now()

    def _embed(self) -> None:
        wanting, self._wanting = self._wanting, []
        if wanting:
            try:
                self._parts.embedding.items(self._tenant, wanting)
            except ModelUnavailable as error:  # they are flagged: `learn()` catches up
                _logger.warning("summaries get their vectors later: %s", error)
