"""The events about patterns and advice."""

from collections.abc import Sequence

from sqlalchemy import Connection

from emberkeep.model.events import ContextSuggested, PatternLearned, PatternMatched, PatternUpdated
from emberkeep.model.experience import TaskContext, TaskPattern
from emberkeep.model.scope import EVERYONE
from emberkeep.storage.outbox import tell


def learned(connection: Connection, tenant: str, pattern: TaskPattern) -> None:
    """Announce a new pattern."""
    told = PatternLearned(
        pattern_id=pattern.id,
        pattern_type=pattern.pattern_type,
        confidence=pattern.confidence_score,
        support=pattern.support,
    )
    tell(connection, tenant, pattern.user_id, "memory.pattern.learned", told)


def updated(connection: Connection, tenant: str, pattern: TaskPattern) -> None:
    """Announce that a pattern has new evidence or feedback, or is retired."""
    told = PatternUpdated(
        pattern_id=pattern.id,
        pattern_type=pattern.pattern_type,
        confidence=pattern.confidence_score,
        support=pattern.support,
        version=pattern.version,
        retired=pattern.retired_at is not None,
    )
    tell(connection, tenant, pattern.user_id, "memory.pattern.updated", told)


def matched(connection: Connection, tenant: str, patterns: Sequence[TaskPattern]) -> None:
    """Announce each pattern that matches a task."""
    for pattern in patterns:
        told = PatternMatched(
            pattern_id=pattern.id, pattern_type=pattern.pattern_type, confidence=pattern.confidence_score
        )
        tell(connection, tenant, pattern.user_id, "memory.pattern.matched", told)


def suggested(
    connection: Connection, *, tenant: str, task_id: str | None, context: TaskContext, user_id: str | None = None
) -> None:
    """Announce that a caller got the context of a task; the event belongs to the user for whom it was asked."""
    told = ContextSuggested(
        task_id=task_id,
        similar_tasks=[one.task_id for one in context.similar_tasks],
        pattern_ids=[one.id for one in context.matching_patterns],
        recommendations=len(context.recommendations),
    )
    owner = None if user_id == EVERYONE else user_id
    tell(connection, tenant, owner, "memory.context.suggested", told)
