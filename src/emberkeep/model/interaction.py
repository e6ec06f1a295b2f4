"""One verbatim exchange in the log: append-only, and the source of everything derived."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from emberkeep.model.item import Source
from emberkeep.model.message import Message
from emberkeep.model.scope import Scope


@dataclass(frozen=True, slots=True)
class Interaction:
    """What was said in one call to `add`, word for word."""

    id: str
    scope: Scope
    messages: tuple[Message, ...]
    occurred_at: datetime
    recorded_at: datetime
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]

    def source(self, position: int) -> Source:
        """The reference to one of its messages."""
        message = self.messages[position]
        return Source(
            interaction_id=self.id,
            position=position,
            message_id=message.id or f"{self.id}:{position}",
            role=message.role,
            name=message.name,
            occurred_at=message.timestamp or self.occurred_at,
        )
