"""The outbox: events written in the transaction of the change, who wants them, and what was not delivered yet.

While a job runs, the connection carries a box, and `tell` puts events into it. A job that is run again starts with a
new one, and one that fails leaves nothing behind. Without a box nobody listens, and `tell` does nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from emberkeep.model.events import Event, Undeliverable, Webhook
from emberkeep.model.ids import first_id, new_id
from emberkeep.storage.batches import AT_ONCE
from emberkeep.storage.driver import run
from emberkeep.storage.schema import deliveries, listeners, outbox

STREAM = "stream"  # the sink that is one for all tenants; a webhook's name is its id
LONGEST_WAIT = timedelta(days=2)  # nothing is put off for as long: what is due later, a clock that was ahead put off
_BOX = "emberkeep.events"
Wants = Callable[[str], bool]
_keep = insert(outbox)
_owe = insert(deliveries)


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is told of a tenant's changes beside the subscribers in this process."""

    webhooks: tuple[Webhook, ...] = ()
    watched: bool = False


@dataclass(slots=True)
class Box:
    """What a job has to tell."""

    audiences: Mapping[str, Audience]
    at: datetime
    streamed: bool
    kept: bool
    events: list[Event] = field(default_factory=list)

    def write(self, connection: Connection) -> None:
        """Write the events that anyone outside of this process wants, and to whom each is to go."""
        for event in self.events:
            audience = self.audiences.get(event.tenant)
            if audience is None and not (self.streamed or self.kept):
                continue
            run(connection, _keep, _row(event))
            sinks = [STREAM] if self.streamed else []
            sinks += [one.id for one in audience.webhooks if one.wants(event.type)] if audience else []
            for sink in sinks:
                run(connection, _owe, _owed(event, sink))


@dataclass(frozen=True, slots=True)
class Undelivered:
    """An event that a sink is owed, and how often that was tried."""

    event: Event
    attempts: int


@contextmanager
def carried(connection: Connection, box: Box) -> Iterator[None]:
    """Let a connection carry a box for a while."""
    info = connection.info  # not to be had in the end if the connection was lost meanwhile
    info[_BOX] = box
    try:
        yield
    finally:
        del info[_BOX]


def tell(connection: Connection, tenant: str, user_id: str | None, type_: str, payload: Mapping[str, object]) -> None:
    """Tell of a change that the transaction makes, if anyone listens."""
    box: Box | None = connection.info.get(_BOX)
    if box is not None:
        box.events.append(Event(new_id(box.at), type_, box.at, tenant, user_id or None, payload))


# Who listens.


def audiences(connection: Connection, now: datetime, tenant: str | None = None) -> dict[str, Audience]:
    """The webhooks of each tenant, or of one, and whether someone watches."""
    query = select(listeners).where(or_(listeners.c.until.is_(None), listeners.c.until > now))
    if tenant is not None:
        query = query.where(listeners.c.tenant == tenant)
    found: dict[str, Audience] = {}
    for row in connection.execute(query):
        former = found.get(row.tenant, Audience())
        if row.kind == "webhook":
            found[row.tenant] = Audience((*former.webhooks, _webhook(row)), former.watched)
        else:
            found[row.tenant] = Audience(former.webhooks, watched=True)
    return found


def webhooks(connection: Connection, tenant: str) -> list[Webhook]:
    """A tenant's webhooks, oldest first."""
    where = (listeners.c.tenant == tenant, listeners.c.kind == "webhook")
    return [_webhook(row) for row in connection.execute(select(listeners).where(*where).order_by(listeners.c.id))]


def add_webhook(connection: Connection, tenant: str, webhook: Webhook) -> None:
    """From now on, tell someone."""
    row = _listener(tenant, webhook.id, webhook.created_at)
    told = {"kind": "webhook", "url": webhook.url, "secret": webhook.secret, "types": [*webhook.types]}
    connection.execute(insert(listeners), {**row, **told})


def watch(connection: Connection, tenant: str, watcher_id: str, now: datetime, until: datetime) -> None:
    """Keep events until then, for someone who reads the outbox."""
    remove_listener(connection, tenant, watcher_id)
    connection.execute(insert(listeners), {**_listener(tenant, watcher_id, now), "kind": "watcher", "until": until})


