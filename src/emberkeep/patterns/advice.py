"""What the past says about a task, in sentences with numbers that a query confirms. Pure functions."""

from collections import Counter
from collections.abc import Sequence

from emberkeep.model.experience import SimilarTask, TaskPattern

LONGEST_QUOTE = 120
_NAMES = {"word": "the word", "tool": "the tool", "order": "the order", "error": "the error"}


def recommendations(similar: Sequence[SimilarTask], patterns: Sequence[TaskPattern]) -> tuple[str, ...]:
    """What tasks like this one and the patterns that fit it advise."""
    said = [of_tasks(similar)] if similar else []
    return (*said, *map(of_pattern, patterns))


def of_tasks(similar: Sequence[SimilarTask]) -> str:
    """How tasks like this ended: "9 of 10 similar tasks succeeded; the failure was …"."""
    well = sum(task.success for task in similar)
    total = len(similar)
    tasks = "similar task" if total == 1 else "similar tasks"
    begins = f"{well} of {total} {tasks} succeeded"
    failures = [task for task in similar if not task.success]
    if not failures:
        return f"{begins}: consider the same approach, such as: {_quoted(similar[0].summary)}."
    errors = Counter(error for task in failures for error in task.errors)
    cause = f"{errors.most_common(1)[0][0]} ({errors.most_common(1)[0][1]} of {len(failures)})" if errors else ""
    reason = cause or _quoted(failures[0].summary)
    return f"{begins}; the failure was {reason}." if len(failures) == 1 else f"{begins}; failures were mostly {reason}."


def of_pattern(pattern: TaskPattern) -> str:
    """What a pattern says: "With the tool canary, 45 of 50 succeeded; without it 20 of 60"."""
    ended = "failed" if pattern.pattern_type == "failure" else "succeeded"
    named = ", ".join(map(readable, pattern.indicators[:3])) or pattern.task_type_pattern or "tasks like this"
    without = f"; without it {pattern.other_hits} of {pattern.other_support}" if pattern.other_support else ""
    return f"With {named}, {pattern.hits} of {pattern.support} {ended}{without}."


def readable(feature: str) -> str:
    """A feature as one says it."""
    sort, _, name = feature.partition(":")
    return f"{_NAMES[sort]} {name!r}" if sort in _NAMES else f"{sort} {name!r}"


def of_failures(failed: int, total: int, error: str, fix: str) -> str:
    """What to say before something is done that went wrong before."""
    if not failed:
        return ""
    said = f"Something like this failed {failed} of {total} times here"
    said += f", mostly with {error}" if error else ""
    return f"{said}. What worked: {_quoted(fix)}." if fix else f"{said}."


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return f"“{flat if len(flat) <= LONGEST_QUOTE else flat[: LONGEST_QUOTE - 1] + '…'}”"
