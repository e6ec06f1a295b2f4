"""`EmberkeepMemoryBlock`: long-term memory behind LlamaIndex's queue of messages."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.bridge.pydantic import Field, PrivateAttr, field_validator
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.utils import get_tokenizer

from emberkeep.integrations.asking import AnyMemory, asked, checked
from emberkeep.integrations.said import messages as said_by
from emberkeep.integrations.said import question
from emberkeep.integrations.toolbox import Toolbox
from emberkeep.memory import Memory
from emberkeep.model.context import Context

STEP = 0.9  # a block that is still too long is chosen anew with at most this share of its budget
_SESSION = "session_id"  # the key of the session's id in the `additional_kwargs` of LlamaIndex's messages


class EmberkeepMemoryBlock(BaseMemoryBlock[str]):
    """Keeps the messages that leave the queue, learns from them, and retrieves what is relevant to the user's latest.

    A block serves one user, and sees all of this user's memory, whichever agent it came from. If the prompt is too
    long, the block's memories are chosen anew within the tokens that are left, best first.
    """

    name: str = Field(default="long_term_memory", description="The name of the block in the prompt.")
    priority: int = Field(default=1, description="Blocks of priority 0 are never shortened.")
    memory: Any = Field(exclude=True, description="An open memory: what emberkeep.open or open_async gives.")
    user_id: str | None = Field(default=None, description="Whose memory it is.")
    agent_id: str | None = Field(default=None, description="Which agent talks with them.")
    max_tokens: int = Field(default=1_000, description="How long the block may be.")
    learn: bool | Literal["later"] = Field(default=True, description="Whether to learn from messages, as `add` does.")
    tokenizer_fn: Callable[[str], list[Any]] | None = Field(
        default=None, exclude=True, description="What tokens are counted by, if `Memory` has one of its own."
    )
    _last: tuple[str, Context] | None = PrivateAttr(default=None)

    @field_validator("memory")
    @classmethod
    def _is_memory(cls, value: object) -> AnyMemory:
        return checked(value)

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        """What is relevant to the user's last message, ready for a prompt; "" if there is no such message yet."""
        users = (message for message in reversed(messages or []) if message.role == MessageRole.USER)
        asked_for = (question(message.content or "") for message in users)
        said = next(filter(None, asked_for), None)
        return "" if said is None else await self._about(said, self.max_tokens)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Keep messages, grouped by session."""
        for session_id, said in _by_session(messages):
            await asked(self.memory, partial(self._keep, said=said, session_id=session_id))

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The block in fewer tokens, without the least valuable memories; None if nothing fits."""
        if self._last is None or self._last[1].text != content:
            return None
        said, made = self._last
        count = self.tokenizer_fn or get_tokenizer()
        most = len(count(content)) - tokens_to_truncate
        budget = made.total_tokens  # by Emberkeep's own count, which may differ from LlamaIndex's
        while most > 0 and len(count(content)) > most:
            budget = int(budget * min(most / len(count(content)), STEP))
            content = await self._about(said, budget) if budget else ""
        return content if most > 0 and content else None

    def _keep(self, memory: Memory, said: list[dict[str, str]], session_id: str | None) -> None:
        memory.add(said, user_id=self.user_id, agent_id=self.agent_id, session_id=session_id, learn=self.learn)

    async def _about(self, said: str, max_tokens: int) -> str:
        made = await Toolbox(self.memory, self.user_id).context(said, max_tokens)
        self._last = said, made
        return made.text


def _by_session(messages: list[ChatMessage]) -> list[tuple[str | None, list[dict[str, str]]]]:
    found: dict[str | None, list[dict[str, str]]] = {}
    for message in messages:
        if said := said_by(_role(message), message.content or ""):
            found.setdefault(message.additional_kwargs.get(_SESSION), []).extend(said)
    return list(found.items())


def _role(message: ChatMessage) -> str:
    return "assistant" if message.role == MessageRole.CHATBOT else message.role.value
