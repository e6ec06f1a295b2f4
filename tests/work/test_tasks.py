"""Tasks: the machine of their states, saving again, and how they are found."""

from typing import Any

import pytest
from sqlalchemy import insert, update

import emberkeep
from emberkeep.model.work import FINISHED, STATUSES
from emberkeep.storage import schema
from emberkeep.testing import FixedClock, WordEmbedder


def execution(memory: emberkeep.Memory, **where: Any) -> emberkeep.Item:
    """The one item that a task is found by."""
    (item,) = memory.get_all(**{"user_id": "*", "kinds": ["execution"], **where})
    return item


def test_a_task_from_its_start_to_its_end(memory: emberkeep.Memory, clock: FixedClock) -> None:
    task = memory.tasks.save("t1", "Find a cheap flight to Porto", user_id="alex", metadata={"tries": 1})
    assert (task.status, task.started_at, task.success) == ("pending", None, None)
    clock.move(minutes=1)
    running = memory.tasks.update("t1", status="running")
    assert (running.started_at, running.updated_at, running.created_at) == (clock.now(), clock.now(), task.created_at)
    began = clock.now()
    clock.move(minutes=1)
    memory.tasks.step("t1", "search", parameters={"to": "OPO"}, output=["TP 1", "FR 2"], duration_ms=12.5)
    done = memory.tasks.finish("t1", success=True, summary="TP 1 for 40 euros")
    assert (done.status, done.success, done.started_at, done.finished_at) == ("succeeded", True, began, clock.now())
    assert memory.tasks.get("t1") == done
    assert memory.tasks.active() == []
    assert memory.tasks.recent_summaries() == ["TP 1 for 40 euros"]
    item = execution(memory)
    (ended,) = memory.experience.list(task_id="t1")
    assert (item.text, item.record) == ("Find a cheap flight to Porto: TP 1 for 40 euros", f"execution:{ended.id}")
    assert item.metadata == {"task_id": "t1", "success": True, "task_type": ""}
    assert memory.search("flights to Portugal", user_id="alex", kinds=["execution"])[0].id == item.id
    (found,) = memory.tasks.relevant("book an aeroplane to Porto", user_id="alex")
    assert (found.record, found.relevance) == (done, 1.0)
    assert found.similarity is not None


def test_finishing_twice_is_refused_and_changes_nothing(plain: emberkeep.Memory, clock: FixedClock) -> None:
    for status in FINISHED:
        task = plain.tasks.start("Water the plants", id=status)
        done = plain.tasks.update(task.id, status=status, summary="first")
        clock.move(hours=1)
        for attempt in STATUSES:
            with pytest.raises(emberkeep.Conflict, match="save it again to reopen it"):
                plain.tasks.update(task.id, status=attempt, summary="second")
        with pytest.raises(emberkeep.Conflict):
            plain.tasks.finish(task.id, success=True, summary="second")
        with pytest.raises(emberkeep.Conflict):
            plain.tasks.cancel(task.id)
        assert plain.tasks.get(task.id) == done


def test_saved_again_it_keeps_its_creation_its_steps_and_its_item(plain: emberkeep.Memory, clock: FixedClock) -> None:
    made = plain.tasks.start("Water the plants", id="t", user_id="alex")
    step = plain.tasks.step("t", "tap", output="wet")
    item = execution(plain)
    clock.move(days=1)
    again = plain.tasks.save("t", "Water the plants", status="succeeded", summary="All wet", user_id="alex")
    assert (again.created_at, again.started_at) == (made.created_at, made.started_at)
    assert (again.updated_at, again.finished_at) == (clock.now(), clock.now())
    assert plain.tasks.steps("t") == [step]
    assert execution(plain).id == item.id
    assert [change.action for change in plain.history(item.id)] == ["added", "updated"]
    ended = clock.now()
    clock.move(days=1)
    same = plain.tasks.save("t", "Water the plants", status="succeeded", summary="All wet", user_id="alex")
    assert same.finished_at == ended
    assert len(plain.history(item.id)) == 2
    reopened = plain.tasks.save("t", "Water the plants", status="running", user_id="alex")
    assert (reopened.finished_at, reopened.summary) == (None, "")
    assert plain.tasks.steps("t") == [step]
    given = plain.tasks.save("t", "Water", created_at="2020-01-01T00:00:00Z", user_id="alex")
    assert given.created_at.year == 2020


