"""The verbatim log: what was said, word for word. Interactions that wait to be learned from are the backlog.

An interaction is taken from the backlog under a lease: it is due again only when the lease runs out, and only the
holder can finish it or put it off. So two workers never learn from the same interaction, and one that a dead worker
held is taken again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, func, insert, or_, select, update

from emberkeep.model.events import Captured, LearningFailed
from emberkeep.model.interaction import Details, Interaction
from emberkeep.model.item import Source
from emberkeep.model.message import Message, side_of
from emberkeep.model.moment import from_micros, to_micros
from emberkeep.model.recall import Selection
from emberkeep.model.report import Waiting
from emberkeep.model.scope import Scope
from emberkeep.storage.batches import batches
from emberkeep.storage.driver import run
from emberkeep.storage.outbox import LONGEST_WAIT, tell
from emberkeep.storage.schema import interactions

_append = insert(interactions)
_change_held = update(interactions).where(  # sets the columns whose values are given
    interactions.c.tenant == bindparam("owner"),
    interactions.c.id == bindparam("interaction"),
    interactions.c.lease == bindparam("holder"),
    interactions.c.backlog == "waiting",
)
NEVER = "never"  # `learned_by` of an interaction that is not to be learned from


class Lease(NamedTuple):
    """Who holds interactions to work on them, and until when."""

    holder: str
    until: datetime


class Taken(NamedTuple):
    """An interaction to learn from, whether its episodes exist already, and how many attempts have failed before."""

    interaction: Interaction
    has_episodes: bool
    attempts: int


def append(
    connection: Connection,
    interaction: Interaction,
    *,
    episodes: bool,
    waiting: bool,
    lease: Lease | None = None,
    never: bool = False,
) -> None:
    """Write one interaction; if it is `waiting`, the writer may lease it. `never` excludes it from learning."""
    scope = interaction.scope
    run(
        connection,
        _append,
        {
            "tenant": scope.tenant,
            "id": interaction.id,
            "user_id": scope.shelf,
            "agent_id": scope.agent_id or "",
            "session_id": scope.session_id or "",
            "occurred_at": to_micros(interaction.occurred_at),
            "recorded_at": to_micros(interaction.recorded_at),
            "messages": [_plain(message) for message in interaction.messages],
            "tags": interaction.tags,
            "metadata": interaction.metadata,
            "details": None if interaction.details is None else asdict(interaction.details),
            "episodes": episodes,
            "backlog": "waiting" if waiting else None,
            "attempts": 0,
            "due_at": 0 if lease is None else to_micros(lease.until),
            "lease": None if lease is None else lease.holder,
            "reason": None,
            "learned_by": NEVER if never else None,
            "utc_offset": interaction.utc_offset or None,
        },
    )
    told = Captured(
        interaction_id=interaction.id,
        messages=len(interaction.messages),
        agent_id=scope.agent_id,
        session_id=scope.session_id,
    )
    tell(connection, scope.tenant, scope.user_id, "memory.captured", told)


# The backlog.


def take(connection: Connection, tenant: str, limit: int, lease: Lease, *, now: datetime, patient: bool) -> list[Taken]:
    """Lease the oldest interactions that wait. A `patient` caller leaves those that were put off until they are due."""
    too_long = to_micros(now + 2 * (lease.until - now))  # a lease beyond this was given by a clock that was ahead
    free = or_(_due(now), and_(interactions.c.lease.is_not(None), interactions.c.due_at > too_long))
    if not patient:
        free = or_(free, interactions.c.lease.is_(None))
    query = (
        select(interactions)
        .where(interactions.c.tenant == tenant, interactions.c.backlog == "waiting", free)
        .order_by(interactions.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    taken = [Taken(as_interaction(row), row.episodes, row.attempts) for row in connection.execute(query)]
    if taken:
        ids = [leased.interaction.id for leased in taken]
        values = {"lease": lease.holder, "due_at": to_micros(lease.until)}
        connection.execute(update(interactions).where(_these(tenant, ids)).values(**values))
    return taken


def mark_derived(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Record that the messages of these interactions have become episodes."""
    connection.execute(update(interactions).where(_these(tenant, ids)).values(episodes=True))


def finish(connection: Connection, tenant: str, interaction_id: str, holder: str, learned_by: str | None) -> bool:
    """Take an interaction out of the backlog; `False` if it is no longer the holder's, who must then write nothing."""
    asked = {"owner": tenant, "interaction": interaction_id, "holder": holder}
    values = {"backlog": None, "lease": None, "reason": None, "learned_by": learned_by}
    return connection.execute(_change_held, {**asked, **values}).rowcount == 1


def put_off(  # how an attempt ended
    connection: Connection,
    tenant: str,
    interaction_id: str,
    holder: str,
    *,
    until: datetime,
    reason: str,
    attempts: int,
    failed: bool,
) -> None:
    """Give an interaction back: to be tried again later or, if it has `failed`, when someone asks for that."""
    values = {
        "backlog": "failed" if failed else "waiting",
        "lease": None,
        "due_at": to_micros(until),
        "reason": reason,
        "attempts": attempts,
    }
    connection.execute(_change_held, {"owner": tenant, "interaction": interaction_id, "holder": holder, **values})


