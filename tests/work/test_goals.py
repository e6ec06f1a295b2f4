"""Goals: what is to be reached, parts within parts."""

import pytest

import emberkeep
from emberkeep.model.work import FINISHED, OPEN, STATUSES, Status
from emberkeep.testing import FixedClock


def test_a_goal_is_kept_as_it_was_set(plain: emberkeep.Memory, clock: FixedClock) -> None:
    goal = plain.goals.save(
        "  Keep the “shop” open 🙂\n日本語 ",
        id="g/1:#ü",
        status="blocked",
        priority=-3,
        summary="waits for parts",
        metadata={"n": [1, {"ü": None}]},
        user_id="alex",
        agent_id="aios",
        session_id="s",
    )
    assert plain.goals.get("g/1:#ü") == goal
    assert goal.description == "  Keep the “shop” open 🙂\n日本語 "
    assert (goal.created_at, goal.updated_at, goal.finished_at) == (clock.now(), clock.now(), None)
    assert (goal.status, goal.priority, goal.metadata) == ("blocked", -3, {"n": [1, {"ü": None}]})
    assert plain.goals.list(user_id="alex") == [goal]


def test_saved_again_it_keeps_when_it_was_made_and_what_belongs_to_it(
    plain: emberkeep.Memory, clock: FixedClock
) -> None:
    made = plain.goals.save("Grow", id="g")
    part = plain.goals.save("Hire", parent_id="g")
    task = plain.tasks.start("Write an advert", goal_id="g")
    clock.move(hours=1)
    again = plain.goals.save("Grow slowly", id="g", priority=1)
    assert (again.created_at, again.updated_at) == (made.created_at, clock.now())
    assert plain.goals.list(parent_id="g") == [part]
    assert plain.tasks.list(goal_id="g") == [task]


def test_what_is_finished_stays_so_until_it_is_saved_anew(plain: emberkeep.Memory, clock: FixedClock) -> None:
    for status in FINISHED:
        goal = plain.goals.save("Grow", id=status)
        done = plain.goals.update(goal.id, status=status, summary="over")
        assert (done.status, done.finished_at) == (status, clock.now())
        for other in STATUSES:
            with pytest.raises(emberkeep.Conflict, match=f"is {status}, so it cannot become {other}"):
                plain.goals.update(goal.id, status=other)
        clock.move(hours=1)
        assert plain.goals.update(goal.id, summary="over and done").finished_at == done.finished_at
        assert plain.goals.save("Grow", id=goal.id, status=status).finished_at == done.finished_at
        reopened = plain.goals.save("Grow", id=goal.id)
        assert (reopened.status, reopened.finished_at) == ("running", None)
        assert plain.goals.get(goal.id) == reopened


@pytest.mark.parametrize("one", OPEN)
@pytest.mark.parametrize("other", STATUSES)
def test_what_is_open_may_become_anything(one: Status, other: Status) -> None:
    with emberkeep.open(":memory:", embedder="local") as memory:
        goal = memory.goals.save("Grow", status=one)
        assert memory.goals.update(goal.id, status=other).status == other


def test_the_active_ones_come_by_urgency(plain: emberkeep.Memory, clock: FixedClock) -> None:
    for name, priority, status in [("a", 0, "running"), ("b", 5, "pending"), ("c", 9, "failed"), ("d", 5, "blocked")]:
        clock.move(seconds=1)
        plain.goals.save(name, id=name, priority=priority, status=status)  # type: ignore[arg-type]
    assert [goal.id for goal in plain.goals.active()] == ["d", "b", "a"]
    assert [goal.id for goal in plain.goals.active(limit=1)] == ["d"]
    assert [goal.id for goal in plain.goals.list()] == ["d", "c", "b", "a"]
    assert [goal.id for goal in plain.goals.list(status="failed")] == ["c"]


def test_no_goal_is_part_of_itself(plain: emberkeep.Memory) -> None:
    with pytest.raises(emberkeep.Conflict, match="would be part of itself"):
        plain.goals.save("Ouroboros", id="o", parent_id="o")
    with pytest.raises(emberkeep.NotFound):
        plain.goals.get("o")
    for child, parent in [("a", None), ("b", "a"), ("c", "b")]:
        plain.goals.save(child, id=child, parent_id=parent)
    with pytest.raises(emberkeep.Conflict, match="would be part of itself"):
        plain.goals.update("a", parent_id="c")
    with pytest.raises(emberkeep.Conflict, match="would be part of itself"):
        plain.goals.save("a", id="a", parent_id="c")
    assert plain.goals.get("a").parent_id is None


