"""Episodes: the messages of an interaction, each verbatim, with its speaker, time and source."""

from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Draft
from emberkeep.model.moment import offset_of


def episodes(interaction: Interaction) -> list[Draft]:
    """One draft for each message that has text."""
    return [
        Draft(
            scope=interaction.scope,
            kind="episode",
            text=message.content,
            speaker=message.name,
            occurred_at=(source := interaction.source(position)).occurred_at,
            tags=interaction.tags,
            metadata=interaction.metadata,
            source=source,
            utc_offset=offset_of(interaction.message_at(position)),
        )
        for position, message in enumerate(interaction.messages)
        if message.content  # else it only called a tool, or its words were deleted
    ]
