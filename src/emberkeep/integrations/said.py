"""What people and agents said, as a memory takes it: a framework passes on anything, and no turn may fail over that."""

from emberkeep.model import checks

LONGEST = 100_000  # characters of one message; what is longer becomes several
LOOKED_UP = 10_000  # characters of what was said are enough to find what is relevant to it


def messages(role: str, text: str) -> list[dict[str, str]]:
    """Messages for `add`, none if nothing was said."""
    clean = _clean(text)
    parts = (clean[start : start + LONGEST] for start in range(0, len(clean), LONGEST))
    return [{"role": role, "content": part} for part in parts if part.strip()]


def question(text: str) -> str:
    """What to look up, "" for nothing."""
    return _clean(text)[:LOOKED_UP]


def _clean(text: str) -> str:
    """The text with what no database holds replaced."""
    return str(checks.plain_json(text)).strip()
