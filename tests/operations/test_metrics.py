"""What Prometheus is told."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

import emberkeep
from emberkeep.access.principal import Principal
from emberkeep.entrypoints.http import metrics
from emberkeep.entrypoints.http.app import create_app
from emberkeep.flows.backlog import Worked
from emberkeep.memory import Memory
from emberkeep.service.door import Admitted
from emberkeep.testing import FixedClock, WordEmbedder

Serve = Callable[[FastAPI], AbstractContextManager[str]]
Numbers = dict[str, dict[tuple[str, ...], float]]


@pytest.fixture
def memory(target: str, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    monkeypatch.setattr(metrics, "STORE_EVERY_S", 0.0)
    with emberkeep.open(target, embedder=WordEmbedder(), clock=clock) as memory:
        yield memory


def numbers(client: httpx.Client) -> Numbers:
    """The samples, by name and by the values of their labels in the order of the labels' names."""
    found: Numbers = {}
    page = client.get("/metrics")
    assert page.status_code == 200
    for family in text_string_to_metric_families(page.text):
        for sample in family.samples:
            labels = tuple(value for _, value in sorted(sample.labels.items()))
            found.setdefault(sample.name.removeprefix("emberkeep_"), {})[labels] = sample.value
    return found


def test_requests_are_counted_by_verb_and_never_by_id(memory: Memory, serve: Serve) -> None:
    with serve(create_app(memory)) as url, httpx.Client(base_url=url) as client:
        kept = client.post("/api/v1/memories", json={"messages": "I live in Rome.", "user_id": "alex"}).json()
        for one in kept["memories"]:
            client.get(f"/api/v1/memories/{one['id']}").raise_for_status()
        client.get("/api/v1/memories/nothing")
        client.get("/nowhere/alex")
        client.request("BREW", "/api/v1/memories")
        page = numbers(client)
        text = client.get("/metrics").text
    one = "/api/v1/memories/{id}"
    assert page["http_requests_total"] == {
        ("POST", "/api/v1/memories", "201", "add"): 1,
        ("GET", one, "200", "get"): 2,
        ("GET", one, "404", "get"): 1,
        ("GET", "unknown", "404", ""): 1,
        ("other", "/api/v1/memories", "405", "add"): 1,
    }
    assert page["http_request_seconds_count"]["GET", one, "get"] == 3
    assert page["http_in_flight"] == {(): 1}  # the one that asks
    assert "alex" not in text
    assert kept["memories"][0]["id"] not in text


def test_the_store_and_what_waits_there(memory: Memory, clock: FixedClock, serve: Serve) -> None:
    memory.remember("Prefers tea", kind="preference")
    memory.remember("Lives in Rome", kind="fact")
    memory.add("I moved to Lisbon.", learn="later")
    clock.move(minutes=5)
    with serve(create_app(memory)) as url, httpx.Client(base_url=url) as client:
        page = numbers(client)
        assert page["memories"] == {("preference",): 1, ("fact",): 1}
        assert page["interactions"] == {(): 1}
        assert page["backlog"] == {("waiting",): 1, ("failed",): 0}
        assert page["backlog_oldest_seconds"] == {(): 300}
        assert page["embedding_cache_total"]["store", "miss"] == 2
        memory.learn()
        memory.search("Lisbon")
        page = numbers(client)
        assert page["backlog"]["waiting",] == page["backlog_oldest_seconds"][()] == 0
        assert page["index_bytes"][()] > 0
        assert page["info"] == {(emberkeep.__version__,): 1}


def test_all_tenants_are_counted_and_named_only_if_that_is_set(serve: Serve, target: str) -> None:
    for tenant in ("acme", "bolt"):
        with emberkeep.open(target, embedder=WordEmbedder(), tenant=tenant, metrics_by_tenant=True) as memory:
            memory.remember("Prefers tea")
            if tenant == "bolt":
                with serve(create_app(memory)) as url, httpx.Client(base_url=url) as client:
                    named = numbers(client)["memories"]
    if target == ":memory:":
        assert named == {("fact", "bolt"): 1}
        return
    assert named == {("fact", "acme"): 1, ("fact", "bolt"): 1}
    with (
        emberkeep.open(target, embedder=WordEmbedder(), tenant="acme") as memory,
        serve(create_app(memory)) as url,
        httpx.Client(base_url=url) as client,
    ):
        assert numbers(client)["memories"] == {("fact",): 2}


def test_a_store_that_does_not_answer_is_down_and_the_rest_is_told(memory: Memory, serve: Serve) -> None:
    with serve(create_app(memory)) as url, httpx.Client(base_url=url) as client:
        assert numbers(client)["store_up"] == {(): 1}
        memory.close()
        assert client.get("/readyz").status_code == 503
        page = numbers(client)
    assert page["store_up"] == {(): 0}
    assert "memories" not in page
    assert page["http_refused_total"]["unavailable",] == 1


def test_what_the_worker_did(memory: Memory, serve: Serve) -> None:
    app = create_app(memory)
    worker = memory.worker(report=app.state.metrics.worked)
    memory.add("I moved to Lisbon.", learn="later")
    assert worker.once()
    app.state.metrics.worked("acme", Worked(model_is_down=True))
    with serve(app) as url, httpx.Client(base_url=url) as client:
        page = numbers(client)
    assert page["worker_done_total"] == {("derived",): 1, ("learned",): 1, ("new",): 1, ("updated",): 0}
    assert page["worker_batches_total"] == {("done",): 1, ("model_down",): 1}


class OneKey:
    """A door that lets one caller in, whoever knocks."""

    def __init__(self, memory: Memory, principal: Principal) -> None:
        self._admitted = Admitted(principal, memory)

    def admit(self, _presented: object, *, counted: bool) -> Admitted:
        return self._admitted


@pytest.mark.parametrize(
    ("tenant", "role", "status"), [("default", "admin", 200), ("default", "write", 403), ("acme", "admin", 403)]
)
def test_the_numbers_are_for_an_admin_of_the_service(tenant: str, role: str, status: int, serve: Serve) -> None:
    for is_open in (False, True):
        with emberkeep.open(":memory:", embedder=WordEmbedder(), metrics_open=is_open) as memory:
            app = create_app(memory, door=OneKey(memory, Principal(tenant, role)))  # type: ignore[arg-type]
            with serve(app) as url:
                assert httpx.get(f"{url}/metrics").status_code == (200 if is_open else status)


def test_open_metrics_for_who_asks_for_that(memory: Memory, serve: Serve) -> None:
    with serve(create_app(memory)) as url:
        wanted = {"accept": "application/openmetrics-text; version=1.0.0"}
        answer = httpx.get(f"{url}/metrics", headers=wanted)
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")
