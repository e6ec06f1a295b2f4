"""Group commit: many threads' writes in one transaction, run by one of the threads that wait.

There is no writer thread. A lone caller runs its job itself, without a hop; under contention the jobs that queue up
while one transaction is being synced to disk share the next one.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
MAX_BATCH = 128


class Job(Generic[T]):
    """A write waiting for its transaction."""

    __slots__ = ("error", "must_lead", "result", "turn", "work")

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work = work
        self.result: T | None = None
        self.error: BaseException | None = None
        self.must_lead = False
        self.turn: threading.Lock | None = None

    def wait(self) -> None:
        """Block until the job is done or has to lead the next batch."""
        if self.turn is not None:
            self.turn.acquire()

    def wake(self) -> None:
        """Let the thread that waits for the job go on."""
        if self.turn is not None:
            self.turn.release()


class GroupCommit:
    """Runs jobs in batches; `commit` gets a batch, and gives every job its result or its error."""

    def __init__(self, commit: Callable[[Sequence[Job[Any]]], None]) -> None:
        self._commit = commit
        self._lock = threading.Lock()
        self._queue: list[Job[Any]] = []
        self._led = False

    def run(self, work: Callable[[Any], T]) -> T:
        """Run one job; when this returns, its transaction is on disk."""
        job = Job(work)
        with self._lock:
            self._queue.append(job)
            leads = not self._led
            self._led = True
            if not leads:
                job.turn = threading.Lock()
                job.turn.acquire()
        if not leads:
            self._wait(job)
        if leads or job.must_lead:
            self._lead(job)
        if job.error is not None:
            raise job.error
        return job.result  # type: ignore[return-value]  # set by commit, and T may be None

    def _wait(self, job: Job[Any]) -> None:
        try:
            job.wait()
        except BaseException:  # this thread was told to stop: withdraw its job, and pass on the lead if it had that
            with self._lock:
                if job in self._queue:
                    self._queue.remove(job)
            if job.must_lead:
                self._hand_over()
            raise

    def _lead(self, own: Job[Any]) -> None:
        with self._lock:
            batch, self._queue = self._queue[:MAX_BATCH], self._queue[MAX_BATCH:]
        try:
            self._commit(batch)
        finally:
            self._hand_over()
            for job in batch:
                if job is not own:
                    job.wake()

    def _hand_over(self) -> None:
        with self._lock:
            successor = self._queue[0] if self._queue else None
            self._led = successor is not None
            if successor is not None:
                successor.must_lead = True
        if successor is not None:
            successor.wake()