def blame(connection: Connection, tenant: str, ids: Sequence[str], most: int) -> None:
    """Count a failed attempt for waiting interactions; those that reach `most` attempts are marked as failed."""
    waiting = and_(_these(tenant, ids), interactions.c.backlog == "waiting", interactions.c.lease.is_(None))
    connection.execute(update(interactions).where(waiting).values(attempts=interactions.c.attempts + 1))
    hopeless = and_(waiting, interactions.c.attempts >= most)
    found = connection.execute(select(*interactions.c["id", "user_id", "attempts"]).where(hopeless)).all()
    for row in found:
        told = LearningFailed(interaction_id=row.id, attempts=row.attempts)
        tell(connection, tenant, row.user_id or None, "memory.learning.failed", told)
    connection.execute(update(interactions).where(_these(tenant, [row.id for row in found])).values(backlog="failed"))


def release(connection: Connection, tenant: str, holder: str) -> None:
    """Give back all interactions that a holder still has leased."""
    mine = and_(interactions.c.tenant == tenant, interactions.c.lease == holder, interactions.c.backlog == "waiting")
    connection.execute(update(interactions).where(mine).values(lease=None, due_at=0))


def retry_failed(connection: Connection, tenant: str) -> int:
    """Put failed interactions back into the backlog as new; returns how many."""
    failed = and_(interactions.c.tenant == tenant, interactions.c.backlog == "failed")
    values = {"backlog": "waiting", "attempts": 0, "due_at": 0}
    return connection.execute(update(interactions).where(failed).values(**values)).rowcount


def count_backlog(connection: Connection, tenant: str) -> dict[str, int]:
    """How many interactions wait, and how many failed."""
    query = (
        select(interactions.c.backlog, func.count())
        .where(interactions.c.tenant == tenant, interactions.c.backlog.is_not(None))
        .group_by(interactions.c.backlog)
    )
    return {"waiting": 0, "failed": 0} | {row[0]: row[1] for row in connection.execute(query)}


def backlog(connection: Connection, tenant: str, limit: int) -> list[Waiting]:
    """The interactions in the backlog: the failed ones, then those that wait, each oldest first."""
    query = (
        select(*interactions.c["id", "user_id", "backlog", "attempts", "due_at", "reason"])
        .where(interactions.c.tenant == tenant, interactions.c.backlog.is_not(None))
        .order_by(interactions.c.backlog, interactions.c.id)
        .limit(limit)
    )
    return [
        Waiting(
            interaction_id=row.id,
            user_id=row.user_id or None,
            state=row.backlog,
            attempts=row.attempts,
            due_at=from_micros(row.due_at) if row.due_at else None,
            reason=row.reason,
        )
        for row in connection.execute(query)
    ]


def tenants_waiting(connection: Connection, now: datetime) -> list[str]:
    """Tenants with interactions in the backlog that are due."""
    due = and_(interactions.c.backlog == "waiting", _due(now))
    return list(connection.execute(select(interactions.c.tenant).where(due).distinct()).scalars())


# Reading the log.


def get(connection: Connection, tenant: str, interaction_id: str) -> Interaction | None:
    """One interaction."""
    row = connection.execute(select(interactions).where(_these(tenant, [interaction_id]))).one_or_none()
    return None if row is None else as_interaction(row)


def fetch(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, Interaction]:
    """Interactions by id; ids that do not exist are left out."""
    found: dict[str, Interaction] = {}
    for some in batches(ids):
        rows = connection.execute(select(interactions).where(_these(tenant, some)))
        found |= {row.id: as_interaction(row) for row in rows}
    return found


