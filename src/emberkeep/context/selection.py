"""Choosing hits under a token budget, best first. Pure functions."""

import re
from collections.abc import Callable, Sequence

from emberkeep.model.context import Chunk
from emberkeep.model.recall import Hit

CountTokens = Callable[[str], int]
Render = Callable[[Hit, str], str]
# Below this a trimmed text says too little to be worth its label.
FEWEST_TOKENS = 12
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


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
    if budget - count(render(hit, "…")) < FEWEST_TOKENS:
        return None

    def cut(end: int) -> str:
        return render(hit, f"{hit.text[:end]} …")

    text = cut(furthest_end(hit.text, lambda end: count(cut(end)) <= budget))
    return Chunk(hit, text, count(text), trimmed=True)


def furthest_end(text: str, fits: Callable[[int], bool]) -> int:
    """Where to cut a text: after a sentence, after a word if no sentence fits, or anywhere if no word fits."""
    sentences = [match.start() for match in _SENTENCE_END.finditer(text)]
    words = [match.start() for match in re.finditer(r"\s+", text)]
    ends = (_furthest(some, fits) for some in (sentences, words, range(1, len(text))))
    return next((end for end in ends if text[:end].strip()), 0)


def _furthest(ends: Sequence[int], fits: Callable[[int], bool]) -> int:
    low, high = 0, len(ends)  # the first `low` ends fit
    while low < high:
        middle = (low + high + 1) // 2
        if fits(ends[middle - 1]):
            low = middle
        else:
            high = middle - 1
    return ends[low - 1] if low else 0
