"""The caller of a tool: the memory it uses, and the arguments that are settled, that is fixed for its connection."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict, TypeVar

from emberkeep.errors import AccessDenied, InvalidInput, NotFound
from emberkeep.memory import Memory
from emberkeep.model.context import PERSONAL, TIERS, Tier
from emberkeep.model.scope import Scope

# The arguments that can be settled for a caller.
SETTLED = ("user_id", "agent_id", "session_id")


class HasOwner(Protocol):
    """A record that belongs to a user: a memory, task, context or pattern."""

    @property
    def user_id(self) -> str | None:
        """The user it belongs to, if any."""
        ...


class Scoped(TypedDict):
    """The scope of a new record, as the verbs take it."""

    user_id: str | None
    agent_id: str | None
    session_id: str | None


R = TypeVar("R", bound=HasOwner)


@dataclass(frozen=True, slots=True)
class Caller:
    """A memory, and the parts of the scope that are settled. With a settled user, only their data is reachable."""

    memory: Memory = field(repr=False)
    user_id: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    may_write: bool = True
    by_key: bool = False  # an API key settled the user: then what is about everyone is out of reach too

    def __post_init__(self) -> None:
        Scope.to_write("", self.user_id, self.agent_id, self.session_id)

    @property
    def settled(self) -> tuple[str, ...]:
        """The names of the arguments that are settled."""
        return tuple(name for name in SETTLED if getattr(self, name) is not None)

    def require_writing(self) -> None:
        """Raise `AccessDenied` if the caller may only read."""
        if not self.may_write:
            raise AccessDenied("this key may only read, and this tool writes: use a key with the role write")

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """The tiers that a context may be made of."""
        return PERSONAL if self.by_key else TIERS

    def require_everyone(self) -> None:
        """Raise `AccessDenied` if the caller has a key of one user."""
        if self.by_key:
            raise AccessDenied("this key is for one user, and stats are about everyone: use another key")

    def whose(self, user_id: str | None) -> str | None:
        """Return the user whose memory is read: the settled one, else the given one."""
        return self._choose("user_id", user_id)

    def scope(self, user_id: str | None, agent_id: str | None, session_id: str | None) -> Scoped:
        """Return the scope of a new record: each part as it is settled, else as it is given."""
        return {
            "user_id": self.whose(user_id),
            "agent_id": self._choose("agent_id", agent_id),
            "session_id": self._choose("session_id", session_id),
        }

    def own(self, noun: str, record_id: str, record: R) -> R:
        """Return a record that the caller may reach; raise `NotFound` for another user's, as if there were none."""
        if self.user_id is not None and record.user_id != self.user_id:
            raise NotFound(f"no {noun} {record_id!r}")
        return record

    def _choose(self, name: str, given: str | None) -> str | None:
        """Return an argument as it is settled, else as it is given; raise `InvalidInput` if the two differ."""
        settled: str | None = getattr(self, name)
        if None not in {settled, given} and settled != given:
            raise InvalidInput(f"{name} is settled for this connection: leave it out")
        return given if settled is None else settled


# Finds the caller by the ASGI scope of a request, which is empty over stdio. Runs in a worker thread, so it may block.
CallerOf = Callable[[Mapping[str, Any]], Caller]
