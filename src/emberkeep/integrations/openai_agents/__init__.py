"""The OpenAI Agents SDK: a persistent session, and tools that give an agent long-term memory."""

from emberkeep.integrations import missing

try:
    from emberkeep.integrations.openai_agents.session import EmberkeepSession
    from emberkeep.integrations.openai_agents.tools import memory_tools
except ModuleNotFoundError as error:
    raise missing(error, package="agents", extra="openai-agents") from None

__all__ = ["EmberkeepSession", "memory_tools"]
