import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]


@pytest.mark.parametrize("name", ["backup", "restore", "export", "import"])
def test_every_command_has_help_with_an_example_and_json(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"Example: emberkeep {name}" in result.stdout
    assert "--json" in result.stdout


def test_a_backup_is_made_checked_and_restored(run: Run, tmp_path: Path) -> None:
    db, file = tmp_path / "agent.db", tmp_path / "agent.backup"
    run("remember", "Prefers a window seat", "--user", "alex", "--db", db)
    made = run("backup", file, "--db", db, "--json")
    assert json.loads(made.stdout)["tables"]["items"]["rows"] == 1
    assert "items" in run("restore", file, "--check").stdout
    again = run("backup", file, "--db", db)
    assert (again.exit_code, "--replace" in again.stderr) == (2, True)
    assert run("backup", file, "--db", db, "--replace").exit_code == 0
    restored = run("restore", file, "--db", tmp_path / "new.db")
    assert (restored.exit_code, "compared with the backup" in restored.stderr) == (0, True)
    assert "window seat" in run("search", "seat", "--user", "alex", "--db", tmp_path / "new.db").stdout
    taken = run("restore", file, "--db", db)
    assert (taken.exit_code, "not empty" in taken.stderr) == (1, True)
    assert run("restore", file, "--check", "--db", db).exit_code == 2
    assert run("backup", file, "--db", "http://127.0.0.1:1").exit_code == 2
    assert run("backup", tmp_path / "x", "--db", tmp_path / "none.db").exit_code == 1
    file.write_bytes(file.read_bytes()[:-50])
    damaged = run("restore", file, "--db", tmp_path / "other.db")
    assert (damaged.exit_code, "not a whole backup" in damaged.stderr) == (2, True)
    assert not (tmp_path / "other.db").exists()


def test_memories_are_imported_and_exported(run: Run, tmp_path: Path) -> None:
    db, file = tmp_path / "agent.db", tmp_path / "mem0.json"
    file.write_text(json.dumps([{"memory": "Likes tea", "user_id": "alex", "created_at": "2024-07-01T10:00:00Z"}]))
    dry = run("import", file, "--from", "mem0", "--dry-run", "--db", db, "--json")
    assert (json.loads(dry.stdout)["memories"], db.exists()) == (1, False)
    for new in (1, 0):
        assert json.loads(run("import", file, "--from", "mem0", "--db", db, "--json").stdout)["new"] == new
    assert json.loads(run("export", tmp_path / "out.jsonl", "--db", db, "--json").stdout)["memories"] == 1
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o600
    assert run("export", tmp_path / "out.md", "--format", "markdown", "--user", "alex", "--db", db).exit_code == 0
    assert (tmp_path / "out.md").read_text() == "# alex\n\n## fact\n\n- 2024-07-01: Likes tea\n\n"
    assert run("export", tmp_path / "out.md", "--db", db).exit_code == 2
    assert run("import", file, "--from", "nowhere", "--db", db).exit_code == 2
    assert run("import", tmp_path / "none", "--from", "mem0", "--db", db).exit_code == 1


def test_who_imports_conversations_is_told_how_to_find_them(run: Run, tmp_path: Path) -> None:
    messages = [{"uuid": "m", "sender": "human", "text": "My dog is called Rex."}]
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([{"uuid": "c", "created_at": "2024-05-01T08:00:00Z", "chat_messages": messages}]))
    result = run("import", file, "--from", "claude", "--user", "alex", "--db", tmp_path / "agent.db")
    assert (result.exit_code, "emberkeep learn" in result.stderr) == (0, True)
