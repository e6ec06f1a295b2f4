"""`MemoryToolset`: long-term memory as tools of an agent."""

from collections.abc import Awaitable, Callable

from pydantic_ai import FunctionToolset, ModelRetry, RunContext
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import AgentDepsT

from emberkeep.errors import EmberkeepError, InvalidInput, NotFound
from emberkeep.integrations.asking import AnyMemory, checked
from emberkeep.integrations.toolbox import Toolbox
from emberkeep.model.kinds import Kind

UserOf = Callable[[RunContext[AgentDepsT]], str | None]


class MemoryToolset(FunctionToolset[AgentDepsT]):
    """Tools for `Agent(toolsets=…)`: `search_memory`, `remember`, `forget` and `warn`.

    The model cannot choose whose memory it uses: `user_id` is an id, or a function of the run's context that returns
    it, such as `lambda run: run.deps.user_id`. The model is asked to retry after an error that it can correct, and told
    of any other.
    """

    def __init__(
        self,
        memory: AnyMemory,
        *,
        user_id: "str | UserOf[AgentDepsT] | None" = None,
        agent_id: str | None = None,
        id: str | None = "emberkeep",  # noqa: A002 - the framework's name
    ) -> None:
        super().__init__(id=id)
        self._memory, self._user_id, self._agent_id = checked(memory), user_id, agent_id
        for tool in (self.search_memory, self.remember, self.forget, self.warn):
            self.add_function(tool, takes_ctx=True)

    def toolbox(self, run: RunContext[AgentDepsT]) -> Toolbox:
        """The memory of the user that a run is for."""
        user_id = self._user_id(run) if callable(self._user_id) else self._user_id
        return Toolbox(self._memory, user_id, self._agent_id)

    async def search_memory(self, ctx: RunContext[AgentDepsT], query: str, limit: int = 5) -> str:
        """Search long-term memory for what is known that may help to answer.

        Args:
            ctx: The run.
            query: What to look for, as a question or in keywords.
            limit: How many memories at most.
        """
        return await _told(self.toolbox(ctx).search(query, limit))

    async def remember(self, ctx: RunContext[AgentDepsT], text: str, kind: Kind = "fact") -> str:
        """Keep one thing in long-term memory, such as a preference or a fact that will matter later.

        Args:
            ctx: The run.
            text: What to remember, in a sentence that stands alone.
            kind: What sort of thing it is.
        """
        return await _told(self.toolbox(ctx).remember(text, kind))

    async def forget(self, ctx: RunContext[AgentDepsT], memory_id: str) -> str:
        """Remove a memory for good.

        Args:
            ctx: The run.
            memory_id: Its id, as search_memory gives it.
        """
        return await _told(self.toolbox(ctx).forget(memory_id))

    async def warn(self, ctx: RunContext[AgentDepsT], action: str) -> str:
        """Ask whether something like what you are about to do failed before, and what worked later.

        Args:
            ctx: The run.
            action: What you are about to do.
        """
        return await _told(self.toolbox(ctx).warn(action))


async def _told(answer: Awaitable[str]) -> str:
    """The answer of a tool; our errors are raised as the framework's own."""
    try:
        return await answer
    except (InvalidInput, NotFound) as error:
        raise ModelRetry(str(error)) from error
    except EmberkeepError as error:
        raise ToolFailed(f"the memory cannot do this now: {error}") from error
