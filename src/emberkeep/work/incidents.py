"""`memory.incidents`: what went wrong, and what was done about it."""

from builtins import list as listing
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.errors import Conflict
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.collection import Impact, Incident, impact_named
from emberkeep.model.item import Receipt
from emberkeep.model.many import Listed
from emberkeep.model.recall import Within
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.model.work import Found
from emberkeep.storage import records, schema
from emberkeep.storage.records import INCIDENTS
from emberkeep.work.desk import Desk


class Incidents:
    """Incidents: open from when they are reported until they are resolved."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def report(
        self,
        title: str,
        description: str = "",
        *,
        severity: Impact = "medium",
        cause: str = "",
        resolution: str = "",
        occurred_at: datetime | str | None = None,
        id: str | None = None,  # noqa: A002 - as in the other verbs
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Incident:
        """Report an incident; it is open, unless its resolution is known already."""
        desk, now = self._desk, self._desk.now()
        scope = desk.scope(user_id, agent_id, session_id)
        ended = desk.words(resolution, "resolution")
        incident = Incident(
            id=desk.identity(id),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            title=desk.text(title, "title"),
            description=desk.words(description, "description"),
            severity=impact_named(severity),
            cause=desk.words(cause, "cause"),
            resolution=ended,
            occurred_at=checks.moment(occurred_at, name="occurred_at") or now,
            metadata=desk.metadata(metadata),
            created_at=now,
            updated_at=now,
            resolved_at=now if ended else None,
        )

        def job(connection: Connection) -> tuple[Incident, listing[Kept]]:
            desk.hold(connection, scope)
            if records.get(connection, INCIDENTS, desk.tenant, incident.id) is not None:
                raise Conflict(f"incident {incident.id!r} is reported already: leave the id out, or resolve it")
            records.put(connection, INCIDENTS, desk.tenant, incident)
            return incident, self._told(connection, incident)

        return desk.write_told(job)

    def resolve(self, id: str, resolution: str, *, cause: str | None = None) -> Incident:  # noqa: A002 - as elsewhere
        """Say what was done about an incident, and its cause if that is known only now."""
        desk = self._desk
        changes: dict[str, Any] = {"resolution": desk.text(resolution, "resolution")}
        if cause is not None:
            changes["cause"] = desk.text(cause, "cause")

        def job(connection: Connection) -> tuple[Incident, listing[Kept]]:
            former = desk.existing(connection, INCIDENTS, id)
            desk.hold(connection, Scope(desk.tenant, former.user_id))
            former = desk.existing(connection, INCIDENTS, id)  # read again, now that nobody else can change it
            if not former.is_open:
                raise Conflict(f"incident {id!r} is resolved already: report a new one if it happened again")
            now = desk.now()
            changed = replace(former, **changes, updated_at=now, resolved_at=now)
            records.replace(connection, INCIDENTS, desk.tenant, changed)
            return changed, self._told(connection, changed)

        return desk.write_told(job)

    def get(self, id: str) -> Incident:  # noqa: A002 - as in the other verbs
        """One incident."""
        return self._desk.get(INCIDENTS, id)

    def similar(self, query: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Incident]]:
        """Incidents like this one, best first."""
        return self._desk.find(("incident",), [INCIDENTS], query, limit, within)

    def list(
        self,
        *,
        open: bool | None = None,  # noqa: A002 - what it asks for
        severity: Impact | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Incident]:
        """Incidents, the latest first; `open=True` leaves out those that are resolved, `open=False` the others."""
        where: dict[str, Any] = {"user_id": user_id, "severity": None if severity is None else impact_named(severity)}
        columns = schema.incidents.c
        if open is not None:
            unresolved = checks.flag(open, "open")
            where["resolved_at"] = columns.resolved_at.is_(None) if unresolved else columns.resolved_at.is_not(None)
        return self._desk.listed(INCIDENTS, where, limit, by=(columns.occurred_at,), cursor=cursor)

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove an incident for good."""
        return self._desk.delete(INCIDENTS, id)

    def _told(self, connection: Connection, incident: Incident) -> listing[Kept]:
        about = {"incident_id": incident.id, "severity": incident.severity, "open": incident.is_open}
        draft = self._desk.draft(
            f"incident:{incident.id}", "incident", incident.told, incident, at=incident.occurred_at, about=about
        )
        return self._desk.told(connection, draft)
