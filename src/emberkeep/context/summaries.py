"""Summaries within a token budget, for a prompt that includes what happened before. Pure functions."""

from collections.abc import Callable, Iterable

from emberkeep.context.trimming import furthest_end

FEWEST_TOKENS = 12  # with fewer, the beginning of a summary says too little


def cap_summaries(texts: Iterable[str], max_tokens: int, count: Callable[[str], int]) -> list[str]:
    """Return the texts in order until the tokens are used up; the last one is cut, after a sentence if possible."""
    kept: list[str] = []
    left = max_tokens
    for text in texts:
        tokens = count(text)
        if tokens > left:
            shown = _beginning(text, left, count)
            return [*kept, shown] if shown else kept
        kept.append(text)
        left -= tokens
    return kept


def _beginning(text: str, room: int, count: Callable[[str], int]) -> str:
    """Return as much of a text as fits, with "…"; nothing if that would say too little."""
    if room < FEWEST_TOKENS:
        return ""
    end = furthest_end(text, lambda end: count(f"{text[:end]} …") <= room)
    return f"{text[:end]} …" if end else ""
