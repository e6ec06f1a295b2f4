"""`RemoteMemory`: a memory on a server."""

from types import TracebackType
from typing import Any, Self

from emberkeep.errors import InvalidInput
from emberkeep.memory import Memory
from emberkeep.remote.connection import Connection
from emberkeep.remote.following import Following
from emberkeep.remote.verbs import verbs_of
from emberkeep.service.verbs import NAMESPACES


class _Namespace:
    """The base of the remote namespaces, which holds their connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection


def _remote(name: str, kind: type, own: type) -> type:
    """Make the class of a namespace whose verbs call the server, but for those that `own` defines."""
    asked = {verb: function for verb, function in verbs_of(name).items() if verb not in vars(own)}
    return type(f"Remote{kind.__name__}", (own, kind), asked)


_KINDS = {name: _remote(name, kind, Following if name == "events" else _Namespace) for name, kind in NAMESPACES.items()}


class RemoteMemory(Memory):
    """A memory on a server: each verb of `Memory` is a request. Nothing is sent before the first one.

    It has no database, and so none of the parts of a `Memory`. The key decides which tenant's memory it is.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        for name, kind in _KINDS.items():
            setattr(self, name, kind(connection))

    @property
    def _parts(self) -> Any:  # type: ignore[override]
        raise InvalidInput("settings, models and the database are the server's: ask whoever runs it")

    def of_tenant(self, tenant: str) -> Self:
        """Raise `InvalidInput`: on a server, the tenant follows from the key."""
        raise InvalidInput(f"the key decides whose memory it is: open the server with a key of {tenant!r}")

    def close(self) -> None:
        """End the subscriptions and close all connections; further calls raise `Closed`."""
        following: Any = self.events
        following.stop_following()
        self._connection.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


for _name, _function in verbs_of("").items():
    if _name not in vars(RemoteMemory):
        setattr(RemoteMemory, _name, _function)
