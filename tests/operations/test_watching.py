"""Logs and traces of requests, and that neither they nor the metrics ever hold a text."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import emberkeep
from emberkeep import spans
from emberkeep.config import Config
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.logs import JsonLines, TextLines
from emberkeep.entrypoints.telemetry import OpenTelemetry
from emberkeep.entrypoints.tracing import traces, tracing
from emberkeep.errors import ConfigError, InvalidInput, StoreUnavailable
from emberkeep.learning.llm import ModelLearner
from emberkeep.memory import Memory
from emberkeep.providers.breaker import Guarded
from emberkeep.testing import ScriptedModel, WordEmbedder

Serve = Callable[[FastAPI], AbstractContextManager[str]]
MARKER = "zanzibarquux"
TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = "b7ad6b7169203331"


@pytest.fixture
def memory() -> Iterator[Memory]:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        yield memory


@pytest.fixture
def sent() -> InMemorySpanExporter:
    return InMemorySpanExporter()


def test_a_line_says_who_did_what_and_how_it_went(memory: Memory, serve: Serve, log: Any) -> None:
    with serve(create_app(memory)) as url, httpx.Client(base_url=url) as client:
        answer = client.get("/api/v1/memories/nothing", headers={"X-Request-ID": "job-7"})
        assert answer.headers["x-request-id"] == "job-7"
        client.get("/healthz")
    wrong, healthy = log.lines
    assert (wrong["level"], healthy["level"]) == ("info", "debug")
    assert wrong.pop("ms") >= 0
    assert wrong.pop("time").endswith("Z")
    assert wrong == {
        "level": "info",
        "logger": "emberkeep.requests",
        "message": "request",
        "request_id": "job-7",
        "method": "GET",
        "route": "/api/v1/memories/{id}",
        "verb": "get",
        "status": 404,
        "tenant": "default",
    }


def test_a_request_id_that_is_none_is_replaced(memory: Memory, serve: Serve, log: Any) -> None:
    none = ["", "two words", "x" * 129, "-x", "a/b", '{"a":1}', "é"]
    with serve(create_app(memory)) as url, httpx.Client(base_url=url) as client:
        answers = [client.get("/healthz", headers={b"X-Request-ID": given.encode()}) for given in none]
    ids = [answer.headers["x-request-id"] for answer in answers]  # a request is logged after it was answered
    assert ids == [line["request_id"] for line in log.lines]
    assert all(len(one) == 32 for one in ids)
    assert not set(ids) & set(none)


def test_a_bug_is_logged_where_it_is_and_not_what_it_says(
    memory: Memory, serve: Serve, log: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError(MARKER)

    app = create_app(memory)
    monkeypatch.setattr(memory, "stats", broken)
    with serve(app) as url:
        answer = httpx.get(f"{url}/api/v1/stats")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert answer.headers["x-request-id"] == log.lines[0]["request_id"]
    bug, request = log.lines
    assert bug["error"] == "RuntimeError"
    assert bug["at"][-1].endswith(" broken")
    assert request["status"] == 500
    assert MARKER not in log.text


def test_errors_in_a_message_are_told_if_they_are_about_the_machinery() -> None:
    for lines in (JsonLines(texts=False), TextLines(texts=False)):
        assert MARKER not in lines.format(_record("later: %s", InvalidInput(MARKER)))
        assert "invalid_input" in lines.format(_record("later: %s", InvalidInput(MARKER)))
        assert "no route to host" in lines.format(_record("later: %s", StoreUnavailable("no route to host")))
        assert "3 of them" in lines.format(_record("%(n)d of them", {"n": 3}))
    assert MARKER in JsonLines(texts=True).format(_record("later: %s", InvalidInput(MARKER)))


def _record(message: str, argument: Any) -> logging.LogRecord:
    return logging.LogRecord("emberkeep.flows.worker", logging.WARNING, __file__, 1, message, (argument,), None)


def test_spans_of_a_request_are_within_the_callers(serve: Serve, sent: InMemorySpanExporter) -> None:
    learner = ModelLearner(Guarded(ScriptedModel(lambda _: '{"facts": []}')))
    with (
        emberkeep.open(":memory:", embedder=WordEmbedder(), learner=learner) as memory,
        tracing(OpenTelemetry(SimpleSpanProcessor(sent))) as tracer,
        serve(create_app(memory, tracer=tracer)) as url,
    ):
        parent = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
        body = {"messages": "I live in Rome."}
        answer = httpx.post(f"{url}/api/v1/memories", json=body, headers=parent)
        memory.search("Rome")  # not a request: no trace
    found = sent.get_finished_spans()  # a request's own ends after it was answered: read when the server is gone
    by_name = {one.name: one for one in found}
    request, verb = by_name["POST /api/v1/memories"], by_name["add"]
    assert answer.headers["traceparent"] == f"00-{TRACE}-{_id(request)}-01"
    assert request.parent is not None
    assert f"{request.parent.span_id:016x}" == CALLER
    assert {"database", "embed", "model"} <= by_name.keys()
    assert {f"{one.context.trace_id:032x}" for one in found if one.context} == {TRACE}
    assert verb.parent == request.context
    assert by_name["model"].parent is not None
    assert dict(request.attributes or {}).keys() == {
        "http.request.method",
        "http.route",
        "http.response.status_code",
        "emberkeep.request_id",
    }


def _id(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.span_id:016x}"


@pytest.mark.parametrize("missing", ["opentelemetry", "opentelemetry.sdk.trace", "opentelemetry.exporter"])
def test_traces_say_how_to_install_what_they_need(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("opentelemetry", "emberkeep.entrypoints.telemetry"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with (
        pytest.raises(ConfigError, match=r"pip install 'emberkeep\[telemetry\]'"),
        traces(Config(traces_url="http://x")),
    ):
        pass


def test_nobody_traces_unless_told_to() -> None:
    assert spans.span("embed") is spans.span("database")
    assert spans.headers() == {}


@pytest.mark.parametrize("log", [False, True], indirect=True)
def test_no_text_reaches_the_log_the_metrics_or_the_traces(
    serve: Serve, log: Any, sent: InMemorySpanExporter, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Unless `log_texts` is set, and then only the log."""
    texts = "True" in request.node.name
    with (
        emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder(), log_texts=texts) as memory,
        tracing(OpenTelemetry(SimpleSpanProcessor(sent))) as tracer,
        serve(create_app(memory, tracer=tracer)) as url,
        httpx.Client(base_url=url) as client,
    ):
        for path, body in _JOURNEY:
            client.post(f"/api/v1/{path}", json=body)
        for path in _READS:
            client.get(path)
        client.put(f"/api/v1/preferences/{MARKER}", json={"value": MARKER})
        client.post("/v1/embeddings", json={"input": MARKER, "model": MARKER})
        memory.close()
        client.post("/api/v1/memories", json={"messages": MARKER})  # refused: the store is gone
        page = client.get("/metrics").text
    told = "\n".join(one.to_json() for one in sent.get_finished_spans())
    assert len(log.lines) > 15
    assert "http_requests_total" in page
    assert "embed" in told
    assert MARKER not in page
    assert MARKER not in told
    assert (MARKER in log.text) == texts


_JOURNEY: list[tuple[str, dict[str, Any]]] = [
    ("memories", {"messages": f"I live in {MARKER}.", "user_id": MARKER, "session_id": MARKER}),
    ("memories", {"messages": [{"role": MARKER, "content": MARKER}]}),
    ("memories/remember", {"text": f"Likes {MARKER}", "kind": MARKER}),
    ("memories/search", {"query": MARKER, "user_id": MARKER}),
    ("memories/search", {"query": MARKER, "limit": MARKER}),
    ("contexts", {"task": MARKER, "user_id": MARKER}),
    ("tasks", {"description": MARKER, MARKER: MARKER}),
    ("operational/events", {"category": MARKER, "message": MARKER, "severity": "critical"}),
    ("events", {"type": MARKER, "payload": {"text": MARKER}}),
]
_READS = [
    f"/api/v1/memories/{MARKER}",
    f"/api/v1/memories?user_id={MARKER}",
    f"/api/v1/memories?{MARKER}=1",
    f"/{MARKER}",
    f"/api/v1/operational/metrics/{MARKER}",
]
