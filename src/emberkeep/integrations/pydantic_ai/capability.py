"""`MemoryCapability`: memory tools, relevant context before each run, and learning after it, in one."""

from collections.abc import Sequence
from copy import copy
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import AgentDepsT

from emberkeep.integrations.asking import AnyMemory, asked
from emberkeep.integrations.pydantic_ai.toolset import MemoryToolset, UserOf
from emberkeep.integrations.said import messages as said_by
from emberkeep.integrations.said import question


class MemoryCapability(AbstractCapability[AgentDepsT]):
    """Memory for `Agent(capabilities=…)`.

    The agent has the tools of `MemoryToolset`; its instructions hold what is relevant to the prompt, in at most
    `max_tokens`, as data inside a fence; and with `learn` the messages of a run are kept and learned from after it.
    """

    def __init__(
        self,
        memory: AnyMemory,
        *,
        user_id: "str | UserOf[AgentDepsT] | None" = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        max_tokens: int = 1_000,
        learn: bool = True,
        id: str | None = "emberkeep",  # noqa: A002 - the framework's name
    ) -> None:
        self.id = id
        self._tools: MemoryToolset[AgentDepsT] = MemoryToolset(memory, user_id=user_id, agent_id=agent_id, id=id)
        self._session_id, self._max_tokens, self._learn = session_id, max_tokens, learn
        self._context: str | None = None  # of the current run

    @classmethod
    def get_serialization_name(cls) -> str | None:
        """None: an open memory cannot be written into a file."""
        return None

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> "MemoryCapability[AgentDepsT]":  # noqa: ARG002
        """A copy for one run, which looks up what is relevant once for all of its requests."""
        return copy(self)

    def get_toolset(self) -> MemoryToolset[AgentDepsT]:
        """The tools."""
        return self._tools

    def get_instructions(self) -> Any:
        """The function that returns what is relevant to the prompt of a run."""
        return self._relevant

    async def after_run(self, ctx: RunContext[AgentDepsT], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Keep what was said, and learn from it."""
        said = _said(result.new_messages())
        if self._learn and said:
            box = self._tools.toolbox(ctx)
            await asked(
                box.memory,
                lambda memory: memory.add(
                    said, user_id=box.user_id, agent_id=box.agent_id, session_id=self._session_id
                ),
            )
        return result

    async def _relevant(self, ctx: RunContext[AgentDepsT]) -> str | None:
        if self._context is None and (said := question(_text(ctx.prompt))):
            made = await self._tools.toolbox(ctx).context(said, self._max_tokens)
            self._context = made.text
        return self._context or None


def _said(messages: Sequence[ModelMessage]) -> list[dict[str, str]]:
    """The messages of the user and the agent; those of tools are not learned from."""
    found = []
    for message in messages:
        match message:
            case ModelRequest():
                texts = [_text(part.content) for part in message.parts if isinstance(part, UserPromptPart)]
                found += [said for text in texts for said in said_by("user", text)]
            case ModelResponse():
                texts = [part.content for part in message.parts if isinstance(part, TextPart)]
                found += [said for text in texts for said in said_by("assistant", text)]
    return found


def _text(content: object) -> str:
    """The text of a prompt, without images and other media."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    return "\n".join(part for part in parts if isinstance(part, str))
