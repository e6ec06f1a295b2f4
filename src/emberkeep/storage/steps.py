"""The steps of tasks."""

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from emberkeep.model.work import Step
from emberkeep.storage.schema import steps, tasks

_columns = [column for column in steps.c if column.name != "tenant"]
_lock_task = (
    select(tasks.c.id).where(tasks.c.tenant == bindparam("owner"), tasks.c.id == bindparam("task")).with_for_update()
)
_last_number = select(func.max(steps.c.number)).where(
    steps.c.tenant == bindparam("owner"), steps.c.task_id == bindparam("task")
)
_insert = insert(steps)


def next_number(connection: Connection, tenant: str, task_id: str) -> int | None:
    """Return the number of a task's next step, which nobody else gets; `None` if there is no such task."""
    asked = {"owner": tenant, "task": task_id}
    if connection.execute(_lock_task, asked).first() is None:
        return None
    return (connection.execute(_last_number, asked).scalar() or 0) + 1


def put(connection: Connection, tenant: str, step: Step) -> None:
    """Write one step."""
    values = {column.name: getattr(step, column.name) for column in _columns}
    connection.execute(_insert, {"tenant": tenant, **values})


def of_task(connection: Connection, tenant: str, task_id: str, limit: int) -> list[Step]:
    """Return the last steps of a task, in order."""
    mine = (steps.c.tenant == tenant, steps.c.task_id == task_id)
    query = select(*_columns).where(*mine).order_by(steps.c.number.desc()).limit(limit)
    return [Step(**row) for row in connection.execute(query).mappings()][::-1]


def outline(connection: Connection, tenant: str, task_id: str, limit: int, *, chars: int) -> list[Step]:
    """Return the last steps of a task, in order, with no more than the beginning of each output."""
    beginning = func.substr(steps.c.output, 1, chars).label("output")
    columns = [beginning if column is steps.c.output else column for column in _columns]
    mine = (steps.c.tenant == tenant, steps.c.task_id == task_id)
    query = select(*columns).where(*mine).order_by(steps.c.number.desc()).limit(limit)
    return [Step(**row) for row in connection.execute(query).mappings()][::-1]


def remove(connection: Connection, tenant: str, task_id: str) -> int:
    """Remove the steps of a task; returns how many there were."""
    return connection.execute(delete(steps).where(steps.c.tenant == tenant, steps.c.task_id == task_id)).rowcount
