"""API keys. Of a key's secret only the hash is stored."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, insert, or_, select, update

from emberkeep.model.access import ApiKey
from emberkeep.storage.schema import api_keys


class Stored(NamedTuple):
    """A key, and the hash of its secret."""

    key: ApiKey
    secret_hash: bytes


def add(connection: Connection, key: ApiKey, secret_hash: bytes) -> None:
    """Write a new key."""
    row = {"tenant": key.tenant, "id": key.id, "name": key.name, "role": key.role, "user_id": key.user_id}
    times = {"created_at": key.created_at, "expires_at": key.expires_at}
    connection.execute(insert(api_keys), {**row, **times, "secret_hash": secret_hash})


def find(connection: Connection, key_id: str) -> Stored | None:
    """The key with an id, of any tenant: a caller who presents a key does not name the tenant."""
    row = connection.execute(select(api_keys).where(api_keys.c.id == key_id)).first()
    return None if row is None else Stored(_key(row), row.secret_hash)


def listed(connection: Connection, tenant: str, limit: int) -> list[ApiKey]:
    """A tenant's keys, the latest first."""
    query = select(api_keys).where(api_keys.c.tenant == tenant)
    query = query.order_by(api_keys.c.created_at.desc(), api_keys.c.id).limit(limit)
    return [_key(row) for row in connection.execute(query)]


def exist(connection: Connection) -> bool:
    """Whether there is any key, revoked and expired ones included."""
    return connection.execute(select(api_keys.c.id).limit(1)).first() is not None


def revoke(connection: Connection, tenant: str, key_id: str, now: datetime) -> tuple[ApiKey, bool] | None:
    """Revoke a tenant's key; returns the key and whether this call revoked it, or `None` if there is no such key."""
    mine = (api_keys.c.tenant == tenant, api_keys.c.id == key_id)
    done = update(api_keys).where(*mine, api_keys.c.revoked_at.is_(None)).values(revoked_at=now)
    changed = bool(connection.execute(done).rowcount)
    row = connection.execute(select(api_keys).where(*mine)).first()
    return None if row is None else (_key(row), changed)


def touch(connection: Connection, key: ApiKey, now: datetime, *, before: datetime) -> None:
    """Note that a key was used, unless that was noted at `before` or later."""
    mine = (api_keys.c.tenant == key.tenant, api_keys.c.id == key.id)
    due = or_(api_keys.c.last_used_at.is_(None), api_keys.c.last_used_at < before)
    connection.execute(update(api_keys).where(*mine, due).values(last_used_at=now))


def count(connection: Connection, tenant: str, now: datetime) -> int:
    """How many keys of a tenant are neither revoked nor expired."""
    valid = (api_keys.c.revoked_at.is_(None), or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at > now))
    query = select(func.count()).select_from(api_keys).where(api_keys.c.tenant == tenant, *valid)
    return connection.execute(query).scalar_one()


def _key(row: Row[Any]) -> ApiKey:
    return ApiKey(
        id=row.id,
        tenant=row.tenant,
        name=row.name,
        role=row.role,
        user_id=row.user_id,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at,
    )
