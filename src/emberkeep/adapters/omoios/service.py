"""OmoiOS's memory service: stores how tasks ended, finds similar tasks, and learns the patterns they share."""

import logging
from typing import Any

from emberkeep.adapters.omoios.database import Session
from emberkeep.adapters.omoios.embedding import EmbeddingService
from emberkeep.adapters.omoios.event_bus import EventBusService
from emberkeep.adapters.omoios.models import LearnedPattern, TaskMemory, TaskPattern
from emberkeep.errors import InvalidInput
from emberkeep.model import experience
from emberkeep.model.experience import SimilarTask, names_of

_logger = logging.getLogger(__name__)


class MemoryService:
    """Stores executions, searches for similar ones, and learns patterns."""

    def __init__(
        self, embedding_service: EmbeddingService | None = None, event_bus: EventBusService | None = None
    ) -> None:
        self.embedding_service = embedding_service
        self.event_bus = event_bus

    def store_execution(  # noqa: PLR0917 - as it is there
        self,
        session: Session,
        task_id: str,
        execution_summary: str,
        success: bool,  # noqa: FBT001 - as it is there
        error_patterns: Any = None,
        auto_extract_patterns: bool = True,  # noqa: FBT001, FBT002 - as it is there
        **options: Any,
    ) -> TaskMemory:
        """Keep how a task ended."""
        stored = session.opened(self.embedding_service).experience.store(
            task_id, execution_summary, success, error_patterns, auto_extract_patterns, **options
        )
        return TaskMemory(
            id=stored.id,
            task_id=stored.task_id,
            execution_summary=stored.summary,
            success=stored.success,
            error_patterns=stored.error_patterns,
            learned_at=stored.created_at,
            reused_count=stored.reused,
            embedding_service=self.embedding_service,
        )

    def search_similar(
        self,
        session: Session,
        task_description: str,
        top_k: int = 5,
        similarity_threshold: float = 0.3,
        success_only: bool = False,  # noqa: FBT001, FBT002 - as it is there
    ) -> list[SimilarTask]:
        """Tasks like this one, most similar first. A threshold of 0.3 to 0.5 suits the local model."""
        return session.opened(self.embedding_service).experience.search_similar(
            task_description, top_k, similarity_threshold, success_only
        )

    def get_task_context(self, session: Session, task_description: str, top_k: int = 3) -> dict[str, Any]:
        """What is known about a task before it starts: similar tasks, matching patterns and recommendations."""
        context = session.opened(self.embedding_service).experience.get_task_context(task_description, top_k)
        return {
            "similar_tasks": [
                {"task_id": one.task_id, "summary": one.summary, "similarity": one.similarity_score}
                for one in context.similar_tasks
            ],
            "matching_patterns": [
                {
                    "pattern_id": one.id,
                    "pattern_type": one.pattern_type,
                    "confidence": one.confidence_score,
                    "success_indicators": names_of(one.success_indicators),
                    "recommended_context": dict(one.recommended_context),
                }
                for one in context.matching_patterns
            ],
            "recommendations": list(context.recommendations),
        }

    def extract_pattern(
        self, session: Session, task_type_pattern: str, pattern_type: str = "success", min_samples: int = 3
    ) -> LearnedPattern | None:
        """The pattern of the tasks that match a regular expression; None if there are too few of them."""
        kind = experience.pattern_type_named(pattern_type)
        try:
            found = session.opened(self.embedding_service).patterns.extract(
                task_type_pattern, pattern_type=kind, min_samples=min_samples
            )
        except InvalidInput as error:
            if "min_samples" not in str(error):
                raise
            _logger.info("no pattern: %s", error)
            return None
        return _pattern(found[0], self.embedding_service) if found else None

    def search_patterns(
        self, session: Session, task_type: str | None = None, pattern_type: str | None = None, limit: int = 5
    ) -> list[TaskPattern]:
        """Patterns for a type of task, the most confident first."""
        kind = None if pattern_type is None else experience.pattern_type_named(pattern_type)
        found = session.opened(self.embedding_service).patterns.search(task_type, pattern_type=kind, limit=limit)
        return [_pattern(one, self.embedding_service) for one in found]

    def provide_feedback(
        self,
        session: Session,
        pattern_id: str,
        helpful: bool,  # noqa: FBT001 - as it is there
        confidence_adjustment: float = 0.0,
    ) -> LearnedPattern:
        """Say whether a pattern helped."""
        rated = session.opened(self.embedding_service).patterns.feedback(
            pattern_id, helpful=helpful, confidence_adjustment=confidence_adjustment
        )
        return _pattern(rated, self.embedding_service)


def _pattern(pattern: experience.TaskPattern, service: EmbeddingService | None) -> LearnedPattern:
    return LearnedPattern(
        pattern_id=pattern.id,
        pattern_type=pattern.pattern_type,
        task_type_pattern=pattern.task_type_pattern,
        success_indicators=names_of(pattern.success_indicators),
        failure_indicators=names_of(pattern.failure_indicators),
        recommended_context=dict(pattern.recommended_context),
        confidence_score=pattern.confidence_score,
        usage_count=pattern.usage_count,
        created_at=pattern.created_at,
        updated_at=pattern.updated_at,
        embedding_service=service,
    )
