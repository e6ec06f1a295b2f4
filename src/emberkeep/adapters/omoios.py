"""OmoiOS's memory: task executions, similar tasks, learned patterns, and the events about them.

Change the imports and keep the code. What is other than there: a session stands for an open Emberkeep memory, and what
is stored is durable when the call returns, so `commit` has nothing left to do and nothing can be rolled back; a pattern
that has too few samples is `None`, as there, and the log says how many there were. A database that Emberkeep's service
or library made is taken with the vectors that it has, and they take one that was made here.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

import emberkeep
from emberkeep.errors import ConfigError, EmbedderMismatch, InvalidInput
from emberkeep.model import experience
from emberkeep.model.events import Event, matcher
from emberkeep.model.experience import SimilarTask, names_of
from emberkeep.providers.base import Embedder
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.providers.openai_embedder import OpenAIEmbedder
from emberkeep.providers.padding import PaddedEmbedder

DIMENSIONS = 1536
OPENAI_MODEL = "text-embedding-3-small"
_logger = logging.getLogger(__name__)
Handler = Callable[[Event], None]


class EmbeddingProvider(StrEnum):
    """Who makes vectors: a model on this machine, or OpenAI's."""

    LOCAL = "local"
    OPENAI = "openai"


class EmbeddingService:
    """Makes vectors of 1,536 numbers; those of the local model are padded."""

    def __init__(
        self,
        provider: EmbeddingProvider | str | None = None,
        openai_api_key: str | None = None,
        base_url: str = "https://api.openai.com/v1",
    ) -> None:
        named = provider or os.environ.get("EMBEDDING_PROVIDER") or EmbeddingProvider.LOCAL
        try:
            self.provider = EmbeddingProvider(named)
        except ValueError:
            raise ConfigError(f"EMBEDDING_PROVIDER is {named!r}: use local or openai") from None
        self.dimensions = DIMENSIONS
        self.embedder: Embedder
        if self.provider is EmbeddingProvider.LOCAL:
            self.embedder = PaddedEmbedder(LocalEmbedder(), DIMENSIONS)
            self.model_name = "sentence-transformers/all-MiniLM-L6-v2"
            return
        key = openai_api_key or os.environ.get("OPENAI_API_KEY")
        if not key:
            raise ConfigError("the openai provider needs a key: pass openai_api_key, or set OPENAI_API_KEY")
        self.embedder = OpenAIEmbedder(base_url=base_url, model=OPENAI_MODEL, api_key=key, dimension=DIMENSIONS)
        self.model_name = OPENAI_MODEL

    def generate_embedding(self, text: str) -> list[float]:
        """The vector of a text."""
        return self.generate_embeddings([text])[0]

    def generate_embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of several texts."""
        return [[float(number) for number in row] for row in self.embedder.embed(list(texts))] if texts else []


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
        """Its id."""
        return self.pattern_id


@dataclass
class LearnedPattern(TaskPattern):
    """The same with all of its columns."""

    created_at: datetime | None = None
    updated_at: datetime | None = None
    embedding_service: EmbeddingService | None = field(default=None, repr=False, compare=False)

    @property
    def embedding(self) -> list[float]:
        """The vector of what it is for, made when it is asked for."""
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
        """The vector of its summary, made when it is asked for."""
        return _vector(self.execution_summary, self.embedding_service)


def _vector(text: str, service: EmbeddingService | None) -> list[float]:
    return (service or EmbeddingService()).generate_embedding(text)


class Session:
    """An open memory, as a database session."""

    def __init__(self, database: "DatabaseService") -> None:
        self._database = database

    @property
    def memory(self) -> emberkeep.Memory:
        """The open memory."""
        return self._database.memory

    def opened(self, embedding_service: EmbeddingService | None) -> emberkeep.Memory:
        """The same, whose vectors this service makes."""
        return self._database.opened(embedding_service)

    def commit(self) -> None:
        """Nothing is left to do: what was stored is durable."""

    def close(self) -> None:
        """Nothing is held."""


class DatabaseService:
    """The database: a file or a URL, `DATABASE_URL` if it is set, or this user's own memory.

    It is opened by the first who needs it, with the embedding service that is given here or to `MemoryService`.
    """

    def __init__(
        self, url: str | os.PathLike[str] | None = None, embedding_service: EmbeddingService | None = None
    ) -> None:
        self._target = url or os.environ.get("DATABASE_URL") or None
        self._service = embedding_service
        self._memory: emberkeep.Memory | None = None
        self._lock = threading.Lock()
        if embedding_service is not None:
            self.opened()

    @property
    def memory(self) -> emberkeep.Memory:
        """The open memory."""
        return self.opened()

    def opened(self, embedding_service: EmbeddingService | None = None) -> emberkeep.Memory:
        """The memory, opened if it is not; a service that makes other vectors than it was opened with is refused."""
        with self._lock:
            self._service = self._service or embedding_service or EmbeddingService()
            known, asked = self._service.embedder.name, (embedding_service or self._service).embedder.name
            if known != asked:
                raise ConfigError(
                    f"this database is open with vectors of {known}, not {asked}: pass the same embedding_service to "
                    "DatabaseService and MemoryService"
                )
            if self._memory is None:
                self._memory = _open(self._target, self._service.embedder)
                self._memory.events.subscribe("*", _publish)
            return self._memory

    @contextmanager
    def get_session(self) -> Iterator[Session]:
        """A session, for a `with` block."""
        yield Session(self)

    def close(self) -> None:
        """Let go of the database."""
        if self._memory is not None:
            self._memory.close()


def _open(target: str | os.PathLike[str] | None, embedder: Embedder) -> emberkeep.Memory:
    """Open a memory; one that was made without padding, by the service or the library, is used as it is."""
    try:
        return emberkeep.open(target, embedder=embedder)
    except EmbedderMismatch:
        if not isinstance(embedder, PaddedEmbedder):
            raise
    return emberkeep.open(target, embedder=embedder.inner)


class MemoryService:
    """Stores executions, searches for similar ones, and learns patterns."""

    def __init__(
        self, embedding_service: EmbeddingService | None = None, event_bus: "EventBusService | None" = None
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
        """Tasks like this one, the most alike first. For the local model a threshold of 0.3 to 0.5 is right."""
        return session.opened(self.embedding_service).experience.search_similar(
            task_description, top_k, similarity_threshold, success_only
        )

    def get_task_context(self, session: Session, task_description: str, top_k: int = 3) -> dict[str, Any]:
        """What is known before a task."""
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
        """The pattern of the tasks that an expression means; nothing if there are too few of them."""
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
        """Patterns for a type of task, the surest first."""
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


_subscribed: list[tuple[str, Handler]] = []


class EventBusService:
    """Tells whoever subscribed, in this process, what happens in the databases that it opened."""

    def subscribe(self, event_type: str, handler: Handler) -> None:
        """Call a function with each event of a type; `*` stands for anything. If it raises, that is logged."""
        matcher(event_type)  # raises if no event is meant
        if not callable(handler):
            raise InvalidInput(f"a handler is called with an event: {handler!r} cannot be")
        _subscribed.append((event_type, handler))

    def unsubscribe(self, event_type: str, handler: Handler) -> None:
        """Call it no more; one that is not called has nothing to lose."""
        with suppress(ValueError):
            _subscribed.remove((event_type, handler))


def _publish(event: Event) -> None:
    for wanted, handler in tuple(_subscribed):  # a handler may subscribe or unsubscribe
        if not fnmatchcase(event.type, wanted):
            continue
        try:
            handler(event)
        except Exception:  # a handler is anyone's code, and the others are called whatever it does
            _logger.exception("a handler of %s failed on %s %s", wanted, event.type, event.id)


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
