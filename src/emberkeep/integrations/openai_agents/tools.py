"""Long-term memory as tools of an agent."""

from collections.abc import Callable
from typing import Any

from agents import FunctionTool, RunContextWrapper, Tool, default_tool_error_function, function_tool

from emberkeep.errors import EmberkeepError
from emberkeep.integrations.asking import AnyMemory, checked
from emberkeep.integrations.toolbox import Toolbox
from emberkeep.model.kinds import Kind

UserOf = Callable[[RunContextWrapper[Any]], str | None]


def memory_tools(memory: AnyMemory, *, user_id: str | UserOf | None = None, agent_id: str | None = None) -> list[Tool]:
    """Tools for `Agent(tools=…)`: `search_memory`, `remember`, `forget` and `warn`.

    The model cannot choose whose memory it uses: `user_id` is an id, or a function of the run's context that returns
    one.
    """
    known = checked(memory)

    def toolbox(context: RunContextWrapper[Any]) -> Toolbox:
        return Toolbox(known, user_id(context) if callable(user_id) else user_id, agent_id)

    async def search_memory(context: RunContextWrapper[Any], query: str, limit: int = 5) -> str:
        """Search long-term memory for what is known that may help to answer.

        Args:
            context: The run.
            query: What to look for, as a question or in keywords.
            limit: How many memories at most.
        """
        return await toolbox(context).search(query, limit)

    async def remember(context: RunContextWrapper[Any], text: str, kind: Kind = "fact") -> str:
        """Keep one thing in long-term memory, such as a preference or a fact that will matter later.

        Args:
            context: The run.
            text: What to remember, in a sentence that stands alone.
            kind: What sort of thing it is.
        """
        return await toolbox(context).remember(text, kind)

    async def forget(context: RunContextWrapper[Any], memory_id: str) -> str:
        """Remove a memory for good.

        Args:
            context: The run.
            memory_id: Its id, as search_memory gives it.
        """
        return await toolbox(context).forget(memory_id)

    async def warn(context: RunContextWrapper[Any], action: str) -> str:
        """Ask whether something like what you are about to do failed before, and what worked later.

        Args:
            context: The run.
            action: What you are about to do.
        """
        return await toolbox(context).warn(action)

    return [_tool(one) for one in (search_memory, remember, forget, warn)]


def _tool(function: Callable[..., Any]) -> FunctionTool:
    return function_tool(function, failure_error_function=_failure)


def _failure(context: RunContextWrapper[Any], error: Exception) -> str:
    """The text that the model reads when a tool fails: Emberkeep's message, or for other errors the SDK's default."""
    if isinstance(error, EmberkeepError):
        return f"The memory said no: {error}"
    return default_tool_error_function(context, error)
