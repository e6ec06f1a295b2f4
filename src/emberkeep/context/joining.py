"""Contexts of several memories as one. Pure functions."""

from collections.abc import Sequence

from emberkeep.model.context import Context

JOINT_TOKENS = 2  # between what comes from one memory and from the next


def joined(parts: Sequence[Context], budget: int) -> Context:
    """All that some contexts hold, one after the other; those that hold nothing leave no empty fence behind."""
    said = [one for one in parts if one.chunks] or [*parts[:1]]
    return Context(
        text="\n\n".join(one.text for one in said),
        chunks=tuple(chunk for one in said for chunk in one.chunks),
        total_tokens=sum(one.total_tokens for one in said) + JOINT_TOKENS * (len(said) - 1),
        dropped=sum(one.dropped for one in parts),
        degraded=tuple(dict.fromkeys(reason for one in parts for reason in one.degraded)),
        budget=budget,
        entries=tuple(entry for one in parts for entry in one.entries),
    )