def test_an_archived_task_stays_archived_unless_it_is_taken_up_again(
    stored: emberkeep.Memory, clock: FixedClock
) -> None:
    stored.goals.save("g", id="g", status="failed")
    stored.tasks.save("t", "t", status="failed")
    parts = stored._parts
    for table in (schema.goals, schema.tasks):
        parts.database.write(lambda c, table=table: c.execute(update(table).values(archived_at=clock.now())))  # type: ignore[misc]
    assert stored.tasks.save("t", "t", status="failed", summary="more").archived_at == clock.now()
    assert stored.goals.save("g", id="g", status="failed", summary="more").archived_at == clock.now()
    assert (len(stored.tasks.list(archived=True)), len(stored.tasks.list(archived=False))) == (1, 0)
    assert stored.tasks.save("t", "t").archived_at is None
    assert stored.goals.save("g", id="g").archived_at is None


def test_it_may_pass_to_another_agent_and_session(plain: emberkeep.Memory) -> None:
    plain.tasks.save("t", "Water the zinnias", user_id="alex", agent_id="a", session_id="s1")
    plain.tasks.save("t", "Water the dahlias", user_id="alex", agent_id="b", session_id="s2")
    item = execution(plain)
    assert (item.agent_id, item.session_id) == ("b", "s2")
    assert [hit.id for hit in plain.search("water", user_id="alex", agent_id="b")] == [item.id]
    assert len(plain.search("water", user_id="alex", agent_id="a")) == 0
    assert len(plain.delete_all(agent_id="a").rows) > 0
    assert plain.tasks.get("t").description == "Water the dahlias"
    assert execution(plain).id == item.id
    gone = plain.delete_all(agent_id="b").rows
    assert (gone["tasks"], gone["items"]) == (1, 2)
    assert plain.stats().items == 0


@pytest.mark.parametrize(
    "task_id", ["a:b", "a#b", "a/b", "task:task:", "日本語 🙂", "%s ' \" ; --", "x" * 200, "*", " x "]
)
def test_any_id_will_do(plain: emberkeep.Memory, task_id: str) -> None:
    task = plain.tasks.start("Water the plants", id=task_id)
    assert plain.tasks.get(task_id) == task
    plain.tasks.step(task_id, "tap")
    assert [found.record for found in plain.tasks.relevant("water")] == [task]
    assert len(plain.tasks.steps(task_id)) == 1
    rows = plain.tasks.delete(task_id).rows
    assert (rows["tasks"], rows["steps"], rows["items"]) == (1, 1, 1)
    assert plain.stats().items == 0


def test_an_id_of_another_user_or_tenant(target: str, plain: emberkeep.Memory) -> None:
    plain.tasks.start("Alex's", id="t", user_id="alex")
    with pytest.raises(emberkeep.Conflict, match="this task id is taken by another user"):
        plain.tasks.start("Sam's", id="t", user_id="sam")
    with pytest.raises(emberkeep.Conflict, match="taken by another user"):
        plain.tasks.save("t", "Nobody's")
    assert plain.tasks.get("t").description == "Alex's"
    assert plain.stats().items == 1


def test_tenants_know_nothing_of_each_other(durable_target: str, opened: Any) -> None:
    one, other = opened(durable_target, tenant="one"), opened(durable_target, tenant="other")
    one.goals.save("One's goal", id="g")
    one.tasks.start("One's", id="t", goal_id="g")
    one.tasks.step("t", "tap")
    for verb in (other.tasks.get, other.tasks.steps, other.tasks.delete, other.goals.get, other.goals.delete):
        with pytest.raises(emberkeep.NotFound):
            verb("g" if "goals" in str(verb) else "t")
    with pytest.raises(emberkeep.NotFound, match="no task 't': save the task before its steps"):
        other.tasks.step("t", "tap")
    with pytest.raises(emberkeep.NotFound):
        other.tasks.start("Other's", goal_id="g")
    other.tasks.start("Other's", id="t")
    assert other.tasks.relevant("One's")[0].record.description == "Other's"
    other.tasks.delete("t")
    assert len(one.tasks.steps("t")) == 1
    other.delete_all(user_id="*")
    assert one.tasks.get("t").description == "One's"


def test_lists_tell_no_user_from_everyone(plain: emberkeep.Memory) -> None:
    plain.tasks.start("Alex's", id="a", user_id="alex", agent_id="x")
    plain.tasks.start("Nobody's", id="n")
    for verb in (plain.tasks.list, plain.tasks.active):
        assert [task.id for task in verb(user_id=None)] == ["n"]
        assert {task.id for task in verb(user_id="*")} == {task.id for task in verb()} == {"a", "n"}
    assert [task.id for task in plain.tasks.list(agent_id="x")] == ["a"]
    plain.tasks.finish("a", success=False, summary="Alex's secret")
    assert plain.tasks.recent_summaries(user_id=None) == []
    assert plain.tasks.relevant("Alex", user_id=None)[0].record.id == "n"


