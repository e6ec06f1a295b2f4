"""OmoiOS's usage, word for word but for the imports, on both databases; and the edges that its manual leaves out."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import emberkeep
from emberkeep.adapters.omoios import (
    DatabaseService,
    EmbeddingProvider,
    EmbeddingService,
    EventBusService,
    LearnedPattern,
    MemoryService,
    Session,
    Task,
    TaskMemory,
    TaskPattern,
    event_bus,
)
from emberkeep.errors import ConfigError, InvalidInput, NotFound
from emberkeep.model.events import Event
from emberkeep.providers.local_embedder import LocalEmbedder

ROOT = Path(__file__).parents[2]
USAGE = """
from emberkeep.adapters.omoios import MemoryService
from emberkeep.adapters.omoios import EmbeddingService

# Initialize services
embedding_service = EmbeddingService()
memory_service = MemoryService(embedding_service)

# Store execution
with db.get_session() as session:
    memory = memory_service.store_execution(
        session=session,
        task_id="task-123",
        execution_summary="Successfully implemented JWT authentication with Redis",
        success=True,
        auto_extract_patterns=True
    )
    session.commit()

# Search for similar past tasks
with db.get_session() as session:
    results = memory_service.search_similar(
        session=session,
        task_description="Implement OAuth2 authentication",
        top_k=5,
        similarity_threshold=0.7,
        success_only=True
    )
    
    for result in results:
        print(f"Task: {result.task_id}")
        print(f"Similarity: {result.similarity_score:.2f}")
        print(f"Summary: {result.summary}")

# Get context suggestions for a new task
with db.get_session() as session:
    context = memory_service.get_task_context(
        session=session,
        task_description="Implement GitHub OAuth login",
        top_k=3
    )
    
    print("Similar tasks:", context["similar_tasks"])
    print("Matching patterns:", context["matching_patterns"])
    print("Recommendations:", context["recommendations"])

# Extract pattern from completed tasks
with db.get_session() as session:
    pattern = memory_service.extract_pattern(
        session=session,
        task_type_pattern=".*authentication.*",
        pattern_type="success",
        min_samples=5
    )
    
    if pattern:
        print(f"Pattern confidence: {pattern.confidence_score}")
        print(f"Success indicators: {pattern.success_indicators}")

from emberkeep.adapters.omoios import TaskPattern

with db.get_session() as session:
    # Quality Squad can search patterns
    patterns = memory_service.search_patterns(
        session=session,
        task_type="implement_api",
        pattern_type="success",
        limit=5
    )

    # Each pattern is a TaskPattern dataclass
    for pattern in patterns:
        print(f"Pattern: {pattern.pattern_id}")
        print(f"Confidence: {pattern.confidence_score}")
        print(f"Success indicators: {pattern.success_indicators}")
"""  # noqa: W293 - as it is there


@pytest.fixture
def db(durable_target: str) -> Iterator[DatabaseService]:
    service = DatabaseService(durable_target)
    yield service
    service.close()


@pytest.fixture
def session(db: DatabaseService) -> Iterator[Session]:
    with db.get_session() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _nobody_listens() -> Iterator[None]:
    yield
    event_bus._subscribed.clear()


def stored(session: Session, count: int, *, success: bool = True) -> None:
    for number in range(count):
        MemoryService().store_execution(
            session, f"task-{success}-{number}", f"Implemented authentication, validated, part {number}", success
        )


def test_their_usage_runs_word_for_word(db: DatabaseService) -> None:
    scope: dict[str, object] = {"db": db}
    exec(USAGE, scope)  # noqa: S102 - the manual's own words
    assert scope["pattern"] is None  # one execution is too few


COUNTING = """
# Check how many matching tasks exist
from emberkeep.adapters.omoios import Task

with db.get_session() as session:
    count = session.query(Task).filter(
        Task.description.ilike('%authentication%')
    ).count()
    print(f"Matching tasks: {count}")
