"""The embedder and the language model off, in turn: what is said is kept and found, statuses say so, it comes back."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

import emberkeep
from emberkeep.entrypoints.doctor.examine import examine
from emberkeep.entrypoints.http.app import create_app
from emberkeep.testing import FixedClock, WordEmbedder

from ..operations.conftest import Serve, serve  # noqa: F401 - a fixture
from .conftest import ModelServer, Mood, wait_until

pytestmark = pytest.mark.slow


def checks(path: Path) -> dict[str, str]:
    return {check.name: check.state for check in examine(str(path), None).checks}


def number(client: httpx.Client, name: str) -> float:
    families = text_string_to_metric_families(client.get("/metrics").text)
    return sum(one.value for family in families for one in family.samples if one.name == f"emberkeep_{name}")


@pytest.fixture
def settings(models: ModelServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """An embedder that is a server, also for `doctor`."""
    found = {"embedder": "openai:tiny", "embedder_url": models.url, "embedder_timeout_s": 1.0, "learner": "none"}
    for name, value in found.items():
        monkeypatch.setenv(f"EMBERKEEP_{name.upper()}", str(value))
    return found


def test_without_the_embedder_all_is_kept_and_found_by_its_words(
    tmp_path: Path,
    models: ModelServer,
    settings: dict[str, Any],
    serve: Serve,  # noqa: F811 - the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("emberkeep.entrypoints.http.metrics.STORE_EVERY_S", 0.0)
    path = tmp_path / "agent.db"
    with emberkeep.open(path, **settings) as memory:
        memory.add("The lamp is red.", user_id="alex")
        models.stop()
        added = memory.add("The boat is blue.", user_id="alex")
        assert added.new == 1
        assert added.errors
    with emberkeep.open(path, **settings) as memory, serve(create_app(memory)) as url:
        client = httpx.Client(base_url=url)
        hits = memory.search("blue boat", user_id="alex")
        assert hits[0].text == "The boat is blue."
        assert "dense: left out" in hits.degraded[0]
        context = memory.context("blue boat", user_id="alex", max_tokens=200)
        assert "The boat is blue." in context.text
        assert context.degraded
        assert memory.stats().waiting == 1
        assert (client.get("/healthz").status_code, client.get("/readyz").status_code) == (200, 200)
        assert number(client, "unembedded") == 1
        states = checks(path)
        assert (states["embedder"], states["index"]) == ("fail", "warn")
        worker = memory.worker(every_s=0.05)
        worker.start()
        memory.operational.push_event("power", "It went out", severity="critical")
        models.start()
        wait_until(lambda: memory.stats().waiting == 0)
        worker.stop()
        assert number(client, "unembedded") == 0
        found = memory.search("blue boat", user_id="alex")
        assert (found.degraded, found[0].similarity is not None) == ((), True)
        states = checks(path)
        assert (states["embedder"], states["index"]) == ("ok", "ok")
        client.close()


@pytest.mark.parametrize("mood", ["stopped", "hanging", "talking nonsense"])
def test_without_the_model_all_is_kept_and_learned_later(
    tmp_path: Path, models: ModelServer, mood: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, clock = tmp_path / "agent.db", FixedClock()
    settings: dict[str, Any] = {"learner": "llm", "llm_url": models.url, "llm_model": "tiny", "llm_timeout_s": 0.3}
    for name, value in settings.items():
        monkeypatch.setenv(f"EMBERKEEP_{name.upper()}", str(value))
    with emberkeep.open(path, embedder=WordEmbedder(), clock=clock, **settings) as memory:
        if mood == "stopped":
            models.stop()
        else:
            states: dict[str, Mood] = {"hanging": "hanging", "talking nonsense": "talking nonsense"}
            models.mood = states[mood]
        added = memory.add("I own a red boat.", user_id="alex")
        assert added.errors
        assert memory.search("red boat", user_id="alex")[0].text == "I own a red boat."
        (waiting,) = memory.backlog()
        assert waiting.reason
        assert memory.stats().waiting == 1
        if mood == "stopped":
            assert checks(path)["learner"] == "fail"
            models.start()
        models.mood = "well"
        clock.move(hours=2)  # it is left alone for a while
        worker = memory.worker(every_s=0.05)
        worker.start()
        wait_until(lambda: not memory.backlog())
        worker.stop()
        assert [item.text for item in memory.get_all(user_id="alex", kinds=["fact"])] == ["Alex owns a red boat"]
        assert checks(path)["learner"] == "ok"


def test_a_worker_without_the_embedder_moves_what_is_due_all_the_same() -> None:
    clock, embedder = FixedClock(), WordEmbedder()
    with emberkeep.open(":memory:", embedder=embedder, clock=clock, learner="none") as memory:
        memory.tasks.start("Clean up", id="t", user_id="alex")
        memory.tasks.finish("t", success=True)
        clock.move(days=400)
        embedder.down = True
        memory.add("Nobody embeds this.", user_id="alex")
        worker = memory.worker()
        assert not worker.once()
        assert [task.id for task in memory.tasks.list(archived=True)] == ["t"]
        embedder.down = False
        assert worker.once()
        assert memory.stats().waiting == 0
