"""Records: rows that hold values of `model/work.py`, `model/experience.py` and `model/collection.py`."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any, Generic, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Insert,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    delete,
    insert,
    literal,
    select,
    tuple_,
    update,
)

from emberkeep.errors import InvalidInput
from emberkeep.model.collection import ConfigChange, Document, Incident, Procedure
from emberkeep.model.events import RecordAdded, RecordDeleted
from emberkeep.model.experience import Execution, TaskPattern
from emberkeep.model.many import Listed
from emberkeep.model.moment import from_micros, to_micros
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import CachedPattern, Decision, Goal, Task
from emberkeep.storage import idempotency, schema
from emberkeep.storage.batches import batches
from emberkeep.storage.column_types import Moment
from emberkeep.storage.outbox import tell

R = TypeVar("R")
LARGEST = 2**63 - 1  # the largest integer that a column can hold


@dataclass(frozen=True, slots=True)
class Noun(Generic[R]):
    """A kind of record: its name, the class of its values, and its table."""

    name: str
    value: type[R]
    table: Table


GOALS = Noun("goal", Goal, schema.goals)
TASKS = Noun("task", Task, schema.tasks)
DECISIONS = Noun("decision", Decision, schema.decisions)
CACHED = Noun("cached pattern", CachedPattern, schema.cached_patterns)
EXECUTIONS = Noun("execution", Execution, schema.executions)
PATTERNS = Noun("pattern", TaskPattern, schema.patterns)
PROCEDURES = Noun("procedure", Procedure, schema.procedures)
INCIDENTS = Noun("incident", Incident, schema.incidents)
CONFIGS = Noun("config", ConfigChange, schema.config_changes)
DOCUMENTS = Noun("document", Document, schema.documents)
_TOLD_APART = {EXECUTIONS.name, PATTERNS.name}  # kinds that have more specific events


def put(connection: Connection, noun: Noun[R], tenant: str, record: R) -> None:
    """Write a new record."""
    values = _columns(record)
    connection.execute(_statements(noun).insert, {"tenant": tenant, **values})
    _tell(connection, noun, tenant, values, "work.added")


def replace(connection: Connection, noun: Noun[R], tenant: str, record: R) -> None:
    """Overwrite the record that has the same id."""
    values = _columns(record)
    changed = {name: value for name, value in values.items() if name != "id"}
    connection.execute(_statements(noun).update_these, {"owner": tenant, "ids": [values["id"]], **changed})
    _tell(connection, noun, tenant, values, "work.updated")


def get(connection: Connection, noun: Noun[R], tenant: str, record_id: str) -> R | None:
    """Return one record; `None` if the tenant has none with this id."""
    return fetch(connection, noun, tenant, [record_id]).get(record_id)


def fetch(connection: Connection, noun: Noun[R], tenant: str, ids: Sequence[str]) -> dict[str, R]:
    """Return records by id; those that are not this tenant's are left out."""
    found: dict[str, R] = {}
    for batch in batches(ids):
        asked = {"owner": tenant, "ids": batch}
        rows = connection.execute(_statements(noun).select_these, asked).mappings()
        found |= {row["id"]: noun.value(**row) for row in rows}
    return found


def listed(
    connection: Connection,
    noun: Noun[R],
    tenant: str,
    where: Mapping[str, Any],
    limit: int,
    *,
    by: Sequence[Column[Any]] = (),
    cursor: str | None = None,
) -> Listed[R]:
    """Return a page of the records whose columns have these values, the highest in `by` and last changed first.

    A tuple stands for any of its values, and a condition is used as it is. `None` leaves a column unrestricted, except
    for `user_id`: there it selects records of no user, and `"*"` those of everyone.
    """
    table = noun.table
    conditions = [table.c.tenant == tenant]
    for name, value in where.items():
        if isinstance(value, tuple):
            conditions.append(table.c[name].in_(value))
        elif isinstance(value, ColumnElement):
            conditions.append(value)
        elif name == "user_id":
            conditions += [] if value == EVERYONE else [table.c.user_id == (value or "")]
        elif value is not None:
            conditions.append(table.c[name] == value)
    order = (*by, table.c.updated_at, table.c.id)
    if cursor is not None:
        conditions.append(tuple_(*order) < tuple_(*_place(cursor, order)))
    query = _statements(noun).select.where(*conditions).order_by(*(column.desc() for column in order)).limit(limit + 1)
    found = [noun.value(**row) for row in connection.execute(query).mappings()]
    return Listed(found[:limit], _cursor(found[limit - 1], order) if len(found) > limit else None)


