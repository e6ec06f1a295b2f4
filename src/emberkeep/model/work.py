"""Records of work and their outcomes: goals, tasks, steps, decisions, cached patterns, and agents' states.

The fields are the columns of the tables of the same name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar, get_args

from emberkeep.errors import Conflict, InvalidInput

Status = Literal["pending", "running", "blocked", "succeeded", "failed", "cancelled"]
STATUSES: tuple[Status, ...] = get_args(Status)
FINISHED: tuple[Status, ...] = ("succeeded", "failed", "cancelled")
OPEN: tuple[Status, ...] = ("pending", "running", "blocked")
MAX_OUTPUT_CHARS = 20_000
_NEXT: Mapping[Status, tuple[Status, ...]] = {
    "pending": ("running", "blocked", *FINISHED),
    "running": ("pending", "blocked", *FINISHED),
    "blocked": ("pending", "running", *FINISHED),
}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to be achieved; may be part of another goal."""

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    parent_id: str | None
    description: str
    status: Status
    priority: int
    summary: str
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None = None
    archived_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work; `summary` says what came of it, `archived_at` when it was moved to long-term memory."""

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    goal_id: str | None
    description: str
    status: Status
    summary: str
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    archived_at: datetime | None = None

    @property
    def success(self) -> bool | None:
        """Whether it succeeded; `None` while it is open, or when it was cancelled."""
        return {"succeeded": True, "failed": False}.get(self.status)

    @property
    def told(self) -> str:
        """The text of the item that it is found by."""
        return f"{self.description}: {self.summary}" if self.summary else self.description


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a tool. Only the beginning of a long output is kept; `output_chars` is the length of the whole."""

    task_id: str
    number: int
    iteration: int
    tool: str
    parameters: Any
    output: str
    output_chars: int
    success: bool
    duration_ms: float | None
    created_at: datetime

    @property
    def is_cut(self) -> bool:
        """Whether some of the output is missing."""
        return self.output_chars > len(self.output)


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decided what and why, the alternatives, how confident they were, and how it turned out."""

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    goal_id: str | None
    task_id: str | None
    who: str
    what: str
    why: str
    context: str
    alternatives: tuple[str, ...]
    confidence: float | None
    outcome: str | None
    success: bool | None
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None

    @property
    def told(self) -> str:
        """The text of the item that it is found by."""
        parts = [self.what, self.why and f"because {self.why}", self.context and f"({self.context})"]
        said = " ".join(part for part in parts if part)
        return f"{said}. It turned out: {self.outcome}" if self.outcome else said


@dataclass(frozen=True, slots=True)
class CachedPattern:
    """What to do when something happens, and how often that went well."""

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    trigger: str
    action: str
    successes: int
    failures: int
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    used_at: datetime | None = None

    @property
    def hits(self) -> int:
        """How often it was used."""
        return self.successes + self.failures

    @property
    def success_rate(self) -> float | None:
        """The share of uses that went well; `None` before the first use."""
        return self.successes / self.hits if self.hits else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A named value: a preference, or a part of a persona's state."""

    key: str
    value: Any
    user_id: str | None
    agent_id: str | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class AgentState:
    """What an agent is doing, and what it keeps in mind."""

    agent_id: str
    status: str
    state: Mapping[str, Any]
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A record that a search found: its relevance (1.0 for the best), and its cosine with the question."""

    record: T
    relevance: float
    similarity: float | None


W = TypeVar("W", Goal, Task)


def status_named(value: object) -> Status:
    """The status with this name; raises `InvalidInput` if there is none."""
    for known in STATUSES:
        if value == known:
            return known
    raise InvalidInput(f"unknown status {value!r}: use one of {', '.join(STATUSES)}")


def check_move(noun: str, record_id: str, old: Status, new: Status) -> None:
    """Raise `Conflict` if the new status cannot follow the old: a finished record is reopened only by saving it."""
    if old == new and old not in FINISHED:
        return
    if new not in _NEXT.get(old, ()):
        raise Conflict(f"{noun} {record_id!r} is {old}, so it cannot become {new}: save it again to reopen it")


def still_finished(former: W, saved: W) -> W:
    """A record saved again, with the finishing and archiving times it had; unchanged if saving reopens it."""
    if saved.status not in FINISHED:
        return saved
    return replace(saved, finished_at=former.finished_at or saved.finished_at, archived_at=former.archived_at)


def capped(output: str, chars: int) -> str:
    """The output as it is stored: cut to `MAX_OUTPUT_CHARS` with a mark that says how much is missing.

    `output` may be only the beginning of the whole, whose length is `chars`.
    """
    if chars <= MAX_OUTPUT_CHARS:
        return output
    mark = ""
    while mark != (longer := f"\n[… {chars - MAX_OUTPUT_CHARS + len(mark):,} more characters were cut]"):
        mark = longer  # the number also counts the characters that make room for the mark
    return output[: MAX_OUTPUT_CHARS - len(mark)] + mark
