"""Shelves: the revision numbers that order the changes to one user's memories."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple
from weakref import ref

from sqlalchemy import Connection, bindparam, delete, select, text, update

from emberkeep.storage import driver
from emberkeep.storage.schema import shelves, spaces
from emberkeep.storage.spaces import Space, is_active

_BITS = 48  # of the number of a shelf
_AHEAD = 16  # revisions that whoever claims some a second time takes with them
_RESERVED = "emberkeep_reserved"  # where a connection keeps what was taken ahead
_claim = text(
    """
    INSERT INTO shelves (tenant, user_id, number, epoch, revision)
    VALUES (:tenant, :user_id, :number, :epoch, :count)
    ON CONFLICT (tenant, user_id) DO UPDATE SET revision = shelves.revision + excluded.revision
    RETURNING number, revision
    """
)
# Statements on the way of every search are built once: building one takes longer than running it.
_all = (
    select(
        shelves.c.user_id,
        shelves.c.number,
        shelves.c.epoch,
        shelves.c.revision,
        *spaces.c["id", "embedder", "dimension"],
    )
    .select_from(shelves.outerjoin(spaces, is_active))
    .where(shelves.c.tenant == bindparam("owner"))
    .order_by(shelves.c.user_id)
)
_some = _all.where(shelves.c.user_id.in_(bindparam("users", expanding=True)))
_one = _all.where(shelves.c.user_id == bindparam("user"))
_hold = (
    select(shelves.c.number)
    .where(shelves.c.tenant == bindparam("owner"), shelves.c.user_id.in_(bindparam("users", expanding=True)))
    .order_by(shelves.c.user_id)
    .with_for_update()
)


class State(NamedTuple):
    """Where a shelf stands, and the space that its vectors are in."""

    user_id: str
    number: int
    epoch: int
    revision: int
    space: Space | None


@dataclass(frozen=True, slots=True)
class Claim:
    """Revision numbers taken for a transaction, `first` and upwards."""

    shelf: int
    first: int


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Revisions of a shelf that a transaction has and did not use yet."""

    shelf: int
    revisions: range


def cold_number(number: int) -> int:
    """The number by which a shelf's cold vectors are told from the others."""
    return number | 1 << _BITS


def claim(connection: Connection, tenant: str, user_id: str, count: int) -> Claim:
    """Take the next revisions of a shelf, making the shelf if need be.

    On PostgreSQL this locks the shelf's row until the transaction ends, so revisions become visible in order and
    checks before an insert cannot be overtaken. A transaction that comes back for more takes some ahead: settling a
    few statements would ask for one revision a dozen times. Those that it does not use are left out.
    """
    reserves = _reserves(connection)
    ahead = reserves.get((tenant, user_id))
    if ahead is None or len(ahead.revisions) < count:
        taken = count if ahead is None else count + _AHEAD
        values = {"tenant": tenant, "user_id": user_id, "count": taken}
        values |= {"number": secrets.randbits(_BITS), "epoch": secrets.randbits(48)}
        number, revision = connection.execute(_claim, values).one()
        ahead = _Ahead(number, range(revision - taken + 1, revision + 1))
    reserves[tenant, user_id] = replace(ahead, revisions=ahead.revisions[count:])
    return Claim(ahead.shelf, ahead.revisions.start)


def _reserves(connection: Connection) -> "dict[tuple[str, str], _Ahead]":
    """What this very transaction has taken ahead; what one that is over had is void."""
    transaction = connection.get_transaction() or connection.begin()
    of_transaction, reserves = connection.info.get(_RESERVED, (None, {}))
    if of_transaction is None or of_transaction() is not transaction:
        reserves = {}
        connection.info[_RESERVED] = ref(transaction), reserves  # not itself: it holds on to its connection
    known: dict[tuple[str, str], _Ahead] = reserves
    return known


def hold(connection: Connection, tenant: str, user_ids: Iterable[str]) -> None:
    """Keep these shelves from being changed by others until the transaction ends: what is read from now on stays true.

    SQLite has one writer at a time, so there this holds back nobody.
    """
    connection.execute(_hold, {"owner": tenant, "users": list(user_ids)}).all()


def states(connection: Connection, tenant: str, user_ids: Iterable[str] | None) -> list[State]:
    """How these shelves stand, or all of the tenant's."""
    if user_ids is None:
        return [_state(*row) for row in connection.execute(_all, {"owner": tenant})]
    users = list(user_ids)
    if len(users) == 1:
        return [_state(*row) for row in driver.rows(connection, _one, {"owner": tenant, "user": users[0]})]
    return [_state(*row) for row in connection.execute(_some, {"owner": tenant, "users": users})]


def tenants(connection: Connection) -> list[str]:
    """Whoever has a shelf."""
    return list(connection.execute(select(shelves.c.tenant).distinct()).scalars())


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
    _reserves(connection).pop((tenant, user_id), None)
    gone = delete(shelves).where(shelves.c.tenant == tenant, shelves.c.user_id == user_id)
    return connection.execute(gone).rowcount


def _state(  # noqa: PLR0917 - a row of `_all`
    user_id: str, number: int, epoch: int, revision: int, space: int | None, embedder: str, dimension: int
) -> State:
    return State(user_id, number, epoch, revision, None if space is None else Space(space, embedder, dimension))
