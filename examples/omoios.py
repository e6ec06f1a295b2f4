"""A platform of coding agents: the examples in the manual of its memory, from top to bottom. Run it as it is.

It uses a temporary file, or the database in `DATABASE_URL`, such as `postgresql://…`.
"""

import os
import tempfile
from pathlib import Path

from emberkeep.adapters.omoios import (
    DatabaseService,
    EmbeddingProvider,
    EmbeddingService,
    EventBusService,
    MemoryService,
)

folder = tempfile.TemporaryDirectory()
service = EmbeddingService(provider=EmbeddingProvider.LOCAL)
print(f"Provider: {service.provider.value}, model: {service.model_name}")
print(f"Dimensions: {len(service.generate_embedding('test'))}")

event_bus = EventBusService()


def handle_pattern_learned(event):  # type: ignore[no-untyped-def]  # as the manual has it
    """Print that a pattern was learned."""
    print(f"New pattern learned: {event.payload['pattern_type']}")


event_bus.subscribe("memory.pattern.learned", handle_pattern_learned)

db = DatabaseService(os.environ.get("DATABASE_URL") or Path(folder.name) / "omoios.db", service)
embedding_service = EmbeddingService()
memory_service = MemoryService(embedding_service)

# Store executions
with db.get_session() as session:
    memory = memory_service.store_execution(
        session=session,
        task_id="task-123",
        execution_summary="Successfully implemented JWT authentication with Redis",
        success=True,
        auto_extract_patterns=True,
    )
    session.commit()
    for number, kind in enumerate(["OAuth2", "SAML", "GitHub login", "password", "API key"]):
        memory_service.store_execution(
            session=session,
            task_id=f"task-{number}",
            execution_summary=f"Implemented {kind} authentication, validated and tested",
            success=kind != "SAML",
            error_patterns=["ClockSkew"] if kind == "SAML" else None,
        )

# Search for similar past tasks
with db.get_session() as session:
    results = memory_service.search_similar(
        session=session,
        task_description="Implement OAuth2 authentication",
        top_k=5,
        similarity_threshold=0.4,
        success_only=True,
    )

    for result in results:
        print(f"Task: {result.task_id}")
        print(f"Similarity: {result.similarity_score:.2f}")
        print(f"Summary: {result.summary}")

# Get context suggestions for a new task
with db.get_session() as session:
    context = memory_service.get_task_context(session=session, task_description="Implement GitHub OAuth login", top_k=3)

    print("Similar tasks:", context["similar_tasks"])
    print("Matching patterns:", context["matching_patterns"])
    print("Recommendations:", context["recommendations"])

# Extract pattern from completed tasks
with db.get_session() as session:
    pattern = memory_service.extract_pattern(
        session=session, task_type_pattern=".*authentication.*", pattern_type="success", min_samples=5
    )

    if pattern:
        print(f"Pattern confidence: {pattern.confidence_score:.2f}")
        print(f"Success indicators: {pattern.success_indicators}")

    for found in memory_service.search_patterns(
        session=session, task_type="authentication", pattern_type="success", limit=5
    ):
        print(f"Pattern: {found.pattern_id[:8]}, confidence: {found.confidence_score:.2f}")

    if pattern:
        rated = memory_service.provide_feedback(session, pattern.pattern_id, helpful=True, confidence_adjustment=0.1)
        print(f"After feedback: {rated.confidence_score:.2f}")

db.close()
folder.cleanup()
