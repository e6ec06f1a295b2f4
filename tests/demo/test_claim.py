"""Of two that load the demo into one place, one waits."""

from collections.abc import Callable

import pytest

from emberkeep.demo import claim
from emberkeep.demo.claim import Claim
from emberkeep.errors import Conflict
from emberkeep.memory import Memory


@pytest.fixture
def memory(opened: Callable[[], Memory]) -> Memory:
    return opened()


def test_one_waits_until_the_other_lets_go(memory: Memory) -> None:
    first, second = Claim(memory), Claim(memory)
    told: list[str] = []

    def waiting() -> None:
        told.append("waiting")
        first.release()

    first.take(waiting)
    assert told == []
    second.take(waiting)
    assert told == ["waiting"]


def test_the_dead_do_not_hold_it(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim, "LEASE_S", 0.01)
    Claim(memory).take(lambda: None)
    Claim(memory).take(lambda: None)


def test_whoever_was_taken_for_dead_stops(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, quick = Claim(memory), Claim(memory)
    with monkeypatch.context() as patched:
        patched.setattr(claim, "LEASE_S", 0.01)
        slow.take(lambda: None)
    quick.take(lambda: None)
    with pytest.raises(Conflict, match="run it again when the other is done"):
        slow.renew(at_once=True)
    quick.renew(at_once=True)


def test_it_outlasts_the_erasure_that_comes_first(memory: Memory) -> None:
    holder = Claim(memory)
    holder.take(lambda: None)
    memory.delete_all(user_id="*")
    holder.renew(at_once=True)
    holder.release()
    Claim(memory).take(lambda: pytest.fail("nobody holds it"))
