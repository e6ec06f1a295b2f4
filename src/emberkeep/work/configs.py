"""`memory.configs`: the history of configuration values."""

from builtins import list as listing
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.collection import ConfigChange, said_of
from emberkeep.model.item import Receipt
from emberkeep.model.many import Listed
from emberkeep.model.scope import EVERYONE
from emberkeep.storage import records, schema
from emberkeep.storage.records import CONFIGS
from emberkeep.work.desk import Desk

MAX_VALUE_CHARS = 100_000
_LATEST = (schema.config_changes.c.occurred_at, schema.config_changes.c.created_at)


class Configs:
    """Configuration changes: the key, the old and the new value, who changed it, why and when."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def record(
        self,
        key: str,
        old: Any,
        new: Any,
        *,
        who: str = "",
        why: str = "",
        occurred_at: datetime | str | None = None,
        id: str | None = None,  # noqa: A002 - as in the other verbs
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> ConfigChange:
        """Write down that a key changed; `None` stands for no value, before it was set or after it was removed."""
        desk, now = self._desk, self._desk.now()
        scope = desk.scope(user_id, agent_id, session_id)
        change = ConfigChange(
            id=desk.identity(id),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            key=_key(key),
            old=self._value(key, old),
            new=self._value(key, new),
            who=desk.words(who, "who"),
            why=desk.words(why, "why"),
            occurred_at=checks.moment(occurred_at, name="occurred_at") or now,
            metadata=desk.metadata(metadata),
            created_at=now,
            updated_at=now,
        )

        def job(connection: Connection) -> tuple[ConfigChange, listing[Kept]]:
            desk.hold(connection, scope)
            if records.get(connection, CONFIGS, desk.tenant, change.id) is not None:
                raise InvalidInput(f"change {change.id!r} is recorded already: leave the id out")
            records.put(connection, CONFIGS, desk.tenant, change)
            about = {"config_id": change.id, "key": change.key, "who": change.who[:1_000]}
            draft = desk.draft(f"config:{change.id}", "config", change.told, change, at=change.occurred_at, about=about)
            return change, desk.told(connection, draft)

        return desk.write_told(job)

    def get(self, id: str) -> ConfigChange:  # noqa: A002 - as in the other verbs
        """One change."""
        return self._desk.get(CONFIGS, id)

    def history(self, key: str, *, user_id: str | None = EVERYONE, limit: int = 100) -> listing[ConfigChange]:
        """The changes of a key, oldest first; if there are more than `limit`, the latest of them."""
        return self.list(key=_key(key), user_id=user_id, limit=limit)[::-1]

    def current(
        self, key: str, *, as_of: datetime | str | None = None, user_id: str | None = EVERYONE
    ) -> ConfigChange | None:
        """The change that set a key's current value, or its value at the time `as_of`; `None` if none is known."""
        where: dict[str, Any] = {"key": _key(key), "user_id": user_id}
        then = checks.moment(as_of, name="as_of") or self._desk.now()
        where["occurred_at"] = schema.config_changes.c.occurred_at <= then
        return next(iter(self._desk.listed(CONFIGS, where, 1, by=_LATEST)), None)

    def list(
        self,
        *,
        key: str | None = None,
        who: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[ConfigChange]:
        """Changes, the latest first."""
        where = {"key": key, "who": who, "user_id": user_id}
        return self._desk.listed(CONFIGS, where, limit, by=_LATEST, cursor=cursor)

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a change for good."""
        return self._desk.delete(CONFIGS, id)

    def _value(self, key: str, value: object) -> Any:
        plain = self._desk.plain(value)
        if len(said_of(plain)) > MAX_VALUE_CHARS:
            raise InvalidInput(f"a value of {key!r} has over {MAX_VALUE_CHARS:,} characters: keep it as a document")
        return plain


def _key(value: object) -> str:
    key = checks.scope_id(value, name="key")
    if key is None:
        raise InvalidInput("key is None: name what is configured")
    return key
