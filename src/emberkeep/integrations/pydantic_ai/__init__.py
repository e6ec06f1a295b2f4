"""pydantic-ai: memory as a toolset, or as a capability that also adds context and learns."""

from emberkeep.integrations import missing

try:
    from emberkeep.integrations.pydantic_ai.capability import MemoryCapability
    from emberkeep.integrations.pydantic_ai.toolset import MemoryToolset
except ModuleNotFoundError as error:
    raise missing(error, package="pydantic_ai", extra="pydantic-ai") from None

__all__ = ["MemoryCapability", "MemoryToolset"]
