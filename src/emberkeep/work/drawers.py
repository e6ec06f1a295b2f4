"""`memory.preferences`, `memory.persona` and `memory.agents`: values by name, the latest of which counts."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput, NotFound
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.item import Receipt
from emberkeep.model.sameness import content_hash
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.model.work import AgentState, Entry
from emberkeep.storage import entries, shelves
from emberkeep.storage.entries import Drawer
from emberkeep.storage.shelves import State
from emberkeep.work.desk import Desk, as_text

MAX_KEY_CHARS = 200
MAX_VALUE_CHARS = 100_000


class _Drawer:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def _entry(self, key: object, value: object, scope: Scope) -> Entry:
        plain = self._desk.plain(value)
        if len(as_text(plain)) > MAX_VALUE_CHARS:
            raise InvalidInput(f"the value of {key!r} has over {MAX_VALUE_CHARS:,} characters: keep it as a memory")
        return Entry(_key(key), plain, scope.user_id, scope.agent_id, self._desk.now())

    def _read(self, drawer: Drawer, key: object, user_id: str | None, agent_id: str | None) -> Entry | None:
        scope = self._desk.scope(user_id, agent_id, None)
        with self._desk.parts.database.read() as connection:
            return entries.get(connection, drawer, scope, _key(key))

    def _all(self, drawer: Drawer, user_id: str | None, agent_id: str | None) -> list[Entry]:
        for name, value in (("user_id", user_id), ("agent_id", agent_id)):
            checks.scope_id(value, name=name)
        with self._desk.parts.database.read() as connection:
            return entries.listed(
                connection, drawer, Scope(self._desk.tenant, user_id, agent_id), checks.MAX_PAGE_LIMIT
            )


class Preferences(_Drawer):
    """What a user wants, by name. Searches find it too."""

    def set(self, key: str, value: Any, *, user_id: str | None = None, agent_id: str | None = None) -> Entry:
        """Set a preference; the former value stays in its history."""
        desk = self._desk
        scope = desk.scope(user_id, agent_id, None)
        entry = self._entry(key, value, scope)

        def job(connection: Connection) -> tuple[Entry, list[Kept]]:
            desk.hold(connection, scope)
            entries.put(connection, desk.tenant, "preference", entry)
            said = f"{entry.key}: {as_text(entry.value) or 'nothing'}"
            draft = desk.draft(_record(entry), "preference", said, scope, at=entry.updated_at, about={"key": entry.key})
            return entry, desk.told(connection, draft)

        return desk.write_told(job)

    def get(self, key: str, default: Any = None, *, user_id: str | None = None, agent_id: str | None = None) -> Any:
        """The value of a preference, or the default."""
        found = self._read("preference", key, user_id, agent_id)
        return default if found is None else found.value

    def all(self, *, user_id: str | None = None, agent_id: str | None = None) -> dict[str, Any]:
        """All preferences by name."""
        return {entry.key: entry.value for entry in self._all("preference", user_id, agent_id)}

    def delete(self, key: str, *, user_id: str | None = None, agent_id: str | None = None) -> Receipt:
        """Remove a preference for good."""
        desk = self._desk
        scope = desk.scope(user_id, agent_id, None)
        entry = self._entry(key, None, scope)

        def job(connection: Connection) -> tuple[Receipt, list[State]]:
            if not entries.remove(connection, "preference", scope, entry.key):
                raise NotFound(f"no preference {key!r}")
            rows, owners = desk.erased(connection, _record(entry), scope.shelf)
            return Receipt({**rows, "entries": 1}), shelves.states(connection, desk.tenant, owners)

        return desk.after_erasing(desk.write(job))


class Persona(_Drawer):
    """The state of a persona, by name: its mood, its voice, what it is up to."""

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
        """The whole state by name."""
        return {entry.key: entry.value for entry in self._all("persona", user_id, agent_id)}

    def delete(self, key: str, *, agent_id: str | None = None, user_id: str | None = None) -> Receipt:
        """Remove a part of the state for good."""
        scope = self._desk.scope(user_id, agent_id, None)
        gone = self._desk.write(lambda connection: entries.remove(connection, "persona", scope, _key(key)))
        if not gone:
            raise NotFound(f"no persona state {key!r}")
        return Receipt({"entries": gone})


class Agents(_Drawer):
    """What each agent is doing."""

    def save(self, agent_id: str, status: str = "idle", state: Mapping[str, Any] | None = None) -> AgentState:
        """Say what an agent is doing, and what it keeps in mind."""
        known = {"status": self._desk.text(status, "status"), "state": self._desk.metadata(state)}
        entry = self._entry(agent_id, known, self._desk.scope(None, None, None))
        self._desk.write(lambda connection: entries.put(connection, self._desk.tenant, "agent", entry))
        return _agent(entry)

    def get(self, agent_id: str) -> AgentState:
        """What one agent is doing."""
        found = self._read("agent", agent_id, None, None)
        if found is None:
            raise NotFound(f"no agent {agent_id!r}")
        return _agent(found)

    def list(self, *, status: str | None = None) -> list[AgentState]:
        """What all agents, or those with a status, are doing."""
        found = [_agent(entry) for entry in self._all("agent", EVERYONE, EVERYONE)]
        return [agent for agent in found if status is None or agent.status == status]

    def delete(self, agent_id: str) -> Receipt:
        """Remove what is known of an agent's state."""
        scope = self._desk.scope(None, None, None)
        gone = self._desk.write(lambda connection: entries.remove(connection, "agent", scope, _key(agent_id)))
        if not gone:
            raise NotFound(f"no agent {agent_id!r}")
        return Receipt({"entries": gone})


def _key(value: object) -> str:
    clean = checks.scope_id(value, name="key")
    if clean is None:
        raise InvalidInput("key is missing: pass a name")
    if len(clean) > MAX_KEY_CHARS:
        raise InvalidInput(f"key has {len(clean)} characters, the limit is {MAX_KEY_CHARS}")
    return clean


def _record(entry: Entry) -> str:
    if entry.agent_id is None:
        return f"preference:{entry.key}"
    return f"preference:{content_hash(entry.key, entry.agent_id).hex()}"  # both together may be too long


def _agent(entry: Entry) -> AgentState:
    return AgentState(entry.key, entry.value["status"], entry.value["state"], entry.updated_at)
