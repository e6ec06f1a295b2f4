"""Work that takes too long is not waited for."""

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.errors import ModelUnavailable
from emberkeep.learning import in_time as waiting
from emberkeep.learning.in_time import in_time
from emberkeep.providers.base import Vectors
from emberkeep.testing import WordEmbedder


@pytest.fixture
def hold() -> Iterator[threading.Event]:
    """Lets go of all that waits when the test is over."""
    event = threading.Event()
    yield event
    event.set()


class Slow(WordEmbedder):
    """Knows nothing of deadlines, and does not come back before it is let go."""

    def __init__(self, hold: threading.Event) -> None:
        super().__init__()
        self._hold = hold

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        self._hold.wait(30)
        return np.asarray(super().embed_query(text))


def test_an_embedder_that_takes_too_long_is_left_out_and_that_is_said(hold: threading.Event) -> None:
    with emberkeep.open(":memory:", embedder=Slow(hold)) as memory:
        memory.remember("green tea", user_id="alex")
        began = time.monotonic()
        hits = memory.search("tea", user_id="alex", deadline_ms=100)
        context = memory.context("tea", user_id="alex", max_tokens=200, deadline_ms=100)

        assert time.monotonic() - began < 10
        assert [hit.text for hit in hits] == ["green tea"]
        assert hits.degraded == ("dense: left out, the deadline passed before it had answered",)
        assert "green tea" in context.text
        assert any("deadline" in reason for reason in context.degraded)


def test_what_comes_in_time_comes_as_it_is() -> None:
    assert in_time(lambda: 7, None) == 7
    assert in_time(lambda: 7, Deadline.after(10)) == 7
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 // 0, Deadline.after(10))

    def fails() -> None:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        in_time(fails, Deadline.after(10))


def test_only_so_many_go_on_that_nobody_waits_for(hold: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_going_on", threading.BoundedSemaphore(3))
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="the deadline passed"):
            in_time(lambda: hold.wait(30), Deadline.after(0.01))
    with pytest.raises(ModelUnavailable, match="have not come back yet"):
        in_time(lambda: 7, Deadline.after(10))
    hold.set()
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            assert in_time(lambda: 7, Deadline.after(10)) == 7
            break
        except ModelUnavailable:
            time.sleep(0.01)
    else:
        pytest.fail("nobody came back")
