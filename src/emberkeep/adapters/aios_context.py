"""AIOS's context assembler: what is relevant to a task, from all open tiers, within a token budget."""

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from weakref import ref

import emberkeep
from emberkeep.context.joining import JOINT_TOKENS, joined
from emberkeep.context.state import live_state
from emberkeep.contexts import MAX_CONTEXT_TOKENS
from emberkeep.errors import Closed, InvalidInput
from emberkeep.model import checks
from emberkeep.model.context import TIERS, Chunk, Context, Shares, Tier, tiers_named

LEAST_SHARE = 50  # tokens for each of several memories
STATE_TOKENS, MOST_OF_IT = 500, 0.5  # the live state is guaranteed so many tokens, but at most half of the budget
_MOST: Mapping[Tier, int] = {"working": 5, "longterm": 3, "knowledge": 2}  # records, as in AIOS
_IDLE = "Nothing is going on: no events, no metrics, no active tasks."
_IDLE_TOKENS = 16


class OpenTier(Protocol):
    """An open tier."""

    memory: emberkeep.Memory


@dataclass
class ContextChunk:
    """One piece of a context: the tier it is from, its content, and how relevant it is.

    `content` is the stored text, `text` the form it has in the text of the whole context.
    """

    source: str
    content: str
    relevance: float
    text: str = ""
    tokens: int = 0
    kind: str = ""


@dataclass
class AssembledContext:
    """The chunks of a context and their number of tokens; `text` is the whole, ready for a prompt."""

    chunks: list[ContextChunk]
    total_tokens: int
    text: str = ""
    budget: int = 0
    degraded: tuple[str, ...] = ()


_open_tiers: list[OpenTier] = []
_live: list[ref[emberkeep.Memory]] = []
_chosen: list[emberkeep.Memory] = []


def opened(tier: OpenTier) -> None:
    """Register an open tier: contexts are assembled from its memory too."""
    _open_tiers.append(tier)


def closed(tier: OpenTier) -> None:
    """Remove a tier that was closed."""
    if tier in _open_tiers:
        _open_tiers.remove(tier)


def forget(memory: emberkeep.Memory) -> None:
    """Undo `use` if it named this memory, so that contexts come from all open tiers again."""
    if memory in _chosen:
        _chosen.clear()


def live_in(memory: emberkeep.Memory) -> None:
    """Register a memory with live state: contexts are assembled from it too, by a weak reference."""
    if not any(known() is memory for known in _live):
        _live[:] = [*(known for known in _live if known() is not None), ref(memory)]


def use(memory: emberkeep.Memory) -> None:
    """Choose the memory that `assemble_context` uses; by default it uses those of all open tiers."""
    if not isinstance(memory, emberkeep.Memory):
        raise InvalidInput(f"memory is {type(memory).__name__}: pass the memory that emberkeep.open gives")
    _chosen[:] = [memory]


async def assemble_context(
    task_description: str,
    max_tokens: int = 4000,
    tiers: Sequence[Tier] = TIERS,
    *,
    memory: emberkeep.Memory | None = None,
) -> AssembledContext:
    """Gather what is relevant to a task from all tiers, within a token budget.

    The live state comes first, as one chunk; it is cut only if it would take more than half of a small budget. There
    are at most five records of the working tier, three of the long-term tier and two of knowledge. If the tiers are in
    several files, each gets a share of the budget, and what one leaves over goes to those after it.
    """
    taken = [memory] if memory is not None else _chosen or list(_distinct())
    found = await asyncio.to_thread(_gathered, taken, task_description, max_tokens, tiers)
    chunks, total = [_chunk(one) for one in found.chunks if one.source != "operational"], found.total_tokens
    if state := [one for one in found.chunks if one.source == "operational"]:
        chunks.insert(0, _one_chunk(state))
    elif "operational" in tiers_named(tiers) and total + _IDLE_TOKENS <= max_tokens and not any(map(_is_busy, taken)):
        chunks.insert(0, ContextChunk("operational", _IDLE, 1.0, tokens=_IDLE_TOKENS))
        total += _IDLE_TOKENS
    return AssembledContext(chunks, total, found.text, max_tokens, found.degraded)


def _chunk(one: Chunk) -> ContextChunk:
    similarity = one.hit.similarity if one.hit else None
    relevance = one.relevance if similarity is None else max(0.0, similarity)
    return ContextChunk(one.source, one.content, relevance, one.text, one.tokens, one.kind)


def _one_chunk(state: Sequence[Chunk]) -> ContextChunk:
    """Merge the chunks of the live state, critical events included, into one."""
    told = "\n".join(one.content for one in state)
    return ContextChunk("operational", told, 1.0, "".join(one.text for one in state), sum(one.tokens for one in state))


def _is_busy(memory: emberkeep.Memory) -> bool:
    """Whether the memory has any live state, whether or not it fits in the budget."""
    return bool(live_state(memory.operational.get_system_snapshot(stored=False)))


def _shares(max_tokens: int) -> Shares:
    """How a budget is divided: the live state has priority, as in AIOS."""
    sure = min(STATE_TOKENS / max(max_tokens, 1), MOST_OF_IT)
    usual = Shares()
    return Shares(
        floors={**usual.floors, "operational": sure},
        ceilings={**usual.ceilings, "operational": max(sure, usual.ceiling("operational"))},
        most=_MOST,
    )


def _gathered(taken: Sequence[emberkeep.Memory], task: str, max_tokens: int, tiers: Sequence[Tier]) -> Context:
    """The context; if the live state found no room beside the rest, a context of the live state only."""
    if not taken:
        raise Closed("there is no memory to take from: open a tier, or tell use(memory)")
    found = _divided(taken, task, max_tokens, tiers)
    has_state = any(one.source == "operational" for one in found.chunks)
    if has_state or "operational" not in tiers or not any(map(_is_busy, taken)):
        return found
    return _divided(taken, task, max_tokens, ("operational",))


def _divided(taken: Sequence[emberkeep.Memory], task: str, max_tokens: int, tiers: Sequence[Tier]) -> Context:
    """The context of one memory, or the joined contexts of several that share the budget."""
    most = checks.limit(max_tokens, most=MAX_CONTEXT_TOKENS, name="max_tokens")
    if len(taken) == 1:
        return taken[0].context(task, max_tokens=most, tiers=tiers, shares=_shares(most))
    if most < LEAST_SHARE * len(taken):
        places = ", ".join(one.stats().database for one in taken)
        raise InvalidInput(
            f"max_tokens is {most} for {len(taken)} memories ({places}): pass {LEAST_SHARE} or more for each, "
            "or say which memory with memory="
        )
    left = most - JOINT_TOKENS * (len(taken) - 1)
    parts: list[Context] = []
    for number, one in enumerate(taken):
        share = left // (len(taken) - number)
        parts.append(one.context(task, max_tokens=share, tiers=tiers, shares=_shares(share), record=False))
        left -= parts[-1].total_tokens
    return joined(parts, most)


def _distinct() -> Iterator[emberkeep.Memory]:
    """The registered memories, each database and tenant once; those closed meanwhile are left out."""
    memories = {id(tier.memory): tier.memory for tier in _open_tiers}
    memories |= {id(one): one for known in _live if (one := known()) is not None}
    seen: set[object] = set()
    for memory in memories.values():
        try:
            stats = memory.stats()
        except Closed:
            continue
        place = stats.database if "://" in stats.database else os.path.realpath(stats.database)
        identity = id(memory) if stats.database == ":memory:" else (place, stats.tenant)
        if identity not in seen:
            seen.add(identity)
            yield memory