def remove_listener(connection: Connection, tenant: str, listener_id: str) -> int:
    """Tell them no more, also not of what waits; how many there were."""
    owed = (deliveries.c.tenant == tenant, deliveries.c.sink == listener_id)
    connection.execute(delete(deliveries).where(*owed))
    gone = delete(listeners).where(listeners.c.tenant == tenant, listeners.c.id == listener_id)
    return connection.execute(gone).rowcount


# Delivering.


def owed(connection: Connection, now: datetime, tenant: str | None = None) -> list[tuple[str, str]]:
    """Tenants and sinks for which something is due."""
    query = select(deliveries.c.tenant, deliveries.c.sink).where(~deliveries.c.failed, _due(now))
    if tenant is not None:
        query = query.where(deliveries.c.tenant == tenant)
    return [(row[0], row[1]) for row in connection.execute(query.distinct())]


def take(
    connection: Connection, tenant: str, sink: str, limit: int, *, holder: str, now: datetime, until: datetime
) -> list[Undelivered]:
    """Lease the oldest events that a sink is owed; none while another holds some, so that they stay in order."""
    mine = (deliveries.c.tenant == tenant, deliveries.c.sink == sink, ~deliveries.c.failed)
    query = (
        select(deliveries.c.event_id, deliveries.c.attempts)
        .where(*mine, _due(now))
        .order_by(deliveries.c.event_id)
        .limit(limit)
        .with_for_update()
    )
    attempts = {row[0]: row[1] for row in connection.execute(query)}
    # Asked after the rows are locked: whoever was faster is seen by now.
    due_at = deliveries.c.due_at
    another = and_(deliveries.c.holder.is_not(None), due_at > now, due_at <= now + 2 * (until - now))
    held = select(deliveries.c.event_id).where(*mine, another)  # for longer only by a clock that was ahead
    if not attempts or connection.execute(held.limit(1)).first():
        return []
    leased = update(deliveries).where(_these(tenant, sink, list(attempts)))
    connection.execute(leased.values(holder=holder, due_at=until))
    rows = connection.execute(
        select(outbox).where(outbox.c.tenant == tenant, outbox.c.id.in_(attempts)).order_by(outbox.c.id)
    )
    return [Undelivered(_event(row), attempts[row.id]) for row in rows]


def delivered(connection: Connection, tenant: str, sink: str, ids: Sequence[str]) -> None:
    """A sink has these; nothing is owed any more."""
    if ids:
        connection.execute(delete(deliveries).where(_these(tenant, sink, ids)))


def drop_orphans(connection: Connection, tenant: str | None = None, sink: str | None = None) -> int:
    """Drop what is owed to webhooks that are gone: a process that had not noticed yet still wrote it down for them."""
    known = and_(
        listeners.c.tenant == deliveries.c.tenant, listeners.c.id == deliveries.c.sink, listeners.c.kind == "webhook"
    )
    orphans = [deliveries.c.sink != STREAM, ~select(listeners.c.id).where(known).exists()]
    orphans += [] if tenant is None else [deliveries.c.tenant == tenant]
    orphans += [] if sink is None else [deliveries.c.sink == sink]
    return connection.execute(delete(deliveries).where(*orphans)).rowcount


def put_off(
    connection: Connection,
    tenant: str,
    sink: str,
    event_id: str,
    *,
    attempts: int,
    due_at: datetime,
    reason: str,
    failed: bool,
) -> None:
    """One could not be delivered: it is tried again later, or never."""
    values = {"attempts": attempts, "due_at": due_at, "reason": reason, "failed": failed, "holder": None}
    connection.execute(update(deliveries).where(_these(tenant, sink, [event_id])).values(**values))


def release(connection: Connection, tenant: str, sink: str, holder: str, now: datetime) -> None:
    """Give back what a holder did not get to."""
    mine = (deliveries.c.tenant == tenant, deliveries.c.sink == sink, deliveries.c.holder == holder)
    connection.execute(update(deliveries).where(*mine).values(holder=None, due_at=now))


