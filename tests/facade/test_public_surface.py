"""What `import emberkeep` offers, and what it does not load."""

import dataclasses
import inspect
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import emberkeep
from emberkeep.testing import WordEmbedder

PUBLIC = """
    AccessDenied ActiveTask Added AgentState ApiKey AsyncMemory Audit AuditEntry CacheUse CachedPattern Candidate
    Caps Caution Change ChangedMeanwhile Chunk Closed Cluster Config ConfigChange ConfigError Conflict Considered
    Context ContextRecord Damage Decision Delivered Details Difference Document Embedder EmbedderMismatch EmberkeepError
    Entry Event Evidence Exchange Execution Fault Finding Found Goal Hit Hits Imported Incident Interaction
    InteractionRecord InvalidInput Item LearnReport Learner Lesson Linked Listed LiveEvent Memory Message Metric
    ModelUnavailable NewKey NotFound Overloaded Overview Page Passage PatternVersion Plan Precomputed Principal
    Procedure Question Rating RebuildReport Receipt RepairReport Reranker Scope SearchResult SeedReport Session
    SessionHit Sessions Shares SimilarTask Snapshot Source Spending Spent Stats Step StoreBusy StoreError StoreFull
    StoreOutdated StoreUnavailable Task TaskContext TaskPattern TimedOut TooLarge TooManyRequests Unauthenticated
    Undeliverable UnderWay UnusableReply UpkeepReport UserSummary Waiting Watch Webhook Why Worker open open_async
""".split()
HEAVY = {"alembic", "fastapi", "httpx", "numpy", "onnxruntime", "psycopg", "rich", "sqlalchemy", "typer", "usearch"}


def test_the_public_names_are_these_and_no_others() -> None:
    assert list(emberkeep.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_is_there_and_stays_the_same_object(name: str) -> None:
    assert getattr(emberkeep, name) is getattr(emberkeep, name)


def test_whatever_a_verb_returns_is_public() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as memory:
        public = {name: type(value) for name, value in vars(memory).items() if not name.startswith("_")}
    namespaces = [kind for name, kind in public.items() if name != "idempotency"]  # for servers, not for users
    returned: dict[type, str] = {}
    kinds: list[type] = [emberkeep.Memory, *namespaces]
    for kind in kinds:
        for name, verb in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_"):
                _collect(get_type_hints(verb).get("return"), f"{kind.__name__}.{name}", returned)
    assert len(returned) > 50
    assert {
        f"{kind.__name__}, which {verb} returns" for kind, verb in returned.items() if not _is_public(kind)
    } == set()


def _collect(hint: object, where: str, found: dict[type, str]) -> None:
    """The classes of this package in an annotation, and those in the fields of these."""
    for part in get_args(hint):
        _collect(part, where, found)
    if isinstance(hint, type) and hint.__module__.startswith("emberkeep.") and hint not in found:
        found[hint] = where
        if dataclasses.is_dataclass(hint) or issubclass(hint, tuple):
            for name, inner in get_type_hints(hint).items():
                _collect(inner, f"{hint.__name__}.{name}", found)


def _is_public(kind: type) -> bool:
    return kind.__name__ in PUBLIC and getattr(emberkeep, kind.__name__) is kind


def test_a_star_import_brings_them_all() -> None:
    names: dict[str, object] = {}
    exec("from emberkeep import *", names)  # noqa: S102 - a star import is only allowed in a module
    assert set(PUBLIC) <= set(names)


def test_dir_lists_each_name_once() -> None:
    assert emberkeep.Memory.__name__ in dir(emberkeep)
    listed = dir(emberkeep)
    assert set(PUBLIC) <= set(listed)
    assert len(listed) == len(set(listed))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'emberkeep' has no attribute 'remember'"):
        emberkeep.remember  # noqa: B018
    with pytest.raises(ImportError, match="remember"):
        exec("from emberkeep import remember")  # noqa: S102


def test_the_version_is_that_of_the_package() -> None:
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    assert emberkeep.__version__ == tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]["version"]


@pytest.mark.parametrize(
    ("statement", "loaded"),
    [
        ("import emberkeep", set()),
        ("import emberkeep; emberkeep.Config, emberkeep.Message, emberkeep.Hit, emberkeep.NotFound", set()),
        ("import emberkeep; emberkeep.Finding, emberkeep.Lesson, emberkeep.InteractionRecord, emberkeep.Audit", set()),
        (
            "import emberkeep; emberkeep.Goal, emberkeep.Task, emberkeep.Step, emberkeep.Decision, emberkeep.Found",
            set(),
        ),
        ("import emberkeep; emberkeep.Snapshot, emberkeep.Event, emberkeep.TaskPattern, emberkeep.Document", set()),
        ("import emberkeep.entrypoints.cli", {"typer", "rich"}),
    ],
)
def test_importing_loads_nothing_heavy(statement: str, loaded: set[str]) -> None:
    code = f"{statement}\nimport sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) & HEAVY <= loaded


@pytest.mark.slow
def test_opening_a_file_loads_no_server_and_no_other_database() -> None:
    code = """
import sys, emberkeep
with emberkeep.open(":memory:") as memory:
    memory.add("tea")
print(*sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(run.stdout.split()) & {"fastapi", "httpx", "psycopg", "rich", "typer", "usearch", "uvicorn"}
