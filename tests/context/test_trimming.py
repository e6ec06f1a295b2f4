"""Pure: where a text is cut, with as few questions as that takes."""

import re

from hypothesis import given
from hypothesis import strategies as st

from emberkeep.context.trimming import WORTH_IT, furthest_end

TEXT = st.text("ab. !?\n。", max_size=120)


def cut(text: str, room: int) -> int:
    """The same, by looking at every place."""
    most = min(room, len(text) - 1)
    for pattern in (r"(?<=[.!?])\s+|(?<=[。！？])|\n+", r"\s+"):
        end = max((found.start() for found in re.finditer(pattern, text) if found.start() <= most), default=0)
        if end >= WORTH_IT * most and text[:end].strip():
            return end
    return most if text[: max(most, 0)].strip() else 0


@given(text=TEXT, room=st.integers(0, 130), likely=st.integers(0, 200))
def test_it_is_the_best_of_all_places_whatever_is_thought_likely(text: str, room: int, likely: int) -> None:
    assert furthest_end(text, lambda end: end <= room, likely) == cut(text, room)


def test_a_long_text_is_looked_at_a_few_times_only() -> None:
    text, asked = "Tea is served at five. " * 2_000, []

    def fits(end: int) -> bool:
        asked.append(end)
        return end <= 16_000

    assert furthest_end(text, fits, 15_000) == 15_984
    assert len(asked) < 12
