"""The corpus of inputs: one of each kind that a target takes, and all that were ever a fault."""

from functools import cache
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"


@cache
def inputs(target: str) -> dict[str, bytes]:
    """Return the inputs for a target, by file name."""
    return {path.name: path.read_bytes() for path in sorted((CORPUS / target).iterdir())}


@cache
def words_of(target: str) -> list[bytes]:
    """Return the words in the inputs for a target, to be inserted into others."""
    return sorted({word for data in inputs(target).values() for word in data.split()})
