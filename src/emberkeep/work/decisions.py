"""`memory.decisions`: who decided what and why, and how it turned out."""

from builtins import list as listing
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.item import Receipt
from emberkeep.model.recall import Hit, Where
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.model.work import Decision, Found
from emberkeep.storage import records
from emberkeep.storage.records import DECISIONS
from emberkeep.work.desk import Desk, relevance

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
        """Write a decision down: who decided what and why, what else there was, and how sure they were (0 to 1)."""
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
                raise InvalidInput(f"decision {decision.id!r} is logged already: leave the id out, or set its outcome")
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
            former = desk.existing(connection, DECISIONS, id)
            desk.hold(connection, Scope(desk.tenant, former.user_id))
            changed = replace(desk.existing(connection, DECISIONS, id), **changes, updated_at=desk.now())
            records.replace(connection, DECISIONS, desk.tenant, changed)
            return changed, self._told(connection, changed)

        return desk.write_told(job)

    def get(self, id: str) -> Decision:  # noqa: A002 - as in the other verbs
        """One decision."""
        return self._desk.get(DECISIONS, id)

    def similar(self, context: str, *, limit: int = 5, **where: Any) -> listing[Found[Decision]]:
        """Decisions in situations like this one, best first; those that were learned from what was said too."""
        desk = self._desk
        limit = checks.limit(limit, most=checks.MAX_SEARCH_LIMIT)
        given: Where = {**where}  # type: ignore[typeddict-item]  # checked where it is used
        hits = desk.hits(context, ("decision",), limit, given)
        logged = {one.record.id: one for one in desk.records_of(hits, {"decision": DECISIONS})}
        found = []
        for hit in hits:
            if hit.item.record is None:
                found.append(Found(_learned(hit), relevance(hit, hits[0]), hit.similarity))
            elif (one := logged.get(hit.item.record.partition(":")[2])) is not None:
                found.append(replace(one, relevance=relevance(hit, hits[0])))
        return found

    def list(
        self,
        *,
        who: str | None = None,
        task_id: str | None = None,
        goal_id: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
    ) -> listing[Decision]:
        """Decisions, the latest first."""
        return self._desk.listed(
            DECISIONS, {"who": who, "task_id": task_id, "goal_id": goal_id, "user_id": user_id}, limit
        )

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a decision for good."""
        return self._desk.delete(DECISIONS, id)

    def _told(self, connection: Connection, decision: Decision) -> listing[Kept]:
        about = {"decision_id": decision.id, "who": decision.who}
        draft = self._desk.draft(
            f"decision:{decision.id}", "decision", decision.told, decision, at=decision.created_at, about=about
        )
        return self._desk.told(connection, draft)


def share(value: object, name: str) -> float | None:
    """A number from 0 to 1, or nothing."""
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InvalidInput(f"{name} is {value!r}: pass a number from 0 to 1")
    return float(value)


def _listed(alternatives: object) -> listing[object]:
    if isinstance(alternatives, str) or not isinstance(alternatives, Iterable):
        raise InvalidInput("alternatives must be a list of texts")
    found = [*alternatives]
    if len(found) > MAX_ALTERNATIVES:
        raise InvalidInput(f"{len(found)} alternatives, the limit is {MAX_ALTERNATIVES}")
    return found


def _learned(hit: Hit) -> Decision:
    """A decision that was learned from what was said: it has no row of its own."""
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
