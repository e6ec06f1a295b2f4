"""`memory.decisions`: who decided what and why, and how it turned out."""

from builtins import list as listing
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.errors import Conflict, InvalidInput
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.item import Receipt
from emberkeep.model.many import Listed
from emberkeep.model.recall import Hit, Within
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import Decision, Found
from emberkeep.storage import records
from emberkeep.storage.records import DECISIONS, GOALS, TASKS
from emberkeep.work.desk import Desk, added, relevance
from emberkeep.work.retelling import untell

MAX_ALTERNATIVES = 100


class Decisions:
    """The log of decisions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def log(
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
        id: str | None = None,  # noqa: A002 - as in the other verbs
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Decision:
        """Log a decision: who decided what and why, the alternatives, and how confident they were (0 to 1)."""
        desk, now = self._desk, self._desk.now()
        scope = desk.scope(user_id, agent_id, session_id)
        others = tuple(desk.text(one, "an alternative") for one in _listed(alternatives))
        decision = Decision(
            id=desk.identity(id),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            goal_id=checks.scope_id(goal_id, name="goal_id"),
            task_id=checks.scope_id(task_id, name="task_id"),
            who=desk.words(who, "who"),
            what=desk.text(what, "what"),
            why=desk.words(why, "why"),
            context=desk.words(context, "context"),
            alternatives=others,
            confidence=share(confidence, "confidence"),
            outcome=None if outcome is None else desk.text(outcome, "outcome"),
            success=None if success is None else checks.flag(success, "success"),
            metadata=desk.metadata(metadata),
            created_at=now,
            updated_at=now,
        )

        def job(connection: Connection) -> tuple[Decision, listing[Kept]]:
            desk.hold(connection, scope)
            if records.get(connection, DECISIONS, desk.tenant, decision.id) is not None:
                raise Conflict(f"decision {decision.id!r} is logged already: leave the id out, or set its outcome")
            desk.own(connection, GOALS, decision.goal_id, decision.user_id)
            desk.own(connection, TASKS, decision.task_id, decision.user_id)
            records.put(connection, DECISIONS, desk.tenant, decision)
            return decision, self._told(connection, decision)

        return desk.write_told(job)

    def set_outcome(self, id: str, outcome: str, *, success: bool | None = None) -> Decision:  # noqa: A002 - as elsewhere
        """Say how a decision turned out."""
        desk = self._desk
        changes: dict[str, Any] = {"outcome": desk.text(outcome, "outcome")}
        if success is not None:
            changes["success"] = checks.flag(success, "success")

        def job(connection: Connection) -> tuple[Decision, listing[Kept]]:
            changed = replace(desk.held(connection, DECISIONS, id), **changes, updated_at=desk.now())
            return desk.replaced(connection, DECISIONS, changed), self._told(connection, changed)

        return desk.write_told(job)

    def get(self, id: str) -> Decision:  # noqa: A002 - as in the other verbs
        """One decision."""
        return self._desk.get(DECISIONS, id)

    def similar(self, context: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Decision]]:
        """Decisions in situations like this one, best first, including decisions learned from what was said."""
        hits = self._desk.hits(context, ("decision",), checks.limit(limit, most=checks.MAX_SEARCH_LIMIT), within)
        logged = self._desk.records_of(hits, [DECISIONS])
        known = [(hit, _learned(hit) if hit.item.record is None else logged.get(hit.item.record)) for hit in hits]
        return [Found(one, relevance(hit, hits[0]), hit.similarity) for hit, one in known if one is not None]

    def list(
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
        where = {"who": who, "task_id": task_id, "goal_id": goal_id, "user_id": user_id}
        return self._desk.listed(DECISIONS, where, limit, cursor=cursor)

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a decision for good; a summary that tells of it goes too, and the next upkeep writes it anew."""

        def let_go(connection: Connection) -> dict[str, int]:
            decision = self._desk.existing(connection, DECISIONS, id)
            of_task = untell(self._desk, connection, TASKS, decision.task_id, decision)
            return added(of_task, untell(self._desk, connection, GOALS, decision.goal_id, decision))

        return self._desk.delete(DECISIONS, id, let_go)

    def _told(self, connection: Connection, decision: Decision) -> listing[Kept]:
        about = {"decision_id": decision.id, "who": decision.who}
        draft = self._desk.draft(
            f"decision:{decision.id}", "decision", decision.told, decision, at=decision.created_at, about=about
        )
        return self._desk.told(connection, draft)


def share(value: object, name: str) -> float | None:
    """A checked number from 0 to 1, or `None`."""
    return None if value is None else part(value, name)


def part(value: object, name: str) -> float:
    """A checked number from 0 to 1."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InvalidInput(f"{name} is {value!r}: pass a number from 0 to 1")
    return float(value)


def _listed(alternatives: object) -> listing[object]:
    if isinstance(alternatives, str | bytes | Mapping) or not isinstance(alternatives, Iterable):
        raise InvalidInput("alternatives must be a list of texts")
    found = [*islice(alternatives, MAX_ALTERNATIVES + 1)]
    if len(found) > MAX_ALTERNATIVES:
        raise InvalidInput(f"over {MAX_ALTERNATIVES} alternatives: leave some out")
    return found


def _learned(hit: Hit) -> Decision:
    """The `Decision` for an item that was learned from what was said, and so has no row of its own."""
    item = hit.item
    return Decision(
        id=item.id,
        user_id=item.user_id,
        agent_id=item.agent_id,
        session_id=item.session_id,
        goal_id=None,
        task_id=None,
        who=item.speaker or "",
        what=item.text,
        why="",
        context="",
        alternatives=(),
        confidence=None,
        outcome=None,
        success=None,
        metadata=item.metadata,
        created_at=item.occurred_at,
        updated_at=item.recorded_at,
    )
