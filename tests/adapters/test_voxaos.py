"""VoxaOS's own tests and its verification script, word for word but for the imports; and the edges they leave out."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import emberkeep
from emberkeep.adapters.voxaos import (
    CaptureLog,
    Config,
    InteractionRecord,
    LearningMemory,
    create_memory,
    load_config,
)
from emberkeep.errors import ConfigError, InvalidInput
from emberkeep.testing import FixedClock
from emberkeep.transfer.backup import back_up
from emberkeep.transfer.exporting import write_export
from emberkeep.transfer.importing import import_from
from emberkeep.transfer.restore import restore

pytestmark = pytest.mark.slow

NO_SERVER = "http://127.0.0.1:9/v1"

THEIR_TESTS = """
import pytest
from datetime import datetime
from emberkeep.adapters.voxaos import InteractionRecord
from emberkeep.adapters.voxaos import CaptureLog
from emberkeep.adapters.voxaos import create_memory
from emberkeep.adapters.voxaos import load_config

@pytest.fixture
def capture_log(tmp_path):
    db_path = str(tmp_path / "test_capture.db")
    log = CaptureLog(db_path)
    yield log
    log.close()

def test_capture_log_init(capture_log):
    \"\"\"DB should initialize with interactions table.\"\"\"
    cursor = capture_log.conn.execute(
        "SELECT name FROM sqlite_master WHERE type='table' AND name='interactions'"
    )
    assert cursor.fetchone() is not None

def test_capture_log_write_read(capture_log):
    record = InteractionRecord(
        session_id="test-001",
        timestamp=datetime.now(),
        user_transcript="hello",
        llm_messages=[{"role": "user", "content": "hello"}],
        tool_calls=[],
        assistant_response="Hi there!",
    )
    capture_log.log(record)
    recent = capture_log.get_recent(1)
    assert len(recent) == 1
    assert recent[0]["user_transcript"] == "hello"
    assert recent[0]["assistant_response"] == "Hi there!"

def test_capture_log_multiple(capture_log):
    for i in range(5):
        record = InteractionRecord(
            session_id="test-002",
            timestamp=datetime.now(),
            user_transcript=f"msg {i}",
            llm_messages=[],
            tool_calls=[],
            assistant_response=f"resp {i}",
        )
        capture_log.log(record)
    recent = capture_log.get_recent(3)
    assert len(recent) == 3

def test_interaction_record_defaults():
    record = InteractionRecord(
        session_id="s", timestamp=datetime.now(),
        user_transcript="u", llm_messages=[], tool_calls=[],
        assistant_response="a",
    )
    assert record.skill_used is None
    assert record.latency_ms == {}

def test_create_memory_disabled():
    config = load_config()
    config.memory.enabled = False
    learning, capture = create_memory(config)
    assert learning is None
    assert capture is None
"""

THEIR_SCRIPT = """
import asyncio
from emberkeep.adapters.voxaos import load_config
from emberkeep.adapters.voxaos import create_memory

def test():
    config = load_config()
    learning, capture = create_memory(config)

    # Test learning memory
    if learning:
        learning.add("My name is Alex and I prefer Python", "Nice to meet you Alex!")
        results = learning.search("what's my name")
        print(f"Learning memory: {results}")

    # Test capture
    if capture:
        from emberkeep.adapters.voxaos import InteractionRecord
        from datetime import datetime
        record = InteractionRecord(
            session_id="test-001",
            timestamp=datetime.now(),
            user_transcript="hello",
            llm_messages=[{"role": "user", "content": "hello"}],
            tool_calls=[],
            assistant_response="Hi there!",
        )
        capture.log(record)
        recent = capture.get_recent(1)
        print(f"Capture: {recent}")
        capture.close()

