"""Requests that are carried out once however often they are sent: who is working on one, and what was answered."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from emberkeep.storage.schema import idempotency

State = Literal["pending", "done"]


@dataclass(frozen=True, slots=True)
class Request:
    """What identifies a request: its tenant, who sent it, and the idempotency key that the sender chose."""

    tenant: str
    who: str
    key: str


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a request. If it is done but has no body, that was erased with the data that it quoted."""

    fingerprint: bytes
    state: State
    created_at: datetime
    lease_until: datetime
    status: int | None
    body: str | None


def find(connection: Connection, request: Request) -> Record | None:
    """The record of a request, locked: others who want to begin the same request wait until the transaction ends."""
    columns = idempotency.c["fingerprint", "state", "created_at", "lease_until", "status", "body"]
    row = connection.execute(select(*columns).where(*_this(request)).with_for_update()).first()
    return None if row is None else Record(*row)


def begin(connection: Connection, request: Request, *, known: bool, **columns: Any) -> None:
    """Write down that a request is under way, replacing its record if one is `known`.

    If two processes know of none, both insert, and the database lets one succeed: neither replaces the other's record.
    """
    values = {"state": "pending", "status": None, "body": None, **columns}
    if known:
        connection.execute(update(idempotency).where(*_this(request)).values(**values))
    else:
        whose = {"tenant": request.tenant, "who": request.who, "key": request.key}
        connection.execute(insert(idempotency), {**whose, **values})


def finish(connection: Connection, request: Request, holder: str, status: int, body: str) -> bool:
    """Write down the answer if the request is still the holder's; returns whether it was."""
    held = (*_this(request), idempotency.c.holder == holder, idempotency.c.state == "pending")
    done = update(idempotency).where(*held).values(state="done", status=status, body=body)
    return bool(connection.execute(done).rowcount)


def abandon(connection: Connection, request: Request, holder: str) -> None:
    """Remove the record of a request that failed, if it is still the holder's."""
    held = (*_this(request), idempotency.c.holder == holder, idempotency.c.state == "pending")
    connection.execute(delete(idempotency).where(*held))


def forget(connection: Connection, tenant: str | None, *, before: datetime) -> int:
    """Drop the records from before a time, of one tenant or, without one, of all; returns how many."""
    old = [idempotency.c.created_at < before]
    old += [] if tenant is None else [idempotency.c.tenant == tenant]
    return connection.execute(delete(idempotency).where(*old)).rowcount


def erase(connection: Connection, tenant: str, users: Collection[str] | None) -> int:
    """Drop all requests about these users (`None`: everyone), and blank other answers that may quote their data.

    Returns the number of rows changed.
    """
    where = [idempotency.c.tenant == tenant]
    if users is not None:
        where.append(idempotency.c.user_id.in_([user_id for user_id in users if user_id]))
    gone = connection.execute(delete(idempotency).where(*where)).rowcount
    return gone + blank(connection, tenant, users)


def blank(connection: Connection, tenant: str, users: Collection[str] | None) -> int:
    """After something of these users (`None`: anyone) was deleted, remove the bodies of answers that may quote it.

    Answers that belong to no single user are included, since they may quote it too. It stays known that the requests
    were done. Returns how many answers had a body.
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