def test_a_task_without_its_goal_is_refused(plain: emberkeep.Memory) -> None:
    with pytest.raises(emberkeep.NotFound, match="no goal 'g' for this user: save the goal first"):
        plain.tasks.start("Water", goal_id="g")
    plain.goals.save("Grow", id="g", user_id="sam")
    for user in ("alex", None):
        with pytest.raises(emberkeep.NotFound, match="no goal 'g' for this user"):
            plain.tasks.save("t", "Water", goal_id="g", user_id=user)
    assert plain.tasks.list() == []
    assert plain.stats().items == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"description": ""}, "description is empty"),
        ({"description": b"bytes"}, "must be a string"),
        ({"description": "x" * 2_000_000}, "the limit is"),
        ({"summary": "\udfff"}, "surrogate"),
        ({"summary": 1}, "must be a string"),
        ({"id": None}, "id is missing"),
        ({"id": "a\x00"}, "NUL"),
        ({"id": "x" * 201}, "the limit is 200"),
        ({"status": "INIT"}, "unknown status 'INIT'"),
        ({"goal_id": ""}, "goal_id is blank"),
        ({"created_at": "yesterday"}, "ISO 8601"),
        ({"created_at": "2026-01-01"}, "time zone"),
        ({"metadata": {"\x00": 1}}, "NUL"),
        ({"metadata": {"a": float("nan")}}, "JSON"),
    ],
)
def test_bad_input_is_refused(given: dict[str, Any], said: str) -> None:
    with emberkeep.open(":memory:", embedder="local") as memory:
        with pytest.raises(emberkeep.InvalidInput, match=said):
            memory.tasks.save(**{"id": "t", "description": "Water", **given})
        assert memory.tasks.list() == []


def test_unknown_things_are_not_found(stored: emberkeep.Memory) -> None:
    for call in (
        lambda: stored.tasks.get("x"),
        lambda: stored.tasks.update("x", summary="y"),
        lambda: stored.tasks.finish("x", success=True),
        lambda: stored.tasks.steps("x"),
        lambda: stored.tasks.step("x", "tool"),
        lambda: stored.tasks.delete("x"),
    ):
        with pytest.raises(emberkeep.NotFound, match="no task 'x'"):
            call()
    with pytest.raises(emberkeep.InvalidInput, match="success is 'yes'"):
        stored.tasks.finish("x", success="yes")  # type: ignore[arg-type]
    with pytest.raises(emberkeep.InvalidInput, match="nothing to update"):
        stored.tasks.update("x")


def test_a_search_for_tasks_may_be_narrowed_but_not_to_other_kinds(stored: emberkeep.Memory) -> None:
    stored.tasks.start("Water the plants", id="t", user_id="alex", agent_id="x")
    assert len(stored.tasks.relevant("water", user_id="alex", agent_id="x", since="2026-01-01T00:00:00Z")) == 1
    assert stored.tasks.relevant("water", user_id="sam") == []
    with pytest.raises(emberkeep.InvalidInput, match="kinds is not for this search"):
        stored.tasks.relevant("water", kinds=["fact"])  # type: ignore[call-arg]
    with pytest.raises(emberkeep.InvalidInput, match="unknown filter 'colour'"):
        stored.tasks.relevant("water", colour="red")  # type: ignore[call-arg]
    for limit in (0, 1_001, "5", True):
        with pytest.raises(emberkeep.InvalidInput, match="limit"):
            stored.tasks.relevant("water", limit=limit)  # type: ignore[arg-type]
    assert len(stored.tasks.relevant("water", limit=1_000)) == 1
    with pytest.raises(emberkeep.InvalidInput, match="query is empty"):
        stored.tasks.relevant(" ")


def test_a_version_of_the_past_leads_to_its_task(plain: emberkeep.Memory, clock: FixedClock) -> None:
    before = clock.now()
    plain.tasks.start("Water the zinnias", id="t")
    clock.move(days=1)
    plain.tasks.save("t", "Water the dahlias")
    assert [hit.text for hit in plain.search("water", as_of=before)] == ["Water the zinnias"]
    assert [hit.text for hit in plain.search("water")] == ["Water the dahlias"]
    (found,) = plain.tasks.relevant("zinnias", as_of=before)
    assert found.record == plain.tasks.get("t")


def test_the_clock_may_go_backwards(plain: emberkeep.Memory, clock: FixedClock) -> None:
    made = plain.tasks.start("Water the zinnias", id="t")
    clock.move(days=-3)
    again = plain.tasks.save("t", "Water the dahlias", status="succeeded", summary="wet")
    assert again.created_at == made.created_at
    assert again.finished_at == clock.now()
    plain.tasks.step("t", "tap")
    assert plain.tasks.relevant("dahlias")[0].record == again
    clock.move(days=3, seconds=1)
    item = execution(plain)
    assert (item.text, item.valid_to) == ("Water the dahlias: wet", None)
    assert [hit.id for hit in plain.search("dahlias")] == [item.id]


