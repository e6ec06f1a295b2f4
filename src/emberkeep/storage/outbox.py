"""The outbox: events written in the transaction of the change, their listeners, and the deliveries that are owed.

While a job runs, its connection carries a box, and `tell` puts events into it. A job that is run again starts with a
new box, and one that fails leaves no events. Without a box nobody listens, and `tell` does nothing.
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

STREAM = "stream"  # the name of the sink that all tenants share; the sink of a webhook is named by its id
LONGEST_WAIT = timedelta(days=2)  # no delivery is put off this long, except by a clock that was ahead
_BOX = "emberkeep.events"  # the key of the box in `Connection.info`
Wants = Callable[[str], bool]  # whether a type of event is wanted
_add_event = insert(outbox)
_add_delivery = insert(deliveries)


@dataclass(frozen=True, slots=True)
class Audience:
    """The listeners to a tenant's changes, apart from subscribers in this process."""

    webhooks: tuple[Webhook, ...] = ()
    watched: bool = False  # whether anybody reads the outbox from time to time


@dataclass(slots=True)
class Box:
    """The events of a job, and who is to have them."""

    audiences: Mapping[str, Audience]  # by tenant
    at: datetime
    streamed: bool  # whether there is a stream, which gets all events
    kept: bool  # whether events are written even if nobody listens
    events: list[Event] = field(default_factory=list)

    def write(self, connection: Connection) -> None:
        """Write the events of tenants with listeners (all, if streamed or kept), and the deliveries that are owed."""
        for event in self.events:
            audience = self.audiences.get(event.tenant)
            if audience is None and not (self.streamed or self.kept):
                continue
            run(connection, _add_event, _row(event))
            sinks = [STREAM] if self.streamed else []
            sinks += [webhook.id for webhook in audience.webhooks if webhook.wants(event.type)] if audience else []
            for sink in sinks:
                run(connection, _add_delivery, _delivery(event, sink))


@dataclass(frozen=True, slots=True)
class Undelivered:
    """An event that a sink is owed, and how many attempts to deliver it have failed."""

    event: Event
    attempts: int


@contextmanager
def carried(connection: Connection, box: Box) -> Iterator[None]:
    """Let a connection carry a box during the block."""
    info = connection.info  # read now: a connection that is lost during the block has no `info` at its end
    info[_BOX] = box
    try:
        yield
    finally:
        del info[_BOX]


def tell(connection: Connection, tenant: str, user_id: str | None, type_: str, payload: Mapping[str, object]) -> None:
    """Record an event about a change that the transaction makes, if anybody listens."""
    box: Box | None = connection.info.get(_BOX)
    if box is not None:
        box.events.append(Event(new_id(box.at), type_, box.at, tenant, user_id or None, payload))


# Listeners.


def audiences(connection: Connection, now: datetime, tenant: str | None = None) -> dict[str, Audience]:
    """Return the audience of each tenant, or of one; a tenant without listeners is left out."""
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
    """Return a tenant's webhooks, oldest first."""
    where = (listeners.c.tenant == tenant, listeners.c.kind == "webhook")
    return [_webhook(row) for row in connection.execute(select(listeners).where(*where).order_by(listeners.c.id))]


def add_webhook(connection: Connection, tenant: str, webhook: Webhook) -> None:
    """Add a webhook, which will be owed the tenant's later events."""
    row = _listener(tenant, webhook.id, webhook.created_at)
    settings = {"kind": "webhook", "url": webhook.url, "secret": webhook.secret, "types": [*webhook.types]}
    connection.execute(insert(listeners), {**row, **settings})


def watch(connection: Connection, tenant: str, watcher_id: str, now: datetime, until: datetime) -> None:
    """Add or renew a watcher: the tenant's events are written `until` then, for it to read in the outbox."""
    remove_listener(connection, tenant, watcher_id)
    connection.execute(insert(listeners), {**_listener(tenant, watcher_id, now), "kind": "watcher", "until": until})


def remove_listener(connection: Connection, tenant: str, listener_id: str) -> int:
    """Remove a listener and all deliveries that it is owed; returns how many listeners were removed, 0 or 1."""
    owed = (deliveries.c.tenant == tenant, deliveries.c.sink == listener_id)
    connection.execute(delete(deliveries).where(*owed))
    removal = delete(listeners).where(listeners.c.tenant == tenant, listeners.c.id == listener_id)
    return connection.execute(removal).rowcount


# Delivering.


def owed(connection: Connection, now: datetime, tenant: str | None = None) -> list[tuple[str, str]]:
    """Return each tenant and sink that have deliveries due."""
    query = select(deliveries.c.tenant, deliveries.c.sink).where(~deliveries.c.failed, _due(now))
    if tenant is not None:
        query = query.where(deliveries.c.tenant == tenant)
    return [(row[0], row[1]) for row in connection.execute(query.distinct())]


