"""A process that can be killed and started again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torture import processes


class Program:
    """A process that runs until it is killed."""

    def __init__(self, target: Callable[..., None], *arguments: Any) -> None:
        self._target = target
        self._arguments = arguments
        self._process = processes.start(target, *arguments)

    def again(self) -> None:
        """Kill the process, and start it anew."""
        self.kill()
        self._process = processes.start(self._target, *self._arguments)

    def kill(self) -> None:
        """Kill the process."""
        processes.kill(self._process)


@contextmanager
def program(target: Callable[..., None], *arguments: Any) -> Iterator[Program]:
    """A program that runs for the length of a block."""
    one = Program(target, *arguments)
    try:
        yield one
    finally:
        one.kill()
