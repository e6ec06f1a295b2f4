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
_AHEAD = 16  # revisions that a transaction takes ahead when it claims some a second time
_RESERVED = "emberkeep_reserved"  # the key of revisions taken ahead in `Connection.info`
_claim = text(
    """
    INSERT INTO shelves (tenant, user_id, number, epoch, revision)
    VALUES (:tenant, :user_id, :number, :epoch, :count)
    ON CONFLICT (tenant, user_id) DO UPDATE SET revision = shelves.revision + excluded.revision
    RETURNING number, revision
    """
)
# Statements that every search runs are built once: building one takes longer than running it.
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
    """The state of a shelf, and the vector space in use (`None` before the first vector)."""

    user_id: str
    number: int
    epoch: int
    revision: int
    space: Space | None


@dataclass(frozen=True, slots=True)
class Claim:
    """Revisions taken for a transaction, from `first` upwards, and the number of the shelf."""

    shelf: int
    first: int


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Revisions of a shelf that a transaction has taken and not used yet."""

    shelf: int
    revisions: range


def cold_number(number: int) -> int:
    """Return the number under which the cold vectors of a shelf are kept."""
    return number | 1 << _BITS


def claim(connection: Connection, tenant: str, user_id: str, count: int) -> Claim:
    """Take the next revisions of a shelf, creating the shelf if there is none.

    On PostgreSQL this locks the shelf's row until the transaction ends, so revisions become visible in order, and what
    is checked before an insert stays true. A transaction that claims again takes some ahead: settling a few statements
    would otherwise claim a single revision a dozen times. Revisions that it does not use are skipped.
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
    """Return what this very transaction has taken ahead; what an earlier one on the connection had is void."""
    transaction = connection.get_transaction() or connection.begin()
    of_transaction, reserves = connection.info.get(_RESERVED, (None, {}))
    if of_transaction is None or of_transaction() is not transaction:
        reserves = {}
        connection.info[_RESERVED] = ref(transaction), reserves  # weak: the transaction refers to its connection
    known: dict[tuple[str, str], _Ahead] = reserves
    return known


def hold(connection: Connection, tenant: str, user_ids: Iterable[str]) -> None:
    """Lock these shelves until the transaction ends, so that what is read from now on stays true.

    On SQLite, which has one writer at a time anyway, this does nothing.
    """
    connection.execute(_hold, {"owner": tenant, "users": list(user_ids)}).all()


def states(connection: Connection, tenant: str, user_ids: Iterable[str] | None) -> list[State]:
    """Return the states of these shelves, or of all of the tenant's."""
    if user_ids is None:
        return [_state(*row) for row in connection.execute(_all, {"owner": tenant})]
    users = list(user_ids)
    if len(users) == 1:
        return [_state(*row) for row in driver.rows(connection, _one, {"owner": tenant, "user": users[0]})]
    return [_state(*row) for row in connection.execute(_some, {"owner": tenant, "users": users})]


def tenants(connection: Connection) -> list[str]:
    """Return all tenants that have a shelf."""
    return list(connection.execute(select(shelves.c.tenant).distinct()).scalars())


def start_epoch(connection: Connection, tenant: str, user_id: str) -> None:
    """Make every process that holds an index of this shelf read it anew."""
    connection.execute(
        update(shelves)
        .where(shelves.c.tenant == tenant, shelves.c.user_id == user_id)
        .values(epoch=secrets.randbits(48))
    )


def start_all_epochs(connection: Connection) -> None:
    """Make every process that holds an index of any shelf read it anew."""
    connection.execute(update(shelves).values(epoch=shelves.c.epoch + 1))


def remove(connection: Connection, tenant: str, user_id: str) -> int:
    """Remove the row of a shelf; returns how many there were."""
    _reserves(connection).pop((tenant, user_id), None)
    removal = delete(shelves).where(shelves.c.tenant == tenant, shelves.c.user_id == user_id)
    return connection.execute(removal).rowcount


def _state(  # noqa: PLR0917 - a row of `_all`
    user_id: str, number: int, epoch: int, revision: int, space: int | None, embedder: str, dimension: int
) -> State:
    return State(user_id, number, epoch, revision, None if space is None else Space(space, embedder, dimension))