def before(connection: Connection, interaction: Interaction) -> Interaction | None:
    """The interaction logged before this one in its session, or if it has none, among the user's that have none."""
    scope = interaction.scope
    query = (
        select(interactions)
        .where(
            interactions.c.tenant == scope.tenant,
            interactions.c.user_id == scope.shelf,
            interactions.c.session_id == (scope.session_id or ""),
            interactions.c.id < interaction.id,
        )
        .order_by(interactions.c.id.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else as_interaction(row)


def recent(connection: Connection, selection: Selection, limit: int, *, by_time: bool = True) -> list[Interaction]:
    """The interactions that a selection sees, latest first, by when they occurred or were logged."""
    order = [interactions.c.occurred_at.desc(), interactions.c.id.desc()]
    query = select(interactions).where(_seen(selection)).order_by(*order if by_time else order[1:]).limit(limit)
    return [as_interaction(row) for row in connection.execute(query)]


def after(connection: Connection, tenant: str, interaction_id: str, limit: int) -> list[tuple[Interaction, bool]]:
    """The interactions that were logged after one ("" for the first), in order, each with whether to learn from it.

    A replay is to learn from those that have left the backlog and are not excluded from learning.
    """
    query: Select[Any] = (
        select(interactions)
        .where(interactions.c.tenant == tenant, interactions.c.id > interaction_id)
        .order_by(interactions.c.id)
        .limit(limit)
    )
    return [(as_interaction(row), row.backlog is None and row.learned_by != NEVER) for row in connection.execute(query)]


def texts(connection: Connection, selection: Selection) -> Iterator[str]:
    """What users said in the interactions that a selection sees, word for word."""
    for (messages,) in connection.execute(select(interactions.c.messages).where(_seen(selection))):
        yield from (message["content"] for message in messages if message and side_of(message["role"]) == "user")


def quoted(connection: Connection, tenant: str, wanted: Sequence[Source]) -> set[Source]:
    """Those sources whose quote occurs in the message that they name; sources without a quote are all included."""
    ids = list({source.interaction_id for source in wanted})
    said: dict[str, list[Any]] = {}
    for some in batches(ids):
        query = select(interactions.c.id, interactions.c.messages).where(_these(tenant, some))
        said |= {row[0]: row[1] for row in connection.execute(query)}
    return {source for source in wanted if _holds(said.get(source.interaction_id), source)}


def sessions(connection: Connection, selection: Selection, limit: int) -> list[tuple[str, str, int, int, int]]:
    """User, session, number of interactions, first and last time of each session, the last active session first."""
    last = func.max(interactions.c.occurred_at)
    query = (
        select(
            interactions.c.user_id,
            interactions.c.session_id,
            func.count(),
            func.min(interactions.c.occurred_at),
            last,
        )
        .where(_seen(selection), interactions.c.session_id != "")
        .group_by(interactions.c.user_id, interactions.c.session_id)
        .order_by(last.desc(), interactions.c.session_id)
        .limit(limit)
    )
    return [tuple(row) for row in connection.execute(query)]


def _holds(messages: list[Any] | None, source: Source) -> bool:
    if source.quote is None:  # nothing to look up: an episode, or learned without logging
        return True
    if messages is None or source.position >= len(messages) or messages[source.position] is None:
        return False
    return source.quote in messages[source.position]["content"]


def _these(tenant: str, ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(interactions.c.tenant == tenant, interactions.c.id.in_(ids))


def _due(now: datetime) -> ColumnElement[bool]:
    at = interactions.c.due_at
    return or_(at <= to_micros(now), at > to_micros(now + LONGEST_WAIT))


def _seen(selection: Selection) -> ColumnElement[bool]:
    where: list[ColumnElement[bool]] = [interactions.c.tenant == selection.tenant]
    if selection.shelves is not None:
        where.append(interactions.c.user_id.in_(selection.shelves))
    if selection.agent_id is not None:
        where.append(interactions.c.agent_id == selection.agent_id)
    if selection.session_id is not None:
        where.append(interactions.c.session_id == selection.session_id)
    if selection.since is not None:
        where.append(interactions.c.occurred_at >= to_micros(selection.since))
    if selection.until is not None:
        where.append(interactions.c.occurred_at <= to_micros(selection.until))
    return and_(*where)


def as_interaction(row: Any) -> Interaction:
    """The interaction in a row of the log, whose JSON is already parsed."""
    return Interaction(
        id=row.id,
        scope=Scope(row.tenant, row.user_id or None, row.agent_id or None, row.session_id or None),
        messages=tuple(_message(plain) for plain in row.messages),
        occurred_at=from_micros(row.occurred_at),
        recorded_at=from_micros(row.recorded_at),
        tags=tuple(row.tags),
        metadata=row.metadata,
        details=None if row.details is None else _details(row.details),
        utc_offset=row.utc_offset or 0,
    )


def _details(plain: dict[str, Any]) -> Details:
    lists = {name: tuple(plain[name]) for name in ("llm_messages", "tool_calls")}
    return Details(**{**plain, **lists})


def _message(plain: dict[str, Any] | None) -> Message:
    if plain is None:  # deleted; its place is kept, so that the positions in sources stay right
        return Message("deleted", "")
    stamp = plain.get("timestamp")
    return Message(
        role=plain["role"],
        content=plain["content"],
        name=plain.get("name"),
        id=plain.get("id"),
        timestamp=None if stamp is None else datetime.fromisoformat(stamp),
        tool_calls=tuple(plain.get("tool_calls", ())),
        tool_call_id=plain.get("tool_call_id"),
    )


def _plain(message: Message) -> dict[str, Any]:
    fields = {"role": message.role, "content": message.content, "name": message.name, "id": message.id}
    fields["tool_call_id"] = message.tool_call_id
    plain: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    if message.timestamp is not None:
        plain["timestamp"] = message.timestamp.isoformat()
    if message.tool_calls:
        plain["tool_calls"] = list(message.tool_calls)
    return plain
