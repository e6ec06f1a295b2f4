"""What fits: hits chosen and rendered under a token budget."""

from dataclasses import dataclass

from emberkeep.model.recall import Hit


@dataclass(frozen=True, slots=True)
class Chunk:
    """One memory as it stands in the context; `trimmed` when only its beginning fitted."""

    hit: Hit
    text: str
    tokens: int
    trimmed: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The text to put in front of a model, what it is made of, and what it costs."""

    text: str
    chunks: tuple[Chunk, ...]
    total_tokens: int
    dropped: int = 0
    degraded: tuple[str, ...] = ()