"""


def test_tasks_are_counted_as_the_manual_does(db: DatabaseService, session: Session) -> None:
    stored(session, 3)
    MemoryService().store_execution(session, "task-True-0", "Implemented authentication again", success=False)
    MemoryService().store_execution(session, "task-9", "Painted the shed", success=True)
    session.memory.tasks.save("task-10", "Write the docs of Authentication")
    scope: dict[str, Any] = {"db": db}
    exec(COUNTING, scope)  # noqa: S102 - the manual's own words
    assert scope["count"] == 4
    assert session.query(Task).filter_by(id="task-True-0").one().status == "failed"  # as it ended last


def test_a_session_is_queried_for_what_was_stored(session: Session) -> None:
    service = MemoryService()
    kept = service.store_execution(session, "task-1", "The build failed", False, {"kind": "DiskFull"})
    query = session.query(TaskMemory).filter_by(task_id="task-1")
    assert query.one() == kept
    assert query.one().error_patterns == {"kind": "DiskFull"}
    stored(session, 5)
    assert query.count() == 1
    assert session.query(TaskMemory).filter_by(success=True).count() == 5
    pattern = service.extract_pattern(session, ".*authentication.*")
    assert pattern is not None
    found = session.query(LearnedPattern).filter_by(pattern_id=pattern.pattern_id).one()
    assert found == pattern
    assert len(found.embedding) == 1536


def test_a_query_sees_only_its_own_tenant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []
    for tenant in ("one", "two", "one"):
        monkeypatch.setenv("EMBERKEEP_TENANT", tenant)
        db = DatabaseService(tmp_path / "shared.db")
        with db.get_session() as session:
            stored(session, 1)
            counts.append(session.query(TaskMemory).count())
        db.close()
    assert counts == [1, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("where", ["file", "postgres"])
def test_the_example_runs_on_both_databases(where: str, request: pytest.FixtureRequest) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    if where == "postgres":
        environ["DATABASE_URL"] = str(request.getfixturevalue("postgres_url"))
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / "omoios.py")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environ)
    assert ran.returncode == 0, ran.stderr
    assert "Dimensions: 1536" in ran.stdout
    assert "New pattern learned: success" in ran.stdout
    assert re.search(r"(\d) of \1 similar tasks succeeded", ran.stdout)
    assert re.search(r"Pattern confidence: 0\.4\d", ran.stdout)  # five of six, and not more sure than that


def test_a_pattern_is_what_quality_gates_read(session: Session) -> None:
    stored(session, 6)
    service = MemoryService()
    pattern = service.extract_pattern(session, ".*authentication.*", "success", 5)
    assert isinstance(pattern, TaskPattern)
    assert {"authentication", "validated"} <= set(pattern.success_indicators)
    assert service.search_patterns(session, "authentication", "success")[0].pattern_id == pattern.id
    better = service.provide_feedback(session, pattern.pattern_id, True, 0.1)
    assert better.confidence_score > pattern.confidence_score + 0.1


def test_what_is_stored_has_the_columns_of_their_tables(session: Session) -> None:
    service = MemoryService(EmbeddingService())
    kept = service.store_execution(session, "task-1", "Deployed the shop", False, error_patterns=["DiskFull"])
    assert isinstance(kept, TaskMemory)
    assert (kept.task_id, kept.execution_summary, kept.success) == ("task-1", "Deployed the shop", False)
    assert (kept.error_patterns, kept.reused_count) == (["DiskFull"], 0)
    assert kept.learned_at == session.memory.experience.get(kept.id).created_at
    assert len(kept.context_embedding) == 1536
    stored(session, 6)
    pattern = service.extract_pattern(session, "authentication")
    assert isinstance(pattern, LearnedPattern)
    assert pattern.created_at is not None
    assert len(pattern.embedding) == 1536


@pytest.mark.parametrize(
    "errors", [None, [], {}, ["DiskFull"], "DiskFull", {"type": "Timeout", "n": 2}, ["A", {"b": [1, None]}]]
)
def test_error_patterns_are_json_of_any_form(tmp_path: Path, errors: Any) -> None:
    kept: list[TaskMemory] = []
    for _ in range(2):
        database = DatabaseService(tmp_path / "omoi.db")
        with database.get_session() as session:
            if not kept:
                kept.append(MemoryService().store_execution(session, "t", "It broke", False, errors))
                assert kept[0].error_patterns == errors
            assert session.memory.experience.get(kept[0].id).error_patterns == errors
        database.close()


def test_context_has_the_shape_of_their_api(session: Session) -> None:
    stored(session, 6)
    MemoryService().extract_pattern(session, "authentication")
    context = MemoryService().get_task_context(session, "Implement authentication with GitHub")
    assert set(context) == {"similar_tasks", "matching_patterns", "recommendations"}
    assert set(context["similar_tasks"][0]) == {"task_id", "summary", "similarity"}
    assert set(context["matching_patterns"][0]) == {
        "pattern_id", "pattern_type", "confidence", "success_indicators", "recommended_context",
    }  # fmt: skip
    assert context["recommendations"][0].startswith("6 of 6 similar tasks succeeded")


def test_events_reach_whoever_subscribed(session: Session) -> None:
    heard: list[Event] = []
    bus = EventBusService()
    bus.subscribe("memory.stored", heard.append)
    bus.subscribe("memory.pattern.*", heard.append)
    stored(session, 5)
    MemoryService().extract_pattern(session, "authentication")
    MemoryService().get_task_context(session, "Implement authentication")
    types = [event.type for event in heard]
    assert types.count("memory.stored") == 5
    assert "memory.pattern.learned" in types
    assert "memory.pattern.matched" in types
    bus.unsubscribe("memory.stored", heard.append)
    stored(session, 1, success=False)
    assert [event.type for event in heard].count("memory.stored") == 5


def test_a_handler_that_fails_keeps_no_other_from_being_called(
    session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[Event] = []
    bus = EventBusService()

    def once(event: Event) -> None:
        heard.append(event)
        bus.unsubscribe("memory.stored", once)

    def fails(event: Event) -> None:
        raise RuntimeError("a handler's own fault")

    for handler in (once, fails, heard.append):
        bus.subscribe("memory.stored", handler)
    stored(session, 2)
    assert len(heard) == 3
    assert caplog.text.count("RuntimeError: a handler's own fault") == 2
    assert "memory.stored" in caplog.text


def test_a_subscription_that_cannot_be_is_refused_and_an_unknown_one_is_nothing_to_end() -> None:
    bus = EventBusService()
    for handler in (None, "print", 7):
        with pytest.raises(InvalidInput, match="handler"):
            bus.subscribe("memory.stored", handler)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"did you mean memory\.stored\?"):
        bus.subscribe("memory.storred", print)
    for pattern in (None, 7, "", "memry.*", "memory.[a]"):
        with pytest.raises(InvalidInput):
            bus.subscribe(pattern, print)  # type: ignore[arg-type]
    assert event_bus._subscribed == []
    bus.unsubscribe("memory.stored", print)
    bus.subscribe("memory.stored", print)
    bus.unsubscribe("memory.added", print)
    assert len(event_bus._subscribed) == 1


def test_vectors_are_as_long_as_there() -> None:
    service = EmbeddingService(provider=EmbeddingProvider.LOCAL)
    one, other = service.generate_embeddings(["a test", "another"])
    assert (len(one), len(other), service.dimensions) == (1536, 1536, 1536)
    assert service.generate_embedding("a test") == pytest.approx(one, abs=1e-6)
    assert service.generate_embeddings([]) == []


def test_what_is_wrong_is_said(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    service = MemoryService()
    with pytest.raises(InvalidInput, match="success is None"):
        service.store_execution(session, "t", "x y", None)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="no regular expression"):
        service.extract_pattern(session, "(")
    with pytest.raises(InvalidInput, match="unknown pattern_type"):
        service.search_patterns(session, pattern_type="funny")
    with pytest.raises(NotFound, match="no pattern"):
        service.provide_feedback(session, "nowhere", True)
    with pytest.raises(InvalidInput, match="confidence_adjustment"):
        service.provide_feedback(session, "nowhere", True, 7.0)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="needs a key"):
        EmbeddingService(provider=EmbeddingProvider.OPENAI)
    monkeypatch.setenv("EMBEDDING_PROVIDER", "magic")
    with pytest.raises(ConfigError, match="use local or openai"):
        EmbeddingService()


DONE = (
    "Implemented JWT authentication with Redis",
    "Fixed login page CSS",
    "Implement OAuth2 sign-in with Google",
    "Authentication bug fixed in API gateway",
    "Refactored OAuth token refresh",
    "OAuth2 OAuth2 OAuth2 implement documentation",
    "Improved login security with two-factor codes",
)


def test_similar_tasks_come_in_the_order_of_their_similarity(session: Session) -> None:
    service = MemoryService(EmbeddingService())
    for number, summary in enumerate(DONE):
        service.store_execution(session, f"t{number}", summary, True, auto_extract_patterns=False)
    everything = service.search_similar(session, "Implement OAuth2 authentication", 10, 0.0)
    scores = [one.similarity_score for one in everything]
    assert len(scores) == len(DONE)
    assert scores == sorted(scores, reverse=True)
    asked, *said = EmbeddingService().generate_embeddings(["Implement OAuth2 authentication", everything[0].summary])
    assert scores[0] == pytest.approx(sum(a * b for a, b in zip(asked, said[0], strict=True)), abs=2e-3)
    best = service.search_similar(session, "Implement OAuth2 authentication", 3, 0.0)
    assert [one.task_id for one in best] == [one.task_id for one in everything[:3]]
    near = service.get_task_context(session, "Implement OAuth2 authentication")["similar_tasks"]
    assert [one["similarity"] for one in near] == sorted((one["similarity"] for one in near), reverse=True)


def test_the_database_is_shared_with_the_library_whoever_made_it(tmp_path: Path) -> None:
    with emberkeep.open(tmp_path / "library.db") as memory:
        memory.experience.store("t1", DONE[0], True)
    theirs = DatabaseService(tmp_path / "library.db")
    with theirs.get_session() as session:
        (found,) = MemoryService(EmbeddingService()).search_similar(session, "authentication with Redis", 5, 0.3)
    assert found.task_id == "t1"
    theirs.close()
    ours = DatabaseService(tmp_path / "omoios.db")
    with ours.get_session() as session:
        MemoryService().store_execution(session, "t2", DONE[1], True)
    ours.close()
    with emberkeep.open(tmp_path / "omoios.db") as memory:
        assert memory.experience.search_similar("login page")[0].task_id == "t2"
        assert memory._parts.embedding.embedder.dimension == 1536
        memory.experience.store("t3", DONE[2], True)


def test_the_service_that_is_given_makes_the_vectors(tmp_path: Path) -> None:
    class Counting(LocalEmbedder):
        asked = 0

        @property
        def name(self) -> str:
            return "counting"

        def embed_words(self, *given: Any, **more: Any) -> Any:
            Counting.asked += 1
            return super().embed_words(*given, **more)

        def embed_query_words(self, *given: Any, **more: Any) -> Any:
            Counting.asked += 1
            return super().embed_query_words(*given, **more)

    own = EmbeddingService()
    own.embedder = Counting()
    database, service = DatabaseService(tmp_path / "own.db"), MemoryService(own)
    with database.get_session() as session:
        stored = service.store_execution(session, "t", DONE[0], False, {"type": "timeout", "n": 1})
        assert stored.error_patterns == {"type": "timeout", "n": 1}
        assert service.search_similar(session, "authentication")
        assert Counting.asked >= 2
        with pytest.raises(ConfigError, match="pass the same embedding_service"):
            MemoryService(EmbeddingService()).search_similar(session, "authentication")
    database.close()