def take(
    connection: Connection, tenant: str, sink: str, limit: int, *, holder: str, now: datetime, until: datetime
) -> list[Undelivered]:
    """Lease the oldest events that a sink is owed; none while another holder has some, so that they stay in order."""
    mine = (deliveries.c.tenant == tenant, deliveries.c.sink == sink, ~deliveries.c.failed)
    query = (
        select(deliveries.c.event_id, deliveries.c.attempts)
        .where(*mine, _due(now))
        .order_by(deliveries.c.event_id)
        .limit(limit)
        .with_for_update()
    )
    attempts = {row[0]: row[1] for row in connection.execute(query)}
    # Checked after the rows are locked, so that a quicker holder is seen. A lease that is longer than any can be was
    # given by a clock that was ahead, and does not count.
    due_at = deliveries.c.due_at
    another = and_(deliveries.c.holder.is_not(None), due_at > now, due_at <= now + 2 * (until - now))
    held = select(deliveries.c.event_id).where(*mine, another)
    if not attempts or connection.execute(held.limit(1)).first():
        return []
    leased = update(deliveries).where(_these(tenant, sink, list(attempts)))
    connection.execute(leased.values(holder=holder, due_at=until))
    rows = connection.execute(
        select(outbox).where(outbox.c.tenant == tenant, outbox.c.id.in_(attempts)).order_by(outbox.c.id)
    )
    return [Undelivered(_event(row), attempts[row.id]) for row in rows]


def delivered(connection: Connection, tenant: str, sink: str, ids: Sequence[str]) -> None:
    """Remove the deliveries of events that a sink has accepted."""
    if ids:
        connection.execute(delete(deliveries).where(_these(tenant, sink, ids)))


def drop_orphans(connection: Connection, tenant: str | None = None, sink: str | None = None) -> int:
    """Drop deliveries to removed webhooks, written by processes that had not noticed the removal; returns how many."""
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
    """Record a failed attempt: the event is tried again when it is due, or never if it has `failed` for good."""
    values = {"attempts": attempts, "due_at": due_at, "reason": reason, "failed": failed, "holder": None}
    connection.execute(update(deliveries).where(_these(tenant, sink, [event_id])).values(**values))


def release(connection: Connection, tenant: str, sink: str, holder: str, now: datetime) -> None:
    """Give back the deliveries that a holder still has leased; they are due at once."""
    mine = (deliveries.c.tenant == tenant, deliveries.c.sink == sink, deliveries.c.holder == holder)
    connection.execute(update(deliveries).where(*mine).values(holder=None, due_at=now))


def prune(connection: Connection, before: datetime) -> int:
    """Drop a batch of old events, of all tenants, with their deliveries to webhooks; returns how many.

    Events that the stream is owed stay.
    """
    to_stream = and_(
        deliveries.c.tenant == outbox.c.tenant, deliveries.c.event_id == outbox.c.id, deliveries.c.sink == STREAM
    )
    query = select(outbox.c.tenant, outbox.c.id).where(
        outbox.c.at < before, ~select(deliveries.c.sink).where(to_stream).exists()
    )
    old: dict[str, list[str]] = {}
    for tenant, event_id in connection.execute(query.limit(AT_ONCE)):
        old.setdefault(tenant, []).append(event_id)
    return sum(
        connection.execute(delete(outbox).where(outbox.c.tenant == tenant, outbox.c.id.in_(ids))).rowcount
        for tenant, ids in old.items()
    )


# Reading.


def recent(connection: Connection, tenant: str, limit: int, wants: Wants) -> list[Event]:
    """Return the latest events of the types that are wanted, oldest first."""
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
    """Return the events from a moment on, oldest first."""
    query = select(outbox).where(outbox.c.tenant == tenant, outbox.c.id >= first_id(moment)).order_by(outbox.c.id)
    return [_event(row) for row in connection.execute(query)]


def undeliverable(connection: Connection, tenant: str, limit: int) -> list[Undeliverable]:
    """Return the deliveries that were given up, those of the latest events first."""
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
    """Return how many deliveries wait, and how many were given up."""
    query = select(deliveries.c.failed, func.count()).where(deliveries.c.tenant == tenant).group_by(deliveries.c.failed)
    counted = {bool(row[0]): int(row[1]) for row in connection.execute(query)}
    return {"waiting": counted.get(False, 0), "failed": counted.get(True, 0)}


def _due(now: datetime) -> ColumnElement[bool]:
    """Match deliveries that were never tried, whatever time they were written at, and those whose time has come."""
    fresh = and_(deliveries.c.attempts == 0, deliveries.c.holder.is_(None))
    return or_(fresh, deliveries.c.due_at <= now, deliveries.c.due_at > now + LONGEST_WAIT)


def _listener(tenant: str, listener_id: str, now: datetime) -> dict[str, Any]:
    defaults: dict[str, Any] = {"url": "", "secret": "", "types": [], "until": None}
    return {"tenant": tenant, "id": listener_id, "created_at": now, **defaults}


def _row(event: Event) -> dict[str, Any]:
    return {
        "tenant": event.tenant, "id": event.id, "type": event.type, "at": event.at, "user_id": event.user_id,
        "payload": dict(event.payload),
    }  # fmt: skip


def _delivery(event: Event, sink: str) -> dict[str, Any]:
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
