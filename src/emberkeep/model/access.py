"""Who may use a store from outside: roles, keys, and what is on record of those who look after it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from emberkeep.errors import InvalidInput

Role = Literal["read", "write", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)  # each may do what those before it may
LOCAL = "local"  # whoever has the database itself, and needs no key


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is known afterwards: all but its secret."""

    id: str
    tenant: str
    name: str
    role: Role
    user_id: str | None  # whose memory alone it opens; none for everyone's
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None  # to the minute

    def state_at(self, now: datetime) -> Literal["valid", "expired", "revoked"]:
        """Whether it opens anything at a time."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now else "valid"


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made, with the text to present; that is shown this once, and kept nowhere."""

    key: ApiKey
    secret: str = field(repr=False)  # so that no log and no traceback shows it


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Something that someone did to look after a store: who (a key's id, or "local"), when, what, and to whose data."""

    id: str
    at: datetime
    who: str
    action: str
    user_id: str | None
    what: Mapping[str, Any]


def role_named(value: object) -> Role:
    """A role."""
    for known in ROLES:
        if value == known:
            return known
    raise InvalidInput(f"unknown role {value!r}: use one of {', '.join(ROLES)}")
