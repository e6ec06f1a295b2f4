"""Named values: preferences, the state of a persona, the state of an agent."""

from typing import Literal

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from emberkeep.model.events import StateRemoved, StateSet
from emberkeep.model.scope import Scope
from emberkeep.model.work import Entry
from emberkeep.storage import idempotency
from emberkeep.storage.outbox import tell
from emberkeep.storage.schema import entries

Drawer = Literal["preference", "persona", "agent"]
_columns = [entries.c[name] for name in ("key", "value", "user_id", "agent_id", "updated_at")]


def put(connection: Connection, tenant: str, drawer: Drawer, entry: Entry) -> None:
    """Write a value, replacing the one with the same name."""
    connection.execute(delete(entries).where(*_named(drawer, Scope(tenant, entry.user_id, entry.agent_id), entry.key)))
    values = {column.name: getattr(entry, column.name) for column in _columns}
    connection.execute(insert(entries), {"tenant": tenant, "drawer": drawer, **values})
    told = StateSet(drawer=drawer, key=entry.key, agent_id=entry.agent_id)
    tell(connection, tenant, entry.user_id, "state.set", told)


def get(connection: Connection, drawer: Drawer, scope: Scope, key: str) -> Entry | None:
    """One value."""
    query = select(*_columns).where(*_inside(drawer, scope), entries.c.key == key)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else Entry(**row)


def listed(connection: Connection, drawer: Drawer, tenant: str, scope: Scope | None, limit: int) -> list[Entry]:
    """Up to `limit` values of a user and an agent, or of everyone if there is no scope, sorted by name."""
    inside = _drawer(drawer, tenant) if scope is None else _inside(drawer, scope)
    found = [Entry(**row) for row in connection.execute(select(*_columns).where(*inside).limit(limit)).mappings()]
    return sorted(found, key=lambda entry: entry.key)  # here, since each database sorts text in its own order


def remove(connection: Connection, drawer: Drawer, scope: Scope, key: str) -> int:
    """Remove a value; returns how many there were."""
    gone = connection.execute(delete(entries).where(*_named(drawer, scope, key))).rowcount
    if gone:
        idempotency.blank(connection, scope.tenant, [scope.user_id or ""])
        told = StateRemoved(drawer=drawer, key=key, agent_id=scope.agent_id)
        tell(connection, scope.tenant, scope.user_id, "state.removed", told)
    return gone


def _named(drawer: Drawer, scope: Scope, key: str) -> list[ColumnElement[bool]]:
    return [*_inside(drawer, scope), entries.c.key == key]


def _inside(drawer: Drawer, scope: Scope) -> list[ColumnElement[bool]]:
    owner = [entries.c.user_id == (scope.user_id or ""), entries.c.agent_id == (scope.agent_id or "")]
    return [*_drawer(drawer, scope.tenant), *owner]


def _drawer(drawer: Drawer, tenant: str) -> list[ColumnElement[bool]]:
    return [entries.c.tenant == tenant, entries.c.drawer == drawer]
