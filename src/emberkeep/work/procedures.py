"""`memory.procedures`: how things are done, step by step."""

from builtins import list as listing
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput
from emberkeep.lifecycle.keep import Kept
from emberkeep.model.collection import Procedure
from emberkeep.model.item import Receipt
from emberkeep.model.many import Listed
from emberkeep.model.recall import Within
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import Found
from emberkeep.storage.records import PROCEDURES
from emberkeep.work.desk import Desk

MAX_STEPS = 1_000


class Procedures:
    """Procedures: each has a name, a description, and steps."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def save(
        self,
        name: str,
        description: str = "",
        *,
        steps: Iterable[Any] = (),
        id: str | None = None,  # noqa: A002 - as in the other verbs
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Procedure:
        """Save a procedure, replacing the one with this id; a step is a text, or any JSON value."""
        desk, now = self._desk, self._desk.now()
        scope = desk.scope(user_id, agent_id, session_id)
        procedure = Procedure(
            id=desk.identity(id),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            name=desk.text(name, "name"),
            description=desk.words(description, "description"),
            steps=tuple(_step(desk, step) for step in _listed(steps)),
            metadata=desk.metadata(metadata),
            created_at=now,
            updated_at=now,
        )

        def job(connection: Connection) -> tuple[Procedure, listing[Kept]]:
            kept = desk.saved(
                connection, PROCEDURES, procedure, lambda former: replace(procedure, created_at=former.created_at)
            )
            return kept, self._told(connection, kept)

        return desk.write_told(job)

    def get(self, id: str) -> Procedure:  # noqa: A002 - as in the other verbs
        """One procedure."""
        return self._desk.get(PROCEDURES, id)

    def find(self, query: str, *, limit: int = 5, **within: Unpack[Within]) -> listing[Found[Procedure]]:
        """Procedures relevant to a query, best first."""
        return self._desk.find(("procedure",), [PROCEDURES], query, limit, within)

    def list(
        self,
        *,
        name: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Procedure]:
        """Procedures, the one that changed last first."""
        return self._desk.listed(PROCEDURES, {"name": name, "user_id": user_id}, limit, cursor=cursor)

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a procedure for good."""
        return self._desk.delete(PROCEDURES, id)

    def _told(self, connection: Connection, procedure: Procedure) -> listing[Kept]:
        about = {"procedure_id": procedure.id, "name": procedure.name[:1_000]}
        draft = self._desk.draft(
            f"procedure:{procedure.id}",
            "procedure",
            procedure.told,
            procedure,
            at=procedure.created_at,
            about=about,
        )
        return self._desk.told(connection, draft)


def _listed(steps: object) -> listing[object]:
    if isinstance(steps, str | bytes | Mapping) or not isinstance(steps, Iterable):
        raise InvalidInput("steps must be a list, in order")
    found = [*steps]
    if len(found) > MAX_STEPS:
        raise InvalidInput(f"{len(found):,} steps, the limit is {MAX_STEPS:,}")
    return found


def _step(desk: Desk, step: object) -> Any:
    return desk.text(step, "a step") if isinstance(step, str) else desk.plain(step)
