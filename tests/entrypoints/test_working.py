"""The commands that show goals, tasks and decisions."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

import emberkeep
from emberkeep.providers.base import Embedder

Run = Callable[..., Result]
COMMANDS = [("goals", "list"), ("tasks", "list"), ("tasks", "show"), ("decisions", "list"), ("decisions", "find")]


@pytest.fixture
def work(embedder: Embedder) -> str:
    """A piece of work in this user's own memory; the id of its task."""
    with emberkeep.open(embedder=embedder) as memory:
        goal = memory.goals.save("Keep the shop open", id="g", priority=2, user_id="alex")
        memory.goals.save("Find a better disk", parent_id=goal.id, status="pending", user_id="alex")
        task = memory.tasks.start("Free the [bold]full[/] disk", id="t", goal_id="g", user_id="alex", agent_id="aios")
        memory.tasks.step("t", "df", output="99 %\x1b[31m", duration_ms=1_200)
        memory.tasks.step("t", "rm", output="x" * 500, success=False)
        memory.tasks.finish("t", success=True, summary="Deleted old logs")
        memory.tasks.save("u", "Buy a disk")
        memory.decisions.log(
            "Delete the old logs", id="d", who="aios", why="they are kept elsewhere", alternatives=["grow the disk"],
            confidence=0.8, outcome="Nobody missed them", task_id="t", user_id="alex",
        )  # fmt: skip
        return task.id


def document(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_each_has_help_with_an_example_and_json(run: Run, command: tuple[str, str]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert f"Example: emberkeep {' '.join(command)}" in result.stdout
    assert all(option in result.stdout for option in ("--json", "--db", "--tenant"))


def test_goals(run: Run, work: str) -> None:
    said = run("goals", "list").stdout
    assert "Keep the shop open" in said
    assert "priority 2" in said
    assert "part of g" in said
    (goal,) = document(run("goals", "list", "--status", "running", "--user", "alex", "--json"))["goals"]
    assert (goal["id"], goal["parent_id"], goal["finished_at"]) == ("g", None, None)
    assert run("goals", "list", "--user", "sam").stdout == "no goals\n"


def test_tasks(run: Run, work: str) -> None:
    said = run("tasks", "list").stdout
    assert "Free the [bold]full[/] disk\n  Deleted old logs" in said
    assert "succeeded  goal g" in said
    assert [
        task["id"] for task in document(run("tasks", "list", "--goal", "g", "--agent", "aios", "--json"))["tasks"]
    ] == [work]
    assert [task["id"] for task in document(run("tasks", "list", "--limit", "1", "--json"))["tasks"]] == ["u"]
    assert run("tasks", "list", "--status", "blocked").stdout == "no tasks\n"
    result = run("tasks", "list", "--status", "INIT")
    assert (result.exit_code, "unknown status 'INIT'" in result.stderr) == (2, True)


def test_one_task_with_its_steps_and_decisions(run: Run, work: str) -> None:
    said = run("tasks", "show", work).stdout
    assert "1. df  succeeded  1,200 ms" in said
    assert "99 %\\x1b[31m" in said
    assert "2. rm  failed" in said
    assert "[… 100 more]" in said
    assert "because they are kept elsewhere\n  instead of: grow the disk\n  it turned out: Nobody missed them" in said
    found = document(run("tasks", "show", work, "--limit", "1", "--json"))
    assert [step["tool"] for step in found["steps"]] == ["rm"]
    assert (found["task"]["status"], found["decisions"][0]["id"]) == ("succeeded", "d")
    result = run("tasks", "show", "nothing")
    assert (result.exit_code, result.stderr) == (1, "error: no task 'nothing'\n")


def test_decisions(run: Run, work: str) -> None:
    said = run("decisions", "list", "--who", "aios", "--task", work).stdout
    assert "by aios  80% sure" in said
    assert run("decisions", "list", "--who", "nobody").stdout == "no decisions\n"
    found = document(run("decisions", "find", "the disk is full of logs", "--user", "alex", "--json"))["decisions"]
    assert [(one["record"]["id"], one["relevance"]) for one in found] == [("d", 1.0)]
    assert run("decisions", "find", "the disk is full of logs").stdout.startswith("1.000  d  by aios")
    assert run("decisions", "find", "logs", "--user", "sam").stdout == "nothing found\n"
