"""Asking a memory from an event loop, whichever way it was opened."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from emberkeep.aio import AsyncMemory
from emberkeep.errors import InvalidInput
from emberkeep.memory import Memory

T = TypeVar("T")
AnyMemory = Memory | AsyncMemory


async def asked(memory: AnyMemory, work: Callable[[Memory], T]) -> T:
    """What comes of some work with a memory, done in a thread so that the loop goes on."""
    if isinstance(memory, AsyncMemory):
        return await memory._call(work)  # noqa: SLF001 - any work is one of its verbs
    return await asyncio.to_thread(work, memory)


def checked(memory: object) -> AnyMemory:
    """The memory, if it is one."""
    if not isinstance(memory, Memory | AsyncMemory):
        raise InvalidInput(f"memory is {type(memory).__name__}: pass what emberkeep.open or open_async gives")
    return memory
