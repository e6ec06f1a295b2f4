"""One embedder for all tests of the entry points, and settings that are nobody's own."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer import testing
from typer.testing import CliRunner, Result

from emberkeep import wiring
from emberkeep.config import PREFIX, Config
from emberkeep.entrypoints.cli import app
from emberkeep.providers.base import Embedder
from emberkeep.providers.local_embedder import LocalEmbedder


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return LocalEmbedder()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EMBERKEEP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="session")
def commands() -> object:
    """The commands as typer makes them of their functions, which takes longer than most of them do."""
    return typer.main.get_command(app)


@pytest.fixture
def run(commands: object, embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command in this process, with the embedder that is loaded already."""
    make = wiring.make_embedder

    def share(config: Config, given: Embedder | None = None) -> Embedder:
        return make(config, given or (embedder if config.embedder == "local" else None))

    monkeypatch.setattr(wiring, "make_embedder", share)
    monkeypatch.setattr(testing, "_get_command", lambda _: commands)

    def run(*args: object, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(
            app, [str(arg) for arg in args], input=stdin, prog_name="emberkeep", catch_exceptions=False
        )

    return run


@pytest.fixture
def model_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language model that nobody serves."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setenv("EMBERKEEP_LEARNER", "llm")
    monkeypatch.setenv("EMBERKEEP_LLM_URL", f"http://127.0.0.1:{port}/v1")
    monkeypatch.setenv("EMBERKEEP_LLM_MODEL", "small")
    monkeypatch.setenv("EMBERKEEP_LLM_TIMEOUT_S", "1")
