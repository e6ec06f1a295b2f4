"""The inputs that are kept: one of each kind that a target takes, and all that were ever a fault."""

from functools import cache
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"


@cache
def inputs(target: str) -> dict[str, bytes]:
    """What is kept for a target, by its name."""
    return {path.name: path.read_bytes() for path in sorted((CORPUS / target).iterdir())}


@cache
def words_of(target: str) -> list[bytes]:
    """The words that stand in them, to be put elsewhere."""
    return sorted({word for data in inputs(target).values() for word in data.split()})