def remove(connection: Connection, noun: Noun[R], tenant: str, record_id: str) -> int:
    """Remove a record; returns how many there were."""
    removal = delete(noun.table).where(_these(noun, tenant, [record_id])).returning(noun.table.c.user_id)
    owners = connection.execute(removal).scalars().all()
    for user_id in owners:
        idempotency.blank(connection, tenant, [user_id or ""])
        tell(connection, tenant, user_id, "work.deleted", RecordDeleted(noun=noun.name, id=record_id))
    return len(owners)


def _tell(connection: Connection, noun: Noun[Any], tenant: str, values: Mapping[str, Any], type_: str) -> None:
    """Tell of a change, unless its kind of record has events of its own."""
    if noun.name not in _TOLD_APART:
        tell(connection, tenant, values["user_id"], type_, RecordAdded(noun=noun.name, id=values["id"]))


def let_go(connection: Connection, column: Column[Any], tenant: str, record_id: str) -> None:
    """Set a column that refers to a record to `None` in all rows that refer to it."""
    table = column.table
    mine = (table.c.tenant == tenant, column == record_id)
    connection.execute(update(table).where(*mine).values({column.name: None}))


def _cursor(record: object, order: Sequence[Column[Any]]) -> str:
    """Return the cursor of the page that starts after a record."""
    values = (getattr(record, column.name) for column in order)
    place = [to_micros(value) if isinstance(value, datetime) else value for value in values]
    return urlsafe_b64encode(json.dumps(place).encode()).decode()


def _place(cursor: str, order: Sequence[Column[Any]]) -> list[ColumnElement[Any]]:
    """Return the values in a cursor, one for each column; raises `InvalidInput` if they do not fit the columns."""
    try:
        place = json.loads(urlsafe_b64decode(cursor))
        return [literal(_value(value, column), column.type) for value, column in zip(place, order, strict=True)]
    except (TypeError, ValueError, OverflowError, AttributeError):
        raise InvalidInput(f"cursor is {cursor!r:.100}: pass the `next` of a page as it is") from None


def _value(plain: object, column: Column[Any]) -> object:
    """Return the value of a column from its JSON; raises if it is of another type or too large."""
    is_moment = isinstance(column.type, Moment)
    if type(plain) is not (int if is_moment else column.type.python_type):
        raise TypeError
    if isinstance(plain, int) and abs(plain) > LARGEST:
        raise OverflowError
    return from_micros(plain) if is_moment and isinstance(plain, int) else plain


def _these(noun: Noun[Any], tenant: str, ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(noun.table.c.tenant == tenant, noun.table.c.id.in_(ids))


@dataclass(frozen=True, slots=True)
class _Statements:
    """The statements for a noun, built once: SQLAlchemy takes longer to build one than SQLite to run it."""

    insert: Insert
    update_these: Update
    select_these: Select[Any]
    select: Select[Any]


@cache
def _statements(noun: Noun[Any]) -> _Statements:
    table = noun.table
    these = (table.c.tenant == bindparam("owner"), table.c.id.in_(bindparam("ids", expanding=True)))
    chosen = select(*(table.c[field.name] for field in fields(noun.value)))
    return _Statements(insert(table), update(table).where(*these), chosen.where(*these), chosen)


def _columns(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}
