"""The tools by which an agent uses its memory, shared by all frameworks that give functions to models.

They reach only the memory of the user they are made for. Stored text is returned as a quotation
(docs/explanation/safety.md).
"""

from dataclasses import dataclass

from emberkeep.errors import NotFound
from emberkeep.integrations.asking import AnyMemory, asked
from emberkeep.memory import Memory
from emberkeep.model.context import PERSONAL, Context
from emberkeep.model.kinds import Kind
from emberkeep.model.recall import Hits
from emberkeep.service.answers import answered, ended, record_of, told


@dataclass(frozen=True, slots=True)
class Toolbox:
    """One user's memory, for an agent. New memories also carry the agent's id, if it has one."""

    memory: AnyMemory
    user_id: str | None = None
    agent_id: str | None = None

    async def search(self, query: str, limit: int) -> str:
        """The relevant memories, best first, each with the id by which it can be forgotten."""
        hits: Hits = await asked(self.memory, lambda memory: memory.search(query, limit=limit, user_id=self.user_id))
        said = f"Found {len(hits)}." if hits else "Nothing was found."
        return answered(said, [record_of(hit.item) for hit in hits], hits.degraded).text

    async def remember(self, text: str, kind: Kind) -> str:
        """Keep one thing."""
        added = await asked(
            self.memory,
            lambda memory: memory.remember(text, kind=kind, user_id=self.user_id, agent_id=self.agent_id),
        )
        said = "Kept." if added.new else "Known already: it is warmer now."
        return answered(said, [record_of(item) for item in added.items], added.reasons).text

    async def forget(self, memory_id: str) -> str:
        """Remove a memory for good; raises `NotFound` for another user's as for one that does not exist."""

        def work(memory: Memory) -> None:
            if memory.get(memory_id).user_id != self.user_id:
                raise NotFound(f"no memory {memory_id!r}")
            memory.delete(memory_id)

        await asked(self.memory, work)
        return "Forgotten for good."

    async def warn(self, action: str) -> str:
        """Whether something like this failed before, and what worked later."""
        caution = await asked(self.memory, lambda memory: memory.experience.warn(action, user_id=self.user_id))
        if not caution:
            return "Nothing like this is known to have failed here."
        said = f"Something like this failed {caution.failed} of {caution.total} times here."
        records = [told("failed task", ended(one), one.occurred_at) for one in caution.failures if one.occurred_at]
        records += [told("what worked later", ended(one), one.occurred_at) for one in caution.fixes if one.occurred_at]
        return answered(said, records).text

    async def context(self, task: str, max_tokens: int) -> Context:
        """What is relevant to a task, ready for a prompt. A user's has no live state, which is shared by all users."""
        tiers = None if self.user_id is None else PERSONAL
        return await asked(
            self.memory,
            lambda memory: memory.context(task, max_tokens=max_tokens, tiers=tiers, user_id=self.user_id),
        )
