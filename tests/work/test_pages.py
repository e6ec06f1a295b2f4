"""Lists of records, page by page."""

from collections.abc import Callable
from typing import Any

import pytest

import emberkeep
from emberkeep.errors import InvalidInput
from emberkeep.testing import FixedClock


def goals(memory: emberkeep.Memory, number: int) -> None:
    memory.goals.save(f"Goal {number}", priority=number % 3, user_id="alex")


def tasks(memory: emberkeep.Memory, number: int) -> None:
    memory.tasks.start(f"Task {number}", user_id="alex")


def decisions(memory: emberkeep.Memory, number: int) -> None:
    memory.decisions.log(f"Decision {number}", user_id="alex")


def procedures(memory: emberkeep.Memory, number: int) -> None:
    memory.procedures.save(f"Procedure {number}", user_id="alex")


def incidents(memory: emberkeep.Memory, number: int) -> None:
    memory.incidents.report(f"Incident {number}", user_id="alex")


def configs(memory: emberkeep.Memory, number: int) -> None:
    memory.configs.record("size", number, number + 1, user_id="alex")


def knowledge(memory: emberkeep.Memory, number: int) -> None:
    memory.knowledge.add(f"Document {number}", title=f"Title {number}", user_id="alex")


def experience(memory: emberkeep.Memory, number: int) -> None:
    memory.experience.store(f"task-{number}", f"Did {number}", success=True, user_id="alex")


MAKERS = [goals, tasks, decisions, procedures, incidents, configs, knowledge, experience]
Make = Callable[[emberkeep.Memory, int], None]


def _list(memory: emberkeep.Memory, noun: str, **options: Any) -> Any:
    return getattr(memory, noun).list(user_id="alex", **options)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_pages_have_everything_once_and_in_order(plain: emberkeep.Memory, clock: FixedClock, make: Make) -> None:
    for number in range(7):
        make(plain, number)
        clock.move(seconds=number % 2)  # some at the same time
    whole = _list(plain, make.__name__)
    assert len(whole) == 7
    assert whole.next is None
    pages, cursor = [], None
    while True:
        page = _list(plain, make.__name__, limit=3, cursor=cursor)
        pages.append(page)
        cursor = page.next
        if cursor is None:
            break
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [one for page in pages for one in page] == whole


def test_what_changes_meanwhile_moves_no_page(plain: emberkeep.Memory, clock: FixedClock) -> None:
    made = []
    for number in range(4):
        made.append(plain.goals.save(f"Goal {number}"))
        clock.move(seconds=1)
    first = plain.goals.list(limit=2)
    plain.goals.update(first[1].id, summary="changed")  # it is the first now
    plain.goals.save("A new one")
    assert [goal.description for goal in plain.goals.list(limit=2, cursor=first.next)] == ["Goal 1", "Goal 0"]


@pytest.mark.parametrize("cursor", ["", "nonsense", "e30=", "WzEsMl0=", "é", "W251bGwsIG51bGxd", "[1]", 5, b"x"])
def test_another_cursor_is_refused(plain: emberkeep.Memory, cursor: Any) -> None:
    with pytest.raises(InvalidInput):
        plain.goals.list(cursor=cursor)
