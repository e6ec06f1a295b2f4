"""What `import emberkeep` offers, and what it does not load."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import emberkeep

PUBLIC = """
    AccessDenied Added AgentState AsyncMemory Audit CachedPattern Candidate Change ChangedMeanwhile Chunk Closed
    Config ConfigError Conflict Considered Context ContextRecord Decision Difference Embedder EmbedderMismatch
    EmberkeepError Entry Exchange Fault Finding Found Goal Hit Hits Interaction InteractionRecord InvalidInput Item
    LearnReport Learner Lesson Memory Message ModelUnavailable NotFound Overloaded Page Plan RebuildReport Receipt
    SeedReport Session SessionHit Sessions Shares Source Spending Spent Stats Step StoreBusy StoreError StoreFull
    StoreOutdated StoreUnavailable Task TimedOut TooLarge TooManyRequests Unauthenticated UnusableReply UpkeepReport
    Waiting open open_async
""".split()
HEAVY = {"alembic", "fastapi", "httpx", "numpy", "onnxruntime", "psycopg", "rich", "sqlalchemy", "typer", "usearch"}


def test_the_public_names_are_these_and_no_others() -> None:
    assert list(emberkeep.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_is_there_and_stays_the_same_object(name: str) -> None:
    assert getattr(emberkeep, name) is getattr(emberkeep, name)


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
        ("import emberkeep.entrypoints.cli", {"typer", "rich"}),
    ],
)
def test_importing_loads_nothing_heavy(statement: str, loaded: set[str]) -> None:
    code = f"{statement}\nimport sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) & HEAVY <= loaded


def test_opening_a_file_loads_no_server_and_no_other_database() -> None:
    code = """
import sys, emberkeep
with emberkeep.open(":memory:") as memory:
    memory.add("tea")
print(*sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(run.stdout.split()) & {"fastapi", "httpx", "psycopg", "rich", "typer", "usearch", "uvicorn"}
