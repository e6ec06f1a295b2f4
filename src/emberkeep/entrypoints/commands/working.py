"""Commands that show work: goals, tasks and decisions."""

from typing import Annotated

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import work_view
from emberkeep.entrypoints.commands.app import app, existing
from emberkeep.entrypoints.printing import show
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import STATUSES, status_named

goals = typer.Typer(no_args_is_help=True)
tasks = typer.Typer(no_args_is_help=True)
decisions = typer.Typer(no_args_is_help=True)
app.add_typer(goals, name="goals", help="Show goals.")
app.add_typer(tasks, name="tasks", help="Show tasks and their steps.")
app.add_typer(decisions, name="decisions", help="Show decisions: who decided what, and why.")

OfStatus = Annotated[
    str | None, typer.Option("--status", metavar="STATUS", help=f"Only with this status: one of {', '.join(STATUSES)}.")
]
OfGoal = Annotated[str | None, typer.Option("--goal", metavar="ID", help="Only those of this goal.")]
OfTask = Annotated[str | None, typer.Option("--task", metavar="ID", help="Only those of this task.")]


@goals.command("list", epilog="Example: emberkeep goals list --status running --user alex")
def list_goals(
    *,
    status: OfStatus = None,
    user: opt.OwnUser = None,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """List goals, the most recently changed first."""
    wanted = None if status is None else status_named(status)
    with existing(db, tenant, key) as memory:
        found = memory.goals.list(status=wanted, user_id=_owner(user), limit=limit)
    show({"goals": found}, work_view.goals_view, as_json=as_json)


@tasks.command("list", epilog="Example: emberkeep tasks list --status running --user alex")
def list_tasks(
    *,
    status: OfStatus = None,
    goal: OfGoal = None,
    user: opt.OwnUser = None,
    agent: opt.Agent = None,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """List tasks, the most recently changed first."""
    wanted = None if status is None else status_named(status)
    with existing(db, tenant, key) as memory:
        found = memory.tasks.list(status=wanted, goal_id=goal, user_id=_owner(user), agent_id=agent, limit=limit)
    show({"tasks": found}, work_view.tasks_view, as_json=as_json)


@tasks.command("show", epilog="Example: emberkeep tasks show 0197f3a0-… --limit 20")
def show_task(
    task_id: Annotated[str, typer.Argument(help="The task's id.", show_default=False)],
    *,
    limit: Annotated[int, typer.Option("--limit", help="How many of the last steps to show.")] = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show a task with its steps and its decisions."""
    with existing(db, tenant, key) as memory:
        task = memory.tasks.get(task_id)
        steps = memory.tasks.steps(task_id, limit=limit)
        decided = memory.decisions.list(task_id=task_id)
    found = {"task": task, "steps": steps, "decisions": decided}
    show(found, work_view.task_view, as_json=as_json)


@decisions.command("list", epilog="Example: emberkeep decisions list --who orchestrator --task 0197f3a0-…")
def list_decisions(
    *,
    who: Annotated[str | None, typer.Option("--who", help="Only what this person or agent decided.")] = None,
    task: OfTask = None,
    goal: OfGoal = None,
    user: opt.OwnUser = None,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """List decisions, the latest first."""
    with existing(db, tenant, key) as memory:
        found = memory.decisions.list(who=who, task_id=task, goal_id=goal, user_id=_owner(user), limit=limit)
    show({"decisions": found}, work_view.decisions_view, as_json=as_json)


@decisions.command("find", epilog="Example: emberkeep decisions find 'the disk is nearly full' --user alex")
def find_decisions(
    context: Annotated[str, typer.Argument(help="The situation to decide in.", show_default=False)],
    *,
    user: opt.OwnUser = None,
    limit: opt.Limit = 5,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Find decisions that were made in similar situations, best first."""
    with existing(db, tenant, key) as memory:
        found = memory.decisions.similar(context, limit=limit, user_id=_owner(user))
    show({"decisions": found}, work_view.found_decisions_view, as_json=as_json)


def _owner(user: str | None) -> str:
    return EVERYONE if user is None else user
