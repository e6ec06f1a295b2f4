"""Access to a store from outside: roles, API keys, and the audit entries of administrative actions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from emberkeep.errors import InvalidInput

Role = Literal["read", "write", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)  # each includes the rights of those before it
LOCAL = "local"  # a caller with direct access to the database, who needs no key


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key as it is stored and listed: everything except its secret."""

    id: str
    tenant: str
    name: str
    role: Role
    user_id: str | None  # the only user whose memory it opens; `None` for everyone's
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None  # to the minute

    def state_at(self, now: datetime) -> Literal["valid", "expired", "revoked"]:
        """Whether the key is valid, expired or revoked at a given time."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now else "valid"


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made, with its secret, which is shown only now and stored nowhere."""

    key: ApiKey
    secret: str = field(repr=False)  # so that no log and no traceback shows it


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An administrative action: who did it (a key's id, or "local"), when, what, and to which user's data."""

    id: str
    at: datetime
    who: str
    action: str
    user_id: str | None
    what: Mapping[str, Any]


def role_named(value: object) -> Role:
    """The role with this name; raises `InvalidInput` if there is none."""
    for known in ROLES:
        if value == known:
            return known
    raise InvalidInput(f"unknown role {value!r}: use one of {', '.join(ROLES)}")
