"""`memory.audit_log`: the administrative actions on a store, and who took them."""

from builtins import list as listing
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from emberkeep.clock import Clock
from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.model.access import LOCAL, AuditEntry
from emberkeep.model.ids import new_id
from emberkeep.storage import audit_log
from emberkeep.storage.database import Database


class AuditLog:
    """Administrative actions on a store: keys made and revoked, and whatever else a service records."""

    def __init__(self, database: Database, clock: Clock, tenant: str) -> None:
        self._database = database
        self._clock = clock
        self._tenant = tenant

    def record(
        self, action: str, what: Mapping[str, Any] | None = None, *, who: str = LOCAL, user_id: str | None = None
    ) -> AuditEntry:
        """Record that someone (a key's id, or "local") took an action such as `memory.erased`.

        `what` gives details as ids, names and counts, and must not hold anything that was said: the log outlives it.
        With a `user_id` the entry is about that user, and is removed when the user is erased.
        """
        made = entry(action, what, who=who, user_id=user_id, now=self._clock.now())
        self._database.write(lambda connection: audit_log.add(connection, self._tenant, made))
        return made

    def list(
        self, limit: int = 100, *, action: str | None = None, since: datetime | str | None = None
    ) -> listing[AuditEntry]:
        """The entries, latest first; only those of one action, or since a time, if given."""
        most = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        wanted = checks.scope_id(action, name="action")
        began = checks.moment(since, name="since")
        with self._database.read() as connection:
            return audit_log.listed(connection, self._tenant, most, action=wanted, since=began)


def entry(action: object, what: object, *, who: object = LOCAL, user_id: object = None, now: datetime) -> AuditEntry:
    """A checked entry, to be written in the same transaction as the change that it records."""
    return AuditEntry(
        id=new_id(now),
        at=now,
        who=_named(who, "who"),
        action=_named(action, "action"),
        user_id=checks.owner_id(user_id),
        what=checks.metadata(what),
    )


def _named(value: object, name: str) -> str:
    named = checks.scope_id(value, name=name)
    if named is None:
        raise InvalidInput(f"{name} is missing: an entry says who did what")
    return named
