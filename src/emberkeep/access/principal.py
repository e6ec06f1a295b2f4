"""The authenticated caller of a request, and what it may do."""

from dataclasses import dataclass

from emberkeep.errors import AccessDenied
from emberkeep.model.access import LOCAL, ROLES, Role


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller: its tenant and role, the only user it may ask for (`None` for all), and the id of its key."""

    tenant: str
    role: Role
    user_id: str | None = None
    key_id: str | None = None  # `None` for a caller with direct access to the database

    @classmethod
    def local(cls, tenant: str) -> "Principal":
        """A caller with direct access to the database, who may do everything."""
        return cls(tenant, "admin")

    @property
    def who(self) -> str:
        """The caller's name in the audit log: the key's id, or "local"."""
        return self.key_id or LOCAL

    def may(self, role: Role) -> bool:
        """Whether the caller has the rights of a role: "admin" includes "write", and "write" includes "read"."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def require(self, role: Role) -> None:
        """Raise `AccessDenied` unless the caller has the rights of a role."""
        if not self.may(role):
            raise AccessDenied(f'this takes the role "{role}", and the key has "{self.role}": use a key with that role')

    def user(self, asked: str | None) -> str | None:
        """The user to use: the one that was asked for, or the key's own user if the key is limited to one.

        Raises `AccessDenied` if such a key asks for another user or for everyone.
        """
        if self.user_id is None or asked == self.user_id:
            return asked
        if asked is not None:
            raise AccessDenied(
                f"this key opens the memory of user {self.user_id!r} alone: ask for that one, or use another key"
            )
        return self.user_id
