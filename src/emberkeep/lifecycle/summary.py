"""Summaries of work and events for long-term memory: extracts of what was recorded, made without a model."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from emberkeep.model.operational import LiveEvent
from emberkeep.model.work import Decision, Goal, Status, Step, Task

SUMMARY_CHARS = 2_000
ACCOUNT_CHARS = 8_000  # of an account that a model is to summarise
EXCERPT_CHARS = 200
LONGEST_SAID = 1_000  # characters of a description or of a summary
_ENDED: dict[Status, str] = {"succeeded": "succeeded", "failed": "failed", "cancelled": "was cancelled"}


def task_account(task: Task, steps: Sequence[Step], decisions: Sequence[Decision], most: int = SUMMARY_CHARS) -> str:
    """A task's description and outcome, the tools used, failures and how they were fixed, and the decisions."""
    return _within(most, [_ending(task), _tools(steps), *_failures(steps), *map(_decided, decisions)])


def goal_account(goal: Goal, tasks: Sequence[Task], decisions: Sequence[Decision], most: int = SUMMARY_CHARS) -> str:
    """A goal's description and outcome, then its tasks one by one, and the decisions."""
    counted = Counter(task.status for task in tasks)
    done = ", ".join(f"{count} {status}" for status, count in counted.most_common())
    tasks_said = [f"{_ending(task)}" for task in tasks]
    return _within(most, [_ending(goal), f"Tasks: {done}." if done else "", *tasks_said, *map(_decided, decisions)])


def events_account(category: str, day: date, events: Sequence[LiveEvent], count: int, most: int = SUMMARY_CHARS) -> str:
    """The critical events of one category on a day, the most frequent first; `count` is the number of all of them."""
    said = Counter(_excerpt(event.message) or "no message" for event in events)
    sources = Counter(event.source for event in events if event.source)
    times = [f"{message}{f' ({number} times)' if number > 1 else ''}." for message, number in said.most_common()]
    head = f"{category}: {count} critical event{'s' * (count != 1)} on {day.isoformat()}."
    return _within(
        most, [head, *times, f"From {', '.join(name for name, _ in sources.most_common())}." if sources else ""]
    )


def _ending(work: Task | Goal) -> str:
    ended = _ENDED.get(work.status, work.status)
    when = f" on {work.finished_at.date().isoformat()}" if work.finished_at else ""
    came = f": {_excerpt(work.summary, LONGEST_SAID)}" if work.summary else ""
    return _sentence(f"{_excerpt(work.description, LONGEST_SAID).rstrip('.')} ({ended}{when}){came}")


def _tools(steps: Sequence[Step]) -> str:
    used = Counter(step.tool or "a tool without a name" for step in steps)
    failed = Counter(step.tool or "a tool without a name" for step in steps if not step.success)
    said = [
        f"{_excerpt(tool)} {count} time{'s' * (count != 1)}{f' ({failed[tool]} failed)' if failed[tool] else ''}"
        for tool, count in used.most_common()
    ]
    return f"Used {', '.join(said)}." if said else ""


def _failures(steps: Sequence[Step]) -> Iterator[str]:
    """Each failure, once, with the next success of the same tool, which is taken to be the fix."""
    seen = set()
    for place, step in enumerate(steps):
        if step.success:
            continue
        reason = _excerpt(step.output) or "without a word"
        if (step.tool, reason) in seen:
            continue
        seen.add((step.tool, reason))
        later = next((one for one in steps[place + 1 :] if one.success and one.tool == step.tool), None)
        fixed = "It was not fixed." if later is None else f"It worked with {_excerpt(str(later.parameters))}."
        yield f"{_sentence(f'{_excerpt(step.tool)} failed: {reason}')} {fixed}"


def _decided(decision: Decision) -> str:
    who = f"{_excerpt(decision.who)} decided" if decision.who else "Decided"
    why = f" because {_excerpt(decision.why)}" if decision.why else ""
    outcome = f". It turned out: {_excerpt(decision.outcome)}" if decision.outcome else ""
    return _sentence(f"{who}: {_excerpt(decision.what)}{why}{outcome}")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _excerpt(text: str, most: int = EXCERPT_CHARS) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[: most - 1].rstrip()}…"


def _within(most: int, parts: Iterable[str]) -> str:
    """As many of the parts as fit into `most` characters; the first in any case, cut if need be."""
    told = ""
    for part in filter(None, parts):
        longer = f"{told} {part}" if told else part
        if len(longer) > most:
            return longer[:most] if not told else f"{told} …"[:most]
        told = longer
    return told
