"""Who calls, and what they may do."""

from dataclasses import dataclass
from typing import Literal, get_args

from emberkeep.errors import AccessDenied

Role = Literal["read", "write", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)  # each may do what those before it may


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller: of which tenant, in which role, and for which user if for one alone."""

    tenant: str
    role: Role
    user_id: str | None = None
    key_id: str | None = None  # none for who is on this machine and needs no key

    def may(self, role: Role) -> bool:
        """Whether the caller may do what takes a role."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def require(self, role: Role) -> None:
        """Refuse what takes more than the caller's role."""
        if not self.may(role):
            raise AccessDenied(f"this key may {self.role}, and this takes {role}: use a key with that role")
