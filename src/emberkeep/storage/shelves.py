"""Shelves: the revision numbers that order the changes to one user's memories."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, delete, select, text, update

from emberkeep.storage.schema import shelves

_claim = text(
    """
    INSERT INTO shelves (tenant, user_id, number, epoch, revision)
    VALUES (:tenant, :user_id, :number, :epoch, :count)
    ON CONFLICT (tenant, user_id) DO UPDATE SET revision = shelves.revision + excluded.revision
    RETURNING number, revision
    """
)
_states = select(shelves.c.user_id, shelves.c.number, shelves.c.epoch, shelves.c.revision)


class State(NamedTuple):
    """Where a shelf stands."""

    user_id: str
    number: int
    epoch: int
    revision: int


@dataclass(frozen=True, slots=True)
class Claim:
    """Revision numbers taken for a transaction, `first` and upwards."""

    shelf: int
    first: int


def claim(connection: Connection, tenant: str, user_id: str, count: int) -> Claim:
    """Take the next revisions of a shelf, making the shelf if need be.

    On PostgreSQL this locks the shelf's row until the transaction ends, so revisions become visible in order and
    checks before an insert cannot be overtaken.
    """
    values = {"tenant": tenant, "user_id": user_id, "count": count}
    values |= {"number": secrets.randbits(48), "epoch": secrets.randbits(48)}
    number, revision = connection.execute(_claim, values).one()
    return Claim(number, revision - count + 1)


def states(connection: Connection, tenant: str, user_ids: Iterable[str] | None) -> list[State]:
    """How these shelves stand, or all of the tenant's."""
    query = _states.where(shelves.c.tenant == tenant)
    if user_ids is not None:
        query = query.where(shelves.c.user_id.in_(list(user_ids)))
    return [State(*row) for row in connection.execute(query.order_by(shelves.c.user_id))]


def start_epoch(connection: Connection, tenant: str, user_id: str) -> None:
    """Make everyone who holds an index of this shelf read it all again."""
    connection.execute(
        update(shelves)
        .where(shelves.c.tenant == tenant, shelves.c.user_id == user_id)
        .values(epoch=secrets.randbits(48))
    )


def start_all_epochs(connection: Connection) -> None:
    """Make everyone who holds an index of any shelf read it all again."""
    connection.execute(update(shelves).values(epoch=shelves.c.epoch + 1))


def remove(connection: Connection, tenant: str, user_id: str) -> int:
    """Take the shelf itself away."""
    gone = delete(shelves).where(shelves.c.tenant == tenant, shelves.c.user_id == user_id)
    return connection.execute(gone).rowcount
