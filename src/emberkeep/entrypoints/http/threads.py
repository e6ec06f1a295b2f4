"""The thread pool that verbs run in: limited in size, and no caller waits for a job longer than the time limit."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from emberkeep.errors import Overloaded, TimedOut

T = TypeVar("T")


class Threads:
    """Runs blocking jobs outside the event loop. A job that takes too long goes on, but its caller gets an answer."""

    def __init__(self, most: int, timeout_s: float) -> None:
        self._most = most
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._busy = 0
        self._executor = ThreadPoolExecutor(most, "emberkeep-http")

    @property
    def timeout_s(self) -> float:
        """How many seconds a caller waits at most."""
        return self._timeout_s

    @property
    def busy(self) -> int:
        """How many threads are at work, including on jobs that nobody waits for any more."""
        return self._busy

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job and return its result; raise `Overloaded` if all threads are busy, `TimedOut` if it is slow."""
        future = self._begun(job)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            if future.done() and not future.cancelled():
                return future.result()  # the job's own TimeoutError, or a result at the last moment
            raise TimedOut(
                f"this took longer than {self._timeout_s:g} s; it goes on, so look what came of it before you ask "
                "again, or raise request_timeout_s"
            ) from None

    def close(self) -> None:
        """Accept no more jobs; those under way go on."""
        self._executor.shutdown(wait=False)

    def _begun(self, job: Callable[[], T]) -> "Future[T]":
        with self._lock:
            if self._busy >= self._most:
                raise Overloaded("every thread of the service is busy: try again in a moment")
            self._busy += 1
        try:
            future = self._executor.submit(copy_context().run, job)  # so that the open span goes with it
        except BaseException:
            self._ended()
            raise
        future.add_done_callback(lambda _: self._ended())
        return future

    def _ended(self) -> None:
        with self._lock:
            self._busy -= 1
