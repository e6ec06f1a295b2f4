"""The federation's verification commands, word for word but for the imports; and what its notes ask for."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.serving import answering_at

import emberkeep
from emberkeep.adapters import federation
from emberkeep.adapters.federation import (
    extract_and_store,
    get_mem0_config,
    get_memory_instance,
    search_user_memories,
)
from emberkeep.errors import InvalidInput
from emberkeep.flows.keeping import Keeper

pytestmark = [
    pytest.mark.slow,
    # Qdrant's client leaves a connection to its own files open, which Python tells since 3.13.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

NO_SERVER = "http://127.0.0.1:9/v1"
MOVED = [{"role": "user", "content": "I live in Tahlequah and I prefer Telegram alerts."}]

THEIR_CONFIG = """
from emberkeep.adapters.federation import get_mem0_config
import json
config = get_mem0_config()
print(json.dumps(config, indent=2, default=str))
"""
THEIR_EXTRACTION = """
from emberkeep.adapters.federation import extract_and_store
result = extract_and_store([
    {'role': 'user', 'content': 'The Solix 3800 Plus UPS is now monitored via REST API polling every 10 minutes'},
    {'role': 'assistant', 'content': 'Understood. The power monitor daemon on greenfin checks PV STATUS and sends Telegram alerts on discharge.'}
], user_id='darrell')
print(f'Extraction result: {result}')
"""  # noqa: E501 - word for word


@pytest.fixture(autouse=True)
def no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    named = ("VLLM_", "EMBEDDING_", "CHEROKEE_", "PGPASSWORD", "OPENROUTER_")
    for name in [name for name in os.environ if name.startswith(named)]:
        monkeypatch.delenv(name)


def run(code: str, cwd: Path) -> str:
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=True).stdout


def test_their_configuration_prints(tmp_path: Path) -> None:
    assert json.loads(run(THEIR_CONFIG, tmp_path)) == get_mem0_config()


def test_their_extraction_runs_and_the_words_are_kept(tmp_path: Path) -> None:
    assert run(THEIR_EXTRACTION, tmp_path).startswith("Extraction result: {'extracted': ")
    with emberkeep.open() as memory:
        assert "Solix 3800 Plus" in memory.search("what monitors the UPS?", user_id="darrell")[0].text


def test_the_configuration_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    config = get_mem0_config()
    assert config["llm"]["config"]["openai_base_url"] == "http://192.168.132.223:8000/v1"
    assert config["embedder"]["config"]["embedding_dims"] == 1024
    assert config["vector_store"]["config"]["password"] == ""
    monkeypatch.setenv("PGPASSWORD", "second")
    monkeypatch.setenv("VLLM_MODEL", "tiny")
    monkeypatch.setenv("CHEROKEE_DB_NAME", "archive")
    config = get_mem0_config()
    assert config["llm"]["config"]["model"] == "tiny"
    assert config["vector_store"]["config"] == {
        "host": "192.168.132.222",
        "port": 5432,
        "user": "claude",
        "password": "second",
        "dbname": "archive",
        "collection_name": "mem0_memories",
    }
    monkeypatch.setenv("CHEROKEE_DB_PASS", "first")
    assert "first" in get_mem0_config()["vector_store"]["config"].values()


# Extracting and finding.


def test_what_is_new_is_warm_and_marked() -> None:
    assert extract_and_store(MOVED, user_id="darrell") == {"extracted": 2, "new": 2, "updated": 0, "errors": 0}
    found = search_user_memories("where does he live?", user_id="darrell")
    assert "Tahlequah" in found[0]["memory"]
    assert {one["temperature"] for one in found} == {75.0}
    assert found[0]["tags"] == ["mem0", "auto_extracted", "darrell"]
    note = {"source": "mem0_extraction", "user_id": "darrell", "agent_id": "mem0_bridge", "mem0_event": "ADD"}
    assert note.items() <= found[0]["metadata"].items()
    assert {"id", "memory", "score", "user_id", "metadata", "created_at", "temperature"} <= found[0].keys()
    assert len(search_user_memories("alerts", user_id="darrell", limit=1)) == 1


def test_the_same_again_is_warmed_up_to_a_hundred() -> None:
    for warmth in (90.0, 95.0, 100.0, 100.0):
        counts = extract_and_store(MOVED, initial_temperature=90.0)
        assert counts["extracted"] == 2
        assert counts["new"] == (2 if warmth == 90.0 else 0)
        assert counts["updated"] == 2 - counts["new"]
        found = search_user_memories("Telegram")
        assert len(found) == 2
        assert [one["temperature"] for one in found] == pytest.approx([warmth, warmth], abs=0.1)


def test_what_is_new_and_what_is_not_are_counted_apart() -> None:
    extract_and_store(MOVED)
    more = [*MOVED, {"role": "user", "content": "I work at Ganuda Labs."}]
    assert extract_and_store(more) == {"extracted": 3, "new": 1, "updated": 2, "errors": 0}


def test_users_stay_apart() -> None:
    extract_and_store(MOVED, user_id="darrell")
    extract_and_store([{"role": "user", "content": "I live in Zürich, 東京 is too far."}], user_id="joe")
    assert ["Tahlequah" in one["memory"] for one in search_user_memories("live", user_id="darrell", limit=1)] == [True]
    assert all("Tahlequah" not in one["memory"] for one in search_user_memories("live", user_id="joe"))
    assert search_user_memories("live") == []
    assert {one["user_id"] for one in search_user_memories("Zürich", user_id="joe")} == {"joe"}


def test_small_talk_and_the_assistants_words_are_not_extracted() -> None:
    said = [{"role": "user", "content": "Hi!"}, {"role": "assistant", "content": "I live in a data centre in Porto."}]
    assert extract_and_store(said) == {"extracted": 0, "new": 0, "updated": 0, "errors": 0}
    assert search_user_memories("Porto") == []


def test_nothing_said_is_nothing_extracted() -> None:
    assert extract_and_store([]) == {"extracted": 0, "new": 0, "updated": 0, "errors": 0}
    with pytest.raises(InvalidInput):
        extract_and_store([{"role": "user", "mood": "sunny"}])
    assert search_user_memories("") == []


def test_what_others_say_meanwhile_is_not_new_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other conversation is written down after this one began, and before this one is learned from."""
    weigh = Keeper.weigh
    others: list[dict[str, Any]] = []

    def weigh_after_another(keeper: Keeper, drafts: Any) -> Any:
        if not others:
            others.append({})
            others[0] = extract_and_store(MOVED, user_id="darrell")
        return weigh(keeper, drafts)

    monkeypatch.setattr(Keeper, "weigh", weigh_after_another)
    counts = extract_and_store(MOVED, user_id="darrell")
    assert others == [{"extracted": 2, "new": 2, "updated": 0, "errors": 0}]
    assert counts == {"extracted": 2, "new": 0, "updated": 2, "errors": 0}


