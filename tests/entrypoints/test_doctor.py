"""What `emberkeep doctor` finds, each with what is really wrong; what it says of Redis is in test_events_cli."""

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.serving import answering_at
from typer.testing import Result

import emberkeep
from emberkeep.entrypoints.doctor import installation, machine
from emberkeep.entrypoints.doctor.check import Check
from emberkeep.entrypoints.doctor.examine import examine
from emberkeep.storage import migrate
from emberkeep.testing import FixedClock, WordEmbedder

Run = Callable[..., Result]
NOBODY = 65534


def found(result: Result) -> dict[str, Check]:
    return {one["name"]: Check(**one) for one in json.loads(result.stdout)["checks"]}


def states(result: Result) -> dict[str, str]:
    return {name: check.state for name, check in found(result).items()}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A memory that only its owner can read."""
    path = tmp_path / "kept" / "agent.db"
    with emberkeep.open(path) as memory:
        memory.remember("likes plums")
    return path


def test_all_is_well_with_a_memory_of_ones_own(run: Run, store: Path) -> None:
    checks = found(run("doctor", "--db", store, "--json"))
    sound = {"permissions", "disk", "database", "schema", "clock", "index", "backlog", "events", "keys", "embedder"}
    assert {name for name, check in checks.items() if check.state == "ok"} >= sound
    assert checks["index"].detail == "vectors of all-MiniLM-L6-v2-int8, none missing"


def test_a_folder_that_is_made_is_its_owners_alone(store: Path) -> None:
    assert store.parent.stat().st_mode & 0o777 == 0o700


def test_others_that_can_read_it_are_a_warning_with_the_command_that_ends_it(run: Run, store: Path) -> None:
    store.parent.chmod(0o755)
    store.chmod(0o644)
    result = run("doctor", "--db", store, "--json")
    check = found(result)["permissions"]
    assert (check.state, result.exit_code) == ("warn", 0)
    assert check.detail.endswith(f"chmod 600 '{store}'")
    store.chmod(0o600)
    assert found(run("doctor", "--db", store, "--json"))["permissions"].state == "ok"


@contextmanager
def nobody() -> Iterator[None]:
    """As someone who may not do everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that can be reached whoever we are; pytest's own is closed."""
    folder = Path(tempfile.mkdtemp(prefix="emberkeep-doctor-"))
    monkeypatch.setenv("EMBERKEEP_HOME", str(folder / "home"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, -1)
    yield folder
    for one in (folder, *filter(Path.is_dir, folder.iterdir())):
        one.chmod(0o700)
    shutil.rmtree(folder)


def test_a_folder_that_cannot_be_written_to_fails(run: Run, open_folder: Path) -> None:
    open_folder.chmod(0o500)
    with nobody():
        result = run("doctor", "--db", open_folder / "agent.db", "--json")
    checks = found(result)
    assert (checks["permissions"].state, checks["database"].state, result.exit_code) == ("fail", "fail", 1)
    assert "pass another --db" in checks["permissions"].detail
    assert not list(open_folder.iterdir())


def test_a_file_that_cannot_be_written_to_fails(run: Run, open_folder: Path) -> None:
    path = open_folder / "agent.db"
    with nobody():
        with emberkeep.open(path, embedder=WordEmbedder()) as memory:
            memory.remember("likes plums")
        path.chmod(0o400)
        result = run("doctor", "--db", path, "--json")
    checks = found(result)
    assert (checks["permissions"].state, result.exit_code) == ("fail", 1)
    assert "chmod u+rw it" in checks["permissions"].detail


def test_a_data_folder_that_is_closed_fails_and_says_which_variable_names_another(run: Run, open_folder: Path) -> None:
    (open_folder / "home").mkdir(mode=0o000)
    with nobody():
        result = run("doctor", "--json")
    wrong = [check for check in found(result).values() if check.state == "fail"]
    # Since Python 3.14 a file that cannot be looked at is one that is not there, so the settings are the defaults.
    assert result.exit_code == 1
    assert wrong[0].name in {"settings", "permissions"}
    assert "EMBERKEEP_HOME" in wrong[0].detail or "--db" in wrong[0].detail


def test_a_memory_in_a_closed_folder_is_unavailable(run: Run, open_folder: Path) -> None:
    (open_folder / "closed").mkdir(mode=0o000)
    with nobody():
        result = run("list", "--db", open_folder / "closed" / "agent.db")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: ")


def test_a_disk_that_is_full_or_nearly_so_is_noticed(run: Run, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is the real one; what counts as too little is raised above what it has."""
    free = shutil.disk_usage(store.parent).free
    monkeypatch.setattr(machine, "LITTLE_FREE", free + 10**12)
    assert found(run("doctor", "--db", store, "--json"))["disk"].state == "warn"
    monkeypatch.setattr(machine, "NONE_FREE", free + 10**12)
    result = run("doctor", "--db", store, "--json")
    assert (found(result)["disk"].state, result.exit_code) == ("fail", 1)
    assert "make room" in result.stdout


def test_a_clock_behind_what_is_stored_is_noticed(run: Run, store: Path) -> None:
    ahead = FixedClock(datetime.now(UTC) + timedelta(days=3))
    with emberkeep.open(store, clock=ahead) as memory:
        memory.remember("likes pears")
    result = run("doctor", "--db", store, "--json")
    check = found(result)["clock"]
    assert (check.state, result.exit_code) == ("fail", 1)
    assert f"something was kept at {ahead.now():%Y-%m-%d}" in check.detail
    assert "set-ntp" in check.detail


@pytest.mark.slow
def test_a_clock_that_differs_from_the_databases_is_noticed(postgres_url: str) -> None:
    away = FixedClock(datetime.now(UTC) + timedelta(minutes=5))

    def clock_check(**options: Any) -> Check:
        return next(one for one in examine(postgres_url, None, **options).checks if one.name == "clock")

    assert clock_check().state == "ok"
    said = clock_check(clock=away)
    assert said.state == "fail"
    assert "on both machines" in said.detail


def test_vectors_of_another_embedder_are_noticed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    with emberkeep.open(path, embedder=WordEmbedder()) as memory:
        memory.remember("likes plums")
    result = run("doctor", "--db", path, "--json")
    check = found(result)["index"]
    assert (check.state, result.exit_code) == ("fail", 1)
    assert "emberkeep rebuild" in check.detail


def test_memories_without_vectors_are_noticed(run: Run, store: Path) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE items SET unembedded = 1")
    connection.close()
    check = found(run("doctor", "--db", store, "--json"))["index"]
    assert check.state == "warn"
    assert check.detail.startswith("1 memories have no vector")
    assert "emberkeep learn" in check.detail


@pytest.mark.parametrize(("table", "whose"), [("items", "the same names"), ("prices", "another program")])
def test_a_database_of_another_program_is_noticed_and_left_alone(
    run: Run, tmp_path: Path, table: str, whose: str
) -> None:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE {table} (price)")
    before = path.read_bytes()
    for command in (["doctor"], ["add", "hello"]):
        result = run(*command, "--db", path)
        assert result.exit_code == 1
        assert f"is not Emberkeep's, but has tables of {whose} ({table}): pass an empty database" in result.output
    assert path.read_bytes() == before


def test_a_damaged_file_is_called_so(run: Run, store: Path) -> None:
    os.truncate(store, 30_000)
    for command in (["doctor"], ["search", "x"]):
        result = run(*command, "--db", store)
        assert result.exit_code == 1
        assert "this file is damaged" in result.output
        assert "Restore a backup to another path" in result.output


def test_an_address_that_others_reach_needs_keys(run: Run, store: Path) -> None:
    assert found(run("doctor", "--db", store, "--json"))["keys"].state == "ok"
    result = run("doctor", "--db", store, "--host", "0.0.0.0", "--json")  # noqa: S104 - nothing listens there
    check = found(result)["keys"]
    assert (check.state, result.exit_code) == ("fail", 1)
    assert "emberkeep keys create" in check.detail
    run("keys", "create", "the bot", "--db", store)
    assert found(run("doctor", "--db", store, "--host", "0.0.0.0", "--json"))["keys"].state == "ok"  # noqa: S104


def test_the_inspector_is_built_or_it_says_how_to(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_built = (files("emberkeep.entrypoints.http") / "static" / "index.html").is_file()
    assert found(run("doctor", "--json"))["inspector"].state == ("ok" if is_built else "warn")
    (tmp_path / "static").mkdir()
    monkeypatch.setattr(installation, "files", lambda _: tmp_path)
    assert "make web" in found(run("doctor", "--json"))["inspector"].detail
    (tmp_path / "static" / "index.html").write_text("<!doctype html>")
    assert found(run("doctor", "--json"))["inspector"].state == "ok"


def test_every_finding_says_what_to_do(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_LEARNER", "llm")
    monkeypatch.setenv("EMBERKEEP_EMBEDDER", "onnx:/nowhere")
    monkeypatch.setenv("EMBERKEEP_EVENTS_URL", "redis://127.0.0.1:1")
    monkeypatch.setenv("EMBERKEEP_TENNANT", "acme")
    wrong = [check for check in found(run("doctor", "--json")).values() if check.state != "ok"]
    assert {check.name for check in wrong} >= {"learner", "embedder", "events_url", "environment"}
    assert all(len(check.detail.split()) > 3 for check in wrong)


def test_all_is_well_before_anything_was_kept_and_nothing_is_made(run: Run, home: Path) -> None:
    result = run("doctor", "--json")
    assert json.loads(result.stdout)["ok"] is True
    assert states(result)["database"] == "ok"
    assert not home.exists()
    run("remember", "likes plums")
    lines = run("doctor").stdout
    assert f"ok    schema: {migrate.HEAD}" in lines
    assert "ok    embedder" in lines
    assert "ok    learner: rules" in lines
    assert "ok    backlog: 0 wait, 0 failed" in lines


@pytest.mark.slow
def test_it_warns_of_a_role_that_no_wall_binds(run: Run, postgres_url: str) -> None:
    result = run("doctor", "--json", "--db", postgres_url)
    assert states(result)["tenants"] == "warn"
    assert "without SUPERUSER and BYPASSRLS" in result.stdout


@pytest.mark.usefixtures("model_down")
def test_it_asks_whether_the_model_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run("doctor", "--json")
    assert (result.exit_code, states(result)["learner"]) == (1, "fail")
    assert "127.0.0.1 does not answer (ConnectError)" in result.stdout
    monkeypatch.setenv("MODEL_KEY", "sesame")
    monkeypatch.setenv("EMBERKEEP_LLM_KEY_ENV", "MODEL_KEY")
    for status, state in ((200, "ok"), (404, "ok"), (401, "fail"), (503, "fail")):
        with answering(status) as url:
            monkeypatch.setenv("EMBERKEEP_LLM_URL", url)
            result = run("doctor", "--json")
            assert states(result)["learner"] == state
            assert "sesame" not in result.output


def test_it_looks_at_the_learners_settings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for learner, state in (("none", "ok"), ("llm", "fail"), ("mem0", "fail"), ("psychic", "fail")):
        monkeypatch.setenv("EMBERKEEP_LEARNER", learner)
        assert states(run("doctor", "--json"))["learner"] == state


@contextmanager
def answering(status: int) -> Iterator[str]:
    """A server that answers every request with a status."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.headers["Authorization"] == "Bearer sesame" else 500)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with answering_at(Answers) as address:
        yield f"http://{address}/v1"


def test_it_names_unknown_variables(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_TENNANT", "acme")
    result = run("doctor")
    assert result.exit_code == 0
    assert "warn  environment: EMBERKEEP_TENNANT is not a setting: did you mean EMBERKEEP_TENANT?" in result.stdout


def test_it_fails_on_wrong_settings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_POOL_SIZE", "many")
    result = run("doctor", "--json")
    assert result.exit_code == 1
    assert states(result)["settings"] == "fail"


def test_it_fails_on_what_cannot_be_opened(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("This is no database, whatever its name may be. " * 100)
    monkeypatch.setenv("EMBERKEEP_EMBEDDER", "onnx:/nowhere")
    for db in (file, file / "below.db", "mysql://localhost/x"):
        result = run("doctor", "--db", db, "--json")
        assert result.exit_code == 1
        assert states(result)["database"] == states(result)["embedder"] == "fail"


def test_it_knows_older_and_newer_schemas(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "agent.db"
    run("migrate", "--db", db)
    monkeypatch.setattr(migrate, "HEAD", "9999")
    assert states(run("doctor", "--db", db, "--json"))["schema"] == "warn"
    monkeypatch.setattr(migrate, "HEAD", "0000")
    assert states(run("doctor", "--db", db, "--json"))["schema"] == "fail"


def test_it_misses_what_is_not_installed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "emberkeep.entrypoints.doctor.installation.find_spec",
        lambda name: None if name in {"usearch", "psycopg"} else find_spec(name),
    )
    result = run("doctor", "--json")
    assert result.exit_code == 1
    now = states(result)
    assert (now["usearch"], now["extra postgres"], now["extra server"]) == ("fail", "warn", "ok")
