"""Who calls: the memory that they see, and whose name it is in. What is settled for a caller, no argument changes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict, TypeVar

from emberkeep.errors import AccessDenied, InvalidInput, NotFound
from emberkeep.memory import Memory
from emberkeep.model.context import PERSONAL, TIERS, Tier
from emberkeep.model.scope import Scope

SETTLED = ("user_id", "agent_id", "session_id")


class HasOwner(Protocol):
    """A memory, a task, a context, a pattern."""

    @property
    def user_id(self) -> str | None:
        """Whose it is."""
        ...


class Scoped(TypedDict):
    """Whose memory something new is, as the verbs take it."""

    user_id: str | None
    agent_id: str | None
    session_id: str | None


R = TypeVar("R", bound=HasOwner)


@dataclass(frozen=True, slots=True)
class Caller:
    """A memory, and what is settled of the scope. A user that is settled is all that the caller can reach."""

    memory: Memory = field(repr=False)
    user_id: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    may_write: bool = True
    by_key: bool = False  # it is a key that settles the user: then what is about everyone is out of reach too

    def __post_init__(self) -> None:
        Scope.to_write("", self.user_id, self.agent_id, self.session_id)

    @property
    def settled(self) -> tuple[str, ...]:
        """The names that no argument may set."""
        return tuple(name for name in SETTLED if getattr(self, name) is not None)

    def require_writing(self) -> None:
        """Refuse what changes something to who may only read."""
        if not self.may_write:
            raise AccessDenied("this key may read, and this tool writes: use a key with the role write")

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """What a context may be made of."""
        return PERSONAL if self.by_key else TIERS

    def require_everyone(self) -> None:
        """Refuse what is about everyone to a key of one user."""
        if self.by_key:
            raise AccessDenied("this key is for one user, and stats are about everyone: use another key")

    def whose(self, user_id: str | None) -> str | None:
        """Whose memory is read: the settled user's, else the one's that is given."""
        return self._choose("user_id", user_id)

    def scope(self, user_id: str | None, agent_id: str | None, session_id: str | None) -> Scoped:
        """Whose memory something new is: as it is settled, else as it is given."""
        return {
            "user_id": self.whose(user_id),
            "agent_id": self._choose("agent_id", agent_id),
            "session_id": self._choose("session_id", session_id),
        }

    def own(self, noun: str, record_id: str, record: R) -> R:
        """The record, if it is the caller's; else it is as if there were none."""
        if self.user_id is not None and record.user_id != self.user_id:
            raise NotFound(f"no {noun} {record_id!r}")
        return record

    def _choose(self, name: str, given: str | None) -> str | None:
        settled: str | None = getattr(self, name)
        if None not in {settled, given} and settled != given:
            raise InvalidInput(f"{name} is settled for this connection: leave it out")
        return given if settled is None else settled


# From the ASGI scope of the request, which is empty over stdio. Runs in a thread of its own, so it may block.
CallerOf = Callable[[Mapping[str, Any]], Caller]