test()
"""


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[CaptureLog]:
    opened = CaptureLog(str(tmp_path / "deep" / "capture.db"))
    yield opened
    opened.close()


def record(heard: str = "hello", answered: str = "Hi there!", **more: object) -> InteractionRecord:
    values = {"session_id": "s1", "timestamp": datetime(2026, 5, 20, 10, 30), "llm_messages": [], "tool_calls": []}  # noqa: DTZ001
    return InteractionRecord(user_transcript=heard, assistant_response=answered, **{**values, **more})  # type: ignore[arg-type]


def run(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def test_their_tests_pass(tmp_path: Path) -> None:
    (tmp_path / "test_memory.py").write_text(THEIR_TESTS)
    left_out = [option for name in ("cacheprovider", "asyncio", "langsmith_plugin") for option in ("-p", f"no:{name}")]
    ran = run("-m", "pytest", "-v", *left_out, "test_memory.py", cwd=tmp_path)
    assert "5 passed" in ran.stdout, ran.stdout


def test_their_script_finds_alex(tmp_path: Path) -> None:
    ran = run("-c", THEIR_SCRIPT, cwd=tmp_path)
    learned, captured = ran.stdout.splitlines()
    assert "Learning memory: [" in learned
    assert "Alex" in learned
    assert "'user_transcript': 'hello'" in captured
    assert (tmp_path / ".voxaos" / "capture.db").is_file()


# Capture.


def test_a_row_has_their_columns_as_they_stored_them(log: CaptureLog) -> None:
    given = record(
        llm_messages=[{"role": "user", "content": "hello"}],
        tool_calls=[{"name": "lamp", "args": {"on": True}, "result": {1, 2}.__class__}],
        skill_used="lights",
        latency_ms={"stt": 80.5},
    )
    log.log(given)
    (row,) = log.get_recent(1)
    assert list(row) == [
        "id",
        "session_id",
        "timestamp",
        "user_transcript",
        "llm_messages",
        "tool_calls",
        "assistant_response",
        "skill_used",
        "latency_ms",
    ]
    assert row["timestamp"] == given.timestamp.isoformat()
    assert json.loads(row["llm_messages"]) == given.llm_messages
    assert json.loads(row["tool_calls"])[0]["result"] == "<class 'set'>"
    assert json.loads(row["latency_ms"]) == {"stt": 80.5}
    assert (row["session_id"], row["skill_used"]) == ("s1", "lights")


def test_the_latest_come_first_and_survive(tmp_path: Path) -> None:
    path = str(tmp_path / "capture.db")
    for number in range(3):
        opened = CaptureLog(path)
        opened.log(record(f"Nummer {number} ✓ 日本"))
        opened.close()
    opened = CaptureLog(path)
    assert [row["user_transcript"] for row in opened.get_recent(2)] == ["Nummer 2 ✓ 日本", "Nummer 1 ✓ 日本"]
    assert len(opened.get_recent(1_000_000)) == 3
    assert opened.get_recent(0) == []
    assert len(opened.get_recent(-1)) == 3
    opened.close()


@pytest.mark.parametrize(
    "given",
    [
        "2026-05-20T10:00:00",
        "2026-05-20T10:00:00.000250",
        "2026-05-20T10:00:00+00:00",
        "2026-05-20T10:00:00+05:30",
        "1890-05-20T10:00:00-04:56:02",
    ],
)
def test_a_time_comes_back_as_it_was_given_wherever_it_is_read(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "capture.db")
    try:
        for written, read in (("Asia/Tokyo", "America/New_York"), ("UTC", "Asia/Tokyo")):
            monkeypatch.setenv("TZ", written)
            time.tzset()
            opened = CaptureLog(path)
            opened.log(record(timestamp=datetime.fromisoformat(given)))
            opened.close()
            monkeypatch.setenv("TZ", read)
            time.tzset()
            opened = CaptureLog(path)
            assert opened.get_recent(1)[0]["timestamp"] == given
            opened.close()
    finally:
        monkeypatch.undo()
        time.tzset()


def test_what_a_row_says_survives_a_backup_and_an_export(log: CaptureLog, tmp_path: Path) -> None:
    given = record("hello", "\u200b", timestamp=datetime(2026, 5, 20, 10, tzinfo=UTC), skill_used="")
    log.log(given)
    noted = {"timestamp": "2026-05-20T10:00:00+00:00", "assistant_response": "\u200b", "skill_used": ""}
    (kept,) = log.memory.capture.recent()
    assert log.memory.capture.get(kept.id).metadata == {"voxaos": noted}
    back_up(str(tmp_path / "deep" / "capture.db"), tmp_path / "capture.backup")
    restore(str(tmp_path / "restored.db"), tmp_path / "capture.backup")
    write_export(log.memory, tmp_path / "capture.jsonl")
    with emberkeep.open(tmp_path / "imported.db", learner="none") as memory:
        import_from(memory, tmp_path / "capture.jsonl", "emberkeep")
    for name in ("restored", "imported"):
        opened = CaptureLog(str(tmp_path / f"{name}.db"))
        (row,) = opened.get_recent(1)
        assert {key: row[key] for key in noted} == noted
        opened.close()


def test_a_time_with_a_zone_is_that_moment(log: CaptureLog) -> None:
    moment = datetime(2026, 5, 20, 10, tzinfo=UTC)
    log.log(record(timestamp=moment))
    assert datetime.fromisoformat(log.get_recent(1)[0]["timestamp"]).astimezone(UTC) == moment
    assert log.memory.capture.recent(1)[0].occurred_at == moment


def test_a_time_without_a_zone_is_local(log: CaptureLog) -> None:
    log.log(record(timestamp=datetime.now()))  # noqa: DTZ005 - as they do
    assert abs(log.memory.capture.recent(1)[0].occurred_at - datetime.now(UTC)) < timedelta(minutes=1)


def test_a_turn_without_an_answer_or_session(log: CaptureLog) -> None:
    log.log(record("hello", "", session_id="", skill_used=""))
    (row,) = log.get_recent(1)
    assert (row["session_id"], row["assistant_response"], row["skill_used"]) == ("", "", "")
    log.log(record(skill_used=None))
    assert log.get_recent(1)[0]["skill_used"] is None


@pytest.mark.parametrize(
    ("heard", "answered"), [("", ""), ("  ", "Hi there!"), ("hello", "\n"), (" ", ""), ("\u200b", "\ufeff ")]
)
def test_a_turn_in_which_somebody_is_silent(log: CaptureLog, heard: str, answered: str) -> None:
    log.log(record(heard, answered, latency_ms={"stt": 80.5}, session_id=" ", skill_used=" "))
    (row,) = log.get_recent(1)
    assert (row["user_transcript"], row["assistant_response"]) == (heard, answered)
    assert (row["session_id"], row["skill_used"]) == (" ", " ")
    assert json.loads(row["latency_ms"]) == {"stt": 80.5}


def test_what_was_written_last_comes_first_also_when_the_clock_was_set_back(log: CaptureLog) -> None:
    for hour in (12, 11, 10):
        log.log(record(f"at {hour}", timestamp=datetime(2026, 5, 20, hour)))  # noqa: DTZ001 - as they do
    assert [row["user_transcript"] for row in log.get_recent()] == ["at 10", "at 11", "at 12"]


def test_the_connection_has_their_columns(log: CaptureLog) -> None:
    for number in range(3):
        log.log(record(f"turn {number}", session_id=f"s-{number}", latency_ms={"stt": 80.5}, skill_used="timer"))
    log.log(record("", "said of itself"))
    cursor = log.conn.execute("SELECT * FROM interactions ORDER BY id DESC LIMIT 3")
    columns = [one[0] for one in cursor.description]
    assert [dict(zip(columns, row, strict=True)) for row in cursor] == log.get_recent(3)
    found = log.conn.execute("SELECT user_transcript, skill_used FROM interactions WHERE session_id = ?", ("s-1",))
    assert found.fetchall() == [("turn 1", "timer")]
    heard = log.conn.execute(
        "SELECT json_extract(latency_ms, '$.stt') FROM interactions WHERE user_transcript LIKE '%2'"
    )
    assert heard.fetchall() == [(80.5,)]


def test_rows_are_numbered(log: CaptureLog) -> None:
    for number in range(3):
        log.log(record(f"turn {number}"))
    assert [row["id"] for row in log.get_recent()] == [3, 2, 1]
    assert log.conn.execute("SELECT user_transcript FROM interactions WHERE id = 2").fetchall() == [("turn 1",)]
    log.memory.tidy()
    assert [row["id"] for row in log.get_recent(2)] == [3, 2]


def test_as_many_rows_come_back_as_are_asked_for(log: CaptureLog) -> None:
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda number: log.log(record(f"turn {number}")), range(10_010)))
    assert [len(log.get_recent(limit)) for limit in (10_005, -1)] == [10_005, 10_010]


def test_any_thread_may_read_the_latest(log: CaptureLog) -> None:
    log.log(record())
    with ThreadPoolExecutor(4) as pool:
        assert [len(rows) for rows in pool.map(lambda _: log.get_recent(), range(40))] == [1] * 40


def test_a_single_call_that_is_in_no_list_is_kept_whole(log: CaptureLog) -> None:
    log.log(record(tool_calls={"name": "lamp", "args": {"on": True}}, llm_messages="hello"))
    (row,) = log.get_recent()
    assert json.loads(row["tool_calls"]) == [{"name": "lamp", "args": {"on": True}}]
    assert json.loads(row["llm_messages"]) == ["hello"]


def test_a_time_before_all_times_is_refused(log: CaptureLog) -> None:
    with pytest.raises(InvalidInput, match="outside the years 1 to 9999"):
        log.log(record(timestamp=datetime.min))  # noqa: DTZ901 - as they may
    assert log.get_recent() == []


def test_the_connection_shows_no_other_tenant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for tenant in ("one", "it's"):
        monkeypatch.setenv("EMBERKEEP_TENANT", tenant)
        log = CaptureLog(str(tmp_path / "shared.db"))
        log.log(record(f"of {tenant}"))
        assert log.conn.execute("SELECT user_transcript FROM interactions").fetchall() == [(f"of {tenant}",)]
        log.close()


def test_the_connection_only_reads(log: CaptureLog) -> None:
    log.log(record())
    assert log.conn.execute("SELECT count(*) FROM interactions").fetchone() == (1,)
    for table in ("interactions", "main.interactions"):
        with pytest.raises(sqlite3.OperationalError, match=r"cannot modify|readonly"):
            log.conn.execute(f"DELETE FROM {table}")


# Learning.


def test_it_learns_per_user_and_after_reopening() -> None:
    config = load_config()
    for _ in range(2):
        learning = LearningMemory(config.memory, config.llm)
        learning.add("My name is Alex and I prefer Python", "Nice to meet you Alex!")
        learning.add("I live in Zürich", "", user_id="joe")
        assert any("Python" in text for text in learning.search("which language do I like?"))
        assert learning.search("where do I live?", user_id="joe", limit=1) == learning.get_all(user_id="joe")
        assert "Zürich" in learning.get_all(user_id="joe")[0]
        assert learning.search("where do I live?", user_id="ana") == []
        assert len(learning.get_all()) == 2
        learning.close()


def test_only_what_was_learned_is_found() -> None:
    config = load_config()
    learning = LearningMemory(config.memory, config.llm)
    learning.add("Hello, how are you?", "Fine, thanks!")
    learning.add("", " ")
    assert learning.get_all() == []
    assert learning.search("how are you?") == []
    assert learning.search("  ") == []
    assert learning.memory.stats().interactions == 1
    learning.close()


def test_all_pages_are_read() -> None:
    config = load_config()
    learning = LearningMemory(config.memory, config.llm)
    for number in range(105):
        learning.memory.remember(f"Parking space number {number} is taken", user_id="default")
    assert len(learning.get_all()) == 105
    learning.close()


@pytest.mark.parametrize(
    ("learning", "capture", "made"),
    [(True, False, (True, False)), (False, True, (False, True)), (False,) * 2 + ((False, False),)],
)
def test_each_layer_can_be_off(learning: bool, capture: bool, made: tuple[bool, bool], tmp_path: Path) -> None:
    config = load_config()
    config.memory.learning.enabled, config.memory.capture.enabled = learning, capture
    layers = create_memory(config)
    assert tuple(layer is not None for layer in layers) == made
    for layer in layers:
        if layer is not None:
            layer.close()
    assert (tmp_path / ".voxaos" / "memory").exists() == learning
    assert (tmp_path / ".voxaos" / "capture.db").exists() == capture


# Who learns.


def learner_of(config: Config) -> str | None:
    learning = LearningMemory(config.memory, config.llm)
    name = learning.memory.stats().learner
    learning.close()
    return name


def test_without_a_key_the_rules_learn_and_with_one_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config()
    assert str(learner_of(config)).startswith("rules")
    monkeypatch.setenv("MISTRAL_API_KEY", "k")
    assert "mistral-large-latest" in str(learner_of(config))
    config.memory.learning.provider = "rules"
    assert str(learner_of(config)).startswith("rules")


def test_a_local_model_is_asked_if_the_settings_say_so() -> None:
    config = load_config()
    config.llm.backend = "local"
    config.llm.local.model = "tiny"
    assert str(learner_of(config)).startswith("llm:tiny")


@pytest.mark.skipif(find_spec("mem0") is None, reason="Mem0 is an extra")
def test_mem0_learns_if_the_settings_say_so() -> None:
    config = load_config()
    config.llm.backend, config.memory.learning.provider = "local", "mem0"
    assert str(learner_of(config)).startswith("mem0:")


def test_settings_of_ones_own_need_only_what_the_design_names(tmp_path: Path) -> None:
    of_capture = SimpleNamespace(enabled=True, db_path=str(tmp_path / "capture.db"))
    of_memory = SimpleNamespace(
        enabled=True, storage_path=str(tmp_path), learning=SimpleNamespace(enabled=True), capture=of_capture
    )
    api = SimpleNamespace(base_url="http://127.0.0.1:9/v1", model="m", api_key_env="NO_SUCH_KEY")
    local = SimpleNamespace(base_url="http://127.0.0.1:9/v1", model="m")
    for backend, learner in (("api", "rules"), ("local", "m")):
        own: Any = SimpleNamespace(memory=of_memory, llm=SimpleNamespace(backend=backend, api=api, local=local))
        learning, capture = create_memory(own)
        assert learning is not None
        assert capture is not None
        taught = learning.memory._parts.learner
        assert taught is not None
        assert learner in taught.name
        learning.close()
        capture.close()


def test_an_unknown_learner_is_refused() -> None:
    config = load_config()
    config.memory.learning.provider = "magic"
    with pytest.raises(ConfigError, match="auto, rules, llm or mem0"):
        learner_of(config)


def test_a_model_that_is_down_loses_nothing() -> None:
    config = load_config()
    config.llm.backend, config.llm.local.base_url = "local", NO_SERVER
    learning = LearningMemory(config.memory, config.llm)
    learning.add("My name is Alex and I prefer Python", "Nice to meet you Alex!")
    assert learning.get_all() == []
    assert learning.memory.stats().waiting == 1
    learning.close()
    clock = FixedClock(datetime.now(UTC) + timedelta(days=1))
    with emberkeep.open(Path("~/.voxaos/memory/memory.db").expanduser(), clock=clock) as memory:
        assert memory.learn().new == 2


# Settings.


def test_a_file_sets_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "voxa.toml"
    file.write_text(
        '[memory.capture]\nenabled = false\n[llm]\nbackend = "local"\n[llm.local]\nmodel = "m"\n[tts]\na = 1\n'
    )
    config = load_config(file)
    assert not config.memory.capture.enabled
    assert (config.llm.backend, config.llm.local.model) == ("local", "m")
    assert config.memory.learning.enabled
    (tmp_path / ".voxaos").mkdir()
    file.rename(tmp_path / ".voxaos" / "config.toml")
    assert load_config() == config


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[memory]\nenabeld = true", "unknown setting enabeld"),
        ("[memory]\nenabled = 1", "enabled must be bool"),
        ("[llm]\napi = 3", "api must be a table"),
        ("[memory", "not valid TOML"),
    ],
)
def test_a_file_with_mistakes_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "voxa.toml").write_text(text)
    with pytest.raises(ConfigError, match=complaint):
        load_config(tmp_path / "voxa.toml")


def test_a_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "nowhere.toml")
