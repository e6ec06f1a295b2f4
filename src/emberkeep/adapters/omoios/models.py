"""OmoiOS's tables as SQLAlchemy models, mapped to queries of Emberkeep's tables, so that a session can query them.

They are only read here; `MemoryService` writes them. A task is a stored task, or one known only by its last execution.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Dialect, bindparam, case, event, exists, select, tuple_, type_coerce, union_all
from sqlalchemy.orm import registry, synonym
from sqlalchemy.types import TypeDecorator

from emberkeep.adapters.omoios.embedding import EmbeddingService
from emberkeep.model.experience import as_given, names_of
from emberkeep.storage.column_types import Listed
from emberkeep.storage.schema import executions, patterns, tasks

TENANT = "tenant"  # the bind parameter of every query with the tenant whose rows are read


@dataclass
class Task:
    """A task: what was to be done, and how that ended."""

    id: str
    description: str
    status: str
    created_at: datetime


@dataclass
class TaskPattern:
    """A learned pattern, as quality gates read it."""

    pattern_id: str
    pattern_type: str
    task_type_pattern: str
    success_indicators: list[str] = field(default_factory=list)
    failure_indicators: list[str] = field(default_factory=list)
    recommended_context: dict[str, Any] = field(default_factory=dict)
    confidence_score: float = 0.0
    usage_count: int = 0

    @property
    def id(self) -> str:
        """The pattern's id."""
        return self.pattern_id


@dataclass
class LearnedPattern(TaskPattern):
    """A learned pattern with all columns of its table."""

    created_at: datetime | None = None
    updated_at: datetime | None = None
    embedding_service: EmbeddingService | None = field(default=None, repr=False, compare=False)

    @property
    def embedding(self) -> list[float]:
        """The vector of its task type, computed on each access."""
        return _vector(self.task_type_pattern, self.embedding_service)


@dataclass
class TaskMemory:
    """How a task ended, with the columns of its table."""

    id: str
    task_id: str
    execution_summary: str
    success: bool
    error_patterns: list[Any] | dict[str, Any] | str | None
    learned_at: datetime
    reused_count: int = 0
    embedding_service: EmbeddingService | None = field(default=None, repr=False, compare=False)

    @property
    def context_embedding(self) -> list[float]:
        """The vector of its summary, computed on each access."""
        return _vector(self.execution_summary, self.embedding_service)


def _vector(text: str, service: EmbeddingService | None) -> list[float]:
    return (service or EmbeddingService()).generate_embedding(text)


class _Names(TypeDecorator[list[str]]):
    """A column of indicators, read as their names."""

    impl = Listed
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> list[str]:  # noqa: ARG002 - SQLAlchemy's argument
        """The names of the indicators, without their kinds."""
        return names_of(value or ())


_mine: BindParameter[str] = bindparam(TENANT)
_later = executions.alias()
_last = ~exists().where(
    _later.c.tenant == executions.c.tenant,
    _later.c.task_id == executions.c.task_id,
    tuple_(_later.c.created_at, _later.c.id) > tuple_(executions.c.created_at, executions.c.id),
)
_is_kept = exists().where(tasks.c.tenant == executions.c.tenant, tasks.c.id == executions.c.task_id)
_TASKS = union_all(
    select(tasks.c.id, tasks.c.description, tasks.c.status, tasks.c.created_at).where(tasks.c.tenant == _mine),
    select(
        executions.c.task_id,
        executions.c.description,
        case((executions.c.success, "succeeded"), else_="failed"),
        executions.c.created_at,
    ).where(executions.c.tenant == _mine, _last, ~_is_kept),
)
_MEMORIES = select(
    executions.c.id,
    executions.c.task_id,
    executions.c.summary.label("execution_summary"),
    executions.c.success,
    executions.c.created_at.label("learned_at"),
    executions.c.reused.label("reused_count"),
    executions.c.errors.label("_errors"),
    executions.c.metadata.label("_given"),
).where(executions.c.tenant == _mine)
_PATTERNS = select(
    patterns.c.id,
    *(patterns.c[name] for name in ("pattern_type", "task_type_pattern", "recommended_context", "confidence_score")),
    *(patterns.c[name] for name in ("usage_count", "created_at", "updated_at")),
    *(type_coerce(patterns.c[name], _Names).label(name) for name in ("success_indicators", "failure_indicators")),
).where(patterns.c.tenant == _mine, patterns.c.retired_at.is_(None))


def _map(value: type[Any], query: Any, **properties: Any) -> None:
    rows = query.subquery()
    _registry.map_imperatively(value, rows, primary_key=[rows.c.id], properties=properties)


_registry = registry()
_map(Task, _TASKS)
_map(TaskMemory, _MEMORIES)
_map(LearnedPattern, _PATTERNS, pattern_id=synonym("id"))


@event.listens_for(TaskMemory, "load")
def _give_back(memory: Any, _: object) -> None:
    memory.error_patterns = as_given(memory._errors, memory._given)  # noqa: SLF001 - columns mapped above
