"""One verbatim exchange in the log, which is append-only and the source of everything derived."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from emberkeep.model.item import Source
from emberkeep.model.message import Message
from emberkeep.model.moment import at_offset
from emberkeep.model.scope import Scope


@dataclass(frozen=True, slots=True)
class InteractionRecord:
    """One turn of an assistant, as `memory.capture.log` takes it: what it heard, did and answered."""

    session_id: str | None
    timestamp: datetime
    user_transcript: str
    llm_messages: list[dict[str, Any]]
    tool_calls: list[dict[str, Any]]
    assistant_response: str
    skill_used: str | None = None
    latency_ms: dict[str, float] = field(default_factory=dict)
    user_id: str | None = None
    agent_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Details:
    """What an assistant did in one turn, besides what was said."""

    llm_messages: tuple[Mapping[str, Any], ...] = ()
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    skill_used: str | None = None
    latency_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Interaction:
    """The messages of one call to `add` or `capture.log`, word for word.

    `utc_offset` is the offset of where they were said, in minutes east of UTC, 0 if unknown.
    """

    id: str
    scope: Scope
    messages: tuple[Message, ...]
    occurred_at: datetime
    recorded_at: datetime
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    details: Details | None = None
    utc_offset: int = 0

    @property
    def session_id(self) -> str | None:
        """The session that it belongs to."""
        return self.scope.session_id

    @property
    def user_id(self) -> str | None:
        """The user whose memory it belongs to."""
        return self.scope.user_id

    @property
    def agent_id(self) -> str | None:
        """The agent that talked with the user."""
        return self.scope.agent_id

    @property
    def user_transcript(self) -> str:
        """What the user said."""
        return "\n".join(message.content for message in self.messages if message.role == "user")

    @property
    def assistant_response(self) -> str:
        """What the assistant answered."""
        return "\n".join(message.content for message in self.messages if message.role == "assistant")

    @property
    def said_at(self) -> datetime:
        """When it was said, at the UTC offset of that place."""
        return at_offset(self.occurred_at, self.utc_offset)

    def message_at(self, position: int) -> datetime:
        """When one of its messages was said: the message's own timestamp, or `said_at`."""
        return self.messages[position].timestamp or self.said_at

    def source(self, position: int, quote: str | None = None) -> Source:
        """The reference to one of its messages."""
        message = self.messages[position]
        return Source(
            interaction_id=self.id,
            position=position,
            message_id=message.id or f"{self.id}:{position}",
            role=message.role,
            name=message.name,
            occurred_at=self.message_at(position).astimezone(UTC),
            quote=quote,
        )
