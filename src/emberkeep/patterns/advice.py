"""Advice for a task from past ones, in sentences whose numbers a query can confirm. Pure functions."""

from collections import Counter
from collections.abc import Sequence

from emberkeep.model.experience import SimilarTask, TaskPattern

LONGEST_QUOTE = 120


def recommendations(
    similar: Sequence[SimilarTask], patterns: Sequence[TaskPattern], *, capped: bool = False
) -> tuple[str, ...]:
    """The advice of similar tasks and matching patterns; `capped` if there may be more similar tasks than given."""
    said = [of_tasks(similar, capped=capped)] if similar else []
    return (*said, *(f"{pattern.description}." for pattern in patterns))


def of_tasks(similar: Sequence[SimilarTask], *, capped: bool = False) -> str:
    """How similar tasks ended: "9 of 10 similar tasks succeeded; the failure was …"."""
    well = sum(task.success for task in similar)
    total = len(similar)
    tasks = "similar task" if total == 1 else "similar tasks"
    begins = f"{well} of the {total} most similar tasks succeeded" if capped else f"{well} of {total} {tasks} succeeded"
    failures = [task for task in similar if not task.success]
    if not failures:
        return f"{begins}: consider the same approach, such as: {_quoted(similar[0].summary)}."
    errors = Counter(error for task in failures for error in task.errors)
    if not errors:
        return f"{begins}; a failure was {_quoted(failures[0].summary)}."
    error, count = errors.most_common(1)[0]
    the = "the failure was" if len(failures) == 1 else "failures were mostly"
    if len(failures) > 1 and 2 * count <= len(failures):
        the = "among the failures was"
    return f"{begins}; {the} {error} ({count} of {len(failures)})."


def of_failures(failures: Sequence[SimilarTask], total: int, fix: str, *, capped: bool) -> str:
    """The warning before an action that failed before; `fix` is the summary of what worked, "" if nothing did."""
    failed = len(failures)
    of = f"of the {total} most similar times" if capped else f"of {total} times"
    said = f"Something like this failed {failed} {of} here"
    errors = Counter(error for one in failures for error in one.errors)
    said += f", {errors.most_common(1)[0][1]} of them with {errors.most_common(1)[0][0]}" if errors else ""
    return f"{said}. What worked: {_quoted(fix)}." if fix else f"{said}."


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return f"“{flat if len(flat) <= LONGEST_QUOTE else flat[: LONGEST_QUOTE - 1] + '…'}”"
