"""`memory.goals`: what is to be achieved."""

from builtins import list as listing
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection

from emberkeep.errors import Conflict, InvalidInput
from emberkeep.model import checks
from emberkeep.model.item import Receipt
from emberkeep.model.many import Listed
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import FINISHED, OPEN, Goal, Status, check_move, status_named, still_finished
from emberkeep.storage import records, schema
from emberkeep.storage.records import GOALS
from emberkeep.work.desk import Desk

DEEPEST = 100  # levels of goals within goals
MOST_PRIORITY = 1_000_000


class Goals:
    """Goals, which may be parts of other goals. The work towards them is in tasks."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def save(
        self,
        description: str,
        *,
        id: str | None = None,  # noqa: A002 - as in the other verbs
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
        desk, now = self._desk, self._desk.now()
        scope = desk.scope(user_id, agent_id, session_id)
        goal = Goal(
            id=desk.identity(id),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            parent_id=checks.scope_id(parent_id, name="parent_id"),
            description=desk.text(description, "description"),
            status=status_named(status),
            priority=_priority(priority),
            summary=desk.words(summary, "summary"),
            metadata=desk.metadata(metadata),
            created_at=now,
            updated_at=now,
            finished_at=now if status in FINISHED else None,
        )

        def kept(former: Goal) -> Goal:
            return replace(still_finished(former, goal), created_at=former.created_at)

        def job(connection: Connection) -> Goal:
            saved = desk.saved(connection, GOALS, goal, kept)
            self._check_parent(connection, saved)
            return saved

        return desk.write(job)

    def get(self, id: str) -> Goal:  # noqa: A002 - as in the other verbs
        """One goal."""
        return self._desk.get(GOALS, id)

    def update(
        self,
        id: str,  # noqa: A002 - as in the other verbs
        *,
        status: Status | None = None,
        description: str | None = None,
        priority: int | None = None,
        summary: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        parent_id: str | None = None,
    ) -> Goal:
        """Change some fields of a goal; a finished goal stays finished until `save` reopens it."""
        desk, now = self._desk, self._desk.now()
        changes = desk.checked(
            status=(status, status_named),
            description=(description, partial(desk.text, name="description")),
            priority=(priority, _priority),
            summary=(summary, partial(desk.words, name="summary")),
            metadata=(metadata, desk.metadata),
            parent_id=(parent_id, partial(checks.scope_id, name="parent_id")),
        )
        if not changes:
            raise InvalidInput(
                "nothing to update: pass a status, description, priority, summary, parent_id or metadata"
            )

        def job(connection: Connection) -> Goal:
            former = desk.held(connection, GOALS, id)
            if status is not None:
                check_move("goal", id, former.status, status)
            ended = now if status in FINISHED else former.finished_at
            changed = replace(former, **changes, updated_at=now, finished_at=ended)
            if parent_id is not None:
                self._check_parent(connection, changed)
            return desk.replaced(connection, GOALS, changed)

        return desk.write(job)

    def active(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> listing[Goal]:
        """The goals that are not finished, the most urgent first."""
        where = {"status": OPEN, "user_id": user_id}
        return self._desk.listed(GOALS, where, limit, by=[schema.goals.c.priority])

    def list(
        self,
        *,
        status: Status | None = None,
        parent_id: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Goal]:
        """A page of goals, the one that changed last first."""
        wanted = None if status is None else status_named(status)
        where = {"status": wanted, "parent_id": parent_id, "user_id": user_id}
        return self._desk.listed(GOALS, where, limit, cursor=cursor)

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a goal for good; its tasks, decisions and sub-goals stay, without it."""

        def let_go(connection: Connection) -> dict[str, int]:
            for column in (schema.goals.c.parent_id, schema.tasks.c.goal_id, schema.decisions.c.goal_id):
                records.let_go(connection, column, self._desk.tenant, id)
            return {}

        return self._desk.delete(GOALS, id, let_go)

    def _check_parent(self, connection: Connection, goal: Goal) -> None:
        if goal.parent_id != goal.id:
            self._desk.own(connection, GOALS, goal.parent_id, goal.user_id)
        above = goal.parent_id
        for _ in range(DEEPEST):
            if above is None:
                return
            if above == goal.id:
                raise Conflict(f"goal {goal.id!r} would be part of itself: choose another parent_id")
            parent = records.get(connection, GOALS, self._desk.tenant, above)
            if parent is None:
                return  # it was deleted
            above = parent.parent_id
        raise Conflict(f"goal {goal.id!r} lies more than {DEEPEST} goals deep: choose another parent_id")


def _priority(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MOST_PRIORITY:
        raise InvalidInput(f"priority is {value!r}: pass a whole number, higher for more urgent")
    return value
