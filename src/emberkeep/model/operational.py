"""What is going on right now: live events, metrics, active tasks, and a snapshot of all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, get_args

from emberkeep.model.work import Goal, Status

Severity = Literal["debug", "info", "warning", "error", "critical"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class LiveEvent(NamedTuple):
    """Something that happened. A critical event has an `id`, under which it is stored when it leaves the buffer.

    A named tuple, because creating a frozen dataclass takes several times as long.
    """

    at: datetime
    category: str
    severity: Severity
    message: str = ""
    source: str = ""
    data: Any = None
    id: str | None = None

    @property
    def is_critical(self) -> bool:
        """Whether it must not be lost."""
        return self.severity == "critical"


@dataclass(frozen=True, slots=True)
class Metric:
    """A measured value: the latest, and the `history` of recent values, oldest first, with their statistics."""

    key: str
    latest: float
    at: datetime
    history: tuple[float, ...]

    @property
    def minimum(self) -> float:
        """The lowest of the history."""
        return min(self.history)

    @property
    def maximum(self) -> float:
        """The highest of the history."""
        return max(self.history)

    @property
    def mean(self) -> float:
        """The mean of the history."""
        return sum(self.history) / len(self.history)


@dataclass(frozen=True, slots=True)
class ActiveTask:
    """An active task: its `state` as last set here, and the status of its record in `memory.tasks`, if it has one."""

    id: str
    state: Any
    description: str
    status: Status | None
    since: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that is going on at the time `at`.

    Of the events `pushed` since `since`, the buffer holds the last `held`, counted by category and severity. `critical`
    are the latest critical events; `unkept` is how many critical events are in memory only. `degraded` says what could
    not be read.
    """

    at: datetime
    since: datetime
    pushed: int
    held: int
    by_category: Mapping[str, int]
    by_severity: Mapping[str, int]
    metrics: Mapping[str, Metric]
    active_tasks: tuple[ActiveTask, ...]
    active_goals: tuple[Goal, ...]
    critical: tuple[LiveEvent, ...]
    unkept: int
    degraded: tuple[str, ...] = ()
