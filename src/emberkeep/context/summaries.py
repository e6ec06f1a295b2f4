"""What came of earlier tasks, within a number of tokens. Pure functions."""

from collections.abc import Sequence

from emberkeep.context.selection import FEWEST_TOKENS, CountTokens, furthest_end


def cap_summaries(texts: Sequence[str], max_tokens: int, count: CountTokens) -> list[str]:
    """The texts that fit together, in order; the first that does not is cut at a sentence, and the rest left out."""
    kept: list[str] = []
    left = max_tokens
    for text in texts:
        if (tokens := count(text)) > left:
            end = furthest_end(text, lambda end, text=text, left=left: count(f"{text[:end]} …") <= left)  # type: ignore[misc]
            if left >= FEWEST_TOKENS and end:
                kept.append(f"{text[:end]} …")
            break
        kept.append(text)
        left -= tokens
    return kept
