"""How tasks ended, what they have in common, and what that advises.

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
GIVEN = "error_patterns"  # the key of an execution's metadata under which are errors that were not given as texts


@dataclass(frozen=True, slots=True)
class Execution:
    """One time that a task ended: what came of it, which tools it took, in order, and which errors there were."""

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
        """Its errors in the form in which they were given, such as an object; else their texts, if there are any."""
        return as_given(self.errors, self.metadata)

    @property
    def told(self) -> str:
        """What it is found by."""
        if not self.summary or self.summary == self.description:
            return self.description
        said = rf"(?<!\w){re.escape(self.description)}(?!\w)"  # in whole words
        return self.summary if re.search(said, self.summary) else f"{self.description}: {self.summary}"


@dataclass(frozen=True, slots=True)
class SimilarTask:
    """A task that a search found: how it ended, and how often it was handed out before."""

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
    """What tasks that ended alike have in common, and how sure that is.

    Of `support` tasks that show it, `hits` ended as it says; of `other_support` that do not, `other_hits` did. The
    `confidence_score` is the least share that this evidence allows, moved by feedback.
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
        """What it is known by, in its own direction."""
        return self.failure_indicators if self.pattern_type == "failure" else self.success_indicators


@dataclass(frozen=True, slots=True)
class PatternVersion:
    """How a pattern changed: by field, what it was and what it became."""

    pattern_id: str
    version: int
    at: datetime
    reason: str
    changed: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rating:
    """What was said of a pattern: whether it helped, by how much its confidence was moved by hand, and a note."""

    at: datetime
    helpful: bool | None
    adjustment: float
    note: str | None


@dataclass(frozen=True, slots=True)
class Question:
    """A pattern that feedback would teach about, what to ask, and how much that would teach: the more the better."""

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
    """What is known before a task: tasks like it, patterns that fit it, and what both advise, in numbers."""

    similar_tasks: tuple[SimilarTask, ...]
    matching_patterns: tuple[TaskPattern, ...]
    recommendations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Caution:
    """Whether something like this failed before: how often of how many, with what error, and what fixed it."""

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
    """The errors of an execution in the form in which they were given; none if there are none."""
    return metadata.get(GIVEN, [*errors] or None)


def names_of(indicators: Iterable[str]) -> list[str]:
    """What a pattern is known by, without the sort of each."""
    return [indicator.partition(":")[2] for indicator in indicators]


def pattern_type_named(value: object) -> PatternType:
    """A type of pattern."""
    for known in PATTERN_TYPES:
        if value == known:
            return known
    raise InvalidInput(f"unknown pattern_type {value!r}: use one of {', '.join(PATTERN_TYPES)}")
