"""Requests that are done once however often they are sent: who has one under way, and what was answered."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from emberkeep.storage.schema import idempotency

State = Literal["pending", "done"]


@dataclass(frozen=True, slots=True)
class Request:
    """Which request: a key that its sender chose, and who that is."""

    tenant: str
    who: str
    key: str


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a request. A done one without a body had it, until what it said was erased."""

    fingerprint: bytes
    state: State
    created_at: datetime
    lease_until: datetime
    status: int | None
    body: str | None


def find(connection: Connection, request: Request) -> Record | None:
    """What is known of a request; whoever else wants to begin it waits until the transaction ends."""
    columns = idempotency.c["fingerprint", "state", "created_at", "lease_until", "status", "body"]
    row = connection.execute(select(*columns).where(*_this(request)).with_for_update()).first()
    return None if row is None else Record(*row)


def begin(connection: Connection, request: Request, *, known: bool, **columns: Any) -> None:
    """Write down that a request is under way, over what was `known` of it.

    Two that knew nothing of it both insert, and the database lets one: it must not remove what the other wrote.
    """
    values = {"state": "pending", "status": None, "body": None, **columns}
    if known:
        connection.execute(update(idempotency).where(*_this(request)).values(**values))
    else:
        whose = {"tenant": request.tenant, "who": request.who, "key": request.key}
        connection.execute(insert(idempotency), {**whose, **values})


def finish(connection: Connection, request: Request, holder: str, status: int, body: str) -> bool:
    """Write down the answer, if the request is still the holder's; whether it was."""
    held = (*_this(request), idempotency.c.holder == holder, idempotency.c.state == "pending")
    done = update(idempotency).where(*held).values(state="done", status=status, body=body)
    return bool(connection.execute(done).rowcount)


def abandon(connection: Connection, request: Request, holder: str) -> None:
    """Forget a request that came to nothing, if it is still the holder's."""
    held = (*_this(request), idempotency.c.holder == holder, idempotency.c.state == "pending")
    connection.execute(delete(idempotency).where(*held))


def forget(connection: Connection, tenant: str | None, *, before: datetime) -> int:
    """Drop a tenant's from before a time, everyone's without one; returns how many."""
    old = [idempotency.c.created_at < before]
    old += [] if tenant is None else [idempotency.c.tenant == tenant]
    return connection.execute(delete(idempotency).where(*old)).rowcount


def erase(connection: Connection, tenant: str, users: Collection[str] | None) -> int:
    """Drop all requests about these users, everyone's if none, and what other answers say of them; how many rows."""
    where = [idempotency.c.tenant == tenant]
    if users is not None:
        where.append(idempotency.c.user_id.in_([user_id for user_id in users if user_id]))
    gone = connection.execute(delete(idempotency).where(*where)).rowcount
    return gone + blank(connection, tenant, users)


def blank(connection: Connection, tenant: str, users: Collection[str] | None) -> int:
    """Something of these users was deleted, of everyone's if none: no answer may go on saying it; how many did.

    An answer that is no one user's may have said it too. That a request was done stays known.
    """
    where = [idempotency.c.tenant == tenant, idempotency.c.body.is_not(None)]
    if users is not None:
        where.append(idempotency.c.user_id.in_([*users, ""]))
    return connection.execute(update(idempotency).where(*where).values(body=None)).rowcount


def _this(request: Request) -> tuple[ColumnElement[bool], ...]:
    return (
        idempotency.c.tenant == request.tenant,
        idempotency.c.who == request.who,
        idempotency.c.key == request.key,
    )
