"""Candidates to choose from and to write down."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from emberkeep.model.context import Candidate

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
MakeCandidate = Callable[..., Candidate]


@pytest.fixture(scope="session")
def candidate() -> MakeCandidate:
    """Makes a candidate with a text, worth as much as the best unless it is said."""

    def make(text: str, **given: Any) -> Candidate:
        usual: dict[str, Any] = {
            "tier": "longterm",
            "key": f"item:{text[:20]}",
            "kind": "episode",
            "at": NOON,
            "value": 1.0,
            "trust": "said",
        }
        return Candidate(text=text, **{**usual, **given})

    return make
