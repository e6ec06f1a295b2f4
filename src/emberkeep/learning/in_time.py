"""Run work with a deadline, even if the code itself knows nothing of deadlines."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from contextvars import copy_context
from typing import TypeVar

from emberkeep.clock import Deadline
from emberkeep.errors import ModelUnavailable

T = TypeVar("T")
# More than a service answers at a time, so most of these are calls whose callers have given up.
MOST_GOING_ON = 256
_going_on = threading.BoundedSemaphore(MOST_GOING_ON)


def in_time(work: Callable[[], T], deadline: Deadline | None) -> T:
    """Return the result of the work; without a deadline, simply call it.

    Raises `ModelUnavailable` when the deadline passes, or when `MOST_GOING_ON` calls are still running. The work then
    goes on in its thread, and its result is dropped.
    """
    if deadline is None:
        return work()
    if not _going_on.acquire(blocking=False):
        raise ModelUnavailable(f"{MOST_GOING_ON} calls before it have not come back yet")
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - passed on to the waiting caller
            done.set_exception(error)
        finally:
            _going_on.release()

    threading.Thread(target=copy_context().run, args=(run,), name="emberkeep-in-time", daemon=True).start()
    try:
        return done.result(deadline.remaining())
    except TooLate:
        if done.done():  # the work itself raised this error
            raise
        raise ModelUnavailable("the deadline passed before it had answered") from None
