"""Writes the rows of learned patterns, the versions of their changes, and the items that searches find them by."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.experience import TaskPattern
from emberkeep.model.ids import new_id
from emberkeep.patterns.drafting import Sketch
from emberkeep.patterns.standing import rated
from emberkeep.storage import patterns, records
from emberkeep.storage.records import PATTERNS
from emberkeep.work import announcing
from emberkeep.work.desk import Desk

_TRACKED = (
    "success_indicators", "failure_indicators", "hits", "support", "other_hits", "other_support",
    "helpful", "unhelpful", "adjustment", "confidence_score", "retired_at",
)  # fmt: skip


class Register:
    """Inserts and updates patterns, and records each change as a version."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def enter(
        self, connection: Connection, sketch: Sketch, former: TaskPattern | None, user_id: str | None
    ) -> tuple[TaskPattern, list[Kept]]:
        """Write a sketch as a new pattern, or as new evidence for the known pattern `former`."""
        now = self._desk.now()
        evidence: dict[str, Any] = {
            "description": sketch.description,
            "task_type_pattern": sketch.task_type_pattern,
            "success_indicators": sketch.success_indicators,
            "failure_indicators": sketch.failure_indicators,
            "recommended_context": {"tools": [*sketch.tools], "examples": [*sketch.examples]},
            "examples": sketch.examples,
            "hits": sketch.hits,
            "support": sketch.support,
            "other_hits": sketch.other_hits,
            "other_support": sketch.other_support,
        }
        if former is not None:
            return self.renew(connection, former, rated(replace(former, **evidence, retired_at=None)), "new evidence")
        made = rated(
            TaskPattern(
                id=new_id(now),
                user_id=user_id,
                agent_id=None,
                session_id=None,
                pattern_type=sketch.pattern_type,
                subject=sketch.subject,
                helpful=0,
                unhelpful=0,
                adjustment=0.0,
                confidence_score=0.0,
                usage_count=0,
                version=1,
                metadata={},
                created_at=now,
                updated_at=now,
                **evidence,
            )
        )
        records.put(connection, PATTERNS, self._desk.tenant, made)
        patterns.note_version(connection, self._desk.tenant, made, "learned", {})
        announcing.learned(connection, self._desk.tenant, made)
        return made, self._told(connection, made)

    def renew(
        self, connection: Connection, former: TaskPattern, changed: TaskPattern, reason: str
    ) -> tuple[TaskPattern, list[Kept]]:
        """Write a changed pattern and a version with the differences; without differences, write nothing."""
        differs = {
            name: [_plain(getattr(former, name)), _plain(getattr(changed, name))]
            for name in _TRACKED
            if getattr(former, name) != getattr(changed, name)
        }
        if not differs:
            return former, []
        kept = replace(changed, version=former.version + 1, updated_at=self._desk.now())
        records.replace(connection, PATTERNS, self._desk.tenant, kept)
        patterns.note_version(connection, self._desk.tenant, kept, reason, differs)
        announcing.updated(connection, self._desk.tenant, kept)
        if kept.retired_at is not None:  # searches must not find it any more
            self._desk.erased(connection, f"pattern:{kept.id}", kept.user_id or "")
            return kept, []
        return kept, self._told(connection, kept)

    def _told(self, connection: Connection, pattern: TaskPattern) -> list[Kept]:
        about = {
            "pattern_id": pattern.id,
            "pattern_type": pattern.pattern_type,
            "retired": pattern.retired_at is not None,
        }
        draft = self._desk.draft(
            f"pattern:{pattern.id}", "pattern", pattern.description, pattern, at=pattern.created_at, about=about
        )
        return self._desk.told(connection, draft)


def _plain(value: Any) -> Any:
    return checks.plain_json(value if not hasattr(value, "isoformat") else value.isoformat())
