"""The verbatim log: what was said, word for word."""

from typing import Any

from sqlalchemy import Connection, insert

from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message
from emberkeep.model.moment import to_micros
from emberkeep.storage.schema import interactions

_append = insert(interactions)


def append(connection: Connection, interaction: Interaction) -> None:
    """Write one interaction."""
    scope = interaction.scope
    connection.execute(
        _append,
        {
            "tenant": scope.tenant,
            "id": interaction.id,
            "user_id": scope.shelf,
            "agent_id": scope.agent_id or "",
            "session_id": scope.session_id or "",
            "occurred_at": to_micros(interaction.occurred_at),
            "recorded_at": to_micros(interaction.recorded_at),
            "messages": [_plain(message) for message in interaction.messages],
            "tags": list(interaction.tags),
            "metadata": dict(interaction.metadata),
        },
    )


def _plain(message: Message) -> dict[str, Any]:
    fields = {"role": message.role, "content": message.content, "name": message.name, "id": message.id}
    plain = {name: value for name, value in fields.items() if value is not None}
    if message.timestamp is not None:
        plain["timestamp"] = message.timestamp.isoformat()
    return plain
