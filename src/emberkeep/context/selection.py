"""Choosing hits under a token budget, best first. Pure functions."""

import re
from collections.abc import Callable, Sequence

from emberkeep.model.context import Chunk
from emberkeep.model.recall import Hit

CountTokens = Callable[[str], int]
Render = Callable[[Hit, str], str]
# Below this a trimmed text says too little to be worth its label.
FEWEST_TOKENS = 12
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def select_within_budget(
    hits: Sequence[Hit], budget: int, *, count: CountTokens, render: Render
) -> tuple[tuple[Chunk, ...], int]:
    """The hits that fit, in order, and how many were dropped. One that is too long is cut at a sentence."""
    chunks: list[Chunk] = []
    left = budget
    for hit in hits:
        chunk = _fit(hit, left, count, render)
        if chunk is not None:
            chunks.append(chunk)
            left -= chunk.tokens
    return tuple(chunks), len(hits) - len(chunks)


def _fit(hit: Hit, budget: int, count: CountTokens, render: Render) -> Chunk | None:
    whole = render(hit, hit.text)
    tokens = count(whole)
    if tokens <= budget:
        return Chunk(hit, whole, tokens)
    room = budget - count(render(hit, "…"))
    if room < FEWEST_TOKENS:
        return None
    text = render(hit, f"{_cut(hit.text, room, count)} …")
    tokens = count(text)
    return Chunk(hit, text, tokens, trimmed=True) if tokens <= budget else None


def _cut(text: str, tokens: int, count: CountTokens) -> str:
    """The beginning of a text in so many tokens: whole sentences, or words if not even one sentence fits."""
    ends = [match.start() for match in _SENTENCE_END.finditer(text)]
    return _longest(text, ends, tokens, count) or _longest(
        text, [match.start() for match in re.finditer(r"\s+", text)], tokens, count
    )


def _longest(text: str, ends: Sequence[int], tokens: int, count: CountTokens) -> str:
    low, high = 0, len(ends)  # the first `low` ends fit
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[: ends[middle - 1]]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[: ends[low - 1]] if low else ""
