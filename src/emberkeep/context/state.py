"""The present as candidates for a context: live state, and the goals and tasks that are open. Pure functions."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from statistics import median

from emberkeep.language.instructions import is_instruction
from emberkeep.model.context import Candidate, Trust
from emberkeep.model.operational import LiveEvent, Metric, Snapshot
from emberkeep.model.work import Goal, Task

MOST_METRICS = 20
MOST_CATEGORIES = 8
STATE, CRITICAL = 0.5, 0.6  # the values of the state and of a critical event, when that of the best memory is 1
OPEN = 0.05  # the highest value of open work that the question did not find
LATELY = timedelta(days=1)  # older critical events are left out


def live_state(snapshot: Snapshot) -> list[Candidate]:
    """Return the state at a glance, and each critical event of the last day; nothing if nothing was recorded."""
    if not snapshot.pushed and not snapshot.metrics:
        return []
    text = _glance(snapshot)
    trust = _trust(text, "tool")
    state = [Candidate("operational", "state", "state", text, snapshot.at, STATE, trust)] if text else []
    return [*state, *(_event(event) for event in snapshot.critical if event.at > snapshot.at - LATELY)]


def open_work(goals: Iterable[Goal], tasks: Iterable[Task]) -> list[Candidate]:
    """Return goals and tasks, which are not finished, as candidates."""
    return [
        *(_open(f"goal:{goal.id}", "goal", goal, goal.description, "told") for goal in goals),
        *(_open(f"task:{task.id}", "task", task, task.told, "tool") for task in tasks),
    ]


def joined(state: Sequence[Candidate], found: Sequence[Candidate]) -> list[Candidate]:
    """Return the state with the memories found, each thing once: an open task replaces its memory and takes its value.

    Open work that the question did not find is worth no more than the median of what it found.
    """
    shown = {one.key for one in state}
    values: dict[str, float] = {}
    others = []
    for one in found:
        record = one.hit.item.record if one.hit and one.hit.item.kind == "execution" else None
        if record is not None and record in shown:
            values[record] = max(one.value, values.get(record, 0.0))
        else:
            others.append(one)
    low = min(OPEN, median([one.value for one in found] or [OPEN]))
    work = [replace(one, value=values.get(one.key, low)) if one.tier == "working" else one for one in state]
    return [*work, *others]


def _open(key: str, noun: str, work: Goal | Task, text: str, trust: Trust) -> Candidate:
    kind = f"{work.status} {noun}"
    return Candidate("working", key, kind, text, work.updated_at, OPEN, _trust(text, trust))


def _event(event: LiveEvent) -> Candidate:
    text = f"{event.category}: {event.message}" if event.message else event.category
    key, kind = f"event:{event.id}", f"{event.severity} event"
    return Candidate("operational", key, kind, text, event.at, CRITICAL, _trust(text, "tool"), event.source or None)


def _glance(snapshot: Snapshot) -> str:
    """Return the latest metrics and the numbers of events on one line; "" if there are none."""
    parts = [", ".join(_measured(metric) for metric in _latest(snapshot.metrics.values()))]
    if snapshot.held:
        counted = [f"{count} {name}" for name, count in list(snapshot.by_category.items())[:MOST_CATEGORIES]]
        grave = [f"{count} {name}" for name, count in snapshot.by_severity.items() if name not in {"debug", "info"}]
        of_these = f" (of these {', '.join(grave)})" if grave else ""
        parts.append(f"events: {', '.join(counted)}{of_these}")
    return "; ".join(part for part in parts if part)


def _latest(metrics: Iterable[Metric]) -> Sequence[Metric]:
    return sorted(metrics, key=lambda metric: (-metric.at.timestamp(), metric.key))[:MOST_METRICS]


def _measured(metric: Metric) -> str:
    if metric.minimum == metric.maximum:
        return f"{metric.key} {metric.latest:g}"
    return f"{metric.key} {metric.latest:g} (from {metric.minimum:g} to {metric.maximum:g})"


def _trust(text: str, otherwise: Trust) -> Trust:
    return "untrusted" if is_instruction(text) else otherwise
