"""Learned patterns, with their versions and the feedback on them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, case, delete, func, insert, select, update

from emberkeep.model.experience import PatternVersion, Rating, TaskPattern
from emberkeep.storage import records
from emberkeep.storage.records import PATTERNS
from emberkeep.storage.schema import pattern_feedback, pattern_versions, patterns


def about(
    connection: Connection, tenant: str, user_id: str | None, subjects: tuple[str, ...]
) -> dict[str, TaskPattern]:
    """Return the patterns of a user about these subjects, by subject."""
    where = {"user_id": user_id or "", "subject": subjects}
    return {pattern.subject: pattern for pattern in records.listed(connection, PATTERNS, tenant, where, 10_000)}


def in_use(connection: Connection, tenant: str, where: Mapping[str, Any], limit: int) -> list[TaskPattern]:
    """Return patterns that are not retired, the most confident first."""
    wanted = {**where, "retired_at": patterns.c.retired_at.is_(None)}
    return records.listed(connection, PATTERNS, tenant, wanted, limit, by=[patterns.c.confidence_score])


def note_version(connection: Connection, tenant: str, pattern: TaskPattern, reason: str, changed: Any) -> None:
    """Record the present version of a pattern: what changed in it, and why."""
    values = {"pattern_id": pattern.id, "version": pattern.version, "at": pattern.updated_at, "reason": reason}
    connection.execute(insert(pattern_versions), {"tenant": tenant, **values, "changed": changed})


def versions(connection: Connection, tenant: str, pattern_id: str) -> list[PatternVersion]:
    """Return the versions of a pattern, oldest first."""
    mine = (pattern_versions.c.tenant == tenant, pattern_versions.c.pattern_id == pattern_id)
    columns = [column for column in pattern_versions.c if column.name != "tenant"]
    query = select(*columns).where(*mine).order_by(pattern_versions.c.version)
    return [PatternVersion(**row) for row in connection.execute(query).mappings()]


def note_feedback(
    connection: Connection, tenant: str, pattern_id: str, feedback: Mapping[str, Any], at: datetime
) -> None:
    """Record feedback on a pattern."""
    connection.execute(insert(pattern_feedback), {"tenant": tenant, "pattern_id": pattern_id, "at": at, **feedback})


def ratings(connection: Connection, tenant: str, pattern_id: str) -> list[Rating]:
    """Return the feedback on a pattern, oldest first."""
    mine = (pattern_feedback.c.tenant == tenant, pattern_feedback.c.pattern_id == pattern_id)
    columns = [pattern_feedback.c[name] for name in ("at", "helpful", "adjustment", "note")]
    query = select(*columns).where(*mine).order_by(pattern_feedback.c.at, pattern_feedback.c.id)
    return [Rating(**row) for row in connection.execute(query).mappings()]


def miscounted(connection: Connection, tenant: str) -> dict[str, tuple[int, int]]:
    """Return patterns whose vote counts differ from their feedback, each with the votes for and against in that."""
    helped = func.coalesce(func.sum(case((pattern_feedback.c.helpful.is_(True), 1), else_=0)), 0)
    did_not = func.coalesce(func.sum(case((pattern_feedback.c.helpful.is_(False), 1), else_=0)), 0)
    of_pattern = (pattern_feedback.c.tenant == patterns.c.tenant) & (pattern_feedback.c.pattern_id == patterns.c.id)
    query = (
        select(*patterns.c["id", "helpful", "unhelpful"], helped, did_not)
        .outerjoin(pattern_feedback, of_pattern)
        .where(patterns.c.tenant == tenant)
        .group_by(*patterns.c["id", "helpful", "unhelpful"])
    )
    rows = connection.execute(query).all()
    return {row[0]: (int(row[3]), int(row[4])) for row in rows if (row[1], row[2]) != (row[3], row[4])}


def use(connection: Connection, tenant: str, ids: list[str]) -> None:
    """Count one more use of each of these patterns."""
    mine = (patterns.c.tenant == tenant, patterns.c.id.in_(ids))
    connection.execute(update(patterns).where(*mine).values(usage_count=patterns.c.usage_count + 1))


def remove_parts(connection: Connection, tenant: str, pattern_id: str) -> dict[str, int]:
    """Remove the versions of a pattern and the feedback on it; returns the number of rows by table."""
    return {
        table.name: connection.execute(
            delete(table).where(table.c.tenant == tenant, table.c.pattern_id == pattern_id)
        ).rowcount
        for table in (pattern_versions, pattern_feedback)
    }
