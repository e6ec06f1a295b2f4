"""Task executions and learned patterns under `/memory`, as OmoiOS documents them: its paths, fields and arrays.

They are verbs of the table under other names, with the same permissions.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from emberkeep.entrypoints.http.documents import Body, Given
from emberkeep.entrypoints.http.paths import Part
from emberkeep.entrypoints.http.requests import CarefulRoute
from emberkeep.entrypoints.http.routes import ERRORS, PREFIX, refuse_repeated
from emberkeep.entrypoints.http.visits import Visiting
from emberkeep.model.experience import Execution, PatternType, SimilarTask, TaskContext, TaskPattern, names_of
from emberkeep.service.calls import invoke
from emberkeep.service.door import Admitted
from emberkeep.service.shapes import plain
from emberkeep.service.verbs import VERBS

router = APIRouter(prefix=f"{PREFIX}/memory", tags=["memory"], responses=ERRORS, route_class=CarefulRoute)
SIMILAR = 0.3  # the least similarity of a result, unless the request says otherwise; right for the bundled model


class StoreExecution(Body):
    """How a task ended."""

    task_id: str
    execution_summary: str
    success: bool
    error_patterns: dict[str, Any] | list[Any] | str | None = None
    auto_extract_patterns: bool = True


class SearchSimilar(Body):
    """The task to find similar ones to."""

    task_description: str
    top_k: int = 5
    similarity_threshold: float = SIMILAR
    success_only: bool = False


class ExtractPattern(Body):
    """Which tasks to learn a pattern from."""

    task_type_pattern: str
    pattern_type: PatternType = "success"
    min_samples: int = 3


class PatternFeedback(Body):
    """Whether a pattern helped."""

    helpful: bool
    confidence_adjustment: float = 0.0


class ContextQuery(Given):
    """How many similar tasks and patterns to return before a task."""

    top_k: int = 3


class PatternQuery(Given):
    """Which patterns to list."""

    pattern_type: PatternType | None = None
    task_type: str | None = None
    limit: int = 10


class TaskMemory(BaseModel):
    """An execution that was stored."""

    memory_id: str
    task_id: str
    execution_summary: str
    success: bool
    error_patterns: dict[str, Any] | list[Any] | str | None
    learned_at: str
    reused_count: int


class SimilarExecution(BaseModel):
    """A task like the one that was asked about."""

    task_id: str
    memory_id: str
    summary: str
    success: bool
    similarity_score: float
    reused_count: int


class LearnedPattern(BaseModel):
    """A pattern, with how sure it is."""

    pattern_id: str
    pattern_type: PatternType
    task_type_pattern: str
    success_indicators: list[str]
    failure_indicators: list[str]
    recommended_context: dict[str, Any]
    confidence_score: float
    usage_count: int


class SuggestedTask(BaseModel):
    """A task like the one that is about to begin."""

    task_id: str
    summary: str
    similarity: float


class SuggestedPattern(BaseModel):
    """A pattern that fits the task."""

    pattern_id: str
    pattern_type: PatternType
    confidence: float
    success_indicators: list[str]
    recommended_context: dict[str, Any]


class Suggested(BaseModel):
    """What is known before a task."""

    similar_tasks: list[SuggestedTask]
    matching_patterns: list[SuggestedPattern]
    recommendations: list[str]


@router.post("/store", operation_id="store_execution", status_code=HTTPStatus.CREATED, response_model=TaskMemory)
async def store_execution(visit: Visiting, given: StoreExecution) -> Response:
    """Keep how a task ended."""
    sent = {**given.model_dump(exclude={"execution_summary"}), "summary": given.execution_summary}
    return await visit.answer(partial(_store, sent=sent), writes=True)


@router.post("/search", operation_id="search_similar", response_model=list[SimilarExecution])
async def search_similar(visit: Visiting, given: SearchSimilar) -> Response:
    """Find tasks like this one, most similar first. For the bundled model a threshold of 0.3 to 0.5 is right."""
    sent = {**given.model_dump(exclude={"task_description"}), "description": given.task_description}
    return await visit.answer(partial(_search, sent=sent))


@router.get("/tasks/{task_id}/context", operation_id="get_task_context", response_model=Suggested)
async def get_task_context(visit: Visiting, task_id: Part, given: Annotated[ContextQuery, Query()]) -> Response:
    """What is known before a task: tasks like it, patterns that fit it, and advice with numbers."""
    refuse_repeated(visit.request.query_params, given.model_dump())
    return await visit.answer(partial(_context, sent={"task_id": task_id, **given.model_dump()}))


@router.get("/patterns", operation_id="list_patterns", response_model=list[LearnedPattern])
async def list_patterns(visit: Visiting, given: Annotated[PatternQuery, Query()]) -> Response:
    """List patterns, the most certain first."""
    refuse_repeated(visit.request.query_params, given.model_dump())
    return await visit.answer(partial(_patterns, sent=given.model_dump()))


@router.post("/patterns/extract", operation_id="extract_pattern", response_model=LearnedPattern | None)
async def extract_pattern(visit: Visiting, given: ExtractPattern) -> Response:
    """Learn the pattern of the tasks that an expression matches; null if they have none of this type in common."""
    return await visit.answer(partial(_extract, sent=given.model_dump()), writes=True)


@router.post("/patterns/{pattern_id}/feedback", operation_id="provide_feedback", response_model=LearnedPattern)
async def provide_feedback(visit: Visiting, pattern_id: Part, given: PatternFeedback) -> Response:
    """Say whether a pattern helped."""
    sent = {**given.model_dump(), "pattern_id": pattern_id}
    return await visit.answer(partial(_feedback, sent=sent), writes=True)


def _store(caller: Admitted, sent: Mapping[str, Any]) -> Response:
    stored: Execution = _called(caller, "experience.store", sent)
    document = TaskMemory(
        memory_id=stored.id,
        task_id=stored.task_id,
        execution_summary=stored.summary,
        success=stored.success,
        error_patterns=plain(stored.error_patterns),
        learned_at=plain(stored.created_at),
        reused_count=stored.reused,
    )
    return JSONResponse(document.model_dump(), HTTPStatus.CREATED)


def _search(caller: Admitted, sent: Mapping[str, Any]) -> Response:
    found: Sequence[SimilarTask] = _called(caller, "experience.search_similar", sent)
    return JSONResponse([{name: getattr(one, name) for name in SimilarExecution.model_fields} for one in found])


def _context(caller: Admitted, sent: Mapping[str, Any]) -> Response:
    known: TaskContext = _called(caller, "experience.get_task_context", sent)
    tasks = [
        SuggestedTask(task_id=one.task_id, summary=one.summary, similarity=one.similarity_score)
        for one in known.similar_tasks
    ]
    patterns = [
        SuggestedPattern(
            pattern_id=one.id,
            pattern_type=one.pattern_type,
            confidence=one.confidence_score,
            success_indicators=names_of(one.success_indicators),
            recommended_context=plain(one.recommended_context),
        )
        for one in known.matching_patterns
    ]
    advice = Suggested(similar_tasks=tasks, matching_patterns=patterns, recommendations=[*known.recommendations])
    return JSONResponse(advice.model_dump())


def _patterns(caller: Admitted, sent: Mapping[str, Any]) -> Response:
    return JSONResponse([_pattern(one) for one in _called(caller, "patterns.search", sent)])


def _extract(caller: Admitted, sent: Mapping[str, Any]) -> Response:
    found: Sequence[TaskPattern] = _called(caller, "patterns.extract", sent)
    return JSONResponse(_pattern(found[0]) if found else None)


def _feedback(caller: Admitted, sent: Mapping[str, Any]) -> Response:
    return JSONResponse(_pattern(_called(caller, "patterns.feedback", sent)))


def _called(caller: Admitted, verb: str, sent: Mapping[str, Any]) -> Any:
    return invoke(caller.memory, VERBS[verb], sent, caller.principal)


def _pattern(pattern: TaskPattern) -> dict[str, Any]:
    document = LearnedPattern(
        pattern_id=pattern.id,
        pattern_type=pattern.pattern_type,
        task_type_pattern=pattern.task_type_pattern,
        success_indicators=names_of(pattern.success_indicators),
        failure_indicators=names_of(pattern.failure_indicators),
        recommended_context=plain(pattern.recommended_context),
        confidence_score=pattern.confidence_score,
        usage_count=pattern.usage_count,
    )
    return document.model_dump()
