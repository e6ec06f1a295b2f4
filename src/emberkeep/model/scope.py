"""Whose memory: the tenant is the isolation boundary, the user picks the shelf, agent and session narrow it."""

from dataclasses import dataclass

from emberkeep.model import checks

EVERYONE = "*"


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory an item is."""

    tenant: str
    user_id: str | None = None
    agent_id: str | None = None
    session_id: str | None = None

    @classmethod
    def to_write(cls, tenant: str, user_id: object, agent_id: object, session_id: object) -> "Scope":
        """The checked scope of something new."""
        return cls(
            tenant,
            checks.owner_id(user_id),
            checks.scope_id(agent_id, name="agent_id"),
            checks.scope_id(session_id, name="session_id"),
        )

    @property
    def shelf(self) -> str:
        """The key of the shelf that holds it: the user id, or "" for the memories of no user."""
        return self.user_id or ""
