"""The steps of tasks."""

from sqlalchemy import Connection, delete, func, insert, select

from emberkeep.model.work import Step
from emberkeep.storage.schema import steps, tasks

_columns = [column for column in steps.c if column.name != "tenant"]


def next_number(connection: Connection, tenant: str, task_id: str) -> int | None:
    """The number of a task's next step, which nobody else gets; nothing if there is no such task."""
    held = select(tasks.c.id).where(tasks.c.tenant == tenant, tasks.c.id == task_id).with_for_update()
    if connection.execute(held).first() is None:
        return None
    last = select(func.max(steps.c.number)).where(steps.c.tenant == tenant, steps.c.task_id == task_id)
    return (connection.execute(last).scalar() or 0) + 1


def put(connection: Connection, tenant: str, step: Step) -> None:
    """Write one step."""
    values = {column.name: getattr(step, column.name) for column in _columns}
    connection.execute(insert(steps), {"tenant": tenant, **values})


def of_task(connection: Connection, tenant: str, task_id: str, limit: int) -> list[Step]:
    """The last steps of a task, in order."""
    mine = (steps.c.tenant == tenant, steps.c.task_id == task_id)
    query = select(*_columns).where(*mine).order_by(steps.c.number.desc()).limit(limit)
    return [Step(**row) for row in connection.execute(query).mappings()][::-1]


def outline(connection: Connection, tenant: str, task_id: str, limit: int, *, chars: int) -> list[Step]:
    """The last steps of a task, in order, with no more than the beginning of each output."""
    columns = [func.substr(one, 1, chars).label("output") if one is steps.c.output else one for one in _columns]
    mine = (steps.c.tenant == tenant, steps.c.task_id == task_id)
    query = select(*columns).where(*mine).order_by(steps.c.number.desc()).limit(limit)
    return [Step(**row) for row in connection.execute(query).mappings()][::-1]


def remove(connection: Connection, tenant: str, task_id: str) -> int:
    """Remove the steps of a task; returns how many there were."""
    return connection.execute(delete(steps).where(steps.c.tenant == tenant, steps.c.task_id == task_id)).rowcount
