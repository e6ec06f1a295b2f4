"""Memories that keep what they are told and learn nothing from it."""

from collections.abc import Callable
from functools import partial

import pytest

import emberkeep

Open = Callable[..., emberkeep.Memory]


@pytest.fixture(name="opened")
def opened_here(target: str, opened: Open) -> Open:  # in this order, so that they are closed while it is there
    """Opens such memories, all over one store."""
    return partial(opened, target, learner="none")
