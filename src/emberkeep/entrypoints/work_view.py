"""Goals, tasks, steps and decisions, as people read them."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from emberkeep.entrypoints.printing import View, heading, minute, owners, shown
from emberkeep.model.work import Decision, Found, Goal, Step, Task

SHOWN_OF_OUTPUT = 400


def goals_view(found: Mapping[str, Sequence[Goal]]) -> View:
    """Goals, one below the other."""
    for goal in found["goals"]:
        urgent = [f"priority {goal.priority}"] if goal.priority else []
        part = [f"part of {goal.parent_id}"] if goal.parent_id else []
        yield _said(heading(goal.id, [goal.status, *urgent, *part, *_whose(goal)]), goal.description, goal.summary)
    if not found["goals"]:
        yield Text("no goals")


def tasks_view(found: Mapping[str, Sequence[Task]]) -> View:
    """Tasks, one below the other."""
    return [_task(task) for task in found["tasks"]] or [Text("no tasks")]


def task_view(found: Mapping[str, Any]) -> View:
    """One task with its steps, and what was decided for it."""
    yield _task(found["task"])
    yield from (_step(step) for step in found["steps"])
    yield from (_decision(decision) for decision in found["decisions"])


def decisions_view(found: Mapping[str, Sequence[Decision]]) -> View:
    """Decisions, one below the other."""
    return [_decision(decision) for decision in found["decisions"]] or [Text("no decisions")]


def found_decisions_view(found: Mapping[str, Sequence[Found[Decision]]]) -> View:
    """Decisions, each with its relevance."""
    hits = [_decision(one.record, (f"{one.relevance:.3f}  ", "bold")) for one in found["decisions"]]
    return hits or [Text("nothing found")]


def _task(task: Task) -> Text:
    goal = [f"goal {task.goal_id}"] if task.goal_id else []
    return _said(heading(task.id, [task.status, *goal, *_whose(task)]), task.description, task.summary)


def _step(step: Step) -> Text:
    took = [] if step.duration_ms is None else [f"{step.duration_ms:,.0f} ms"]
    facts = ["succeeded" if step.success else "failed", *took, minute(step.created_at)]
    text = heading(f"{step.number}. {step.tool}", facts)
    rest = len(step.output) - SHOWN_OF_OUTPUT
    return _said(text, step.output[:SHOWN_OF_OUTPUT] + (f" [… {rest:,} more]" if rest > 0 else ""))


def _decision(decision: Decision, *lead: tuple[str, str]) -> Text:
    who = [f"by {decision.who}"] if decision.who else []
    sure = [] if decision.confidence is None else [f"{decision.confidence:.0%} sure"]
    text = heading(decision.id, [*who, *sure, *_whose(decision)], *lead)
    because = f"because {decision.why}" if decision.why else ""
    turned = f"it turned out: {decision.outcome}" if decision.outcome else ""
    instead = f"instead of: {', '.join(decision.alternatives)}" if decision.alternatives else ""
    return _said(text, decision.what, because, instead, turned)


def _whose(one: Goal | Task | Decision) -> list[str]:
    return [minute(one.updated_at), *owners(user=one.user_id, agent=one.agent_id, session=one.session_id)]


def _said(text: Text, *lines: str) -> Text:
    for said in lines:
        if said:
            text.append(f"\n  {shown(said)}")
    return text
