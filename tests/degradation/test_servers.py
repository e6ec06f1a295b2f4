"""Valkey, and PostgreSQL itself, off for a while: nothing that was acknowledged is lost, and work goes on by itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import emberkeep
from emberkeep.entrypoints.doctor.examine import examine
from emberkeep.entrypoints.http.app import create_app
from emberkeep.errors import StoreUnavailable
from emberkeep.testing import WordEmbedder

from ..conftest import Valkey
from ..operations.conftest import Serve, serve  # noqa: F401 - a fixture
from ..storage.replicas import Pair, new_pair
from .conftest import wait_until

pytestmark = pytest.mark.slow


def test_without_valkey_events_wait_and_vectors_are_made_here(
    tmp_path: Path, valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "agent.db"
    settings = {"events_url": valkey.url, "embedding_cache_url": valkey.url, "learner": "none"}
    for name, value in settings.items():
        monkeypatch.setenv(f"EMBERKEEP_{name.upper()}", value)
    with emberkeep.open(path, embedder=WordEmbedder()) as memory:
        worker = memory.worker(every_s=0.05)
        worker.start()
        memory.remember("Alex likes tea", user_id="alex")
        wait_until(lambda: memory.stats().events_waiting == 0)
        valkey.kill()
        memory.remember("Bo likes coffee", user_id="bo")
        hits = memory.search("coffee", user_id="bo")
        assert (hits[0].text, hits.degraded, hits[0].similarity is not None) == ("Bo likes coffee", (), True)
        assert memory.stats().events_waiting > 0
        states = {check.name: check.state for check in examine(str(path), None).checks}
        assert (states["events_url"], states["embedding_cache_url"]) == ("warn", "warn")
        valkey.start()
        wait_until(lambda: memory.stats().events_waiting == 0)
        worker.stop()
        assert len(valkey.entries()) == len(set(valkey.entries())) >= 2


@pytest.fixture
def pair() -> Iterator[Pair]:
    pair = new_pair()
    yield pair
    pair.stop()


def test_without_postgresql_nothing_is_said_to_be_kept_or_empty_and_then_it_goes_on(
    pair: Pair,
    serve: Serve,  # noqa: F811 - the fixture
) -> None:
    settings: dict[str, Any] = {
        "embedder": WordEmbedder(),
        "learner": "rules",
        "busy_timeout_s": 2.0,
        "metrics_open": True,
    }
    with emberkeep.open(pair.primary, **settings) as memory, serve(create_app(memory)) as url:
        client = httpx.Client(base_url=url, timeout=30)
        memory.add("I own a red lamp.", user_id="alex", learn="later")
        worker = memory.worker(every_s=0.05)
        assert client.get("/readyz").status_code == 200
        pair.kill("primary")
        try:
            with pytest.raises(StoreUnavailable, match="See that PostgreSQL runs"):
                memory.add("This is not kept.", user_id="alex")
            with pytest.raises(StoreUnavailable):
                memory.search("lamp", user_id="alex")
            answer = client.post("/api/v1/memories/search", json={"query": "lamp", "user_id": "alex"})
            assert answer.status_code == 503
            assert (client.get("/healthz").status_code, client.get("/readyz").status_code) == (200, 503)
            assert "emberkeep_store_up 0.0" in client.get("/metrics").text
            states = {check.name: check.state for check in examine(pair.primary, None).checks}
            assert states["database"] == "fail"
            worker.start()
        finally:
            pair.start_one("primary", 5432)
        wait_until(lambda: not memory.backlog())
        worker.stop()
        assert client.get("/readyz").status_code == 200
        assert memory.add("It goes on.", user_id="alex").new == 1
        texts = {item.text for item in memory.get_all(user_id="alex", kinds=["episode"])}
        assert texts == {"I own a red lamp.", "It goes on."}
        client.close()
