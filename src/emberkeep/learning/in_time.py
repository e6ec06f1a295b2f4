"""Work that must not be waited for beyond a deadline, whoever's code it is."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from contextvars import copy_context
from typing import TypeVar

from emberkeep.clock import Deadline
from emberkeep.errors import ModelUnavailable

T = TypeVar("T")
MOST_GOING_ON = 256  # more than a service answers at a time, so that these are mostly such as nobody waits for any more
_going_on = threading.BoundedSemaphore(MOST_GOING_ON)


def in_time(work: Callable[[], T], deadline: Deadline | None) -> T:
    """What comes of some work, which may know nothing of deadlines; with none, it is simply done.

    Raises `ModelUnavailable` when the deadline passes. The work then goes on, and what comes of it is lost.
    """
    if deadline is None:
        return work()
    if not _going_on.acquire(blocking=False):
        raise ModelUnavailable(f"{MOST_GOING_ON} calls before it have not come back yet")
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it goes to whoever waits
            done.set_exception(error)
        finally:
            _going_on.release()

    threading.Thread(target=copy_context().run, args=(run,), name="emberkeep-in-time", daemon=True).start()
    try:
        return done.result(deadline.remaining())
    except TooLate:
        if done.done():  # an error of the work's own
            raise
        raise ModelUnavailable("the deadline passed before it had answered") from None
