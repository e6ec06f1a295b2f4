"""Queries for the records and events that are due to be archived to long-term memory, and the mark that they were."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    func,
    or_,
    select,
    type_coerce,
    union,
    update,
)

from emberkeep.model.moment import EPOCH
from emberkeep.model.operational import LiveEvent
from emberkeep.model.work import FINISHED
from emberkeep.storage.schema import decisions, events, goals, shelves, tasks

Ids = Select[Any]  # selects one column of ids
_A_DAY = 86_400_000_000  # microseconds


@dataclass(frozen=True, slots=True)
class Day:
    """The events of one category on one day."""

    day: date
    category: str

    @property
    def record(self) -> str:
        """The record id of the item that summarises these events."""
        return f"events:{self.day.isoformat()}:{self.category}"


def due_tasks(tenant: str, before: datetime) -> Ids:
    """Ids of tasks that finished before a time and were never archived, or were changed after they were."""
    return _by_id(tasks, tenant).where(_finished(tasks, before), _unarchived(tasks))


def due_goals(tenant: str, before: datetime) -> Ids:
    """The same for goals, except that a goal waits for each of its tasks to be archived or due."""
    mine = and_(tasks.c.tenant == goals.c.tenant, tasks.c.goal_id == goals.c.id)
    waits = select(tasks.c.id).where(
        mine, _unarchived(tasks), or_(~_finished(tasks, before), tasks.c.finished_at.is_(None))
    )
    return _by_id(goals, tenant).where(_finished(goals, before), _unarchived(goals), ~waits.exists())


def due_decisions(tenant: str, before: datetime) -> Ids:
    """Ids of unarchived decisions made before a time, except those that will be archived together with their task."""
    mine = and_(tasks.c.tenant == decisions.c.tenant, tasks.c.id == decisions.c.task_id)
    waits = select(tasks.c.id).where(mine, tasks.c.archived_at.is_(None))
    return _by_id(decisions, tenant).where(
        decisions.c.created_at < before, decisions.c.archived_at.is_(None), ~waits.exists()
    )


def decisions_of_due_tasks(tenant: str, before: datetime) -> Ids:
    """Ids of unarchived decisions whose task is due, which are archived together with it."""
    return _by_id(decisions, tenant).where(
        decisions.c.archived_at.is_(None), decisions.c.task_id.in_(due_tasks(tenant, before))
    )


def page(connection: Connection, due: Ids, *, after: str, limit: int) -> list[str]:
    """A page of the ids that are due, ascending, starting after the id `after`."""
    (column,) = due.selected_columns
    return list(connection.execute(due.where(column > after).order_by(column).limit(limit)).scalars())


def is_due(connection: Connection, due: Ids, record_id: str) -> bool:
    """Whether one record is due."""
    (column,) = due.selected_columns
    return connection.execute(due.where(column == record_id)).first() is not None


def count(connection: Connection, due: Ids) -> int:
    """How many records are due."""
    return connection.execute(select(func.count()).select_from(due.subquery())).scalar_one()


def due_days(connection: Connection, tenant: str, before: datetime) -> list[tuple[Day, int]]:
    """Days that ended before a time, per category, each with the number of its events that are not archived yet."""
    number = (type_coerce(events.c.at, BigInteger) // _A_DAY).label("day")
    query = (
        select(number, events.c.category, func.count())
        .where(events.c.tenant == tenant, events.c.archived_at.is_(None), events.c.at < _midnight(before.date()))
        .group_by(number, events.c.category)
        .order_by(number, events.c.category)
    )
    epoch = EPOCH.date()
    return [
        (Day(epoch + timedelta(days=day), category), waiting) for day, category, waiting in connection.execute(query)
    ]


def is_due_day(connection: Connection, tenant: str, day: Day) -> bool:
    """Whether some events of a day are not archived yet."""
    waiting = select(events.c.id).where(*_within(tenant, day), events.c.archived_at.is_(None))
    return connection.execute(waiting.limit(1)).first() is not None


def events_of(connection: Connection, tenant: str, day: Day, limit: int) -> tuple[list[LiveEvent], int]:
    """The first `limit` events of a day and category, and how many that day has in all."""
    columns = [events.c[name] for name in LiveEvent._fields]
    query = select(*columns).where(*_within(tenant, day)).order_by(events.c.at, events.c.id).limit(limit)
    total = connection.execute(select(func.count()).select_from(events).where(*_within(tenant, day))).scalar_one()
    return [LiveEvent._make(row) for row in connection.execute(query)], total


def mark_day(connection: Connection, tenant: str, day: Day, at: datetime) -> int:
    """Mark the unarchived events of a day as archived; returns how many."""
    waiting = (*_within(tenant, day), events.c.archived_at.is_(None))
    return connection.execute(update(events).where(*waiting).values(archived_at=at)).rowcount


def mark(connection: Connection, table: Table, tenant: str, ids: Sequence[str], at: datetime) -> int:
    """Mark records as archived; returns how many."""
    return connection.execute(
        update(table).where(table.c.tenant == tenant, table.c.id.in_(ids)).values(archived_at=at)
    ).rowcount


def unmark(connection: Connection, table: Table, tenant: str, record_id: str) -> None:
    """Remove the mark from a record if it is archived, so that it is archived anew."""
    connection.execute(_unmark(table), {"owner": tenant, "of": record_id})


@cache
def _unmark(table: Table) -> Update:
    this_record = (table.c.tenant == bindparam("owner"), table.c.id == bindparam("of"))
    return update(table).where(*this_record, table.c.archived_at.is_not(None)).values(archived_at=None)


def mark_due(connection: Connection, tenant: str, due: Ids, ids: Sequence[str], at: datetime) -> int:
    """Mark those of these decisions that are still due as archived; returns how many."""
    (column,) = due.selected_columns
    still = list(connection.execute(due.where(column.in_(ids))).scalars())
    return mark(connection, decisions, tenant, still, at)


def tenants(connection: Connection) -> list[str]:
    """Tenants that may have something to archive."""
    return sorted(connection.execute(union(select(shelves.c.tenant), select(events.c.tenant))).scalars())


def _by_id(table: Table, tenant: str) -> Ids:
    return select(table.c.id).where(table.c.tenant == tenant)


def _finished(table: Table, before: datetime) -> ColumnElement[bool]:
    return and_(table.c.status.in_(FINISHED), table.c.finished_at < before)


def _unarchived(table: Table) -> ColumnElement[bool]:
    return or_(table.c.archived_at.is_(None), table.c.updated_at > table.c.archived_at)


def _within(tenant: str, day: Day) -> tuple[ColumnElement[bool], ...]:
    start = _midnight(day.day)
    return (
        events.c.tenant == tenant,
        events.c.category == day.category,
        events.c.at >= start,
        events.c.at < start + timedelta(days=1),
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), EPOCH.tzinfo)