def test_what_is_old_or_to_come_may_be_written_down(plain: emberkeep.Memory) -> None:
    for at in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        task = plain.tasks.save(at, "Water", created_at=at)
        assert plain.tasks.get(at) == task
    with pytest.raises(emberkeep.InvalidInput, match="outside the years"):
        plain.tasks.save("t", "Water", created_at="0001-01-01T00:00:00+14:00")


def test_many_tasks_are_listed_the_latest_first(stored: emberkeep.Memory, clock: FixedClock) -> None:
    row = {"user_id": "alex", "description": "d", "status": "running", "summary": "", "metadata": {}}
    rows = [
        {"tenant": "default", "id": f"t{n}", **row, "agent_id": None, "session_id": None}
        | {"created_at": clock.now(), "updated_at": clock.now()}
        for n in range(10_500)
    ]
    stored._parts.database.write(lambda c: c.execute(insert(schema.tasks), rows))
    clock.move(seconds=1)
    stored.tasks.start("last", id="last")
    assert stored.tasks.active(limit=1)[0].id == "last"
    assert len(stored.tasks.list(user_id="alex", limit=10_000)) == 10_000
    with pytest.raises(emberkeep.InvalidInput, match="limit"):
        stored.tasks.list(limit=10_001)


def test_a_model_that_is_down_loses_nothing(target: str, opened: Any) -> None:
    embedder = WordEmbedder()
    memory = opened(target, embedder=embedder)
    embedder.down = True
    memory.tasks.start("Water the zinnias", id="t", user_id="alex")
    memory.tasks.step("t", "tap", output="wet")
    memory.decisions.log("Use rain water", id="d", user_id="alex")
    memory.decisions.set_outcome("d", "It rained", success=True)
    memory.preferences.set("garden", "wild", user_id="alex")
    memory.patterns.store("a dry zinnia", "water it", id="p", user_id="alex")
    memory.tasks.finish("t", success=True, summary="Watered")
    assert memory.stats().waiting == 6  # four records, and two that said something else before
    assert memory.tasks.relevant("zinnias")[0].record.status == "succeeded"
    assert memory.decisions.similar("rain water")[0].record.success is True
    assert memory.patterns.find("A dry zinnia").id == "p"
    with pytest.raises(emberkeep.ModelUnavailable):
        memory.learn()
    embedder.down = False
    assert memory.learn().embedded == 6
    assert memory.stats().waiting == 0
    assert memory.tasks.relevant("watered zinnias")[0].similarity is not None


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("tasks.list", {"agent_id": "\ud800"}),
        ("tasks.list", {"goal_id": object()}),
        ("tasks.list", {"goal_id": True}),
        ("tasks.list", {"user_id": 1}),
        ("goals.list", {"parent_id": "a\x00"}),
        ("decisions.list", {"who": "\ud800"}),
        ("decisions.list", {"task_id": 7}),
        ("experience.list", {"success": "yes"}),
        ("procedures.list", {"name": b"x"}),
        ("tasks.relevant", {"task": "x", "limit": None}),
        ("tasks.relevant", {"task": None}),
    ],
)
def test_what_cannot_be_looked_for_is_refused(plain: emberkeep.Memory, verb: str, given: dict[str, Any]) -> None:
    noun, name = verb.split(".")
    with pytest.raises(emberkeep.InvalidInput):
        getattr(getattr(plain, noun), name)(**given)


def test_what_came_of_a_task_is_text(stored: emberkeep.Memory) -> None:
    stored.tasks.start("Water", id="t")
    for wrong in (0, False, ["x"]):
        with pytest.raises(emberkeep.InvalidInput, match="summary must be a string"):
            stored.tasks.finish("t", success=True, summary=wrong)  # type: ignore[arg-type]
        with pytest.raises(emberkeep.InvalidInput, match="summary must be a string"):
            stored.tasks.cancel("t", summary=wrong)  # type: ignore[arg-type]
    assert stored.tasks.get("t").status == "running"


def test_a_short_description_is_told_with_what_came_of_it(plain: emberkeep.Memory) -> None:
    for task_id, description in (("a", "s"), ("b", "water the plants"), ("c", "C++ (new)")):
        plain.tasks.start(description, id=task_id)
        plain.tasks.finish(task_id, success=True, summary="Today: water the plants, then rest. C++ (new)")
    said = {item.metadata["task_id"]: item.text for item in plain.get_all(kinds=["execution"])}
    assert said["a"] == "s: Today: water the plants, then rest. C++ (new)"
    assert said["b"] == said["c"] == "Today: water the plants, then rest. C++ (new)"
