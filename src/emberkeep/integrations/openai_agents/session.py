"""`EmberkeepSession`: the items of a conversation, word for word and in order, in the log of a memory.

The history is in the log under a session id of its own, so that clearing it removes nothing that was learned. The log
is append-only: a popped item stays there, marked as popped, until the session is cleared.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice, repeat
from secrets import choice
from string import ascii_lowercase
from typing import Any, Literal, cast

from agents.items import TResponseInputItem
from agents.memory import SessionABC, SessionSettings

from emberkeep.errors import InvalidInput
from emberkeep.integrations.asking import AnyMemory, asked, checked
from emberkeep.integrations.said import messages
from emberkeep.memory import Memory
from emberkeep.model import checks
from emberkeep.model.interaction import Interaction

FEW = 50  # interactions in the first page, which is often enough
_SAID = ("user", "assistant")
Learn = bool | Literal["later"]
_NAME_CHARS = 20  # letters only, which redaction takes for no secret


class EmberkeepSession(SessionABC):
    """A session of the OpenAI Agents SDK in a memory.

    With `learn`, the messages are also added to the user's memory, as by `add`, and stay when the session is cleared.
    They are learned from at once, or with "later" by the next `memory.learn()` or a worker. Sessions of the same id
    are kept apart by `user_id`.
    """

    def __init__(
        self,
        session_id: str,
        memory: AnyMemory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        learn: Learn = True,
        session_settings: SessionSettings | None = None,
    ) -> None:
        if not isinstance(learn, bool) and learn != "later":
            raise InvalidInput(f'learn is {learn!r}: pass True, False or "later"')
        self.session_id = session_id
        self.session_settings = session_settings
        self._memory = checked(memory)
        self._user_id, self._agent_id = user_id, agent_id
        self._learn = learn
        # Without a user the name differs: clearing without `user_id` covers all users, and must not hit their sessions.
        whose = "openai-agents" if user_id is not None else "openai-agents-of-nobody"
        self._history = f"{whose}:{session_id}"
        checks.scope_id(self._history, name="session_id")
        self._turn = threading.Lock()  # a pop reads before it writes

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The items in order: all, or the latest `limit`."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        if limit is not None and limit <= 0:
            return []
        found = await asked(self._memory, lambda memory: list(islice(self._latest(memory), limit)))
        return [item for _, item in reversed(found)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items at the end."""
        if not items:
            return
        plain = [dict(cast("Mapping[str, Any]", item)) for item in items]
        await asked(self._memory, lambda memory: self._add(memory, plain))

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the last item and return it."""
        return await asked(self._memory, self._pop)

    async def clear_session(self) -> None:
        """Remove all items for good; what was learned from them stays."""
        await asked(self._memory, lambda memory: memory.delete_all(user_id=self._user_id, session_id=self._history))

    def _add(self, memory: Memory, items: Sequence[Mapping[str, Any]]) -> None:
        said = [message for item in items for message in _messages(item)]
        if said and self._learn is not False:
            # Before the history: on a retry after an error, the same words only warm, and no item is doubled.
            memory.add(
                said, user_id=self._user_id, agent_id=self._agent_id, session_id=self.session_id, learn=self._learn
            )
        self._write(memory, [{"name": _name(), "item": item} for item in items])

    def _pop(self, memory: Memory) -> TResponseInputItem | None:
        with self._turn:
            last = next(self._latest(memory), None)
            if last is None:
                return None
            name, item = last
            self._write(memory, [{"popped": name}])
            return item

    def _write(self, memory: Memory, entries: Sequence[Mapping[str, Any]]) -> None:
        # A message without content but with tool calls is logged as it is, and never becomes a memory.
        memory.add(
            [{"role": "tool", "content": "", "tool_calls": [*entries]}],
            user_id=self._user_id,
            agent_id=self._agent_id,
            session_id=self._history,
            learn=False,
        )

    def _latest(self, memory: Memory) -> Iterator[tuple[str, TResponseInputItem]]:
        """The items that were not popped, each with its name, from the last to the first."""
        popped: set[str] = set()
        for interaction in self._logged(memory):
            for entry in reversed([entry for message in interaction.messages for entry in message.tool_calls]):
                if "popped" in entry:
                    popped.add(entry["popped"])
                elif entry["name"] not in popped:
                    yield entry["name"], cast("TResponseInputItem", entry["item"])

    def _logged(self, memory: Memory) -> Iterator[Interaction]:
        """The interactions of the history, latest first."""
        until: datetime | None = None
        seen: set[str] = set()
        for size in chain([FEW], repeat(checks.MAX_PAGE_LIMIT)):
            page = memory.capture.recent(
                size, user_id=self._user_id, session_id=self._history, until=until, order="recorded"
            )
            fresh = [one for one in page if one.id not in seen]
            yield from fresh
            if len(page) < size or not fresh:
                return
            seen |= {one.id for one in fresh}
            until = page[-1].occurred_at if size == checks.MAX_PAGE_LIMIT else None


def _name() -> str:
    """A random name for an item, by which it is marked as popped: unlike a position in the log, exports keep it."""
    return "".join(choice(ascii_lowercase) for _ in range(_NAME_CHARS))


def _messages(item: Mapping[str, Any]) -> list[dict[str, str]]:
    """The messages of an item to learn from: those of the user or the agent, not those of tools."""
    if item.get("role") not in _SAID or item.get("type", "message") != "message":
        return []
    content = item.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    return messages(item["role"], content) if isinstance(content, str) else []
