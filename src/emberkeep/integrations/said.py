"""Cleans messages for a memory: a framework passes on any text, and no turn may fail because of it."""

from emberkeep.model import checks

LONGEST = 100_000  # characters of one message; a longer one becomes several
LOOKED_UP = 10_000  # characters of a message that are used as a query


def messages(role: str, text: str) -> list[dict[str, str]]:
    """The messages for `add`; none if the text is blank."""
    clean = _clean(text)
    parts = (clean[start : start + LONGEST] for start in range(0, len(clean), LONGEST))
    return [{"role": role, "content": part} for part in parts if part.strip()]


def question(text: str) -> str:
    """The query for a message; "" if there is nothing to look up."""
    return _clean(text)[:LOOKED_UP]


def _clean(text: str) -> str:
    """The text with characters replaced that no database can store, and without outer spaces."""
    return str(checks.plain_json(text)).strip()
