"""`memory.preferences`, `memory.persona` and `memory.agents`: named values; a new value replaces the old one."""

import hashlib
from builtins import list as listing
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput, NotFound
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.item import Receipt
from emberkeep.model.scope import Scope
from emberkeep.model.work import AgentState, Entry
from emberkeep.storage import entries, shelves
from emberkeep.storage.entries import Drawer
from emberkeep.storage.shelves import State
from emberkeep.work.desk import Desk, as_text

MAX_KEY_CHARS = 200
MAX_VALUE_CHARS = 100_000
MAX_NAME_BYTES = 2_000  # of key, user and agent together: PostgreSQL has all of them in one index


class _Drawer:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def _entry(self, key: object, value: object, scope: Scope) -> Entry:
        (plain,) = self._desk.plain({_key(key): value}).values()  # with its key, which may mark the value as a secret
        if len(as_text(plain)) > MAX_VALUE_CHARS:
            raise InvalidInput(f"the value of {key!r} has over {MAX_VALUE_CHARS:,} characters: keep it as a memory")
        if len(f"{key}{scope.user_id}{scope.agent_id}".encode()) > MAX_NAME_BYTES:
            raise InvalidInput(f"key, user_id and agent_id take over {MAX_NAME_BYTES:,} bytes together: shorten one")
        return Entry(_key(key), plain, scope.user_id, scope.agent_id, self._desk.now())

    def _read(self, drawer: Drawer, key: object, user_id: str | None, agent_id: str | None) -> Entry | None:
        scope = self._desk.scope(user_id, agent_id, None)
        with self._desk.parts.database.read() as connection:
            return entries.get(connection, drawer, scope, _key(key))

    def _all(self, drawer: Drawer, scope: Scope | None) -> list[Entry]:
        with self._desk.parts.database.read() as connection:
            return entries.listed(connection, drawer, self._desk.tenant, scope, checks.MAX_PAGE_LIMIT)

    def _named(self, drawer: Drawer, scope: Scope) -> dict[str, Any]:
        return {entry.key: entry.value for entry in self._all(drawer, scope)}

    def _remove(self, drawer: Drawer, what: str, key: object, scope: Scope) -> Receipt:
        """Remove a value, with the items that it is found by, if any; raises `NotFound` if there is no such value."""
        desk, name = self._desk, _key(key)

        def job(connection: Connection) -> tuple[Receipt, list[State]]:
            desk.hold(connection, scope)
            if not entries.remove(connection, drawer, scope, name):
                raise NotFound(f"no {what} {name!r}")
            rows, owners = desk.erased(connection, _record(drawer, name, scope), scope.shelf)
            return Receipt({**rows, "entries": 1}), shelves.states(connection, desk.tenant, owners)

        return desk.after_erasing(desk.write(job))


class Preferences(_Drawer):
    """A user's preferences by name. Searches find them too."""

    def set(self, key: str, value: Any, *, user_id: str | None = None, agent_id: str | None = None) -> Entry:
        """Set a preference; the former value stays in its history."""
        desk = self._desk
        scope = desk.scope(user_id, agent_id, None)
        entry = self._entry(key, value, scope)

        def job(connection: Connection) -> tuple[Entry, list[Kept]]:
            desk.hold(connection, scope)
            entries.put(connection, desk.tenant, "preference", entry)
            said = f"{entry.key}: {as_text(entry.value) or 'nothing'}"
            record, about = _record("preference", entry.key, scope), {"key": entry.key}
            draft = desk.draft(record, "preference", said, scope, at=entry.updated_at, about=about)
            return entry, desk.told(connection, draft)

        return desk.write_told(job)

    def get(self, key: str, default: Any = None, *, user_id: str | None = None, agent_id: str | None = None) -> Any:
        """The value of a preference, or the default."""
        found = self._read("preference", key, user_id, agent_id)
        return default if found is None else found.value

    def all(self, *, user_id: str | None = None, agent_id: str | None = None) -> dict[str, Any]:
        """All preferences by name."""
        return self._named("preference", self._desk.scope(user_id, agent_id, None))

    def delete(self, key: str, *, user_id: str | None = None, agent_id: str | None = None) -> Receipt:
        """Remove a preference for good."""
        return self._remove("preference", "preference", key, self._desk.scope(user_id, agent_id, None))


class Persona(_Drawer):
    """The state of a persona by name: its mood, its voice, what it is up to."""

    def set(self, key: str, value: Any, *, agent_id: str | None = None, user_id: str | None = None) -> Entry:
        """Set a part of the state."""
        entry = self._entry(key, value, self._desk.scope(user_id, agent_id, None))
        self._desk.write(lambda connection: entries.put(connection, self._desk.tenant, "persona", entry))
        return entry

    def get(self, key: str, default: Any = None, *, agent_id: str | None = None, user_id: str | None = None) -> Any:
        """A part of the state, or the default."""
        found = self._read("persona", key, user_id, agent_id)
        return default if found is None else found.value

    def all(self, *, agent_id: str | None = None, user_id: str | None = None) -> dict[str, Any]:
        """The whole state, by name."""
        return self._named("persona", self._desk.scope(user_id, agent_id, None))

    def delete(self, key: str, *, agent_id: str | None = None, user_id: str | None = None) -> Receipt:
        """Remove a part of the state for good."""
        return self._remove("persona", "persona state", key, self._desk.scope(user_id, agent_id, None))


class Agents(_Drawer):
    """What each agent is doing."""

    def save(self, agent_id: str, status: str = "idle", state: Mapping[str, Any] | None = None) -> AgentState:
        """Say what an agent is doing, and what it keeps in mind."""
        known = {"status": self._desk.text(status, "status"), "state": self._desk.metadata(state)}
        entry = self._entry(agent_id, known, self._desk.scope(None, _key(agent_id), None))
        self._desk.write(lambda connection: entries.put(connection, self._desk.tenant, "agent", entry))
        return _agent(entry)

    def get(self, agent_id: str) -> AgentState:
        """What one agent is doing."""
        found = self._read("agent", agent_id, None, _key(agent_id))
        if found is None:
            raise NotFound(f"no agent {agent_id!r}")
        return _agent(found)

    def list(self, *, status: str | None = None) -> listing[AgentState]:
        """What all agents, or those with a status, are doing."""
        wanted = None if status is None else checks.storable(status, name="status")
        found = [_agent(entry) for entry in self._all("agent", None)]
        return [agent for agent in found if wanted is None or agent.status == wanted]

    def delete(self, agent_id: str) -> Receipt:
        """Remove what is known of an agent's state."""
        return self._remove("agent", "agent", agent_id, self._desk.scope(None, _key(agent_id), None))


def _key(value: object) -> str:
    clean = checks.scope_id(value, name="key")
    if clean is None:
        raise InvalidInput("key is missing: pass a name")
    if len(clean) > MAX_KEY_CHARS:
        raise InvalidInput(f"key has {len(clean)} characters, the limit is {MAX_KEY_CHARS}")
    return clean


def _record(drawer: Drawer, key: str, scope: Scope) -> str:
    if scope.agent_id is None:
        return f"{drawer}:{key}"
    both = hashlib.sha256(f"{scope.agent_id}\0{key}".encode())  # hashed: together they may be too long
    return f"{drawer}:{both.hexdigest()}"


def _agent(entry: Entry) -> AgentState:
    return AgentState(entry.key, entry.value["status"], entry.value["state"], entry.updated_at)
