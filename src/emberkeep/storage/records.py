"""Records: rows that are values of `model/work.py` and `model/collection.py`, field by column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, Table, and_, delete, insert, select, update

from emberkeep.model.collection import ConfigChange, Document, Incident, Procedure
from emberkeep.model.events import RecordAdded, RecordDeleted
from emberkeep.model.experience import Execution, TaskPattern
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import CachedPattern, Decision, Goal, Task
from emberkeep.storage import idempotency, schema
from emberkeep.storage.outbox import tell

R = TypeVar("R")
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Noun(Generic[R]):
    """A kind of record: what it is called, the value, and its table."""

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
_TOLD_APART = {EXECUTIONS.name, PATTERNS.name}  # there are events that say more of these


def put(connection: Connection, noun: Noun[R], tenant: str, record: R) -> None:
    """Write a new record."""
    values = _columns(record)
    connection.execute(insert(noun.table), {"tenant": tenant, **values})
    _tell(connection, noun, tenant, values, "work.added")


def replace(connection: Connection, noun: Noun[R], tenant: str, record: R) -> None:
    """Write a record over the one with its id."""
    values = _columns(record)
    changed = {name: value for name, value in values.items() if name != "id"}
    connection.execute(update(noun.table).where(_these(noun, tenant, [values["id"]])).values(**changed))
    _tell(connection, noun, tenant, values, "work.updated")


def get(connection: Connection, noun: Noun[R], tenant: str, record_id: str) -> R | None:
    """One record."""
    return fetch(connection, noun, tenant, [record_id]).get(record_id)


def fetch(connection: Connection, noun: Noun[R], tenant: str, ids: Sequence[str]) -> dict[str, R]:
    """Records by id; those that are not this tenant's are left out."""
    found: dict[str, R] = {}
    for start in range(0, len(ids), CHUNK):
        query = select(*_selected(noun)).where(_these(noun, tenant, ids[start : start + CHUNK]))
        found |= {row["id"]: noun.value(**row) for row in connection.execute(query).mappings()}
    return found


def listed(
    connection: Connection,
    noun: Noun[R],
    tenant: str,
    where: Mapping[str, Any],
    limit: int,
    *,
    by: Sequence[ColumnElement[Any]] = (),
) -> list[R]:
    """Records whose columns have these values (one of them, for a tuple), the one that changed last first.

    A column that is `None` is left aside, but for the user: `None` has what is no user's, `"*"` everyone's.
    """
    table = noun.table
    asked = [table.c.tenant == tenant]
    for name, value in where.items():
        if isinstance(value, tuple):
            asked.append(table.c[name].in_(value))
        elif isinstance(value, ColumnElement):
            asked.append(value)
        elif name == "user_id":
            asked += [] if value == EVERYONE else [table.c.user_id == (value or "")]
        elif value is not None:
            asked.append(table.c[name] == value)
    order = (*by, table.c.updated_at.desc(), table.c.id.desc())
    query = select(*_selected(noun)).where(*asked).order_by(*order).limit(limit)
    return [noun.value(**row) for row in connection.execute(query).mappings()]


def remove(connection: Connection, noun: Noun[R], tenant: str, record_id: str) -> int:
    """Remove a record; returns how many there were."""
    gone = delete(noun.table).where(_these(noun, tenant, [record_id])).returning(noun.table.c.user_id)
    owners = connection.execute(gone).scalars().all()
    for user_id in owners:
        idempotency.blank(connection, tenant, [user_id or ""])
        tell(connection, tenant, user_id, "work.deleted", RecordDeleted(noun=noun.name, id=record_id))
    return len(owners)


def _tell(connection: Connection, noun: Noun[Any], tenant: str, values: Mapping[str, Any], type_: str) -> None:
    if noun.name not in _TOLD_APART:
        tell(connection, tenant, values["user_id"], type_, RecordAdded(noun=noun.name, id=values["id"]))


def let_go(connection: Connection, column: Column[Any], tenant: str, record_id: str) -> None:
    """Make those that belong to a record belong to none."""
    table = column.table
    mine = (table.c.tenant == tenant, column == record_id)
    connection.execute(update(table).where(*mine).values({column.name: None}))


def _these(noun: Noun[Any], tenant: str, ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(noun.table.c.tenant == tenant, noun.table.c.id.in_(ids))


def _selected(noun: Noun[Any]) -> list[ColumnElement[Any]]:
    return [noun.table.c[field.name] for field in fields(noun.value)]


def _columns(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}
