import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from emberkeep.entrypoints.commands.knowing import knowledge

Run = Callable[..., Result]


@pytest.mark.parametrize("name", [command.name for command in knowledge.registered_commands])
def test_every_command_has_help_with_an_example_and_json(run: Run, name: str) -> None:
    result = run("knowledge", name, "--help")
    assert result.exit_code == 0
    assert f"Example: emberkeep knowledge {name}" in result.stdout
    assert "--json" in result.stdout


def test_the_journey_of_a_document(run: Run, tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text("# The guide\n\nBackups are taken at night.\n")
    result = run("knowledge", "import", tmp_path / "guide.md", "--user", "alex", "--metadata", "team=ops", "--json")
    (imported,) = json.loads(result.stdout)["imported"]
    assert (imported["change"], imported["new"]) == ("added", 1)
    assert imported["document"]["metadata"] == {"team": "ops"}
    assert len(bytes.fromhex(imported["document"]["content_hash"])) == 32
    document_id = imported["document"]["id"]

    again = run("knowledge", "import", tmp_path / "guide.md", "--user", "alex")
    assert "unchanged" in again.stdout
    assert "The guide" in again.stdout
    (listed,) = json.loads(run("knowledge", "list", "--json").stdout)["documents"]
    assert listed == imported["document"]
    assert "The guide" in run("knowledge", "list", "--user", "alex").stdout
    assert "no documents" in run("knowledge", "list", "--user", "sam").stdout
    assert "Backups are taken at night." in run("knowledge", "show", document_id).stdout
    shown = json.loads(run("knowledge", "show", document_id, "--json").stdout)
    assert shown["text"] == "# The guide\n\nBackups are taken at night."
    assert json.loads(run("knowledge", "delete", document_id, "--json").stdout)["rows"]["documents"] == 1
    assert run("knowledge", "show", document_id).exit_code == 1


def test_stdin_needs_a_type(run: Run) -> None:
    assert run("knowledge", "import", "-", stdin=b"<h1>Hi</h1>there").exit_code == 2
    result = run("knowledge", "import", "-", "--type", "text/html", "--title", "Greeting", stdin=b"<h1>Hi</h1>there")
    assert (result.exit_code, "Greeting" in result.stdout) == (0, True)


def test_one_bad_file_does_not_keep_the_others_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("Good.")
    (tmp_path / "bad.md").write_text("")
    result = run("knowledge", "import", tmp_path / "bad.md", tmp_path / "good.md", "--json")
    assert result.exit_code == 1
    assert "bad.md: this is empty" in result.stderr
    assert len(json.loads(result.stdout)["imported"]) == 1
    alone = run("knowledge", "import", tmp_path / "bad.md")
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert run("knowledge", "import", tmp_path / "good.md", tmp_path / "bad.md", "--title", "x").exit_code == 2
