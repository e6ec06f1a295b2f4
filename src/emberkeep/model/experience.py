"""How tasks ended (executions), the patterns they share, and the advice that follows.

The fields of `Execution` and `TaskPattern` are the columns of their tables.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from emberkeep.errors import InvalidInput

PatternType = Literal["success", "failure", "optimization"]
PATTERN_TYPES: tuple[PatternType, ...] = get_args(PatternType)
GIVEN = "error_patterns"  # the metadata key of an execution's errors that were not given as a list of texts


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of a task: its outcome, the tools it used, in order, and the errors it met."""

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    task_id: str
    type: str
    description: str
    summary: str
    success: bool
    errors: tuple[str, ...]
    tools: tuple[str, ...]
    code: str | None
    reused: int
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime

    @property
    def error_patterns(self) -> Any:
        """Its errors in the form in which they were given, such as an object; else a list of texts, or `None`."""
        return as_given(self.errors, self.metadata)

    @property
    def told(self) -> str:
        """The text of the item that it is found by."""
        if not self.summary or self.summary == self.description:
            return self.description
        said = rf"(?<!\w){re.escape(self.description)}(?!\w)"  # in whole words
        return self.summary if re.search(said, self.summary) else f"{self.description}: {self.summary}"


@dataclass(frozen=True, slots=True)
class SimilarTask:
    """An execution that a search found: how the task ended, and how often the execution was handed out before."""

    task_id: str
    memory_id: str
    summary: str
    success: bool
    similarity_score: float
    reused_count: int
    task_type: str = ""
    errors: tuple[str, ...] = ()
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TaskPattern:
    """What tasks with the same outcome have in common, and how certain that is.

    Of `support` tasks that show the pattern, `hits` ended as it says; of `other_support` tasks that do not show it,
    `other_hits` ended so. The `confidence_score` is the lower bound of the share that this evidence allows, adjusted by
    feedback.
    """

    id: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    pattern_type: PatternType
    task_type_pattern: str
    subject: str
    description: str
    success_indicators: tuple[str, ...]
    failure_indicators: tuple[str, ...]
    recommended_context: Mapping[str, Any]
    examples: tuple[str, ...]
    hits: int
    support: int
    other_hits: int
    other_support: int
    helpful: int
    unhelpful: int
    adjustment: float
    confidence_score: float
    usage_count: int
    version: int
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    retired_at: datetime | None = None

    @property
    def pattern_id(self) -> str:
        """Its id."""
        return self.id

    @property
    def indicators(self) -> tuple[str, ...]:
        """Its failure indicators if it is a pattern of failure, else its success indicators."""
        return self.failure_indicators if self.pattern_type == "failure" else self.success_indicators


@dataclass(frozen=True, slots=True)
class PatternVersion:
    """One change of a pattern: for each changed field, the old and the new value."""

    pattern_id: str
    version: int
    at: datetime
    reason: str
    changed: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rating:
    """One piece of feedback on a pattern: whether it helped, the adjustment of its confidence, and a note."""

    at: datetime
    helpful: bool | None
    adjustment: float
    note: str | None


@dataclass(frozen=True, slots=True)
class Question:
    """A pattern to ask for feedback on, the question, and how much the answer would tell (`worth`, higher is more)."""

    pattern: TaskPattern
    question: str
    worth: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """A group of patterns, and the groups inside it; `cohesion` is the mean cosine at which its parts were joined."""

    members: tuple[str, ...]
    cohesion: float
    parts: tuple["Cluster", ...] = ()


@dataclass(frozen=True, slots=True)
class TaskContext:
    """What is known before a task: similar tasks, matching patterns, and recommendations with their numbers."""

    similar_tasks: tuple[SimilarTask, ...]
    matching_patterns: tuple[TaskPattern, ...]
    recommendations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Caution:
    """Whether similar actions failed before: how many of how many, with which errors, and what fixed it."""

    action: str
    failed: int
    total: int
    risk: float
    failures: tuple[SimilarTask, ...] = ()
    fixes: tuple[SimilarTask, ...] = ()
    message: str = ""

    def __bool__(self) -> bool:
        return self.failed > 0


def as_given(errors: Sequence[str], metadata: Mapping[str, Any]) -> Any:
    """The errors of an execution in the form in which they were given; `None` if there are none."""
    return metadata.get(GIVEN, [*errors] or None)


def names_of(indicators: Iterable[str]) -> list[str]:
    """The names of a pattern's indicators, without the prefix that says their sort ("word:", "tool:")."""
    return [indicator.partition(":")[2] for indicator in indicators]


def pattern_type_named(value: object) -> PatternType:
    """The pattern type with this name; raises `InvalidInput` if there is none."""
    for known in PATTERN_TYPES:
        if value == known:
            return known
    raise InvalidInput(f"unknown pattern_type {value!r}: use one of {', '.join(PATTERN_TYPES)}")
