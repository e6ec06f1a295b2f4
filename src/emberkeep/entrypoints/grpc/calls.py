"""One call: its key and its deadline, and the thread pool that runs it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from emberkeep.clock import Deadline
from emberkeep.entrypoints.grpc.failures import Context
from emberkeep.entrypoints.grpc.limits import FOR_VERBS, Limits
from emberkeep.errors import Overloaded, TimedOut
from emberkeep.service.door import SEEN, bearer
from emberkeep.service.verbs import Argument, Verb

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """What came with a request, each if given: the API key, the deadline, and the token of what the caller has seen."""

    presented: str | None
    deadline: Deadline | None
    seen: str | None = None

    @classmethod
    def of(cls, context: Context) -> "Call":
        """Read the call from its gRPC context."""
        metadata = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
        authorization = metadata.get("authorization")
        left: float | None = context.time_remaining()
        return cls(
            metadata.get("x-api-key") if authorization is None else bearer(authorization),
            None if left is None else Deadline.after(left),
            metadata.get(SEEN.lower()),
        )

    def check_time(self) -> None:
        """Raise `TimedOut` if the deadline has passed, so that no work is begun that nobody waits for."""
        if self.deadline is not None and self.deadline.passed:
            raise TimedOut("the deadline had passed before the call began: nothing was done")

    def in_time(self, verb: Verb, sent: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments, with `deadline_ms` limited to the time left if the verb takes a deadline."""
        if self.deadline is None or "deadline_ms" not in verb.arguments:
            return sent
        left_ms = max(1.0, self.deadline.remaining() * 1_000 * FOR_VERBS)
        return {**sent, "deadline_ms": min(sent.get("deadline_ms", left_ms), left_ms)}


def completed(verb: Verb, sent: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments, with a null for each required one that is missing but may be null.

    A protobuf message cannot tell a null from a missing field.
    """
    nulls = {one.name: None for one in verb.arguments.values() if one.required and _may_be_null(one)}
    return {**nulls, **sent}


def _may_be_null(argument: Argument) -> bool:
    return type(None) in getattr(argument.kind, "__args__", ())


class Calls:
    """Runs blocking jobs in threads; limits how many run, how many wait, and the bytes of their requests."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._executor = ThreadPoolExecutor(limits.calls, "emberkeep-grpc")
        self._count = 0
        self._bytes = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._stopping = False

    async def run(self, job: Callable[[], T], size: int) -> T:
        """Run a job for a request of `size` bytes; raise `Overloaded` beyond the limits.

        A job cancelled before a thread takes it never begins. One that is cancelled later runs to its end though
        nobody waits for it, and counts towards the limits until then.
        """
        self._check(size)
        future = self._executor.submit(job)
        self._began(size)
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: in_loop(loop, partial(self._ended, size)))
        return await asyncio.wrap_future(future)

    async def drain(self, grace_s: float) -> None:
        """Refuse new jobs, and wait up to `grace_s` seconds for those under way."""
        self._stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await self._idle.wait()

    def close(self) -> None:
        """Cancel the jobs that have not begun, and begin no more."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _check(self, size: int) -> None:
        if self._stopping:
            raise Overloaded("the service is stopping: call again in a moment")
        many = self._count >= self._limits.calls + self._limits.waiting
        if many or (self._count and self._bytes + size > self._limits.waiting_bytes):
            raise Overloaded(f"{self._count} calls are under way or wait: try again in a moment")

    def _began(self, size: int) -> None:
        self._count += 1
        self._bytes += size
        self._idle.clear()

    def _ended(self, size: int) -> None:
        self._count -= 1
        self._bytes -= size
        if not self._count:
            self._idle.set()


def in_loop(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Schedule a callback in an event loop from another thread; do nothing if the loop is closed."""
    with suppress(RuntimeError):  # the loop was closed, since the job took longer than the grace period
        loop.call_soon_threadsafe(call)