@pytest.mark.slow
def test_goals_lie_at_most_a_hundred_deep(plain: emberkeep.Memory) -> None:
    above = None
    for n in range(100):
        above = plain.goals.save(f"goal {n}", id=f"g{n}", parent_id=above).id
    with pytest.raises(emberkeep.Conflict, match="more than 100 goals deep"):
        plain.goals.save("one more", parent_id=above)


def test_an_unknown_parent_is_refused_and_a_deleted_one_let_go(plain: emberkeep.Memory) -> None:
    with pytest.raises(emberkeep.NotFound, match="no goal 'nobody' for this user"):
        plain.goals.save("Grow", parent_id="nobody")
    assert plain.goals.list() == []
    plain.goals.save("Grow", id="g")
    part = plain.goals.save("Hire", parent_id="g")
    task = plain.tasks.start("Write an advert", goal_id="g")
    decision = plain.decisions.log("Hire two", goal_id="g")
    assert plain.goals.delete("g").rows["goals"] == 1
    assert plain.goals.get(part.id).parent_id is None
    assert plain.tasks.get(task.id).goal_id is None
    assert plain.decisions.get(decision.id).goal_id is None
    with pytest.raises(emberkeep.NotFound, match="no goal 'g'"):
        plain.goals.delete("g")


def test_users_and_tenants_are_apart(target: str, plain: emberkeep.Memory) -> None:
    plain.goals.save("Alex's", id="a", user_id="alex")
    plain.goals.save("Nobody's", id="n")
    assert [goal.id for goal in plain.goals.list(user_id=None)] == ["n"]
    assert [goal.id for goal in plain.goals.active(user_id=None)] == ["n"]
    assert [goal.id for goal in plain.goals.list(user_id="alex")] == ["a"]
    assert len(plain.goals.list(user_id="*")) == len(plain.goals.list()) == 2
    with pytest.raises(emberkeep.Conflict, match="taken by another user"):
        plain.goals.save("Sam's", id="a", user_id="sam")
    assert plain.goals.get("a").description == "Alex's"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"description": " "}, "description is empty"),
        ({"description": 5}, "description must be a string"),
        ({"description": "a\x00b"}, "NUL"),
        ({"description": "\ud800"}, "surrogate"),
        ({"summary": "\x00"}, "NUL"),
        ({"id": " "}, "id is blank"),
        ({"id": "x" * 201}, "the limit is 200"),
        ({"status": "done"}, "unknown status 'done'"),
        ({"status": []}, "unknown status"),
        ({"priority": 1.5}, "priority is 1.5"),
        ({"priority": True}, "priority is True"),
        ({"priority": 2**40}, "priority"),
        ({"metadata": {"a": {1}}}, "JSON values only"),
        ({"metadata": {"a": "x" * 70_000}}, "the limit is 65,536"),
        ({"metadata": [1]}, "a mapping"),
        ({"user_id": "*"}, "means everyone"),
        ({"agent_id": "\ud800"}, "surrogate"),
    ],
)
def test_bad_input_is_refused(given: dict[str, object], said: str) -> None:
    with emberkeep.open(":memory:", embedder="local") as memory:
        with pytest.raises(emberkeep.InvalidInput, match=said):
            memory.goals.save(**{"description": "Grow", **given})  # type: ignore[arg-type]
        assert memory.goals.list() == []


def test_an_update_needs_something_to_change(stored: emberkeep.Memory) -> None:
    goal = stored.goals.save("Grow")
    with pytest.raises(emberkeep.InvalidInput, match="nothing to update"):
        stored.goals.update(goal.id)
    with pytest.raises(emberkeep.NotFound, match="no goal 'x'"):
        stored.goals.update("x", summary="y")
    with pytest.raises(emberkeep.InvalidInput, match="goal id must be a string"):
        stored.goals.get(None)  # type: ignore[arg-type]


def test_a_goal_is_part_of_a_goal_of_the_same_user(plain: emberkeep.Memory) -> None:
    plain.goals.save("Sam's", id="s", user_id="sam")
    plain.goals.save("Alex's", id="a", user_id="alex")
    for user in ("alex", None):
        with pytest.raises(emberkeep.NotFound, match="no goal 's' for this user"):
            plain.goals.save("Part", parent_id="s", user_id=user)
    with pytest.raises(emberkeep.NotFound, match="no goal 's' for this user"):
        plain.goals.update("a", parent_id="s")
    assert [goal.parent_id for goal in plain.goals.list()] == [None, None]
