"""Other systems' names for the statuses of goals and tasks."""

from emberkeep.errors import InvalidInput
from emberkeep.model.work import STATUSES, Status

_ALSO: dict[str, Status] = {
    **{known: known for known in STATUSES},
    **dict.fromkeys(("init", "new", "created", "queued", "todo", "waiting", "scheduled"), "pending"),
    **dict.fromkeys(("blocked", "paused", "on_hold", "suspended", "needs_approval"), "blocked"),
    **dict.fromkeys(("completed", "complete", "done", "success", "finished", "achieved"), "succeeded"),
    **dict.fromkeys(("failure", "error", "errored", "aborted", "timeout"), "failed"),
    **dict.fromkeys(("canceled", "abandoned", "dropped", "skipped"), "cancelled"),
}


def status_of(label: str) -> Status:
    """Emberkeep's status for another system's name; an unknown name, such as PLANNING, counts as running."""
    if not isinstance(label, str):
        raise InvalidInput(f"status is {label!r}: pass a word, such as {', '.join(STATUSES)}")
    return _ALSO.get(label.strip().lower().replace(" ", "_").replace("-", "_"), "running")
