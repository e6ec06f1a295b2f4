"""Executions: those of tasks, the latest ones, their number, and how often they were handed out."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, select, update

from emberkeep.model.experience import Execution
from emberkeep.model.scope import EVERYONE
from emberkeep.storage import records
from emberkeep.storage.batches import AT_ONCE
from emberkeep.storage.records import EXECUTIONS
from emberkeep.storage.schema import executions


def of_tasks(connection: Connection, tenant: str, task_ids: Sequence[str]) -> list[Execution]:
    """All executions of some tasks, oldest first."""
    where = {"task_id": tuple(task_ids)}
    found = records.listed(connection, EXECUTIONS, tenant, where, AT_ONCE * 20)
    return sorted(found, key=lambda one: (one.created_at, one.id))


def latest(
    connection: Connection, tenant: str, user_id: str | None, limit: int, *, type_: str | None = None
) -> list[Execution]:
    """The latest executions of a user (`"*"`: of everyone), of one type or of any, latest first."""
    where: dict[str, Any] = {"user_id": user_id or "", "type": type_}
    order = [executions.c.created_at, executions.c.id]
    return records.listed(connection, EXECUTIONS, tenant, where, limit, by=order)


def count(connection: Connection, tenant: str, user_id: str | None, type_: str | None = None) -> int:
    """How many executions a user has (`"*"`: everyone), of one type or of any."""
    where = [executions.c.tenant == tenant]
    where += [executions.c.user_id == (user_id or "")] if user_id != EVERYONE else []
    where += [executions.c.type == type_] if type_ is not None else []
    return connection.execute(select(func.count()).select_from(executions).where(*where)).scalar_one()


def reuse(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Add one to the count of times that each of these executions was handed out."""
    if not ids:
        return
    mine = (executions.c.tenant == tenant, executions.c.id.in_(ids))
    connection.execute(update(executions).where(*mine).values(reused=executions.c.reused + 1))
