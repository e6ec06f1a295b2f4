"""What is going on as candidates for a context: live state, and the goals and tasks that are open. Pure functions."""

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
STATE, CRITICAL = 0.5, 0.6  # how relevant they are, where the best memory has 1
OPEN = 0.05  # at most, for work that the question did not find
LATELY = timedelta(days=1)  # what was critical before that is no longer what is going on


def live_state(snapshot: Snapshot) -> list[Candidate]:
    """The state at a glance, and each of the critical events of the last day; nothing where nothing was noted."""
    if not snapshot.pushed and not snapshot.metrics:
        return []
    said = _glance(snapshot)
    trust = _trust(said, "tool")
    made = [Candidate("operational", "state", "state", said, snapshot.at, STATE, trust)] if said else []
    return [*made, *(_event(event) for event in snapshot.critical if event.at > snapshot.at - LATELY)]


def open_work(goals: Iterable[Goal], tasks: Iterable[Task]) -> list[Candidate]:
    """The goals and tasks that are not finished."""
    return [
        *(_open(f"goal:{one.id}", "goal", one, one.description, "told") for one in goals),
        *(_open(f"task:{one.id}", "task", one, one.told, "tool") for one in tasks),
    ]


def joined(state: Sequence[Candidate], found: Sequence[Candidate]) -> list[Candidate]:
    """Both, each thing once: an open task's state says more than its memory, and is worth as much as that is.

    Open work that the question did not find is worth no more than half of what it did find.
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


def _open(key: str, noun: str, one: Goal | Task, said: str, trust: Trust) -> Candidate:
    kind = f"{one.status} {noun}"
    return Candidate("working", key, kind, said, one.updated_at, OPEN, _trust(said, trust))


def _event(event: LiveEvent) -> Candidate:
    said = f"{event.category}: {event.message}" if event.message else event.category
    key, kind = f"event:{event.id}", f"{event.severity} event"
    return Candidate("operational", key, kind, said, event.at, CRITICAL, _trust(said, "tool"), event.source or None)


def _glance(snapshot: Snapshot) -> str:
    parts = [", ".join(_measured(one) for one in _latest(snapshot.metrics.values()))]
    if snapshot.held:
        counted = [f"{count} {name}" for name, count in list(snapshot.by_category.items())[:MOST_CATEGORIES]]
        grave = [f"{count} {name}" for name, count in snapshot.by_severity.items() if name not in {"debug", "info"}]
        among = f" (of these {', '.join(grave)})" if grave else ""
        parts.append(f"events: {', '.join(counted)}{among}")
    return "; ".join(part for part in parts if part)


def _latest(metrics: Iterable[Metric]) -> Sequence[Metric]:
    return sorted(metrics, key=lambda one: (-one.at.timestamp(), one.key))[:MOST_METRICS]


def _measured(metric: Metric) -> str:
    if metric.minimum == metric.maximum:
        return f"{metric.key} {metric.latest:g}"
    return f"{metric.key} {metric.latest:g} (from {metric.minimum:g} to {metric.maximum:g})"


def _trust(said: str, otherwise: Trust) -> Trust:
    return "untrusted" if is_instruction(said) else otherwise
