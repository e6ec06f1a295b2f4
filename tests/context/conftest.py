"""Hits to choose from and to write down."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import settings

from emberkeep.model.item import Item
from emberkeep.model.recall import Hit, Why

settings.register_profile("patient", deadline=None)  # a busy machine is not a failure
settings.load_profile("patient")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
MakeHit = Callable[..., Hit]


@pytest.fixture(scope="session")
def hit() -> MakeHit:
    """Makes a hit with a text and, if need be, a speaker."""

    def make(text: str, speaker: str | None = None) -> Hit:
        found = Item(
            id=str(hash(text)),
            text=text,
            kind="episode",
            user_id=None,
            agent_id=None,
            session_id=None,
            speaker=speaker,
            tags=(),
            metadata={},
            occurred_at=NOON,
            recorded_at=NOON,
            valid_from=NOON,
            valid_to=None,
            superseded_by=None,
            temperature=75.0,
            heated_at=NOON,
            access_count=0,
            last_access=None,
            sacred=False,
        )
        return Hit(found, 0.5, None, Why("balanced", (), (), 75.0))

    return make
