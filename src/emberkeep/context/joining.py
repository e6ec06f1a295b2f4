"""Joining the contexts of several memories. Pure functions."""

from collections.abc import Sequence

from emberkeep.model.context import Context

JOINT_TOKENS = 2  # of the blank line between two contexts


def joined(parts: Sequence[Context], budget: int) -> Context:
    """Return the contexts as one, in order. Empty ones are left out with their fences, unless all are empty."""
    filled = [part for part in parts if part.chunks] or [*parts[:1]]
    return Context(
        text="\n\n".join(part.text for part in filled),
        chunks=tuple(chunk for part in filled for chunk in part.chunks),
        total_tokens=sum(part.total_tokens for part in filled) + JOINT_TOKENS * (len(filled) - 1),
        dropped=sum(part.dropped for part in parts),
        degraded=tuple(dict.fromkeys(reason for part in parts for reason in part.degraded)),
        budget=budget,
        entries=tuple(entry for part in parts for entry in part.entries),
    )