# A Mem0 of one's own.


class OwnMem0:
    """Finds what it is given."""

    def __init__(self, *found: dict[str, Any]) -> None:
        self.found = list(found)
        self.asked: list[dict[str, Any]] = []

    def add(self, messages: list[dict[str, Any]], *, user_id: str) -> dict[str, Any]:
        self.asked.append({"messages": messages, "user_id": user_id})
        return {"results": self.found}

    def search(self, *, query: str, user_id: str, limit: int) -> dict[str, Any]:
        self.asked.append({"query": query, "user_id": user_id, "limit": limit})
        return {"results": self.found}


def test_without_an_instance_the_answers_are_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(federation, "get_memory_instance", lambda: None)
    assert extract_and_store(MOVED) == extract_and_store([]) == {"error": "Mem0 not available"}
    assert search_user_memories("alerts") == []


def test_what_an_instance_of_ones_own_finds_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    own = OwnMem0({"memory": "Darrell runs the power monitor", "event": "UPDATE"}, {"memory": "too short"}, {})
    with monkeypatch.context() as replaced:
        replaced.setattr(federation, "get_memory_instance", lambda: own)
        said = [{"role": "user", "content": "hello"}]
        assert extract_and_store(said, "darrell") == {"extracted": 3, "new": 1, "updated": 0, "errors": 0}
        assert extract_and_store(said, "darrell") == {"extracted": 3, "new": 0, "updated": 1, "errors": 0}
        assert search_user_memories("power", "darrell", 2) == own.found
        own.found = [{"memory": "a surrogate: \ud800"}]
        assert extract_and_store(said, "darrell") == {"extracted": 1, "new": 0, "updated": 0, "errors": 1}
    assert own.asked[0] == {"messages": said, "user_id": "darrell"}
    assert own.asked[2] == {"query": "power", "user_id": "darrell", "limit": 2}
    (found,) = search_user_memories("power", "darrell")
    assert (found["memory"], found["metadata"]["mem0_event"]) == ("Darrell runs the power monitor", "UPDATE")
    assert found["tags"] == ["mem0", "auto_extracted", "darrell"]
    assert found["temperature"] == pytest.approx(80.0, abs=0.1)


