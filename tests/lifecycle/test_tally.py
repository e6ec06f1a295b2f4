"""Counting the events of a buffer as they come and go."""

from collections import Counter, deque

from hypothesis import given
from hypothesis import strategies as st

from emberkeep.lifecycle.tally import Tally
from emberkeep.model.operational import LiveEvent
from emberkeep.testing.clock import FixedClock

NOW = FixedClock().now()
EVENTS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["info", "error", "critical"])), max_size=12)


@given(rounds=st.lists(EVENTS, max_size=8), size=st.integers(1, 6))
def test_the_counts_are_those_of_what_is_held(rounds: list[list[tuple[str, str]]], size: int) -> None:
    held: deque[LiveEvent] = deque(maxlen=size)
    tally, pushed = Tally(), 0
    for events in rounds:
        held.extend(LiveEvent(NOW, category, severity) for category, severity in events)  # type: ignore[arg-type]
        pushed += len(events)
        by_category, by_severity = tally.count(held, pushed)
        assert by_category == Counter(event.category for event in held)
        assert by_severity == Counter(event.severity for event in held)
        assert list(by_category.values()) == sorted(by_category.values(), reverse=True)
        assert sum(tally._counts.values()) == len(tally._sorts) == len(held)
