"""Who asks, once that is known."""

from dataclasses import dataclass

from emberkeep.errors import AccessDenied
from emberkeep.model.access import LOCAL, ROLES, Role


@dataclass(frozen=True, slots=True)
class Principal:
    """Whoever asks: for which tenant, in which role, for which user alone (none for all), and by which key."""

    tenant: str
    role: Role
    user_id: str | None = None
    key_id: str | None = None  # none for whoever has the database itself

    @classmethod
    def local(cls, tenant: str) -> "Principal":
        """Whoever has the database itself, and so may do everything."""
        return cls(tenant, "admin")

    @property
    def who(self) -> str:
        """What they are called on record: their key's id, or "local"."""
        return self.key_id or LOCAL

    def may(self, role: Role) -> bool:
        """Whether they may do what takes a role: an admin writes too, and who writes may read."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def require(self, role: Role) -> None:
        """Raise `AccessDenied` unless they may."""
        if not self.may(role):
            raise AccessDenied(f'this takes the role "{role}", and the key has "{self.role}": use a key with that role')

    def user(self, asked: str | None) -> str | None:
        """The user to go on with: the one that was asked for, or the key's own if it opens one user's memory alone.

        Raises `AccessDenied` for anyone else's, and for everyone's.
        """
        if self.user_id is None or asked == self.user_id:
            return asked
        if asked is not None:
            raise AccessDenied(
                f"this key opens the memory of user {self.user_id!r} alone: ask for that one, or use another key"
            )
        return self.user_id
