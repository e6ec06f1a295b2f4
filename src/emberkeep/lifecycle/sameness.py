"""When two texts say the same thing. Pure functions."""

import hashlib
import re
import unicodedata

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|without|cannot|neither|nor)\b|n['’]t\b", re.IGNORECASE)


def normalise(text: str) -> str:
    """The text without what does not change its meaning: case, width, runs of space, closing punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).rstrip(".!… ") or folded


def content_hash(text: str, speaker: str | None = None) -> bytes:
    """Equal for texts that are the same when normalised, by the same speaker."""
    return hashlib.sha256(f"{speaker or ''}\0{normalise(text)}".encode()).digest()


def could_paraphrase(one: str, other: str) -> bool:
    """Whether two texts that lie close together may say the same thing.

    Embedders put "the train at 5" beside "the train at 6", and "likes tea" beside "does not like tea": texts with
    other numbers, or of which one is negated, are not the same.
    """
    if sorted(_NUMBER.findall(one)) != sorted(_NUMBER.findall(other)):
        return False
    return bool(_NEGATION.search(one)) == bool(_NEGATION.search(other))
