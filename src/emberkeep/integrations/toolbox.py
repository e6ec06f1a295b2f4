"""What an agent can do with its memory by itself: the same tools for every framework that gives functions to models.

A user that is settled is all that they reach. What was stored comes back as a quotation (docs/explanation/safety.md).
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
    """One user's memory, for an agent. What is new is also said to be the agent's, if it has an id."""

    memory: AnyMemory
    user_id: str | None = None
    agent_id: str | None = None

    async def search(self, query: str, limit: int) -> str:
        """What is relevant, best first, each with the id by which it is forgotten."""
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
        """Remove a memory for good; what is another user's is as if it were not there."""

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
        """What is relevant to a task, ready for a prompt. What is going on just now is everyone's, so not a user's."""
        tiers = None if self.user_id is None else PERSONAL
        return await asked(
            self.memory,
            lambda memory: memory.context(task, max_tokens=max_tokens, tiers=tiers, user_id=self.user_id),
        )
