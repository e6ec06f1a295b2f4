"""Operational memory for several server processes: one process holds it, the others ask it over a Unix socket."""

import contextlib
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from emberkeep.clock import Clock
from emberkeep.errors import StoreUnavailable
from emberkeep.lifecycle.operational import Operational
from emberkeep.lifecycle.operationals import Operationals
from emberkeep.model.operational import Snapshot

_BROKEN = (OSError, EOFError, AuthenticationError)
WAITING = 64  # callers in the queue of the socket


@dataclass(frozen=True, slots=True)
class Place:
    """The address of the process that holds the live state: a socket file for this user only, and a shared secret."""

    path: str
    word: bytes


class Holder:
    """Answers other processes' calls from the operational memories that this process holds."""

    def __init__(self, place: Place, find: Callable[[str], Operational]) -> None:
        self._find = find
        Path(place.path).unlink(missing_ok=True)  # left behind by a process that was killed
        self._listener = Listener(place.path, "AF_UNIX", backlog=WAITING, authkey=place.word)
        threading.Thread(target=self._accept, name="emberkeep-live", daemon=True).start()

    def close(self) -> None:
        """Stop accepting connections."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                caller = self._listener.accept()
            except AuthenticationError:
                continue
            except OSError:
                return
            threading.Thread(target=self._answer, args=(caller,), name="emberkeep-live", daemon=True).start()

    def _answer(self, caller: "Connection[Any, Any]") -> None:
        with caller, contextlib.suppress(*_BROKEN):
            while True:
                tenant, verb, args, named = caller.recv()
                try:
                    answer: tuple[bool, Any] = True, getattr(self._find(tenant), verb)(*args, **named)
                except Exception as error:  # noqa: BLE001 - it is raised where it was asked for
                    answer = False, error
                caller.send(answer)


class Line:
    """The client of the process that holds the live state, with one connection per thread."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._own = threading.local()

    def ask(self, tenant: str, verb: str, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a verb in the other process: return what it returns, raise what it raises.

        Raises `StoreUnavailable` while that process cannot be reached.
        """
        question = tenant, verb, args, named
        try:
            well, answer = self._asked(question)
        except _BROKEN:
            self._own.connection = None
            raise StoreUnavailable(
                "the server process that holds what is live is being started again: try again in a moment"
            ) from None
        if not well:
            raise answer
        return answer

    def _asked(self, question: Any) -> tuple[bool, Any]:
        known: Connection[Any, Any] | None = getattr(self._own, "connection", None)
        if known is not None:
            try:
                known.send(question)
                return _pair(known.recv())
            except _BROKEN:
                known.close()  # the process was restarted and lost its state, so a retry does nothing twice
        self._own.connection = fresh = Client(self._place.path, "AF_UNIX", authkey=self._place.word)
        fresh.send(question)
        return _pair(fresh.recv())


def _pair(answer: Any) -> tuple[bool, Any]:
    well, value = answer
    return well, value


class DistantOperationals(Operationals):
    """Finds the live state of a tenant in the process that holds it."""

    def __init__(self, place: Place, clock: Clock) -> None:
        super().__init__()
        self._line = Line(place)
        self._clock = clock

    def of(self, tenant: str, make: Callable[[], Operational]) -> Operational:  # noqa: ARG002 - it is made there
        """The operational memory of a tenant, as a proxy."""
        return DistantOperational(self._line, tenant, self._clock)

    def flush(self) -> int:
        """Nothing is held here."""
        return 0

    def close(self) -> None:
        """Nothing is held here."""


def _there(verb: str) -> Any:
    def ask(self: "DistantOperational", *args: Any, **named: Any) -> Any:
        return self.line.ask(self.tenant, verb, args, named)

    return ask


class DistantOperational(Operational):
    """A proxy for the operational memory of a tenant, which another process holds."""

    def __init__(self, line: Line, tenant: str, clock: Clock) -> None:
        self.line = line
        self.tenant = tenant
        self._clock = clock

    push_event = _there("push_event")
    get_recent = _there("get_recent")
    kept = _there("kept")
    update_metric = _there("update_metric")
    get_metric = _there("get_metric")
    set_active_task = _there("set_active_task")
    end_active_task = _there("end_active_task")
    active_tasks = _there("active_tasks")
    flush = _there("flush")
    clear = _there("clear")
    count_unkept = _there("count_unkept")

    def get_system_snapshot(self, *, stored: bool = True) -> Snapshot:
        """The snapshot of the other process; an empty one with the reason while that cannot be reached."""
        try:
            found: Snapshot = self.line.ask(self.tenant, "get_system_snapshot", (), {"stored": stored})
        except StoreUnavailable as error:
            now, missing = self._clock.now(), (f"operational: left out, {error}",)
            return Snapshot(now, now, 0, 0, {}, {}, {}, (), (), (), 0, missing)
        return found

    def close(self) -> None:
        """Do nothing: the other process closes it."""

    def reopen(self) -> None:
        """Do nothing: the other process holds it."""


def new_place(folder: str) -> Place:
    """A new place, with a random secret, in a folder that belongs to this user alone."""
    return Place(str(Path(folder) / "live"), os.urandom(32))
