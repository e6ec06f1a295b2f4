"""Using a memory, synchronous or asynchronous, from an event loop."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from emberkeep.aio import AsyncMemory
from emberkeep.errors import InvalidInput
from emberkeep.memory import Memory

T = TypeVar("T")
AnyMemory = Memory | AsyncMemory


async def asked(memory: AnyMemory, work: Callable[[Memory], T]) -> T:
    """The result of a function of a memory, run in a thread so that the event loop is not blocked."""
    if isinstance(memory, AsyncMemory):
        return await memory._call(work)  # noqa: SLF001 - its own verbs go through it too
    return await asyncio.to_thread(work, memory)


def checked(memory: object) -> AnyMemory:
    """The memory; raises `InvalidInput` if the object is none."""
    if not isinstance(memory, Memory | AsyncMemory):
        raise InvalidInput(f"memory is {type(memory).__name__}: pass what emberkeep.open or open_async gives")
    return memory
