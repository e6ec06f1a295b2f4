"""LlamaIndex: a memory block for its `Memory`."""

from emberkeep.integrations import missing

try:
    from emberkeep.integrations.llama_index.block import EmberkeepMemoryBlock
except ModuleNotFoundError as error:
    raise missing(error, package="llama_index", extra="llama-index") from None

__all__ = ["EmberkeepMemoryBlock"]