def prune(connection: Connection, before: datetime) -> int:
    """Drop old events, of all tenants; what the stream is owed stays, what a webhook did not take in time goes."""
    wanted = and_(
        deliveries.c.tenant == outbox.c.tenant, deliveries.c.event_id == outbox.c.id, deliveries.c.sink == STREAM
    )
    query = select(outbox.c.tenant, outbox.c.id).where(
        outbox.c.at < before, ~select(deliveries.c.sink).where(wanted).exists()
    )
    gone: dict[str, list[str]] = {}
    for tenant, event_id in connection.execute(query.limit(AT_ONCE)):
        gone.setdefault(tenant, []).append(event_id)
    return sum(
        connection.execute(delete(outbox).where(outbox.c.tenant == tenant, outbox.c.id.in_(ids))).rowcount
        for tenant, ids in gone.items()
    )


# Looking.


def recent(connection: Connection, tenant: str, limit: int, wants: Wants) -> list[Event]:
    """The latest events that are wanted, oldest first."""
    found: list[Event] = []
    query = select(outbox).where(outbox.c.tenant == tenant).order_by(outbox.c.id.desc())
    with connection.execute(query.execution_options(yield_per=AT_ONCE)) as rows:
        for row in rows:
            if wants(row.type):
                found.append(_event(row))
            if len(found) == limit:
                break
    return found[::-1]


def since(connection: Connection, tenant: str, moment: datetime) -> list[Event]:
    """The events from a moment on, oldest first."""
    query = select(outbox).where(outbox.c.tenant == tenant, outbox.c.id >= first_id(moment)).order_by(outbox.c.id)
    return [_event(row) for row in connection.execute(query)]


def undeliverable(connection: Connection, tenant: str, limit: int) -> list[Undeliverable]:
    """Events that were given up on, the latest first."""
    query = (
        select(outbox, deliveries.c.sink, deliveries.c.attempts, deliveries.c.reason)
        .join(deliveries, and_(deliveries.c.tenant == outbox.c.tenant, deliveries.c.event_id == outbox.c.id))
        .where(deliveries.c.tenant == tenant, deliveries.c.failed)
        .order_by(outbox.c.id.desc())
        .limit(limit)
    )
    rows = connection.execute(query)
    return [Undeliverable(_event(row), row.sink, row.attempts, row.reason) for row in rows]


def count(connection: Connection, tenant: str) -> dict[Literal["waiting", "failed"], int]:
    """How many deliveries wait, and how many were given up."""
    query = select(deliveries.c.failed, func.count()).where(deliveries.c.tenant == tenant).group_by(deliveries.c.failed)
    counted = {bool(row[0]): int(row[1]) for row in connection.execute(query)}
    return {"waiting": counted.get(False, 0), "failed": counted.get(True, 0)}


def _due(now: datetime) -> ColumnElement[bool]:
    """What was not tried yet, whatever the clock said when it was told; and what was put off until now."""
    fresh = and_(deliveries.c.attempts == 0, deliveries.c.holder.is_(None))
    return or_(fresh, deliveries.c.due_at <= now, deliveries.c.due_at > now + LONGEST_WAIT)


def _listener(tenant: str, listener_id: str, now: datetime) -> dict[str, Any]:
    empty: dict[str, Any] = {"url": "", "secret": "", "types": [], "until": None}
    return {"tenant": tenant, "id": listener_id, "created_at": now, **empty}


def _row(event: Event) -> dict[str, Any]:
    return {
        "tenant": event.tenant, "id": event.id, "type": event.type, "at": event.at, "user_id": event.user_id,
        "payload": dict(event.payload),
    }  # fmt: skip


def _owed(event: Event, sink: str) -> dict[str, Any]:
    return {
        "tenant": event.tenant, "sink": sink, "event_id": event.id, "attempts": 0, "due_at": event.at,
        "holder": None, "failed": False, "reason": None,
    }  # fmt: skip


def _these(tenant: str, sink: str, ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(deliveries.c.tenant == tenant, deliveries.c.sink == sink, deliveries.c.event_id.in_(ids))


def _event(row: Any) -> Event:
    return Event(row.id, row.type, row.at, row.tenant, row.user_id, row.payload)


def _webhook(row: Any) -> Webhook:
    return Webhook(row.id, row.url, tuple(row.types), row.created_at, row.secret)