def test_an_instance_of_ones_own_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(federation, "get_memory_instance", object)
    assert search_user_memories("alerts") == []
    with pytest.raises(AttributeError):
        extract_and_store(MOVED)


# Models.


class Model(BaseHTTPRequestHandler):
    """Answers in Mem0's form and in Emberkeep's own."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        quote = "I prefer Telegram alerts"
        fact = {"text": "User prefers Telegram alerts", "kind": "preference", "message": 1, "quote": quote}
        answer = {"memory": [{"id": "0", "text": fact["text"]}], "facts": [{**fact, "when": None, "type": "state"}]}
        message = {"role": "assistant", "content": json.dumps(answer)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def model_url() -> Iterator[str]:
    with answering_at(Model) as address:
        yield f"http://{address}/v1"


@pytest.fixture(params=["mem0", "llm"])
def extractor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, home: Path) -> str:
    """With Mem0 installed and without."""
    if request.param == "mem0":
        if find_spec("mem0") is None:  # not importorskip: imported by hand, it reports to its makers
            pytest.skip("Mem0 is an extra")
        monkeypatch.setenv("MEM0_DIR", str(home / "mem0"))
    else:
        monkeypatch.setattr(federation, "find_spec", lambda name: None if name == "mem0" else find_spec(name))
    return str(request.param)


def test_a_model_extracts_if_one_is_named(extractor: str, model_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", model_url)
    assert extract_and_store(MOVED, user_id="joe") == {"extracted": 1, "new": 1, "updated": 0, "errors": 0}
    assert extract_and_store(MOVED, user_id="joe") == {"extracted": 1, "new": 0, "updated": 1, "errors": 0}
    (found,) = search_user_memories("alerts", user_id="joe")
    assert found["memory"] == "User prefers Telegram alerts"
    assert found["temperature"] == pytest.approx(80.0, abs=0.1)
    assert found["metadata"]["learner"].startswith(f"{extractor}:")


def test_a_model_that_is_down_is_one_error_and_loses_nothing(extractor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", NO_SERVER)
    assert extract_and_store(MOVED, user_id="joe") == {"extracted": 0, "new": 0, "updated": 0, "errors": 1}
    monkeypatch.delenv("VLLM_BASE_URL")
    with emberkeep.open() as memory:
        assert "Tahlequah" in memory.search("where does he live?", user_id="joe")[0].text
        assert str(memory.stats().learner).startswith("rules")  # what the settings name, not the model that was down
        assert memory.learn().new == 2


def test_only_servers_that_were_named_are_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, Any]] = []
    monkeypatch.setattr(federation, "find_spec", lambda _: object())
    monkeypatch.setattr(federation, "Mem0Learner", made.append)
    monkeypatch.setenv("VLLM_BASE_URL", NO_SERVER)
    federation._extractor()
    monkeypatch.setenv("EMBEDDING_BASE_URL", NO_SERVER)
    monkeypatch.setenv("CHEROKEE_DB_HOST", "127.0.0.1")
    federation._extractor()
    assert [sorted(config) for config in made] == [
        ["llm", "version"],
        ["embedder", "llm", "vector_store", "version"],
    ]


def test_without_mem0_there_is_no_instance(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setitem(sys.modules, "mem0", None)
    assert get_memory_instance() is None
    assert "pip install mem0ai" in caplog.text


@pytest.mark.skipif(find_spec("mem0") is None, reason="Mem0 is an extra")
def test_an_instance_that_cannot_start_is_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEM0_DIR", str(tmp_path))
    monkeypatch.setattr(federation, "get_mem0_config", lambda: {"llm": {"provider": "nobody"}})
    assert get_memory_instance() is None
    assert "Failed to initialize Mem0" in caplog.text
